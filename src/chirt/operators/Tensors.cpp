//===- Tensors.cpp - Tensors as arguments of an operator ------------------===//
#include "chirt/operators/Tensors.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Gradient.h"
#include "chirt/field/Making.h"
#include "chirt/tape/Record.h"

namespace chirt {

TensorMemory::TensorMemory(const DLTensor &tensor)
    : data(static_cast<char *>(tensor.data) + tensor.byte_offset) {
  array.rank = tensor.ndim;
  int64_t step = 1;
  for (int k = array.rank; k-- > 0;) {
    array.shape[k] = tensor.shape[k];
    array.strides[k] = tensor.strides ? tensor.strides[k] : step;
    step *= tensor.shape[k];
  }
}

bool TensorMemory::isEmpty() const {
  for (int k = 0; k < array.rank; ++k)
    if (array.shape[k] == 0)
      return true;
  return false;
}

bool TensorMemory::liesAs(const ScalarArray &other) const {
  for (int k = 0; k < array.rank; ++k)
    if (array.shape[k] > 1 && array.strides[k] != other.strides[k])
      return false;
  return true;
}

void TensorMemory::range(int32_t dtype, const char *&begin,
                         const char *&end) const {
  const int64_t bytes = scalarBytes(dtype);
  begin = end = data;
  if (isEmpty())
    return;
  for (int k = 0; k < array.rank; ++k) {
    int64_t reach = (array.shape[k] - 1) * array.strides[k] * bytes;
    (reach < 0 ? begin : end) += reach;
  }
  end += bytes;
}

TensorArguments::~TensorArguments() {
  dropRecordsOf(lent, lent + count);
  for (int k = 0; k < count; ++k) {
    dropGradient(field(k));
    if (bound()[k].isCopy)
      chirt_field_release(field(k));
  }
}

void *TensorArguments::bind(Refusal &refusal, const Item &item,
                            const DLTensor &tensor) {
  if (!TensorCheck(refusal, item, tensor).run())
    return nullptr;
  TensorMemory memory(tensor);
  ScalarArray wanted = arrayOf(item.type, item.rank, tensor.shape);
  const bool isCopy = !memory.isEmpty() && !memory.liesAs(wanted);
  chirt_field *field = &lent[count];
  if (isCopy)
    field = makeField(nullptr, item.type, item.rank, tensor.shape);
  else if (!lendField(*field, item.type, item.rank, tensor.shape, memory.data))
    field = nullptr;
  if (!field) {
    std::string_view why = lastFailure();
    refusal.refuse("MemoryError", "%.*s: %.*s", int(item.name.size()),
                   item.name.data(), int(why.size()), why.data());
    return nullptr;
  }
  if (isCopy)
    copyScalars(hostCopyToOverwrite(field), wanted, memory.data, memory.array,
                scalarBytes(item.type.dtype));
  new (&bound()[count]) Bound{item.name, memory, field, item.isWritten, isCopy};
  handles[count] = field;
  return &handles[count++];
}

bool TensorArguments::checkOverlaps(Refusal &refusal) const {
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) {
      const Bound &first = bound()[a], &second = bound()[b];
      // What is copied before is read as it was.
      bool mayConflict =
          (first.isWritten && (second.isWritten || !second.isCopy)) ||
          (second.isWritten && !first.isCopy);
      if (!mayConflict)
        continue;
      const char *begins[2], *ends[2];
      first.memory.range(first.field->dtype, begins[0], ends[0]);
      second.memory.range(second.field->dtype, begins[1], ends[1]);
      if (begins[0] >= ends[1] || begins[1] >= ends[0])
        continue;
      const Bound &changed = first.isWritten ? first : second;
      const Bound &other = first.isWritten ? second : first;
      return refusal.refuse("ValueError",
                            "%.*s is changed, but it shares memory with %.*s",
                            int(changed.name.size()), changed.name.data(),
                            int(other.name.size()), other.name.data());
    }
  return true;
}

void TensorArguments::writeBack() {
  for (int k = 0; k < count; ++k) {
    Bound &each = bound()[k];
    if (each.isCopy && each.isWritten) {
      copyScalars(each.memory.data, each.memory.array, hostCopy(each.field),
                  arrayOf(each.field), scalarBytes(each.field->dtype));
    } else if (!each.isCopy) {
      // The caller's memory holds what it should, and nothing else does.
      hostCopy(each.field);
      dropDeviceCopy(each.field);
    }
  }
}

} // namespace chirt
