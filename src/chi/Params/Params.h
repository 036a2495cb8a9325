//===- Params.h - Params as the run time reads them -------------*- C++ -*-===//
// The front does not depend on the run time. This interface gives it the run
// time's own functions for a param's values (chirt/params), so that both report
// the same.
//===----------------------------------------------------------------------===//
#ifndef CHI_PARAMS_PARAMS_H
#define CHI_PARAMS_PARAMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace chi::params {

/// One component of a value, in the form that its type needs.
struct Scalar {
  int64_t integer = 0; ///< i8 … u64 (as bits), bool
  double real = 0;     ///< any number
};

/// Reads a value of `count` scalars of the type of that name ("f32"). None,
/// with `problem` set ("is no f32"), if the text is no such value.
std::optional<std::vector<Scalar>> readValue(llvm::StringRef text,
                                             llvm::StringRef type,
                                             int64_t count,
                                             std::string &problem);

/// Whether a float of the type of that name lies in [low, high], where a bound
/// may round to its precision.
bool isWithin(llvm::StringRef type, double value, double low, double high);

/// Whether two numbers or bools of the type of that name are one value in its
/// precision.
bool isSame(llvm::StringRef type, const Scalar &a, const Scalar &b);

/// "[1, 10]"; without a range (`low` is empty) the choices, "{dam, drop}";
/// without these "".
std::string domainText(llvm::StringRef low, llvm::StringRef high,
                       llvm::ArrayRef<std::string> choices);

/// " (i32 in [1, 10], number of bodies)". `domain` and `doc` may be empty.
std::string factsText(llvm::StringRef type, llvm::StringRef domain,
                      llvm::StringRef doc);

} // namespace chi::params
#endif // CHI_PARAMS_PARAMS_H
