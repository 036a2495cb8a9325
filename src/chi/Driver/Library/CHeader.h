//===- CHeader.h - The C header of a library --------------------*- C++ -*-===//
#ifndef CHI_DRIVER_LIBRARY_CHEADER_H
#define CHI_DRIVER_LIBRARY_CHEADER_H

#include "chi/AST/Stmt.h"
#include "chi/Driver/Library/Operators.h"
#include "chi/Sema/Tree/Tree.h"
#include "chi/Target/CPU/Library.h"
#include "chi/Units/EntryPoints.h"
#include <string>

namespace chi::driver {

/// The prefix of the names of a library's functions: "chi_blur_". Several
/// libraries can be linked into one program.
std::string symbolPrefix(const std::string &name);

/// What the headers of all libraries share: `chi_array`.
extern const char *const kCommonOfC;

struct CHeader {
  std::string text;
  /// Kernels that C cannot call: "hh (`u` is `field(f16, 1)`)".
  std::vector<std::string> leftOut;
  /// The same that tvm-ffi cannot call either.
  std::vector<std::string> noOperators;
  target::cpu::Library library;
  std::vector<units::EntryPoint> entries; ///< of its functions
  std::vector<OperatorSource> operators;
};

/// The header NAME.h: how C and C++ run the program, call its kernels and
/// functions and see its fields; and what makes them so.
CHeader cHeader(const sema::Program &program, const ast::Module &module,
                const std::string &name);

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_CHEADER_H
