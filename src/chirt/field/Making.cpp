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

/// All of a field but its memory; false after a failure.
bool describe(const chirt_site *site, const FieldType &type, int rank,
              const int64_t *extents, chirt_field &field) {
  field = {};
  if (!measure(site, type, rank, extents, field.elements, field.bytes))
    return false;
  field.refcount = 1;
  field.dtype = type.dtype;
  field.rank = rank;
  field.rows = type.rows;
  field.columns = type.columns;
  field.element_rank = type.elementRank;
  field.is_soa = type.isSoa;
  field.has_grad = type.hasGrad;
  field.has_dual = type.hasDual;
  field.is_complex = type.isComplex;
  field.current = CHIRT_AT_HOST;
  field.device = settings().device;
  field.made_at = site;
  for (int k = 0; k < CHIRT_MAX_RANK; ++k) {
    field.extents[k] = k < rank ? extents[k] : 1;
    field.order[k] = k;
  }
  if (!setOrder(field, type))
    return failAt(site, UserFault,
                  "the order of a field must name each axis once");
  setCompactStrides(field);
  return true;
}

/// The handle of a field that has its memory.
chirt_field *makeHandle(const chirt_field &field) {
  auto *made = static_cast<chirt_field *>(malloc(sizeof(chirt_field)));
  if (!made)
    outOfMemory();
  *made = field;
  watchCopies(made, true);
  noteMade(made);
  return made;
}
} // namespace

bool lendField(chirt_field &handle, const FieldType &type, int rank,
               const int64_t *extents, void *data) {
  if (!describe(nullptr, type, rank, extents, handle))
    return false;
  handle.data = data;
  handle.refcount = 1 << 30; // no release is the last one
  handle.is_lent = 1;
  return true;
}

chirt_field *makeField(const chirt_site *site, const FieldType &type, int rank,
                       const int64_t *extents) {
  chirt_field field;
  if (!describe(site, type, rank, extents, field))
    return nullptr;
  if (field.bytes > 0 &&
      (!fitsInMemory(field.bytes) ||
       !(field.data = field.device->allocateHost(field.bytes)))) {
    failForMemory(site, rank, extents, field.bytes);
    return nullptr;
  }
  return makeHandle(field);
}

chirt_field *makeFieldOver(const chirt_site *site, const FieldType &type,
                           int rank, const int64_t *extents,
                           const ForeignMemory &memory) {
  chirt_field field;
  if (!describe(site, type, rank, extents, field))
    return nullptr;
  field.data = memory.data;
  field.release = memory.release;
  field.owner = memory.owner;
  field.is_lent = 1; // the owner has its address
  return makeHandle(field);
}

} // namespace chirt
