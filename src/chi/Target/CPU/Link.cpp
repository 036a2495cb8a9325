//===- Link.cpp - The linker, in this process -----------------------------===//

#include "chi/Target/CPU/Link.h"
#include "chi/Target/CPU/StartFiles.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace chi::target;

/// lld keeps its state in globals: one link at a time, and none after one
/// that says that it left that state broken.
static llvm::Error link(llvm::ArrayRef<std::string> arguments) {
  static std::mutex mutex;
  static bool isBroken = false;
  std::lock_guard lock(mutex);
  if (isBroken)
    return llvm::createStringError("the linker cannot run again after a crash");
  llvm::SmallVector<const char *> raw{"ld.lld"};
  for (const std::string &argument : arguments)
    raw.push_back(argument.c_str());
  std::string out, err;
  llvm::raw_string_ostream outStream(out), errStream(err);
  lld::Result result =
      lld::lldMain(raw, outStream, errStream, {{lld::Gnu, &lld::elf::link}});
  isBroken = !result.canRunAgain;
  if (result.retCode == 0)
    return llvm::Error::success();
  return llvm::createStringError("linking failed: " +
                                 llvm::StringRef(err).trim().str());
}

llvm::Error cpu::linkSharedLibrary(llvm::ArrayRef<std::string> inputs,
                                   llvm::StringRef output) {
  // Small inputs: threads would cost more than they save.
  std::vector<std::string> arguments{
      "-shared", "--threads=1", "--hash-style=gnu", "--build-id=none", "-z",
      "now",     "-o",          output.str()};
  arguments.insert(arguments.end(), inputs.begin(), inputs.end());
  return link(arguments);
}

llvm::Error cpu::linkRelocatable(llvm::ArrayRef<std::string> inputs,
                                 llvm::StringRef output) {
  std::vector<std::string> arguments{"-r", "-o", output.str()};
  arguments.insert(arguments.end(), inputs.begin(), inputs.end());
  return link(arguments);
}

llvm::Error cpu::linkExecutable(const ExecutableOptions &options,
                                llvm::StringRef output,
                                llvm::vfs::FileSystem &fs) {
  auto files = findStartFiles(fs, options.isStatic);
  if (!files)
    return files.takeError();
  std::vector<std::string> arguments{
      "--threads=1", "--hash-style=gnu", "--gc-sections", "--eh-frame-hdr",
      "-o",          output.str()};
  if (options.isStatic)
    arguments.push_back("-static");
  else
    arguments.insert(arguments.end(),
                     {"-pie", "-dynamic-linker", files->loader});
  arguments.push_back(files->start);
  arguments.push_back(files->prologue);
  for (const std::string &folder : options.libraryFolders)
    arguments.push_back("-L" + folder);
  for (const std::string &folder : files->folders)
    arguments.push_back("-L" + folder);
  arguments.push_back("--start-group");
  arguments.insert(arguments.end(), options.inputs.begin(),
                   options.inputs.end());
  for (const std::string &library : options.libraries)
    arguments.push_back("-l" + library);
  arguments.push_back("-lc");
  arguments.push_back("--end-group");
  arguments.push_back(files->epilogue);
  return link(arguments);
}
