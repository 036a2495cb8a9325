//===- Wheel.cpp - A Python package as one file ---------------------------===//
#include "chi/Driver/Library/Wheel.h"

#include "chi/Launch/Files.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/SHA256.h"
#include <minizip/zip.h>

using namespace chi;
using namespace chi::driver;

/// The minor version of the newest glibc of which the library uses a symbol.
static llvm::Expected<unsigned> neededGlibc(llvm::StringRef library) {
  auto file = llvm::object::ELFFile<llvm::object::ELF64LE>::create(library);
  if (!file)
    return file.takeError();
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  unsigned newest = 17; // the oldest that a tag can name
  for (const auto &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_GNU_verneed)
      continue;
    auto needs = file->getVersionDependencies(section);
    if (!needs)
      return needs.takeError();
    for (const llvm::object::VerNeed &need : *needs)
      for (const llvm::object::VernAux &version : need.AuxV) {
        // The rest of the string table follows.
        llvm::StringRef name = version.Name.c_str();
        unsigned minor = 0;
        if (name.consume_front("GLIBC_2.") &&
            !name.split('.').first.getAsInteger(10, minor))
          newest = std::max(newest, minor);
      }
  }
  return newest;
}

static llvm::Expected<std::string> tagOf(llvm::StringRef library) {
  auto minor = neededGlibc(library);
  if (!minor)
    return minor.takeError();
  auto file = llvm::object::ELFFile<llvm::object::ELF64LE>::create(library);
  if (!file)
    return file.takeError();
  bool isArm = file->getHeader().e_machine == llvm::ELF::EM_AARCH64;
  return "py3-none-manylinux_2_" + std::to_string(*minor) +
         (isArm ? "_aarch64" : "_x86_64");
}

llvm::Expected<std::string> chi::driver::wheelName(const WheelOptions &options,
                                                   llvm::StringRef library) {
  auto tag = tagOf(library);
  if (!tag)
    return tag.takeError();
  return options.name + "-" + options.version + "-" + *tag + ".whl";
}

/// The line of a file in RECORD.
static std::string recordOf(const PackageFile &file) {
  std::array<uint8_t, 32> hash =
      llvm::SHA256::hash(llvm::arrayRefFromStringRef(file.text));
  std::string text = llvm::encodeBase64(hash);
  llvm::StringRef digits = llvm::StringRef(text).rtrim('=');
  text = digits.str();
  for (char &c : text)
    c = c == '+' ? '-' : c == '/' ? '_' : c;
  return file.name + ",sha256=" + text + "," +
         std::to_string(file.text.size()) + "\n";
}

/// The package's files under its folder, and those that describe it.
static std::vector<PackageFile> filesOf(const WheelOptions &options,
                                        const std::string &wheel,
                                        const std::vector<PackageFile> &files) {
  std::vector<PackageFile> all;
  for (const PackageFile &file : files)
    all.push_back({options.name + "/" + file.name, file.text});
  std::string info = options.name + "-" + options.version + ".dist-info/";
  std::string tag =
      llvm::StringRef(wheel)
          .drop_front(options.name.size() + 1 + options.version.size() + 1)
          .drop_back(4)
          .str();
  all.push_back(
      {info + "METADATA",
       "Metadata-Version: 2.1\nName: " + options.name +
           "\nVersion: " + options.version +
           (options.summary.empty() ? "" : "\nSummary: " + options.summary) +
           "\nRequires-Python: >=3.9\n"
           "Requires-Dist: apache-tvm-ffi>=0.1.15\n"});
  all.push_back({info + "WHEEL", "Wheel-Version: 1.0\nGenerator: chic\n"
                                 "Root-Is-Purelib: false\nTag: " +
                                     tag + "\n"});
  std::string record;
  for (const PackageFile &file : all)
    record += recordOf(file);
  all.push_back({info + "RECORD", record + info + "RECORD,,\n"});
  return all;
}

static bool addFile(zipFile zip, const PackageFile &file) {
  zip_fileinfo info = {};
  info.tmz_date = {0, 0, 0, 1, 0, 1980}; // the first day that a ZIP can name
  info.external_fa = 0100644u << 16;     // a file that all may read
  bool isOpen =
      zipOpenNewFileInZip(zip, file.name.c_str(), &info, nullptr, 0, nullptr, 0,
                          nullptr, Z_DEFLATED, Z_DEFAULT_COMPRESSION) == ZIP_OK;
  return isOpen &&
         zipWriteInFileInZip(zip, file.text.data(),
                             unsigned(file.text.size())) == ZIP_OK &&
         zipCloseFileInZip(zip) == ZIP_OK;
}

llvm::Expected<std::string>
chi::driver::makeWheel(const WheelOptions &options, const std::string &wheel,
                       const std::vector<PackageFile> &files) {
  std::string path = options.scratchFolder + "/wheel";
  zipFile zip = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  bool isGood = zip != nullptr;
  for (const PackageFile &file : filesOf(options, wheel, files))
    isGood = isGood && addFile(zip, file);
  if (zip)
    isGood &= zipClose(zip, nullptr) == ZIP_OK;
  auto bytes = isGood ? launch::readFile(path) : std::nullopt;
  if (!bytes)
    return llvm::createStringError("'" + path + "' cannot be written");
  return std::move(*bytes);
}
