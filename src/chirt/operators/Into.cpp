//===- Into.cpp - Calls that write into the caller's tensors --------------===//
#include "chirt/operators/Into.h"

#include "chirt/field/Copies.h"
#include "chirt/field/Making.h"
#include "chirt/operators/Tensors.h"

namespace chirt {

ItemCounts::ItemCounts(const char *signature) {
  Item item;
  for (SignatureReader items(signature); items.next(item);) {
    const bool isField = item.kind == ItemKind::Field;
    if (item.isResult()) {
      ++results;
      floatResults += item.isFloatField();
    } else {
      ++parameters;
      fields += isField;
      floatFields += item.isFloatField();
    }
  }
}

bool DeclaredArguments::take(Refusal &refusal, const char *signature,
                             const chirt_any *given, int32_t count) {
  if (count != has.parameters + numTensors)
    return refusal.refuse("TypeError",
                          "%d given, expected %d: the fields, tensors for what "
                          "is made, and the other arguments",
                          int(count), int(has.parameters + numTensors));
  ordered.resize(size_t(has.parameters));
  const chirt_any *field = given, *other = given + has.fields + numTensors;
  size_t place = 0;
  Item item;
  for (SignatureReader items(signature); items.next(item);)
    if (!item.isResult())
      ordered[place++] = item.kind == ItemKind::Field ? *field++ : *other++;
  return true;
}

bool storeField(Refusal &refusal, std::string_view name, chirt_field *field,
                const chirt_any &target) {
  const DLTensor *tensor = tensorOf(target);
  if (!tensor)
    return refusal.refuse("TypeError", "%.*s is %s, expected a tensor",
                          int(name.size()), name.data(), describe(target));
  Item item;
  item.name = name;
  item.kind = ItemKind::Field;
  item.isWritten = true;
  item.rank = field->rank;
  item.type = typeOf(field);
  TensorCheck check(refusal, item, *tensor);
  if (!check.run() || !check.hasShapeOf(field))
    return false;
  TensorMemory memory(*tensor);
  copyScalars(memory.data, memory.array, hostCopy(field), arrayOf(field),
              scalarBytes(field->dtype));
  return true;
}

} // namespace chirt
