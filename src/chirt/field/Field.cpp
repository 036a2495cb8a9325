//===- Field.cpp ----------------------------------------------------------===//
#include "chirt/field/Field.h"

#include "chirt/failure/Failure.h"
#include "chirt/support/Memory.h"

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
    } else if (strncmp(at, "dual", 4) == 0) {
      type.hasDual = true;
      at += 4;
    } else if (strncmp(at, "complex", 7) == 0) {
      type.isComplex = true;
      at += 7;
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
  if (a->is_strided || b->is_strided ||
      (a->is_soa != b->is_soa && componentsOf(a) > 1))
    return false;
  for (int k = 0; k < a->rank; ++k)
    if (a->order[k] != b->order[k])
      return false;
  return true;
}

bool isInLogicalOrder(const chirt_field *field) {
  if (field->is_strided)
    return false;
  for (int k = 0; k < field->rank; ++k)
    if (field->order[k] != k)
      return false;
  return true;
}

void storageSteps(const chirt_field *field, int64_t *steps) {
  int64_t step = 1;
  for (int k = field->rank; k-- > 0;) {
    int32_t axis = field->order[k];
    steps[axis] = field->is_strided ? field->strides[axis] : step;
    step *= field->extents[axis];
  }
}

LogicalWalk::LogicalWalk(const chirt_field *field, int64_t from)
    : field(field) {
  storageSteps(field, stride);
  for (int axis = field->rank; axis-- > 0 && field->elements > 0;) {
    index[axis] = from % field->extents[axis];
    from /= field->extents[axis];
    at += index[axis] * stride[axis];
  }
}

ScalarArray arrayOf(const FieldType &type, int rank, const int64_t *extents) {
  ScalarArray array;
  int64_t components = int64_t(type.rows) * type.columns;
  int64_t step = type.isSoa ? 1 : components;
  for (int k = rank; k-- > 0;) {
    int32_t axis = type.orderGiven ? type.order[k] : k;
    array.shape[axis] = extents[axis];
    array.strides[axis] = step;
    step *= extents[axis];
  }
  const int64_t inner[] = {type.rows, type.columns};
  const int64_t component = type.isSoa ? step : 1;
  array.rank = rank + type.elementRank;
  for (int k = 0; k < type.elementRank; ++k) {
    array.shape[rank + k] = inner[k];
    array.strides[rank + k] =
        k + 1 < type.elementRank ? component * type.columns : component;
  }
  return array;
}

ScalarArray arrayOf(const chirt_field *field) {
  ScalarArray array = arrayOf(typeOf(field), field->rank, field->extents);
  if (!field->is_strided)
    return array;
  for (int k = 0; k < field->rank; ++k)
    array.strides[k] = field->strides[k];
  for (int k = field->rank; k < array.rank; ++k)
    array.strides[k] *= field->component_stride; // was that without gaps
  return array;
}

void setCompactStrides(chirt_field &field) {
  ScalarArray array = arrayOf(typeOf(&field), field.rank, field.extents);
  for (int k = 0; k < CHIRT_MAX_RANK; ++k)
    field.strides[k] = k < field.rank ? array.strides[k] : 0;
  field.component_stride = field.is_soa ? field.elements : 1;
}

FieldType typeOf(const chirt_field *field) {
  FieldType type;
  type.dtype = field->dtype;
  type.elementRank = field->element_rank;
  type.rows = field->rows;
  type.columns = field->columns;
  type.isSoa = field->is_soa != 0;
  type.isComplex = field->is_complex != 0;
  type.orderGiven = field->rank;
  memcpy(type.order, field->order, sizeof(type.order));
  return type;
}

} // namespace chirt
