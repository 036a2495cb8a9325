//===- Results.cpp - The results of a call of an operator -----------------===//
#include "chirt/operators/Results.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Making.h"
#include "chirt/operators/Into.h"
#include "chirt/operators/TvmFunctions.h"
#include "chirt/text/Element.h"

namespace chirt {

static chirt_field *&fieldAt(uint64_t &word) {
  return reinterpret_cast<chirt_field *&>(word);
}

static const char *textAt(uint64_t word) {
  return reinterpret_cast<const char *>(word);
}

template <typename F> static void eachResult(const char *signature, F &&each) {
  Item item;
  int slot = 0;
  for (SignatureReader items(signature); items.next(item);)
    if (item.isResult()) {
      each(item, slot);
      slot += item.numSlots();
    }
}

Results::~Results() {
  if (!isOwned)
    return;
  eachResult(signature, [&](const Item &item, int slot) {
    if (item.kind == ItemKind::Field)
      chirt_field_release(fieldAt(words[slot]));
    else if (item.kind == ItemKind::Text)
      chirt_str_release(textAt(words[slot]));
  });
}

void Results::own(const TensorArguments &tensors) {
  eachResult(signature, [&](const Item &item, int slot) {
    if (item.kind != ItemKind::Field)
      return;
    chirt_field *&field = fieldAt(words[slot]);
    if (field->refcount == 1 && !field->is_strided && !field->is_lent &&
        !tensors.has(field))
      return;
    chirt_field *copy =
        makeField(nullptr, typeOf(field), field->rank, field->extents);
    if (!copy)
      leave();
    chirt_field_copy(nullptr, copy, field);
    chirt_field_release(field);
    field = copy;
  });
  isOwned = true;
}

bool Results::giveScalar(Refusal &refusal, const Item &item, chirt_any &value) {
  const int32_t dtype = item.type.dtype;
  const void *from = &words[next];
  if (refusal.caller == Caller::Plain) {
    value.type = CHIRT_ANY_WORD;
    memcpy(&value.value, from, sizeof(uint64_t));
    return true;
  }
  if (isFloatType(dtype)) {
    value.type = CHIRT_ANY_FLOAT;
    castScalars(dtype, from, CHIRT_F64, &value.value.real, 1);
    return true;
  }
  value.type = dtype == CHIRT_BOOL ? CHIRT_ANY_BOOL : CHIRT_ANY_INT;
  castScalars(dtype, from, CHIRT_I64, &value.value.integer, 1);
  if (dtype == CHIRT_U64 && value.value.integer < 0)
    return refusal.refuse("OverflowError",
                          "the result %llu does not fit in an int of 64 bits",
                          static_cast<unsigned long long>(words[next]));
  return true;
}

bool giveField(Refusal &refusal, chirt_field *field, chirt_any &value) {
  DLManagedTensorVersioned *tensor = chirt_field_export(field);
  void *object = tensor; // what a plain caller gets
  const bool isPlain = refusal.caller == Caller::Plain;
  const TvmFunctions *tvm = isPlain ? nullptr : tvmFunctions();
  if (!isPlain &&
      (!tvm || tvm->TensorFromDLPackVersioned(tensor, 0, 0, &object) != 0)) {
    tensor->deleter(tensor);
    return refusal.refuse("RuntimeError", "a result cannot become a tensor");
  }
  value.type = CHIRT_ANY_TENSOR;
  value.value.pointer = object;
  return true;
}

chirt_field *Results::numbersOf(Refusal &refusal, const Item &item) {
  chirt_field *field = makeField(nullptr, item.type, 0, nullptr);
  if (!field) {
    std::string_view why = lastFailure();
    refusal.refuse("MemoryError", "%.*s", int(why.size()), why.data());
    return nullptr;
  }
  const int bytes = scalarBytes(item.type.dtype);
  for (int k = 0; k < item.numSlots(); ++k)
    memcpy(static_cast<char *>(field->data) + k * bytes, &words[next + k],
           size_t(bytes));
  return field;
}

/// A tensor of the vec's or mat's numbers.
bool Results::giveAggregate(Refusal &refusal, const Item &item,
                            chirt_any &value) {
  chirt_field *field = numbersOf(refusal, item);
  bool isGiven = field && giveField(refusal, field, value);
  chirt_field_release(field);
  return isGiven;
}

bool Results::giveItem(Refusal &refusal, const Item &item, chirt_any &value) {
  value = {};
  switch (item.kind) {
  case ItemKind::Scalar:
    return giveScalar(refusal, item, value);
  case ItemKind::Aggregate:
    return giveAggregate(refusal, item, value);
  case ItemKind::Field:
    return giveField(refusal, fieldAt(words[next]), value);
  case ItemKind::Text: {
    const char *text = textAt(words[next]);
    if (refusal.caller == Caller::Plain) {
      value = plainText(text ? text : "");
      return true;
    }
    chirt_any_text bytes = {text ? text : "", text ? strlen(text) : 0};
    const TvmFunctions *tvm = tvmFunctions();
    if (tvm && tvm->StringFromByteArray(&bytes, &value) == 0)
      return true;
    return refusal.refuse("RuntimeError", "a result cannot become a str");
  }
  }
  return false;
}

static void dropPlain(const chirt_any &value) {
  if (value.type == CHIRT_ANY_TENSOR) {
    auto *tensor = static_cast<DLManagedTensorVersioned *>(value.value.pointer);
    tensor->deleter(tensor);
  } else if (value.type == CHIRT_ANY_TEXT) {
    auto *text = static_cast<chirt_any_object *>(value.value.pointer);
    text->deleter(text, 0);
  }
}

void dropAll(const Refusal &refusal, const chirt_any *values, int count) {
  if (refusal.caller == Caller::Plain) {
    for (int k = 0; k < count; ++k)
      dropPlain(values[k]);
    return;
  }
  const TvmFunctions *tvm = tvmFunctions();
  for (int k = 0; k < count; ++k)
    if (values[k].type >= CHIRT_ANY_OBJECT && tvm)
      tvm->ObjectDecRef(values[k].value.pointer);
}

static bool makeArray(Refusal &refusal, chirt_any *values, int count,
                      chirt_any *result) {
  const chirt_any_text name = {"ffi.Array", 9};
  const TvmFunctions *tvm = tvmFunctions();
  void *function = nullptr;
  bool isMade = tvm && tvm->FunctionGetGlobal(&name, &function) == 0 &&
                function &&
                tvm->FunctionCall(function, values, count, result) == 0;
  if (function)
    tvm->ObjectDecRef(function);
  dropAll(refusal, values, count);
  return isMade || refusal.refuse("RuntimeError", "the results cannot become "
                                                  "an array");
}

bool giveAll(Refusal &refusal, chirt_any *values, int count,
             chirt_any *result) {
  if (refusal.caller == Caller::Plain) {
    for (int k = 0; k < count; ++k)
      result[k] = values[k];
    return true;
  }
  *result = {};
  if (count == 1)
    *result = values[0];
  return count < 2 || makeArray(refusal, values, count, result);
}

bool Results::give(Refusal &refusal, chirt_any *result) {
  chirt_any values[kMaxResults];
  int count = 0;
  bool isGiven = true;
  next = 0;
  eachResult(signature, [&](const Item &item, int slot) {
    next = slot;
    isGiven = isGiven && giveItem(refusal, item, values[count]);
    count += isGiven;
  });
  if (!isGiven) {
    dropAll(refusal, values, count);
    return false;
  }
  return giveAll(refusal, values, count, result);
}

bool Results::storeItem(Refusal &refusal, const Item &item, int number,
                        const chirt_any &target) {
  Text name;
  name << "the target of result " << number;
  if (item.kind == ItemKind::Text)
    return refusal.refuse("TypeError",
                          "result %d is a str, which no tensor "
                          "holds",
                          number);
  if (item.kind == ItemKind::Field)
    return storeField(refusal, name.view(), fieldAt(words[next]), target);
  chirt_field *field = numbersOf(refusal, item);
  bool isStored = field && storeField(refusal, name.view(), field, target);
  chirt_field_release(field);
  return isStored;
}

bool Results::store(Refusal &refusal, const chirt_any *targets) {
  int number = 0;
  bool isStored = true;
  eachResult(signature, [&](const Item &item, int slot) {
    next = slot;
    isStored = isStored && storeItem(refusal, item, number, targets[number]);
    ++number;
  });
  return isStored;
}

} // namespace chirt
