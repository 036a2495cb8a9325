//===- Link.h - The linker, in this process ---------------------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_LINK_LINK_H
#define CHI_TARGET_CPU_LINK_LINK_H

#include "chi/Target/CPU/Library.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace chi::target::cpu::link {

enum class LinkKind {
  Program,       ///< a library that `chic` loads; the run time is in `chic`
  SharedLibrary, ///< for other programs, with the run time inside
  Executable,    ///< with `main` and the run time inside
  Object,        ///< the objects as one
};

struct LinkOptions {
  LinkKind kind = LinkKind::Program;
  /// Takes the libraries of the system into an executable.
  bool isStatic = false;
  /// The run time as one object, for outputs that contain it.
  std::string runtime;
  /// The C interface of a library or object. Its other names are local, so that
  /// several can be linked into one program.
  Library library;
  /// Of a program or an executable: the text of the constant `chi_provenance`,
  /// which says how files are made; "": it has none.
  std::string provenance;
  /// A folder for the objects as files, which stay there.
  std::string scratchFolder;
};

/// Links objects (their bytes) and returns the bytes of the result: the caller
/// writes the file and reports why that failed. An executable gets the start
/// files of the system's C library. One link at a time: a second caller waits.
/// Fails with a sentence that names what is missing.
llvm::Expected<std::string> linkObjects(llvm::ArrayRef<std::string> objects,
                                        const LinkOptions &options);

} // namespace chi::target::cpu::link
#endif // CHI_TARGET_CPU_LINK_LINK_H
