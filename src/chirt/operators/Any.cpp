//===- Any.cpp - Values of tvm-ffi ----------------------------------------===//
#include "chirt/operators/Any.h"

#include "chirt/support/Memory.h"

#include <cstdlib>
#include <iterator>

namespace chirt {

const DLTensor *tensorOf(const chirt_any &value) {
  if (value.type == CHIRT_ANY_TENSOR)
    return contentOf<DLTensor>(value);
  return value.type == CHIRT_ANY_DLTENSOR
             ? static_cast<const DLTensor *>(value.value.pointer)
             : nullptr;
}

const chirt_any_sequence *sequenceOf(const chirt_any &value) {
  bool isSequence =
      value.type == CHIRT_ANY_ARRAY || value.type == CHIRT_ANY_LIST;
  return isSequence ? contentOf<chirt_any_sequence>(value) : nullptr;
}

bool textOf(const chirt_any &value, std::string_view &text) {
  if (value.type == CHIRT_ANY_TEXT) {
    auto *content = contentOf<chirt_any_text>(value);
    text = {content->data, content->size};
  } else if (value.type == CHIRT_ANY_SMALL_TEXT) {
    text = {value.value.text, value.text_size};
  } else if (value.type == CHIRT_ANY_C_TEXT) {
    text = static_cast<const char *>(value.value.pointer);
  } else {
    return false;
  }
  return true;
}

namespace {
struct PlainText {
  chirt_any_object head;
  chirt_any_text content;
  char bytes[1]; ///< and those that follow

  static void drop(void *self, int) { free(self); }
};
} // namespace

chirt_any plainText(std::string_view text) {
  void *memory = calloc(1, sizeof(PlainText) + text.size());
  if (!memory)
    outOfMemory();
  auto *made = static_cast<PlainText *>(memory);
  made->head = {1, CHIRT_ANY_TEXT, 0, PlainText::drop};
  made->content = {made->bytes, text.size()};
  if (!text.empty())
    memcpy(made->bytes, text.data(), text.size());
  chirt_any value = {CHIRT_ANY_TEXT, 0, {}};
  value.value.pointer = made;
  return value;
}

const char *describe(const chirt_any &value) {
  switch (value.type) {
  case CHIRT_ANY_NONE:
    return "None";
  case CHIRT_ANY_WORD:
    return "a number";
  case CHIRT_ANY_INT:
    return "an int";
  case CHIRT_ANY_BOOL:
    return "a bool";
  case CHIRT_ANY_FLOAT:
    return "a float";
  case CHIRT_ANY_DLTENSOR:
  case CHIRT_ANY_TENSOR:
    return "a tensor";
  case CHIRT_ANY_C_TEXT:
  case CHIRT_ANY_SMALL_TEXT:
  case CHIRT_ANY_TEXT:
    return "a str";
  case CHIRT_ANY_ARRAY:
  case CHIRT_ANY_LIST:
    return "a list";
  case CHIRT_ANY_LONG_INT:
    return "an int of more than 63 bits";
  default:
    return "an object of another type";
  }
}

void appendTypeName(Text &out, DLDataType type) {
  static constexpr const char *kNames[] = {
      "int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  if (type.code >= std::size(kNames)) {
    out << "a type with the code " << int(type.code);
    return;
  }
  out << kNames[type.code];
  if (type.code != kDLBool)
    out << int(type.bits);
  if (type.lanes != 1)
    out << " x " << int(type.lanes);
}

void appendDevice(Text &out, DLDevice device) {
  switch (device.device_type) {
  case kDLCPU:
    out << "cpu";
    return;
  case kDLCUDA:
    out << "cuda";
    break;
  case kDLROCM:
    out << "rocm";
    break;
  case kDLMetal:
    out << "mps";
    break;
  case kDLVulkan:
    out << "vulkan";
    break;
  default:
    out << "a device of DLPack's type " << int(device.device_type);
  }
  out << ':' << int(device.device_id);
}

} // namespace chirt
