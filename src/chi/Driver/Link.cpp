//===- Link.cpp -----------------------------------------------------------===//
#include "chi/Driver/Link.h"
#include "chi/Launch/Files.h"
#include "chi/Target/CPU/CPUTarget.h"
#include "chi/Target/CPU/Link.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <unistd.h>

using namespace chi;
using namespace chi::driver;

/// The object with `main`, for executables.
static llvm::Error addMain(std::vector<std::string> &objects) {
  llvm::SmallVector<char> bytes;
  target::cpu::CodeOptions options;
  options.cpu = "generic";
  if (llvm::Error error = target::cpu::emitMainObject(options, bytes))
    return error;
  objects.emplace_back(bytes.begin(), bytes.end());
  return llvm::Error::success();
}

static llvm::Error linkExecutable(std::vector<std::string> files,
                                  const std::string &output,
                                  const std::string &runtime) {
  target::cpu::ExecutableOptions options;
  options.inputs = std::move(files);
  options.inputs.push_back(runtime);
  options.libraries = {"m"};
  return target::cpu::linkExecutable(options, output,
                                     *llvm::vfs::getRealFileSystem());
}

/// The C and the mathematics library, by the names that every machine has.
static void addSystemLibraries(std::vector<std::string> &files) {
  for (const char *name : {"libm.so.6", "libc.so.6"})
    for (const char *folder :
         {"/lib/x86_64-linux-gnu/", "/lib/aarch64-linux-gnu/", "/lib64/",
          "/usr/lib64/", "/lib/", "/usr/lib/"})
      if (std::string path = std::string(folder) + name;
          ::access(path.c_str(), R_OK) == 0) {
        files.push_back(path);
        break;
      }
}

llvm::Error chi::driver::linkObjects(llvm::ArrayRef<std::string> objects,
                                     LinkKind kind, const std::string &output,
                                     const std::string &libraryFolder) {
  std::vector<std::string> all(objects.begin(), objects.end());
  if (kind == LinkKind::Executable)
    if (llvm::Error error = addMain(all))
      return error;
  // Beside the output if that folder takes files of ours, else where it can.
  std::string folder = launch::makeTemporaryFolder("");
  if (folder.empty())
    return llvm::createStringError(
        "no folder takes temporary files (TMPDIR, /tmp, /dev/shm)");
  auto cleanup = llvm::scope_exit([&] { launch::removeFolder(folder); });
  std::vector<std::string> files;
  for (const std::string &object : all) {
    files.push_back(folder + "/" + std::to_string(files.size()) + ".o");
    if (!launch::writeFileAtomically(files.back(), object))
      return llvm::createStringError("no space for temporary files");
  }
  std::string runtime = libraryFolder + "/chi/chirt_bundle.o";
  switch (kind) {
  case LinkKind::Program:
    return target::cpu::linkSharedLibrary(files, output);
  case LinkKind::SharedLibrary:
    files.push_back(runtime);
    addSystemLibraries(files);
    return target::cpu::linkSharedLibrary(files, output);
  case LinkKind::Executable:
    return linkExecutable(std::move(files), output, runtime);
  case LinkKind::Object:
    return target::cpu::linkRelocatable(files, output);
  }
  llvm_unreachable("a kind of link");
}
