//===- Link.h - The linker, in this process ---------------------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_LINK_H
#define CHI_TARGET_CPU_LINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>

namespace chi::target::cpu {

/// Links object files to a shared library. Symbols of the run time stay open
/// and are found when the library is loaded, unless `inputs` holds it. One
/// link at a time: a second caller waits.
llvm::Error linkSharedLibrary(llvm::ArrayRef<std::string> inputs,
                              llvm::StringRef output);

/// Joins object files to one.
llvm::Error linkRelocatable(llvm::ArrayRef<std::string> inputs,
                            llvm::StringRef output);

/// How to make an executable.
struct ExecutableOptions {
  /// Objects of the program, with `main`, then archives and objects of the
  /// run time.
  std::vector<std::string> inputs;
  /// Names of libraries to link, without `lib` ("m", "stdc++").
  std::vector<std::string> libraries;
  std::vector<std::string> libraryFolders; ///< searched before the usual ones
  bool isStatic = false;
};

/// Links an executable with the start files of the system's libc. Fails with
/// a sentence that names what is missing.
llvm::Error linkExecutable(const ExecutableOptions &options,
                           llvm::StringRef output, llvm::vfs::FileSystem &fs);

} // namespace chi::target::cpu
#endif // CHI_TARGET_CPU_LINK_H
