//===- Cache.cpp ----------------------------------------------------------===//
#include "chi/Launch/Cache.h"
#include "chi/Launch/Files.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace chi::launch;

//===--- Sealed files: content, then a trailer that vouches for it --------===//

static constexpr char kMagic[] = "CHICACHE";
static constexpr size_t kTrailer = 8 + 8 + 16;

static std::string seal(std::string_view bytes) {
  std::string file(bytes);
  Hash hash = hashBytes(bytes);
  uint64_t size = bytes.size();
  file.append(kMagic, 8);
  file.append(reinterpret_cast<const char *>(&size), 8);
  file.append(reinterpret_cast<const char *>(&hash.low), 8);
  file.append(reinterpret_cast<const char *>(&hash.high), 8);
  return file;
}

/// The content of a sealed file, or none if it is missing or damaged. Marks
/// it as used now.
static std::optional<std::string> readSealed(const std::string &path) {
  auto file = readFile(path);
  if (!file || file->size() < kTrailer)
    return std::nullopt;
  const char *trailer = file->data() + file->size() - kTrailer;
  uint64_t size;
  Hash hash;
  std::memcpy(&size, trailer + 8, 8);
  std::memcpy(&hash.low, trailer + 16, 8);
  std::memcpy(&hash.high, trailer + 24, 8);
  if (std::memcmp(trailer, kMagic, 8) != 0 || size != file->size() - kTrailer)
    return std::nullopt;
  file->resize(size);
  if (hashBytes(*file) != hash)
    return std::nullopt;
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return file;
}

//===--- Records ----------------------------------------------------------===//

static std::string printRecord(const CompilationRecord &record) {
  std::string text;
  for (const auto &d : record.dependencies)
    text += (d.isAbsent ? "absent " : "file " + d.content.hex() + " ") +
            d.path + "\n";
  for (const std::string &name : record.specializedParams)
    text += "param " + name + "\n";
  return text;
}

/// Reads a record and compares what it lists with what is there now. None if
/// anything changed; else the names of the params compiled in.
static std::optional<std::vector<std::string>>
checkRecord(const std::string &text) {
  std::vector<std::string> params;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    std::string line = text.substr(at, end - at);
    at = end == std::string::npos ? text.size() : end + 1;
    if (line.starts_with("param ")) {
      params.push_back(line.substr(6));
    } else if (line.starts_with("absent ")) {
      if (::access(line.c_str() + 7, F_OK) == 0)
        return std::nullopt;
    } else if (line.starts_with("file ") && line.size() > 38) {
      auto content = readFile(line.substr(38));
      if (!content || hashBytes(*content).hex() != line.substr(5, 32))
        return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  return params;
}

//===--- Warnings ---------------------------------------------------------===//
// They stand behind the library in one file, where the loader does not look:
// each text, then the sizes of the three.

static std::string withWarnings(std::string_view library,
                                const WarningTexts &warnings) {
  std::string file(library);
  const std::string *texts[] = {&warnings.text, &warnings.colored,
                                &warnings.json};
  for (const std::string *text : texts)
    file += *text;
  for (const std::string *text : texts) {
    uint64_t size = text->size();
    file.append(reinterpret_cast<const char *>(&size), 8);
  }
  return file;
}

/// None if the sizes are impossible, which a sealed file never is.
static std::optional<WarningTexts> readWarnings(const std::string &file) {
  uint64_t sizes[3];
  if (file.size() < sizeof(sizes))
    return std::nullopt;
  size_t end = file.size() - sizeof(sizes);
  std::memcpy(sizes, file.data() + end, sizeof(sizes));
  WarningTexts warnings;
  std::string *texts[] = {&warnings.text, &warnings.colored, &warnings.json};
  for (int k = 2; k >= 0; --k) {
    if (sizes[k] > end)
      return std::nullopt;
    end -= sizes[k];
    *texts[k] = file.substr(end, sizes[k]);
  }
  return warnings;
}

//===--- Cache ------------------------------------------------------------===//

static std::string chooseRoot() {
  auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (std::string dir = variable("CHI_CACHE_DIR"); !dir.empty())
    return dir;
  if (std::string dir = variable("XDG_CACHE_HOME"); !dir.empty())
    return dir + "/chi";
  if (std::string dir = variable("HOME"); !dir.empty())
    return dir + "/.cache/chi";
  return "";
}

Cache::Cache(bool isEnabled) {
  if (!isEnabled)
    return;
  root = chooseRoot();
  if (root.empty())
    return;
  root = absolutePath(root);
  if (const char *text = std::getenv("CHI_CACHE_LIMIT")) {
    // Anything but digits means the default.
    size_t digits = std::strspn(text, "0123456789");
    uint64_t megabytes = std::strtoull(text, nullptr, 10);
    if (digits > 0 && text[digits] == '\0')
      limit = std::clamp<uint64_t>(megabytes, 1, uint64_t(1) << 40) << 20;
  }
}

std::string Cache::recordPath(const Hash &key) const {
  return root + "/programs/" + key.hex() + ".record";
}

std::string Cache::programPath(const Hash &key,
                               const std::vector<std::string> &specialized,
                               const std::vector<std::string> &args) const {
  KeyText second;
  second.add("first", key.hex());
  for (const std::string &name : specialized)
    second.add(name, paramText(name, args));
  return root + "/programs/" + second.hash().hex() + ".so";
}

/// The key of a library: it holds what the record says, so that a library made
/// of older files cannot be taken under a newer record.
static Hash withRecord(const Hash &key, const std::string &record) {
  return KeyText().add("key", key.hex()).add("record", record).hash();
}

std::optional<CachedProgram>
Cache::findProgram(const Hash &key,
                   const std::vector<std::string> &args) const {
  if (!isEnabled())
    return std::nullopt;
  auto record = readSealed(recordPath(key));
  if (!record)
    return std::nullopt;
  auto specialized = checkRecord(*record);
  if (!specialized)
    return std::nullopt;
  std::string path = programPath(withRecord(key, *record), *specialized, args);
  auto file = readSealed(path);
  auto warnings = file ? readWarnings(*file) : std::nullopt;
  if (!warnings)
    return std::nullopt;
  return CachedProgram{path, std::move(*warnings)};
}

std::optional<std::string>
Cache::storeProgram(const Hash &key, const std::vector<std::string> &args,
                    const CompilationRecord &record, std::string_view library,
                    const WarningTexts &warnings) const {
  if (!isEnabled() || !makeFolders(root + "/programs"))
    return std::nullopt;
  std::string text = printRecord(record);
  std::string path =
      programPath(withRecord(key, text), record.specializedParams, args);
  // The library first: a record always points to something that was there.
  if (!writeFileAtomically(path, seal(withWarnings(library, warnings))) ||
      !writeFileAtomically(recordPath(key), seal(text)))
    return std::nullopt;
  trim();
  return path;
}

std::optional<std::string> Cache::findObject(const Hash &key) const {
  if (!isEnabled())
    return std::nullopt;
  return readSealed(root + "/objects/" + key.hex() + ".o");
}

void Cache::storeObject(const Hash &key, std::string_view bytes) const {
  if (isEnabled() && makeFolders(root + "/objects"))
    writeFileAtomically(root + "/objects/" + key.hex() + ".o", seal(bytes));
}

//===--- Size -------------------------------------------------------------===//

namespace {
struct CachedFile {
  std::string path;
  uint64_t bytes = 0;
  int64_t seconds = 0; ///< when it was last used
};
} // namespace

static std::vector<CachedFile> listFolder(const std::string &path) {
  std::vector<CachedFile> files;
  DIR *folder = ::opendir(path.c_str());
  if (!folder)
    return files;
  while (dirent *entry = ::readdir(folder)) {
    struct stat s;
    std::string file = path + "/" + entry->d_name;
    if (entry->d_name[0] != '.' && ::stat(file.c_str(), &s) == 0)
      files.push_back({file, uint64_t(s.st_size), s.st_mtim.tv_sec});
  }
  ::closedir(folder);
  return files;
}

Cache::Usage Cache::usage() const {
  Usage usage;
  for (const char *name : {"/programs", "/objects"})
    for (const CachedFile &file : listFolder(root + name)) {
      usage.bytes += file.bytes;
      usage.programs += file.path.ends_with(".so");
      usage.objects += file.path.ends_with(".o");
    }
  return usage;
}

void Cache::trim() const {
  constexpr int64_t kAbandoned = 24 * 3600; // seconds
  int64_t now = std::time(nullptr);
  std::vector<CachedFile> files;
  uint64_t total = 0;
  for (const char *name : {"/programs", "/objects"})
    for (CachedFile &file : listFolder(root + name)) {
      bool isEntry = file.path.ends_with(".so") || file.path.ends_with(".o") ||
                     file.path.ends_with(".record");
      if (!isEntry && now - file.seconds > kAbandoned) {
        ::unlink(file.path.c_str());
        continue;
      }
      total += file.bytes;
      files.push_back(std::move(file));
    }
  for (const CachedFile &file : listFolder(root))
    if (file.path.find("/chic-") != std::string::npos &&
        now - file.seconds > kAbandoned)
      removeFolder(file.path);
  if (total <= limit)
    return;
  std::sort(files.begin(), files.end(),
            [](const CachedFile &a, const CachedFile &b) {
              return a.seconds < b.seconds;
            });
  for (const CachedFile &file : files) {
    if (total <= limit / 4 * 3)
      break;
    ::unlink(file.path.c_str());
    total -= file.bytes;
  }
}

void Cache::clear() const {
  for (const char *name : {"/programs", "/objects"})
    for (const CachedFile &file : listFolder(root + name))
      ::unlink(file.path.c_str());
}

std::string chi::launch::paramText(const std::string &name,
                                   const std::vector<std::string> &args) {
  std::string text;
  for (size_t i = 0; i < args.size(); ++i) {
    if (!args[i].starts_with("--"))
      continue;
    std::string flag = args[i].substr(2, args[i].find('=') - 2);
    std::replace(flag.begin(), flag.end(), '-', '_');
    if (flag != name && flag != "no_" + name)
      continue;
    text += args[i] + '\0';
    if (args[i].find('=') == std::string::npos && i + 1 < args.size())
      text += args[i + 1];
    text += '\0';
  }
  return text;
}
