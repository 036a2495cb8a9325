//===- FindPrograms.cpp ---------------------------------------------------===//
#include "chi/Driver/FindPrograms.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>

using namespace chi::driver;

static std::vector<std::string> programsIn(const std::string &folder) {
  std::error_code error;
  std::vector<std::string> found;
  // Links are not followed: they may lead in circles.
  llvm::sys::fs::recursive_directory_iterator it(folder, error,
                                                 /*follow_symlinks=*/false),
      end;
  for (; it != end && !error; it.increment(error))
    if (llvm::StringRef(it->path()).ends_with(".chi") &&
        !llvm::sys::fs::is_directory(it->path()))
      found.push_back(it->path());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string>
chi::driver::findPrograms(const std::vector<std::string> &names, DriverEnv &env,
                          int &status) {
  std::vector<std::string> files;
  for (const std::string &name : names) {
    if (!llvm::sys::fs::is_directory(name)) {
      files.push_back(name);
      continue;
    }
    std::vector<std::string> found = programsIn(name);
    if (found.empty()) {
      env.err << "chic: '" << name << "' contains no programs (*.chi)\n";
      status = ExitWorld;
    }
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}
