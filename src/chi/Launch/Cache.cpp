//===- Cache.cpp ----------------------------------------------------------===//
#include "chi/Launch/Cache.h"
#include "chi/Launch/Files.h"
#include "chirt/params/Flags.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/stat.h>
#include <unistd.h>

using namespace chi::launch;

//===--- Sealed files: content, then a trailer that vouches for it --------===//

static constexpr char kMagic[] = "CHICACH2";
static constexpr size_t kTrailer = 8 + 8 + 16;

/// Covers the name too, which holds the key: an entry is none under another.
static Hash sealOf(std::string_view name, std::string_view bytes) {
  return KeyText().add("name", name).add("bytes", bytes).hash();
}

static std::string seal(std::string_view name, std::string_view bytes) {
  std::string file(bytes);
  Hash hash = sealOf(name, bytes);
  uint64_t size = bytes.size();
  file.append(kMagic, 8);
  file.append(reinterpret_cast<const char *>(&size), 8);
  file.append(reinterpret_cast<const char *>(&hash.low), 8);
  file.append(reinterpret_cast<const char *>(&hash.high), 8);
  return file;
}

/// The content of a sealed file, or none if it is damaged. Marks it as used
/// now.
static std::optional<std::string> readSealed(std::string_view name,
                                             const Descriptor &opened) {
  auto file = opened.isOpen() ? readFile(opened) : std::nullopt;
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
  if (sealOf(name, *file) != hash)
    return std::nullopt;
  ::futimens(opened.get(), nullptr);
  return file;
}

//===--- Records ----------------------------------------------------------===//

static std::string printRecord(const CompilationRecord &record) {
  std::string text;
  for (const auto &d : record.dependencies)
    text += (d.isAbsent ? "absent " : "file " + d.content.hex() + " ") +
            d.path + "\n";
  for (const auto &param : record.params)
    text += std::string("param ") + (param.isSpecialized ? "fixed " : "free ") +
            (param.isBool ? "bool " : "value ") + param.name + "\n";
  return text;
}

using Params = std::vector<CompilationRecord::Param>;

/// Reads what follows "param ".
static CompilationRecord::Param readParam(std::string_view text) {
  auto takes = [&](std::string_view word) {
    bool isIt = text.substr(0, text.find(' ')) == word;
    text.remove_prefix(std::min(text.find(' '), text.size() - 1) + 1);
    return isIt;
  };
  CompilationRecord::Param param;
  param.isSpecialized = takes("fixed");
  param.isBool = takes("bool");
  param.name = text;
  return param;
}

/// Reads a record and compares its files with the present ones. None if
/// anything changed; otherwise the program's params.
static std::optional<Params> checkRecord(const std::string &text) {
  Params params;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    std::string line = text.substr(at, end - at);
    at = end == std::string::npos ? text.size() : end + 1;
    if (line.starts_with("param ")) {
      params.push_back(readParam(std::string_view(line).substr(6)));
    } else if (line.starts_with("absent ")) {
      if (::access(line.c_str() + 7, F_OK) == 0)
        return std::nullopt;
    } else if (line.starts_with("file ") && line.size() > 38) {
      std::string problem; // it may be a pipe by now
      auto content = readModule(line.substr(38), problem);
      if (!content || hashBytes(*content).hex() != line.substr(5, 32))
        return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  return params;
}

//===--- Warnings ---------------------------------------------------------===//
// They follow the library in one file, where the loader does not look: each
// text, then the sizes of the three.

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

static constexpr char kPrograms[] = "programs", kObjects[] = "objects";

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
  std::string problem;
  OwnFolder all(root, /*makes=*/false, problem);
  refuse(problem);
  if (const char *text = std::getenv("CHI_CACHE_LIMIT")) {
    // Anything but digits means the default.
    size_t digits = std::strspn(text, "0123456789");
    uint64_t megabytes = std::strtoull(text, nullptr, 10);
    if (digits > 0 && text[digits] == '\0')
      limit = std::clamp<uint64_t>(megabytes, 1, uint64_t(1) << 40) << 20;
  }
}

/// Reported once: the run then continues without the cache.
void Cache::refuse(const std::string &problem) const {
  if (problem.empty() || isRefused)
    return;
  isRefused = true;
  std::fprintf(stderr, "chic: the cache is not used: %s\n", problem.c_str());
}

OwnFolder Cache::open(const char *name, bool makes) const {
  std::string problem;
  if (!isEnabled())
    return {};
  OwnFolder all(root, makes, problem);
  OwnFolder part = all.isOpen() ? all.inner(name, makes, problem) : OwnFolder();
  refuse(problem);
  return part;
}

Cache::Entry Cache::find(const char *folderName,
                         const std::string &name) const {
  OwnFolder folder = open(folderName, /*makes=*/false);
  if (!folder.isOpen())
    return {};
  std::string problem;
  Entry entry;
  entry.file = folder.openFile(name, problem);
  refuse(problem);
  entry.content = readSealed(name, entry.file);
  return entry;
}

/// The file of a library, under the second key. None if `args` are no command
/// line of the program.
static std::optional<std::string>
libraryName(const Hash &key, const Params &params,
            const std::vector<std::string> &args) {
  auto values = specializedValues(params, args);
  if (!values)
    return std::nullopt;
  KeyText second;
  second.add("first", key.hex()).add("values", *values);
  return second.hash().hex() + ".so";
}

/// The key of a library: it contains the record, so that a library made of
/// older files cannot be used with a newer record.
static Hash withRecord(const Hash &key, const std::string &record) {
  return KeyText().add("key", key.hex()).add("record", record).hash();
}

std::optional<CachedProgram>
Cache::findProgram(const Hash &key,
                   const std::vector<std::string> &args) const {
  auto record = find(kPrograms, key.hex() + ".record").content;
  auto params = record ? checkRecord(*record) : std::nullopt;
  auto name = params ? libraryName(withRecord(key, *record), *params, args)
                     : std::nullopt;
  if (!name)
    return std::nullopt;
  Entry library = find(kPrograms, *name);
  auto warnings =
      library.content ? readWarnings(*library.content) : std::nullopt;
  if (!warnings)
    return std::nullopt;
  return CachedProgram{std::move(library.file), std::move(*warnings)};
}

Descriptor Cache::storeProgram(const Hash &key,
                               const std::vector<std::string> &args,
                               const CompilationRecord &record,
                               std::string_view library,
                               const WarningTexts &warnings) const {
  OwnFolder programs = open(kPrograms, /*makes=*/true);
  if (!programs.isOpen())
    return {};
  std::string text = printRecord(record), first = key.hex() + ".record";
  auto name = libraryName(withRecord(key, text), record.params, args);
  if (!name)
    return {};
  // The library first: a record always points to something that was there.
  Descriptor file =
      programs.writeFile(*name, seal(*name, withWarnings(library, warnings)));
  if (!file.isOpen() || !programs.writeFile(first, seal(first, text)).isOpen())
    return {};
  trim();
  return file;
}

std::optional<std::string> Cache::findObject(const Hash &key) const {
  return find(kObjects, key.hex() + ".o").content;
}

void Cache::storeObject(const Hash &key, std::string_view bytes) const {
  OwnFolder objects = open(kObjects, /*makes=*/true);
  std::string name = key.hex() + ".o";
  if (objects.isOpen())
    objects.writeFile(name, seal(name, bytes));
}

//===--- Size -------------------------------------------------------------===//

/// Whether the cache gives its entries such a name, while they are written too.
/// The user may keep files where CHI_CACHE_DIR points to: they are no concern
/// of the cache.
static bool isEntry(std::string_view name) {
  name = OwnFolder::finishedName(name);
  size_t digits = name.find_first_not_of("0123456789abcdef");
  if (digits != Hash().hex().size())
    return false;
  name.remove_prefix(digits);
  return name == ".so" || name == ".o" || name == ".record";
}

/// The files of a folder of the cache that the cache made.
static std::vector<OwnFolder::File> entries(const OwnFolder &folder) {
  std::vector<OwnFolder::File> files;
  if (folder.isOpen())
    files = folder.list();
  std::erase_if(files, [](const auto &file) { return !isEntry(file.name); });
  return files;
}

Cache::Usage Cache::usage() const {
  Usage usage;
  for (const char *part : {kPrograms, kObjects})
    for (const OwnFolder::File &file : entries(open(part, false))) {
      usage.bytes += file.bytes;
      usage.programs += file.name.ends_with(".so");
      usage.objects += file.name.ends_with(".o");
    }
  return usage;
}

/// Removes what killed processes left in `folder`; gives the rest.
static std::vector<OwnFolder::File> sweep(const OwnFolder &folder) {
  constexpr int64_t kAbandoned = 24 * 3600; // seconds
  int64_t now = std::time(nullptr);
  std::vector<OwnFolder::File> rest;
  for (OwnFolder::File &file : entries(folder)) {
    bool isFinished = OwnFolder::finishedName(file.name) == file.name;
    if (isFinished || now - file.seconds <= kAbandoned)
      rest.push_back(std::move(file));
    else
      folder.removeFile(file.name);
  }
  return rest;
}

void Cache::trim() const {
  struct Aged {
    OwnFolder::File file;
    const OwnFolder *folder;
  };
  const OwnFolder folders[] = {open(kPrograms, false), open(kObjects, false)};
  std::vector<Aged> files;
  uint64_t total = 0;
  for (const OwnFolder &folder : folders)
    for (OwnFolder::File &file : sweep(folder)) {
      total += file.bytes;
      files.push_back({std::move(file), &folder});
    }
  if (total <= limit)
    return;
  std::sort(files.begin(), files.end(), [](const Aged &a, const Aged &b) {
    return a.file.seconds < b.file.seconds;
  });
  for (const Aged &aged : files) {
    if (total <= limit / 4 * 3)
      break;
    aged.folder->removeFile(aged.file.name);
    total -= aged.file.bytes;
  }
}

void Cache::clear() const {
  for (const char *part : {kPrograms, kObjects}) {
    OwnFolder folder = open(part, false);
    for (const OwnFolder::File &file : entries(folder))
      folder.removeFile(file.name);
  }
}

std::optional<std::string> chi::launch::specializedValues(
    const std::vector<CompilationRecord::Param> &params,
    const std::vector<std::string> &args) {
  std::vector<chirt::ParamFacts> facts;
  bool isAny = false;
  for (const CompilationRecord::Param &param : params) {
    chirt::ParamFacts &fact = facts.emplace_back();
    fact.name = param.name;
    fact.type = param.isBool ? "bool" : "";
    isAny |= param.isSpecialized;
  }
  if (!isAny) // then the program itself reads its command line
    return "";
  std::vector<const char *> words;
  for (const std::string &arg : args)
    words.push_back(arg.c_str());
  chirt::ParamFlags flags(facts.data(), facts.size(), nullptr);
  if (!flags.read(int(words.size()), words.data(), /*takesHelp=*/true))
    return std::nullopt;
  std::string text;
  for (size_t k = 0; k < params.size(); ++k) {
    std::string_view value = flags.value(k);
    if (params[k].isSpecialized && value.data())
      (text += params[k].name + '=').append(value) += '\0';
  }
  return text;
}
