//===- Options.h - How a program is checked ---------------------*- C++ -*-===//
#ifndef CHI_SEMA_BUILD_OPTIONS_H
#define CHI_SEMA_BUILD_OPTIONS_H

#include <map>
#include <string>

namespace chi::sema {

/// Which params are compiled in.
enum class Specialize {
  Needed, ///< those that reach a shape, a `static` or a kernel's loop bound
  All,
  None ///< only those in `Options::paramValues` with `fix` (chic build -D)
};

struct Options {
  unsigned defaultIntBits = 32, defaultFloatBits = 32;
  bool strictTypes = false; ///< narrowing is an error
  Specialize specialize = Specialize::Needed;
  /// Values of the command line by param name, dashes turned to underscores.
  /// A malformed or out-of-range value is reported with code E06xx at the
  /// param's declaration.
  std::map<std::string, std::string> paramValues;
  bool collectTests = false; ///< keep `test` blocks
  /// Check and instantiate also the functions and kernels that nothing calls,
  /// if all their parameters are annotated (libraries: math.chi, build --lib).
  bool instantiateAll = false;
  /// Functions that a library has for tensors get records of their calls, which
  /// it differentiates (Function::record).
  bool recordsOperators = false;
};

} // namespace chi::sema
#endif // CHI_SEMA_BUILD_OPTIONS_H
