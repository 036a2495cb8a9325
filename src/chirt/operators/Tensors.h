//===- Tensors.h - Tensors as arguments of an operator ----------*- C++ -*-===//
#ifndef CHIRT_OPERATORS_TENSORS_H
#define CHIRT_OPERATORS_TENSORS_H

#include "chirt/operators/Any.h"
#include "chirt/operators/Refusal.h"
#include "chirt/operators/Signature.h"

namespace chirt {

/// The most fields that an operator takes (sema::problemForC).
constexpr int kMaxTensors = 32;

/// Checks a tensor against the field that a parameter is, or against its vec or
/// mat; refuses it with the names that the caller knows.
class TensorCheck {
public:
  TensorCheck(Refusal &refusal, const Item &item, const DLTensor &tensor)
      : refusal(refusal), item(item), tensor(tensor) {}
  /// False after a refusal.
  bool run();
  /// Whether it has the extents of the field; false after a refusal.
  bool hasShapeOf(const chirt_field *field);

private:
  bool checkType();
  bool checkDevice();
  bool checkRank();
  bool checkExtents();
  bool checkMemory();
  bool checkElements();

  Refusal &refusal;
  const Item &item;
  const DLTensor &tensor;
};

/// The memory of a tensor, as scalars.
struct TensorMemory {
  char *data; ///< of the first scalar
  ScalarArray array;

  explicit TensorMemory(const DLTensor &tensor);
  /// Whether an extent is zero.
  bool isEmpty() const;
  /// Whether scalars lie as in this array, whose shape is the same.
  bool liesAs(const ScalarArray &other) const;
  /// The first byte, and the one behind the last.
  void range(int32_t dtype, const char *&begin, const char *&end) const;
};

/// Copies the scalars of an array to another one of its shape.
void copyScalars(char *to, const ScalarArray &toArray, const char *from,
                 const ScalarArray &fromArray, int64_t bytes);

/// The tensors of one call, as fields: over their memory where it lies as the
/// parameter's type says, else over copies.
class TensorArguments {
public:
  TensorArguments() = default;
  TensorArguments(const TensorArguments &) = delete;
  ~TensorArguments();

  /// The address of the field's handle; null after a refusal.
  void *bind(Refusal &refusal, const Item &item, const DLTensor &tensor);
  /// Refuses two tensors that share memory if the operator may change one.
  bool checkOverlaps(Refusal &refusal) const;
  /// Writes copies back that the operator may have changed.
  void writeBack();
  int size() const { return count; }
  /// The field of the tensor that was bound as number `k`.
  chirt_field *field(int k) const { return bound()[k].field; }
  /// Whether the handle is that of an argument.
  bool has(const chirt_field *field) const {
    return field >= lent && field < lent + kMaxTensors;
  }

private:
  struct Bound {
    std::string_view name;
    TensorMemory memory;
    chirt_field *field; ///< the lent one, or the copy
    bool isWritten, isCopy;
  };

  int count = 0;
  chirt_field lent[kMaxTensors];
  chirt_field *handles[kMaxTensors];
  alignas(Bound) char storage[kMaxTensors * sizeof(Bound)];
  Bound *bound() { return reinterpret_cast<Bound *>(storage); }
  const Bound *bound() const {
    return reinterpret_cast<const Bound *>(storage);
  }
};

} // namespace chirt
#endif // CHIRT_OPERATORS_TENSORS_H
