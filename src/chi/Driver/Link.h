//===- Link.h - Objects to programs, libraries, executables -----*- C++ -*-===//
#ifndef CHI_DRIVER_LINK_H
#define CHI_DRIVER_LINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace chi::driver {

enum class LinkKind {
  Program,       ///< a library that `chic` loads; the run time is in `chic`
  SharedLibrary, ///< for other programs, with the run time inside
  Executable,    ///< with the run time inside
  Object,        ///< the objects as one
};

/// Links objects (their bytes) to `output`. `libraryFolder` holds the run
/// time's object. Fails with a sentence.
llvm::Error linkObjects(llvm::ArrayRef<std::string> objects, LinkKind kind,
                        const std::string &output,
                        const std::string &libraryFolder);

} // namespace chi::driver
#endif // CHI_DRIVER_LINK_H
