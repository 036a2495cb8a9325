//===- Any.h - Values of tvm-ffi --------------------------------*- C++ -*-===//
#ifndef CHIRT_OPERATORS_ANY_H
#define CHIRT_OPERATORS_ANY_H

#include "chirt/dlpack.h"
#include "chirt/text/Text.h"
#include "chirt/tvm_ffi.h"

namespace chirt {

/// What lies behind the head of an object.
template <typename T> T *contentOf(const chirt_any &value) {
  return reinterpret_cast<T *>(static_cast<char *>(value.value.pointer) +
                               sizeof(chirt_any_object));
}

/// The tensor that a value is; null of all others.
const DLTensor *tensorOf(const chirt_any &value);
/// The items of an array or list; null of all others.
const chirt_any_sequence *sequenceOf(const chirt_any &value);
/// Takes the text that a value is; false of all others.
bool textOf(const chirt_any &value, std::string_view &text);
/// A text object that is no object of tvm-ffi: its deleter frees it.
chirt_any plainText(std::string_view text);
/// "a float", "a tensor", as a message calls the value.
const char *describe(const chirt_any &value);

/// "float32", as NumPy and PyTorch call the type.
void appendTypeName(Text &out, DLDataType type);
/// "cpu", "cuda:1"
void appendDevice(Text &out, DLDevice device);

} // namespace chirt
#endif // CHIRT_OPERATORS_ANY_H
