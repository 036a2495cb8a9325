//===- Making.cpp - New fields --------------------------------------------===//
#include "chirt/field/Making.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Changes.h"
#include "chirt/field/Copies.h"
#include "chirt/support/Memory.h"
#include "chirt/support/Settings.h"

namespace chirt {

namespace {
/// Elements and bytes of a field; fails if they cannot be counted.
bool measure(const chirt_site *site, const FieldType &type, int rank,
             const int64_t *extents, int64_t &elements, int64_t &bytes) {
  elements = 1;
  bool isHuge = false, isEmpty = false;
  for (int k = 0; k < rank; ++k) {
    if (extents[k] < 0)
      return failAt(site, UserFault,
                    "a field cannot have the extent %lld (axis %d)",
                    static_cast<long long>(extents[k]), k);
    isEmpty |= extents[k] == 0;
    isHuge |= __builtin_mul_overflow(elements, extents[k], &elements);
  }
  int64_t scalar = int64_t(scalarBytes(type.dtype)) * type.rows * type.columns;
  isHuge |= __builtin_mul_overflow(elements, scalar, &bytes);
  if (isEmpty) {
    elements = bytes = 0;
    return true;
  }
  // Small enough to count bytes with a sign and to round up.
  if (isHuge || bytes > (int64_t(1) << 62)) {
    Text shape;
    appendShape(shape, rank, extents);
    return failAt(site, WorldFault,
                  "out of memory: a field of shape %s does not fit in any",
                  shape.c_str());
  }
  return true;
}

bool failForMemory(const chirt_site *site, int rank, const int64_t *extents,
                   int64_t bytes) {
  Text text;
  text << "out of memory: ";
  const chirt_site *loop = describeShort(text, nullptr);
  text << "a field";
  appendNeed(text, rank, extents, bytes);
  appendHeld(text);
  return failAt(loop ? loop : site, WorldFault, "%s", text.c_str());
}

/// Fills in the order, default where the description gives none.
bool setOrder(chirt_field &field, const FieldType &type) {
  bool seen[CHIRT_MAX_RANK] = {};
  for (int k = 0; k < field.rank; ++k) {
    int axis = type.orderGiven ? type.order[k] : k;
    if (axis < 0 || axis >= field.rank || seen[axis])
      return false;
    seen[axis] = true;
    field.order[k] = axis;
  }
  return !type.orderGiven || type.orderGiven == field.rank;
}
} // namespace

chirt_field *makeField(const chirt_site *site, const FieldType &type, int rank,
                       const int64_t *extents) {
  chirt_field field = {};
  if (!measure(site, type, rank, extents, field.elements, field.bytes))
    return nullptr;
  field.refcount = 1;
  field.dtype = type.dtype;
  field.rank = rank;
  field.rows = type.rows;
  field.columns = type.columns;
  field.element_rank = type.elementRank;
  field.is_soa = type.isSoa;
  field.has_grad = type.hasGrad;
  field.current = CHIRT_AT_HOST;
  field.device = settings().device;
  for (int k = 0; k < CHIRT_MAX_RANK; ++k) {
    field.extents[k] = k < rank ? extents[k] : 1;
    field.order[k] = k;
  }
  if (!setOrder(field, type)) {
    failAt(site, UserFault, "the order of a field must name each axis once");
    return nullptr;
  }
  if (field.bytes > 0 &&
      (!fitsInMemory(field.bytes) ||
       !(field.data = field.device->allocateHost(field.bytes)))) {
    failForMemory(site, rank, extents, field.bytes);
    return nullptr;
  }
  auto *made = static_cast<chirt_field *>(malloc(sizeof(chirt_field)));
  if (!made)
    outOfMemory();
  *made = field;
  made->made_at = site;
  watchCopies(made, true);
  noteMade(made);
  return made;
}

} // namespace chirt
