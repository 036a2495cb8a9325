//===- Link.cpp
//------------------------------------------------------------===//
#include "chi/Driver/Link.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>
#include <vector>

LLD_HAS_DRIVER(elf)

using namespace chi::driver;

static LinkFailure link(const std::vector<std::string> &args) {
  std::vector<const char *> argv{"ld.lld"};
  for (const std::string &arg : args)
    argv.push_back(arg.c_str());
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  lld::Result result =
      lld::lldMain(argv, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode == 0)
    return std::nullopt;
  return messages.empty() ? "the linker failed" : messages;
}

/// Options of everything: nothing in Chi needs a build id or old hashes, and
/// small programs link faster on one thread.
static std::vector<std::string> commonOptions(llvm::StringRef output) {
  return {"-o", output.str(),  "--threads=1",     "--hash-style=gnu", "-O0",
          "-z", "noexecstack", "--build-id=none", "--icf=none"};
}

static void add(std::vector<std::string> &args,
                llvm::ArrayRef<std::string> more) {
  args.insert(args.end(), more.begin(), more.end());
}

LinkFailure chi::driver::linkProgram(llvm::ArrayRef<std::string> objects,
                                     llvm::StringRef output) {
  std::vector<std::string> args = commonOptions(output);
  add(args, {"-shared", "-Bsymbolic", "-z", "norelro"});
  add(args, objects);
  return link(args);
}

//===--- What stands on this machine
//------------------------------------------===//

#if defined(__x86_64__)
static constexpr const char *kTriple = "x86_64-linux-gnu";
static constexpr const char *kLoader = "/lib64/ld-linux-x86-64.so.2";
#else
static constexpr const char *kTriple = "aarch64-linux-gnu";
static constexpr const char *kLoader = "/lib/ld-linux-aarch64.so.1";
#endif

static std::vector<std::string> systemFolders() {
  return {std::string("/usr/lib/") + kTriple,
          std::string("/lib/") + kTriple,
          "/usr/lib64",
          "/lib64",
          "/usr/lib",
          "/lib"};
}

/// The first of `names` that a system folder has; "" if none does.
static std::string findSystemFile(llvm::ArrayRef<llvm::StringRef> names) {
  for (llvm::StringRef name : names)
    for (const std::string &folder : systemFolders())
      if (std::string path = folder + "/" + name.str();
          ::access(path.c_str(), R_OK) == 0)
        return path;
  return "";
}

/// The run time and what it needs. The libraries are named by file, as a
/// machine without a compiler has them: with a version in the name.
static LinkFailure addRuntime(std::vector<std::string> &args,
                              llvm::StringRef libraryFolder) {
  args.push_back(libraryFolder.str() + "/libchirt.a");
  args.push_back("--as-needed");
  const llvm::SmallVector<llvm::StringRef, 2> libraries[] = {
      {"libpng.so", "libpng16.so.16"},
      {"libz.so", "libz.so.1"},
      {"libstdc++.so.6"},
      {"libgcc_s.so.1"},
      {"libm.so.6"},
      {"libc.so", "libc.so.6"}};
  for (const auto &names : libraries) {
    std::string path = findSystemFile(names);
    if (!path.empty())
      args.push_back(path);
    else if (names.front() != "libpng.so" && names.front() != "libz.so")
      return "the library " + names.back().str() + " was not found";
  }
  for (const std::string &folder : systemFolders())
    args.push_back("-L" + folder); // for the names that libc.so holds
  return std::nullopt;
}

LinkFailure chi::driver::linkSharedLibrary(llvm::ArrayRef<std::string> objects,
                                           llvm::StringRef output,
                                           llvm::StringRef libraryFolder) {
  std::vector<std::string> args = commonOptions(output);
  add(args, {"-shared", "-Bsymbolic", "--defsym=__dso_handle=0"});
  add(args, objects);
  if (LinkFailure failure = addRuntime(args, libraryFolder))
    return failure;
  return link(args);
}

LinkFailure chi::driver::linkExecutable(llvm::ArrayRef<std::string> objects,
                                        llvm::StringRef output,
                                        llvm::StringRef libraryFolder) {
  std::vector<std::string> args = commonOptions(output);
  add(args, {"-pie", "-dynamic-linker", kLoader, "--gc-sections",
             "--defsym=__dso_handle=0"});
  for (llvm::StringRef name : {"Scrt1.o", "crti.o"}) {
    std::string path = findSystemFile(name);
    if (path.empty())
      return "the start file " + name.str() +
             " of the C library was not found; install it (libc6-dev)";
    args.push_back(path);
  }
  add(args, objects);
  args.push_back(libraryFolder.str() + "/chi-start.o");
  if (LinkFailure failure = addRuntime(args, libraryFolder))
    return failure;
  args.push_back(findSystemFile({"crtn.o"}));
  return link(args);
}

LinkFailure chi::driver::linkObject(llvm::ArrayRef<std::string> objects,
                                    llvm::StringRef output) {
  std::vector<std::string> args{"-r", "-o", output.str()};
  add(args, objects);
  return link(args);
}
