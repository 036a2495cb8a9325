//===- StartFiles.h - Where libc's start files are --------------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_LINK_STARTFILES_H
#define CHI_TARGET_CPU_LINK_STARTFILES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>

namespace chi::target::cpu::link {

/// Files of the C library that an executable starts and ends with.
struct StartFiles {
  std::string start, prologue, epilogue;  ///< Scrt1.o (crt1.o), crti.o, crtn.o
  std::string loader;                     ///< the dynamic loader
  llvm::SmallVector<std::string> folders; ///< where libraries are
  /// The functions of the compiler's archives that the C library's archive
  /// needs: libgcc.a, libgcc_eh.a.
  llvm::SmallVector<std::string> supportLibraries;
};

/// Looks in the folders that Linux systems use. Fails if a file is missing.
llvm::Expected<StartFiles> findStartFiles(llvm::vfs::FileSystem &fs,
                                          bool isStatic);

} // namespace chi::target::cpu::link
#endif // CHI_TARGET_CPU_LINK_STARTFILES_H
