//===- StartFiles.cpp - Where libc's start files are ----------------------===//

#include "chi/Target/CPU/StartFiles.h"

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

llvm::Expected<cpu::StartFiles> cpu::findStartFiles(llvm::vfs::FileSystem &fs,
                                                    bool isStatic) {
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
  return files;
}
