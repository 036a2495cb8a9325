//===- Field.cpp ----------------------------------------------------------===//
#include "chirt/core/Field.h"

#include "chirt/core/Device.h"
#include "chirt/core/Failure.h"
#include "chirt/core/Gradient.h"
#include "chirt/core/Memory.h"
#include "chirt/core/Settings.h"
#include "chirt/gradcheck/GradCheck.h"
#include "chirt/tape/Record.h"

namespace chirt {

namespace {
/// Reads digits of a small positive number.
bool readCount(const char *&at, int32_t &count) {
  if (*at < '0' || *at > '9')
    return false;
  count = 0;
  for (; *at >= '0' && *at <= '9'; ++at)
    if ((count = count * 10 + (*at - '0')) > 1 << 20)
      return false;
  return true;
}

bool readOrder(const char *&at, FieldType &type) {
  do {
    if (type.orderGiven == CHIRT_MAX_RANK ||
        !readCount(at, type.order[type.orderGiven++]))
      return false;
  } while (*at == ',' && *++at);
  return true;
}
} // namespace

bool parseFieldType(const char *text, FieldType &type) {
  const char *at = text;
  size_t length = strcspn(text, ":;");
  type.dtype = dtypeOfName({text, length});
  at += length;
  if (type.dtype < 0 || type.dtype == CHIRT_STR)
    return false;
  if (*at == ':') {
    type.elementRank = 1;
    if (!readCount(++at, type.rows))
      return false;
    if (*at == 'x') {
      type.elementRank = 2;
      if (!readCount(++at, type.columns))
        return false;
    }
  }
  while (*at == ';') {
    ++at;
    if (strncmp(at, "soa", 3) == 0) {
      type.isSoa = true;
      at += 3;
    } else if (strncmp(at, "aos", 3) == 0) {
      at += 3;
    } else if (strncmp(at, "grad", 4) == 0) {
      type.hasGrad = true;
      at += 4;
    } else if (strncmp(at, "order=", 6) == 0) {
      at += 6;
      if (!readOrder(at, type))
        return false;
    } else {
      return false;
    }
  }
  return *at == '\0';
}

bool readFieldType(const chirt_site *site, const char *text, int64_t rank,
                   FieldType &type) {
  if (rank >= 0 && rank <= CHIRT_MAX_RANK && parseFieldType(text, type))
    return true;
  return failAt(site, UserFault, "`%s` of rank %lld is not a field type", text,
                static_cast<long long>(rank));
}

void appendElementType(Text &out, int32_t dtype, int elementRank, int rows,
                       int columns) {
  if (elementRank == 0)
    out << dtypeName(dtype);
  else if (elementRank == 1)
    out << "vec(" << rows << ", " << dtypeName(dtype) << ')';
  else
    out << "mat(" << rows << ", " << columns << ", " << dtypeName(dtype) << ')';
}

void appendElementType(Text &out, const chirt_field *f) {
  appendElementType(out, f->dtype, f->element_rank, f->rows, f->columns);
}

void appendShape(Text &out, int rank, const int64_t *extents) {
  out << '(';
  for (int k = 0; k < rank; ++k)
    out << (k ? ", " : "") << static_cast<long long>(extents[k]);
  out << (rank == 1 ? ",)" : ")");
}

void appendNeed(Text &out, int rank, const int64_t *extents, int64_t bytes) {
  out << " of shape ";
  appendShape(out, rank, extents);
  out << " needs ";
  out.appendBytes(uint64_t(bytes));
  out << ", ";
  out.appendBytes(freeMemory());
  out << " are free";
}

bool hasSameShape(const chirt_field *a, const chirt_field *b) {
  if (a->rank != b->rank)
    return false;
  for (int k = 0; k < a->rank; ++k)
    if (a->extents[k] != b->extents[k])
      return false;
  return true;
}

bool hasSameElement(const chirt_field *a, const chirt_field *b) {
  return a->dtype == b->dtype && a->element_rank == b->element_rank &&
         a->rows == b->rows && a->columns == b->columns;
}

bool hasSameLayout(const chirt_field *a, const chirt_field *b) {
  if (a->is_soa != b->is_soa && componentsOf(a) > 1)
    return false;
  for (int k = 0; k < a->rank; ++k)
    if (a->order[k] != b->order[k])
      return false;
  return true;
}

bool isInLogicalOrder(const chirt_field *field) {
  for (int k = 0; k < field->rank; ++k)
    if (field->order[k] != k)
      return false;
  return true;
}

LogicalWalk::LogicalWalk(const chirt_field *field, int64_t from)
    : field(field) {
  int64_t step = 1;
  for (int k = field->rank; k-- > 0;) {
    stride[field->order[k]] = step;
    step *= field->extents[field->order[k]];
  }
  for (int axis = field->rank; axis-- > 0 && field->elements > 0;) {
    index[axis] = from % field->extents[axis];
    from /= field->extents[axis];
    at += index[axis] * stride[axis];
  }
}

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
  appendTapeBytes(text);
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

FieldType typeOf(const chirt_field *field) {
  FieldType type;
  type.dtype = field->dtype;
  type.elementRank = field->element_rank;
  type.rows = field->rows;
  type.columns = field->columns;
  type.isSoa = field->is_soa != 0;
  type.orderGiven = field->rank;
  memcpy(type.order, field->order, sizeof(type.order));
  return type;
}

} // namespace chirt

using namespace chirt;

chirt_field *chirt_field_new(const chirt_site *site, const char *desc,
                             int64_t rank, int64_t e0, int64_t e1, int64_t e2,
                             int64_t e3, int64_t e4, int64_t e5, int64_t e6,
                             int64_t e7) {
  const int64_t extents[CHIRT_MAX_RANK] = {e0, e1, e2, e3, e4, e5, e6, e7};
  FieldType type;
  chirt_field *field = nullptr;
  if (readFieldType(site, desc, rank, type))
    field = makeField(site, type, int(rank), extents);
  if (!field)
    leave();
  return field;
}

void chirt_field_retain(chirt_field *field) {
  if (field)
    __atomic_fetch_add(&field->refcount, 1, __ATOMIC_RELAXED);
}

void chirt_field_release(chirt_field *field) {
  // Threads of a host may share it.
  if (!field || __atomic_sub_fetch(&field->refcount, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  noteGone(field);
  watchCopies(field, false);
  dropGradient(field);
  if (field->release) {
    dropDeviceCopy(field);
    return field->release(field);
  }
  dropDeviceCopy(field);
  if (field->data)
    field->device->freeHost(field->data, field->bytes);
  free(field);
}
