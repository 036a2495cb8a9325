//===- Results.h - The results of a call of an operator ---------*- C++ -*-===//
#ifndef CHIRT_OPERATORS_RESULTS_H
#define CHIRT_OPERATORS_RESULTS_H

#include "chirt/operators/Refusal.h"
#include "chirt/operators/Signature.h"
#include "chirt/operators/Tensors.h"

namespace chirt {

/// The most results of an operator, in numbers (sema::problemForC).
constexpr int kMaxResults = 16;

/// Makes a tensor of a field, which the caller still has to release. False
/// after a refusal.
bool giveField(Refusal &refusal, chirt_field *field, chirt_any &value);
/// None, the value, or an array of several, whose references it takes over; to
/// a plain caller, the values. False after a refusal.
bool giveAll(Refusal &refusal, chirt_any *values, int count, chirt_any *result);
/// Drops the references of values.
void dropAll(const Refusal &refusal, const chirt_any *values, int count);

/// What an entry gives, and what tvm-ffi gets of it.
class Results {
public:
  explicit Results(const char *signature) : signature(signature) {}
  Results(const Results &) = delete;
  ~Results();

  /// Where the entry writes scalars and handles, 8 bytes for each.
  void *slots() { return words; }
  /// Makes handles that the entry gave into fields of their own, which nobody
  /// else has: copies of arguments, of views and of the program's fields. May
  /// fail as host code does. Called within the guard of the call.
  void own(const TensorArguments &tensors);
  /// The results are there as the entry gave them, and are released at the end.
  void hold() { isOwned = true; }
  /// Calls `each(item, field)` for each result that is a field of floats.
  template <typename F> void eachFloatField(F &&each);
  /// One value, None, or an array of several; false after a refusal.
  bool give(Refusal &refusal, chirt_any *result);
  /// Writes each into a tensor: numbers into one without axes. False after a
  /// refusal.
  bool store(Refusal &refusal, const chirt_any *targets);

private:
  bool storeItem(Refusal &refusal, const Item &item, int number,
                 const chirt_any &target);
  /// The item's numbers as a field without axes, which the caller releases;
  /// null after a refusal.
  chirt_field *numbersOf(Refusal &refusal, const Item &item);
  bool giveItem(Refusal &refusal, const Item &item, chirt_any &value);
  bool giveScalar(Refusal &refusal, const Item &item, chirt_any &value);
  bool giveAggregate(Refusal &refusal, const Item &item, chirt_any &value);

  const char *signature;
  bool isOwned = false; ///< handles are references of this object
  int next = 0;         ///< the slot of the next item
  uint64_t words[kMaxResults] = {};
};

/// Reads the signature again: results are few.
template <typename F> void Results::eachFloatField(F &&each) {
  Item item;
  int slot = 0;
  for (SignatureReader items(signature); items.next(item);) {
    if (!item.isResult())
      continue;
    if (item.isFloatField())
      each(item, reinterpret_cast<chirt_field *>(words[slot]));
    slot += item.numSlots();
  }
}

} // namespace chirt
#endif // CHIRT_OPERATORS_RESULTS_H
