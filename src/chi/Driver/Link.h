//===- Link.h - Objects to libraries and executables ------------*- C++ -*-===//
#ifndef CHI_DRIVER_LINK_H
#define CHI_DRIVER_LINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace chi::driver {

/// All functions link in this process with lld, and return what went wrong,
/// in lld's words, or none.
using LinkFailure = std::optional<std::string>;

/// The library of a program that `chic` loads; the run time is in `chic`.
LinkFailure linkProgram(llvm::ArrayRef<std::string> objects,
                        llvm::StringRef output);

/// A shared library with the run time inside (`libraryFolder` holds its
/// archive).
LinkFailure linkSharedLibrary(llvm::ArrayRef<std::string> objects,
                              llvm::StringRef output,
                              llvm::StringRef libraryFolder);

/// A program with the run time inside. Needs the start files of the C
/// library, but no compiler.
LinkFailure linkExecutable(llvm::ArrayRef<std::string> objects,
                           llvm::StringRef output,
                           llvm::StringRef libraryFolder);

/// Joins objects to one.
LinkFailure linkObject(llvm::ArrayRef<std::string> objects,
                       llvm::StringRef output);

} // namespace chi::driver
#endif // CHI_DRIVER_LINK_H
