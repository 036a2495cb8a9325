//===- Arguments.cpp - The arguments of a call of an operator -------------===//
#include "chirt/operators/Arguments.h"

#include "chirt/text/Element.h"
#include "chirt/text/Str.h"

namespace chirt {

Arguments::~Arguments() {
  for (int k = 0; k < numTexts; ++k)
    chirt_str_release(texts[k]);
}

bool Arguments::refuseType(const Item &item, const chirt_any &value,
                           const char *expected) {
  return refusal.refuse("TypeError", "%.*s is %s, expected %s",
                        int(item.name.size()), item.name.data(),
                        describe(value), expected);
}

bool Arguments::refuseCount(const char *signature, int32_t count) {
  int most = 0, least = 0;
  Text names;
  Item item;
  for (SignatureReader items(signature);
       items.next(item) && !item.isResult();) {
    names << (most ? ", " : "") << item.name;
    if (!item.defaultText.empty())
      names << '=' << item.defaultText;
    ++most;
    if (item.defaultText.empty())
      least = most;
  }
  if (least == most)
    return refusal.refuse("TypeError",
                          "%d arguments are given, expected %d (%s)",
                          int(count), most, names.c_str());
  return refusal.refuse("TypeError",
                        "%d arguments are given, expected %d to %d (%s)",
                        int(count), least, most, names.c_str());
}

bool Arguments::bind(const char *signature, const chirt_any *args,
                     int32_t count) {
  SignatureReader items(signature);
  Item item;
  int32_t number = 0;
  for (; items.next(item) && !item.isResult(); ++number) {
    bool isGiven = number < count;
    if (!isGiven && item.defaultText.empty())
      return refuseCount(signature, count);
    if (!isGiven)
      bindDefault(item);
    else if (!bindItem(item, args[number]))
      return false;
  }
  if (number < count)
    return refuseCount(signature, count);
  return tensors.checkOverlaps(refusal);
}

bool Arguments::bindItem(const Item &item, const chirt_any &value) {
  switch (item.kind) {
  case ItemKind::Scalar:
    return bindScalar(item, value);
  case ItemKind::Aggregate:
    return bindAggregate(item, value);
  case ItemKind::Text:
    return bindText(item, value);
  case ItemKind::Field:
    return bindField(item, value);
  }
  return false;
}

void Arguments::bindDefault(const Item &item) {
  const int32_t dtype = item.type.dtype;
  char *to = addScalars(1, scalarBytes(dtype));
  castScalars(isFloatType(dtype) ? CHIRT_F64 : CHIRT_U64, &item.defaultBits,
              dtype, to, 1);
}

/// Writes a number as a scalar of the item's type; an int is a float where one
/// is expected, as in Python.
bool Arguments::convert(const Item &item, const chirt_any &value, void *to) {
  const int32_t dtype = item.type.dtype;
  if (value.type == CHIRT_ANY_WORD && refusal.caller == Caller::Plain) {
    memcpy(to, &value.value, size_t(scalarBytes(dtype)));
    return true;
  }
  const bool isInt =
      value.type == CHIRT_ANY_INT || value.type == CHIRT_ANY_BOOL;
  if (isFloatType(dtype)) {
    if (!isInt && value.type != CHIRT_ANY_FLOAT)
      return refuseType(item, value, "a float");
    double real = isInt ? double(value.value.integer) : value.value.real;
    castScalars(CHIRT_F64, &real, dtype, to, 1);
    return true;
  }
  if (!isInt || (dtype == CHIRT_BOOL && value.type == CHIRT_ANY_INT &&
                 value.value.integer >> 1 != 0))
    return refuseType(item, value, dtype == CHIRT_BOOL ? "a bool" : "an int");
  const int64_t integer = value.value.integer;
  int64_t back;
  castScalars(CHIRT_I64, &integer, dtype, to, 1);
  castScalars(dtype, to, CHIRT_I64, &back, 1);
  if (back != integer || (isUnsignedType(dtype) && integer < 0))
    return refusal.refuse("ValueError", "%.*s is %lld, which is no %s",
                          int(item.name.size()), item.name.data(),
                          static_cast<long long>(integer), dtypeName(dtype));
  return true;
}

char *Arguments::addScalars(int count, int bytes) {
  char *first = memory + numBytes;
  for (int k = 0; k < count; ++k)
    slots[numSlots++] = first + k * bytes;
  numBytes += (count * bytes + 7) / 8 * 8;
  return first;
}

bool Arguments::bindScalar(const Item &item, const chirt_any &value) {
  return convert(item, value, addScalars(1, scalarBytes(item.type.dtype)));
}

bool Arguments::bindText(const Item &item, const chirt_any &value) {
  std::string_view text;
  if (!textOf(value, text))
    return refuseType(item, value, "a str");
  if (memchr(text.data(), 0, text.size()))
    return refusal.refuse("ValueError",
                          "%.*s has a NUL character, which ends a "
                          "str of Chi",
                          int(item.name.size()), item.name.data());
  texts[numTexts] = makeStr(text);
  slots[numSlots++] = &texts[numTexts++];
  return true;
}

bool Arguments::convertRow(const Item &item, const chirt_any_sequence &items,
                           int64_t count, char *to) {
  if (items.size != count)
    return refusal.refuse(
        "ValueError", "%.*s has a list of %lld, expected %lld",
        int(item.name.size()), item.name.data(),
        static_cast<long long>(items.size), static_cast<long long>(count));
  const int bytes = scalarBytes(item.type.dtype);
  for (int64_t k = 0; k < count; ++k)
    if (!convert(item, items.items[k], to + k * bytes))
      return false;
  return true;
}

/// A list of lists, as a mat.
bool Arguments::convertRows(const Item &item, const chirt_any_sequence &items,
                            char *to) {
  if (items.size != item.type.rows)
    return refusal.refuse("ValueError", "%.*s has %lld rows, expected %d",
                          int(item.name.size()), item.name.data(),
                          static_cast<long long>(items.size), item.type.rows);
  const int bytes = item.type.columns * scalarBytes(item.type.dtype);
  for (int64_t k = 0; k < items.size; ++k) {
    const chirt_any_sequence *row = sequenceOf(items.items[k]);
    if (!row)
      return refuseType(item, items.items[k], "a list of numbers in each row");
    if (!convertRow(item, *row, item.type.columns, to + k * bytes))
      return false;
  }
  return true;
}

bool Arguments::bindAggregate(const Item &item, const chirt_any &value) {
  const int bytes = scalarBytes(item.type.dtype);
  char *to = addScalars(item.numSlots(), bytes);
  if (const DLTensor *tensor = tensorOf(value)) {
    if (!TensorCheck(refusal, item, *tensor).run())
      return false;
    TensorMemory from(*tensor);
    copyScalars(to, arrayOf(item.type, 0, nullptr), from.data, from.array,
                bytes);
    return true;
  }
  const chirt_any_sequence *items = sequenceOf(value);
  if (!items)
    return refuseType(item, value, "a list of numbers or a tensor");
  return item.type.elementRank == 1
             ? convertRow(item, *items, item.type.rows, to)
             : convertRows(item, *items, to);
}

bool Arguments::bindField(const Item &item, const chirt_any &value) {
  const DLTensor *tensor = tensorOf(value);
  if (!tensor)
    return refuseType(item, value, "a tensor");
  void *handle = tensors.bind(refusal, item, *tensor);
  slots[numSlots++] = handle;
  return handle != nullptr;
}

} // namespace chirt
