//===- Signature.h - The parameters of an operator --------------*- C++ -*-===//
#ifndef CHIRT_OPERATORS_SIGNATURE_H
#define CHIRT_OPERATORS_SIGNATURE_H

#include "chirt/field/Field.h"

namespace chirt {

enum class ItemKind : char {
  Scalar = 'S',
  Aggregate = 'V',
  Text = 'T',
  Field = 'F'
};

/// A parameter or result of an operator (chirt_operator::signature).
struct Item {
  std::string_view name; ///< empty: a result
  ItemKind kind = ItemKind::Scalar;
  bool isWritten = false; ///< of a field: the operator may change it
  int rank = 0;           ///< of a field: its axes
  /// The element: of a scalar, of a vec or mat, of a field; with its layout.
  FieldType type;
  /// As the program writes it; empty: the caller has to give it.
  std::string_view defaultText;
  uint64_t defaultBits = 0; ///< of a double, or of an integer

  bool isResult() const { return name.empty(); }
  /// Whether it has an adjoint.
  bool isFloatField() const {
    return kind == ItemKind::Field && isFloatType(type.dtype);
  }
  /// How many addresses or results of the entry are its own.
  int numSlots() const {
    return kind == ItemKind::Aggregate ? type.rows * type.columns : 1;
  }
};

/// Reads the items of a signature one by one.
class SignatureReader {
public:
  explicit SignatureReader(const char *signature) : at(signature) {}
  /// False behind the last item. The compiler wrote the signature, so it has no
  /// mistakes.
  bool next(Item &item);

private:
  const char *at;
};

} // namespace chirt
#endif // CHIRT_OPERATORS_SIGNATURE_H
