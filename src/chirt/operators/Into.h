//===- Into.h - Calls that write into the caller's tensors ------*- C++ -*-===//
// For frameworks that allocate what a function makes, as XLA does. Such a call
// has the fields first, then tensors for what is made, then all other
// arguments: XLA passes arrays and attributes apart.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_OPERATORS_INTO_H
#define CHIRT_OPERATORS_INTO_H

#include "chirt/operators/Any.h"
#include "chirt/operators/Refusal.h"
#include "chirt/operators/Signature.h"
#include "chirt/text/Text.h"

namespace chirt {

/// How many parameters and results a signature has.
struct ItemCounts {
  explicit ItemCounts(const char *signature);
  int32_t parameters = 0, fields = 0, floatFields = 0; ///< of them
  int32_t results = 0, floatResults = 0;               ///< fields of floats
};

/// The arguments of such a call in the order of the declaration.
class DeclaredArguments {
public:
  /// `numTensors`: those that follow the fields.
  DeclaredArguments(const ItemCounts &has, int32_t numTensors)
      : has(has), numTensors(numTensors) {}
  /// False after a refusal of their number.
  bool take(Refusal &refusal, const char *signature, const chirt_any *given,
            int32_t count);
  const chirt_any *args() { return ordered.data(); }

private:
  const ItemCounts &has;
  int32_t numTensors;
  Array<chirt_any> ordered;
};

/// Copies a field into a tensor of its type and shape; `name` is for messages.
/// False after a refusal.
bool storeField(Refusal &refusal, std::string_view name, chirt_field *field,
                const chirt_any &target);

} // namespace chirt
#endif // CHIRT_OPERATORS_INTO_H
