//===- Field.h - Types, shapes and layouts of fields ------------*- C++ -*-===//
#ifndef CHIRT_FIELD_FIELD_H
#define CHIRT_FIELD_FIELD_H

#include "chirt/chirt.h"
#include "chirt/text/Element.h"
#include "chirt/text/Text.h"

namespace chirt {

/// What a description like "f32:2x2;soa;order=1,0" says.
struct FieldType {
  int32_t dtype = CHIRT_F32;
  int32_t elementRank = 0, rows = 1, columns = 1;
  bool isSoa = false;
  bool hasGrad = false, hasDual = false;
  bool isComplex = false; ///< a vec of two floats that is one number
  int orderGiven = 0;     ///< numbers in `order`
  int32_t order[CHIRT_MAX_RANK] = {};
};
/// Returns false if it is no description.
bool parseFieldType(const char *text, FieldType &type);
/// The same for a field of `rank` axes; fails at `site` if there is none such.
bool readFieldType(const chirt_site *site, const char *text, int64_t rank,
                   FieldType &type);

/// What describes another field like it, without a gradient of its own.
FieldType typeOf(const chirt_field *field);

/// The number of scalars of an element: 1 of a scalar, n of a vec, rows ×
/// columns of a mat.
inline int32_t componentsOf(const chirt_field *f) {
  return f->rows * f->columns;
}
/// "f32", "vec(2, f32)", "mat(2, 2, f32)"
void appendElementType(Text &out, int32_t dtype, int elementRank, int rows,
                       int columns);
/// The same for the element of a field.
void appendElementType(Text &out, const chirt_field *field);
/// "(64, 128)"
void appendShape(Text &out, int rank, const int64_t *extents);
/// Behind the words for a field: " of shape (64, 128) needs 32 KiB, 4 MiB are
/// free", for a message that memory is short.
void appendNeed(Text &out, int rank, const int64_t *extents, int64_t bytes);
/// Whether rank and extents are equal; elements are not compared.
bool hasSameShape(const chirt_field *a, const chirt_field *b);
/// Whether elements have the same scalar type and the same rows and columns.
bool hasSameElement(const chirt_field *a, const chirt_field *b);
/// Whether scalars of equal elements lie at equal places, without gaps.
bool hasSameLayout(const chirt_field *a, const chirt_field *b);
/// Whether elements lie in the order of their logical indices, row-major.
bool isInLogicalOrder(const chirt_field *field);

/// The field as an array of scalars: its axes, then those of a vec or mat.
struct ScalarArray {
  int rank = 0;
  int64_t shape[CHIRT_MAX_RANK + 2];
  int64_t strides[CHIRT_MAX_RANK + 2]; ///< in scalars
};
/// The shape and strides of a field, or of a view.
ScalarArray arrayOf(const chirt_field *field);
/// The same of a field that would have this type and these extents, compactly.
ScalarArray arrayOf(const FieldType &type, int rank, const int64_t *extents);

/// Sets the strides that a field has whose elements lie without gaps, as its
/// order and `is_soa` say.
void setCompactStrides(chirt_field &field);
/// The difference of the storage numbers of neighbours along each axis.
void storageSteps(const chirt_field *field, int64_t *steps);

/// Goes through the elements in logical order (last index fastest) and knows
/// where each one lies.
class LogicalWalk {
public:
  /// `from`: the logical number of the first element.
  LogicalWalk(const chirt_field *field, int64_t from = 0);
  /// The storage number of the current element.
  int64_t storage() const { return at; }
  /// The logical indices of the current element, one for each axis.
  const int64_t *indices() const { return index; }
  /// Goes to the next element; after the last one, to the first.
  void next() {
    for (int axis = field->rank; axis-- > 0;) {
      at += stride[axis];
      if (++index[axis] < field->extents[axis])
        return;
      at -= stride[axis] * field->extents[axis];
      index[axis] = 0;
    }
  }

private:
  const chirt_field *field;
  int64_t at = 0;
  int64_t index[CHIRT_MAX_RANK] = {}, stride[CHIRT_MAX_RANK] = {};
};

/// Bytes from the field's data to component `c` of the element with storage
/// number `element`. Storage numbers count elements as they lie in memory;
/// where they have gaps (is_strided), the scalars before an element.
inline int64_t scalarOffset(const chirt_field *f, int64_t element, int c) {
  int64_t scalar = f->is_strided ? element + c * f->component_stride
                   : f->is_soa   ? c * f->elements + element
                                 : element * componentsOf(f) + c;
  return scalar * scalarBytes(f->dtype);
}

} // namespace chirt
#endif // CHIRT_FIELD_FIELD_H
