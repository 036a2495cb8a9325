//===- WritePackage.cpp - The files of a Python package -------------------===//
#include "chi/Driver/Library/WritePackage.h"

#include "chi/Launch/Files.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <cstring>

using namespace chi;
using namespace chi::driver;

static bool refuse(llvm::raw_ostream &err, const std::string &path,
                   const std::string &why) {
  err << "chic: '" << path << "' cannot be written: " << why << "\n";
  return false;
}

/// Is the folder new, empty, or of an earlier build?
static bool isOurs(const std::string &folder) {
  std::error_code error;
  llvm::sys::fs::directory_iterator first(folder, error), end;
  if (error || first == end)
    return true;
  auto code = launch::readFile(folder + "/__init__.py");
  return code && llvm::StringRef(*code).starts_with(kPackageMark);
}

bool chi::driver::writePackage(const std::string &folder,
                               const std::vector<PackageFile> &files,
                               llvm::raw_ostream &err) {
  if (std::error_code error = llvm::sys::fs::create_directories(
          folder, /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
    return refuse(err, folder, error.message());
  if (!isOurs(folder))
    return refuse(err, folder,
                  "the folder has files that no chic build --python made");
  // All are there in full before one gets its name.
  std::vector<std::unique_ptr<launch::NewFile>> made;
  for (const PackageFile &file : files) {
    made.push_back(
        std::make_unique<launch::NewFile>(folder + "/" + file.name, file.text));
    if (int problem = made.back()->error())
      return refuse(err, folder + "/" + file.name, std::strerror(problem));
  }
  for (auto [file, source] : llvm::zip_equal(made, files))
    if (!file->commit())
      return refuse(err, folder + "/" + source.name,
                    std::strerror(file->error()));
  return true;
}
