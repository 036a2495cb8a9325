//===- Choose.cpp - Instances for several types, by the arguments ---------===//
#include "chirt/field/TensorType.h"
#include "chirt/operators.h"
#include "chirt/operators/Any.h"
#include "chirt/operators/Into.h"
#include "chirt/operators/Refusal.h"

using namespace chirt;

namespace {
/// The arguments of a call beside the parameters of one operator.
class Fit {
public:
  Fit(const chirt_any *args, int32_t count, bool areFieldsFirst)
      : args(args), count(count), areFieldsFirst(areFieldsFirst) {}

  /// How many of the first parameters have the types of their arguments;
  /// `wrong` becomes the next one.
  int run(const chirt_operator &op);
  Item wrong;
  const chirt_any *wrongValue = nullptr; ///< null: all have them

private:
  /// Null of a parameter that no argument is for, or whose place depends on the
  /// number of results.
  const chirt_any *argumentOf(const Item &item, int number, int field) const;

  const chirt_any *args;
  const int32_t count;
  const bool areFieldsFirst;
};
} // namespace

/// Whether the value may be an argument by its type; its shape, and what else
/// is wrong, is for the operator to say.
static bool hasTypeOf(const Item &item, const chirt_any &value) {
  if (const DLTensor *tensor = tensorOf(value))
    return item.kind == ItemKind::Scalar || item.kind == ItemKind::Text ||
           isSameType(tensor->dtype, tensorTypeOf(item.type.dtype));
  bool isRealForInteger = item.kind == ItemKind::Scalar &&
                          value.type == CHIRT_ANY_FLOAT &&
                          !isFloatType(item.type.dtype);
  return !isRealForInteger;
}

const chirt_any *Fit::argumentOf(const Item &item, int number,
                                 int field) const {
  const bool isField = item.kind == ItemKind::Field;
  if (areFieldsFirst && !isField)
    return nullptr;
  int place = areFieldsFirst ? field : number;
  return place < count ? &args[place] : nullptr;
}

int Fit::run(const chirt_operator &op) {
  int number = 0, field = 0;
  Item item;
  for (SignatureReader items(op.signature);
       items.next(item) && !item.isResult(); ++number) {
    const chirt_any *value = argumentOf(item, number, field);
    field += item.kind == ItemKind::Field;
    if (!value || hasTypeOf(item, *value))
      continue;
    wrong = item;
    wrongValue = value;
    return number;
  }
  return number;
}

namespace {
/// "float32 or float64": the types that members expect of one parameter.
class Expected {
public:
  void add(int32_t dtype) {
    for (int k = 0; k < count; ++k)
      if (types[k] == dtype)
        return;
    types[count++] = dtype;
  }
  void append(Text &out) const {
    for (int k = 0; k < count; ++k) {
      out << (k == 0 ? "" : k + 1 < count ? ", " : " or ");
      appendTypeName(out, tensorTypeOf(types[k]));
    }
  }

private:
  int32_t types[CHIRT_BOOL + 16] = {};
  int count = 0;
};
} // namespace

const chirt_operator *chirt_operator_choose(const chirt_operators *operators,
                                            const chirt_any *args,
                                            int32_t count,
                                            int32_t are_fields_first,
                                            chirt_any *result) {
  const chirt_operator *best = nullptr;
  int most = -1;
  Item wrong;
  const chirt_any *value = nullptr;
  Expected expected;
  for (int64_t k = 0; k < operators->count; ++k) {
    Fit fit(args, count, are_fields_first != 0);
    const int matched = fit.run(*operators->members[k]);
    if (!fit.wrongValue)
      return operators->members[k];
    if (matched > most) {
      best = operators->members[k];
      most = matched;
      wrong = fit.wrong;
      value = fit.wrongValue;
      expected = {};
    }
    if (matched == most)
      expected.add(fit.wrong.type.dtype);
  }
  const DLTensor *tensor = tensorOf(*value);
  if (!tensor)
    return best; // which refuses the value
  Text is, wanted;
  appendTypeName(is, tensor->dtype);
  expected.append(wanted);
  Refusal refusal(operators->name, Caller::TvmFfi);
  refusal.refuse("TypeError", "%.*s is %s, expected %s", int(wrong.name.size()),
                 wrong.name.data(), is.c_str(), wanted.c_str());
  refusal.raise(result);
  return nullptr;
}
