//===- ParamFacts.h - The params that a sweep varies ------------*- C++ -*-===//
#ifndef CHI_SWEEP_POINTS_PARAMFACTS_H
#define CHI_SWEEP_POINTS_PARAMFACTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace chi::sweep {

/// A param of a program.
struct ParamFacts {
  std::string name;      ///< as written, with underscores
  std::string type;      ///< as written: "vec(2, f32)"
  std::string scalar;    ///< "f32"; "" if the type is not known
  int64_t count = 1;     ///< of scalars
  std::string low, high; ///< as written; "" if there is no range
  std::vector<std::string> choices;
  std::string doc, defaultText;

  /// Whether its values are integers.
  bool isInteger() const;
};

/// Reads what `chic params --json FILE` and `EXE --params-json` print.
llvm::Expected<std::vector<ParamFacts>> readParams(llvm::StringRef json);

/// The scalar and the count of a type as written; false if it is no type of a
/// param.
bool readType(llvm::StringRef type, std::string &scalar, int64_t &count);

/// The param of that name, where dashes are underscores; null if there is none.
const ParamFacts *findParam(llvm::ArrayRef<ParamFacts> params,
                            llvm::StringRef name);

/// Why a text is no value of the param: "`0` is outside its range (i32 in [1,
/// 9], cells)", in the words of the run time. "" if it is one.
std::string problemOf(const ParamFacts &param, llvm::StringRef value);

} // namespace chi::sweep
#endif // CHI_SWEEP_POINTS_PARAMFACTS_H
