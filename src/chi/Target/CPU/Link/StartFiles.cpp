//===- StartFiles.cpp - Where libc's start files are ----------------------===//

#include "chi/Target/CPU/Link/StartFiles.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace chi::target;

static constexpr llvm::StringLiteral kFolders[] = {"/usr/lib/x86_64-linux-gnu",
                                                   "/lib/x86_64-linux-gnu",
                                                   "/usr/lib/aarch64-linux-gnu",
                                                   "/lib/aarch64-linux-gnu",
                                                   "/usr/lib64",
                                                   "/lib64",
                                                   "/usr/lib",
                                                   "/lib"};
static constexpr llvm::StringLiteral kLoaders[] = {
    "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1"};

static std::string findIn(llvm::vfs::FileSystem &fs,
                          llvm::ArrayRef<std::string> folders,
                          llvm::StringRef name) {
  for (const std::string &folder : folders)
    if (std::string path = folder + "/" + name.str(); fs.exists(path))
      return path;
  return "";
}

/// The folders /usr/lib/gcc/MACHINE/VERSION.
static std::vector<std::string> compilerFolders(llvm::vfs::FileSystem &fs) {
  std::vector<std::string> folders{"/usr/lib/gcc"};
  for (int level = 0; level < 2; ++level) {
    std::vector<std::string> inner;
    for (const std::string &folder : folders) {
      std::error_code error;
      for (auto it = fs.dir_begin(folder, error), end = decltype(it)();
           it != end && !error; it.increment(error))
        inner.push_back(it->path().str());
    }
    folders = std::move(inner);
  }
  llvm::sort(folders); // the same one each time
  return folders;
}

static llvm::Error findSupport(llvm::vfs::FileSystem &fs,
                               cpu::link::StartFiles &files) {
  std::vector<std::string> folders = compilerFolders(fs);
  folders.insert(folders.end(), files.folders.begin(), files.folders.end());
  for (const char *name : {"libgcc.a", "libgcc_eh.a"})
    files.supportLibraries.push_back(findIn(fs, folders, name));
  if (findIn(fs, files.folders, "libc.a").empty() ||
      llvm::is_contained(files.supportLibraries, ""))
    return llvm::createStringError(
        "a static executable needs libc.a, libgcc.a and libgcc_eh.a, which "
        "were not all found; install a C compiler, or leave out --static");
  return llvm::Error::success();
}

llvm::Expected<cpu::link::StartFiles>
cpu::link::findStartFiles(llvm::vfs::FileSystem &fs, bool isStatic) {
  StartFiles files;
  for (llvm::StringRef folder : kFolders)
    if (fs.exists(folder))
      files.folders.push_back(folder.str());
  for (llvm::StringRef loader : kLoaders)
    if (files.loader.empty() && fs.exists(loader))
      files.loader = loader.str();
  llvm::StringRef start = isStatic ? "crt1.o" : "Scrt1.o";
  files.start = findIn(fs, files.folders, start);
  files.prologue = findIn(fs, files.folders, "crti.o");
  files.epilogue = findIn(fs, files.folders, "crtn.o");
  if (files.start.empty() || files.prologue.empty() || files.epilogue.empty())
    return llvm::createStringError(
        "the start files of the C library (" + start.str() +
        ", crti.o, crtn.o) were not found; install the C library's "
        "development files");
  if (files.loader.empty() && !isStatic)
    return llvm::createStringError("the dynamic loader was not found");
  if (isStatic)
    if (llvm::Error error = findSupport(fs, files))
      return std::move(error);
  return files;
}
