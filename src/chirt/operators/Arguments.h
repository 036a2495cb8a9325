//===- Arguments.h - The arguments of a call of an operator -----*- C++ -*-===//
#ifndef CHIRT_OPERATORS_ARGUMENTS_H
#define CHIRT_OPERATORS_ARGUMENTS_H

#include "chirt/operators/Tensors.h"

namespace chirt {

/// Makes what an entry takes of the values that tvm-ffi passes.
class Arguments {
public:
  explicit Arguments(Refusal &refusal) : refusal(refusal) {}
  Arguments(const Arguments &) = delete;
  ~Arguments();

  /// The arguments of a call; false after a refusal.
  bool bind(const char *signature, const chirt_any *args, int32_t count);
  /// What the entry takes: the address of each scalar and handle.
  void **addresses() { return slots; }
  TensorArguments tensors;

private:
  bool bindItem(const Item &item, const chirt_any &value);
  void bindDefault(const Item &item);
  bool bindScalar(const Item &item, const chirt_any &value);
  bool bindText(const Item &item, const chirt_any &value);
  bool bindAggregate(const Item &item, const chirt_any &value);
  bool convertRow(const Item &item, const chirt_any_sequence &items,
                  int64_t count, char *to);
  bool convertRows(const Item &item, const chirt_any_sequence &items, char *to);
  bool bindField(const Item &item, const chirt_any &value);
  bool refuseCount(const char *signature, int32_t count);
  bool refuseType(const Item &item, const chirt_any &value,
                  const char *expected);
  bool convert(const Item &item, const chirt_any &value, void *to);
  /// Room for the next scalars, one after another, of `bytes` each: the entry
  /// takes the address of each one.
  char *addScalars(int count, int bytes);

  static constexpr int kMaxSlots = 1024; // sema::problemForC
  Refusal &refusal;
  int numSlots = 0, numBytes = 0, numTexts = 0;
  void *slots[kMaxSlots];
  alignas(8) char memory[kMaxSlots * 8]; ///< of scalars
  const char *texts[kMaxSlots];
};

} // namespace chirt
#endif // CHIRT_OPERATORS_ARGUMENTS_H
