//===- TensorCheck.cpp - What a tensor has to be --------------------------===//
#include "chirt/operators/Tensors.h"

#include "chirt/field/TensorType.h"
#include <climits>

namespace chirt {

bool TensorCheck::run() {
  return checkType() && checkDevice() && checkRank() && checkExtents() &&
         checkMemory() && checkElements();
}

/// A name as an argument of "%.*s".
#define NAME(text) int((text).size()), (text).data()

bool TensorCheck::checkType() {
  DLDataType wanted = tensorTypeOf(item.type.dtype);
  if (isSameType(tensor.dtype, wanted))
    return true;
  Text is, expected;
  appendTypeName(is, tensor.dtype);
  appendTypeName(expected, wanted);
  return refusal.refuse("TypeError", "%.*s is %s, expected %s", NAME(item.name),
                        is.c_str(), expected.c_str());
}

bool TensorCheck::checkDevice() {
  switch (tensor.device.device_type) {
  case kDLCPU:
  case kDLCUDAHost:
  case kDLROCMHost:
    return true;
  default:
    Text device;
    appendDevice(device, tensor.device);
    return refusal.refuse("ValueError", "%.*s is on %s, expected cpu",
                          NAME(item.name), device.c_str());
  }
}

bool TensorCheck::checkRank() {
  const int axes = item.rank + item.type.elementRank;
  if (tensor.ndim == axes)
    return true;
  Text element;
  if (item.type.elementRank) {
    element << ": ";
    if (item.rank)
      element << item.rank << " and ";
    element << "those of ";
    appendElementType(element, item.type.dtype, item.type.elementRank,
                      item.type.rows, item.type.columns);
  }
  return refusal.refuse("ValueError", "%.*s has %d %s, expected %d%s",
                        NAME(item.name), int(tensor.ndim),
                        tensor.ndim == 1 ? "axis" : "axes", axes,
                        element.c_str());
}

bool TensorCheck::checkExtents() {
  const int inner[] = {item.type.rows, item.type.columns};
  for (int k = 0; k < tensor.ndim; ++k) {
    const auto extent = static_cast<long long>(tensor.shape[k]);
    // The compiled loops count in i32 ([Loop.4]).
    if (extent < 0 || extent > INT_MAX)
      return refusal.refuse("ValueError",
                            "%.*s has the extent %lld along axis %d, expected "
                            "at most %d",
                            NAME(item.name), extent, k, INT_MAX);
    if (k >= item.rank && extent != inner[k - item.rank])
      return refusal.refuse(
          "ValueError", "%.*s has the extent %lld along axis %d, expected %d",
          NAME(item.name), extent, k, inner[k - item.rank]);
  }
  return true;
}

bool TensorCheck::hasShapeOf(const chirt_field *field) {
  for (int axis = 0; axis < field->rank; ++axis)
    if (tensor.shape[axis] != field->extents[axis])
      return refusal.refuse(
          "ValueError", "%.*s has the extent %lld along axis %d, expected %lld",
          NAME(item.name), static_cast<long long>(tensor.shape[axis]), axis,
          static_cast<long long>(field->extents[axis]));
  return true;
}

bool TensorCheck::checkMemory() {
  TensorMemory memory(tensor);
  if (memory.isEmpty())
    return true;
  if (!tensor.data)
    return refusal.refuse("ValueError", "%.*s has elements, but no memory",
                          NAME(item.name));
  auto address = reinterpret_cast<uintptr_t>(memory.data);
  if (address % uintptr_t(scalarBytes(item.type.dtype)))
    return refusal.refuse("ValueError", "%.*s is not aligned for its elements",
                          NAME(item.name));
  return true;
}

/// Two elements of a tensor that is changed must not be one: along the axes by
/// their strides, each step leads past all that lies between.
bool TensorCheck::checkElements() {
  TensorMemory memory(tensor);
  if (!item.isWritten || memory.isEmpty())
    return true;
  bool isDone[CHIRT_MAX_RANK + 2] = {};
  int64_t reach = 0; // from the first to the last element so far
  for (int count = 0; count < memory.array.rank; ++count) {
    int next = -1;
    for (int k = 0; k < memory.array.rank; ++k)
      if (!isDone[k] && (next < 0 || labs(memory.array.strides[k]) <
                                         labs(memory.array.strides[next])))
        next = k;
    isDone[next] = true;
    const int64_t step = labs(memory.array.strides[next]);
    if (memory.array.shape[next] == 1)
      continue;
    if (step <= reach)
      return refusal.refuse("ValueError",
                            "%.*s is changed, but its elements along axis %d "
                            "share memory",
                            NAME(item.name), next);
    reach += step * (memory.array.shape[next] - 1);
  }
  return true;
}

} // namespace chirt
