//===- NpyArray.h - Fields as NumPy's arrays --------------------*- C++ -*-===//
#ifndef CHIRT_IO_NPYARRAY_H
#define CHIRT_IO_NPYARRAY_H

#include "chirt/field/Field.h"
#include "chirt/io/NpyHeader.h"

namespace chirt {

/// All axes of a field's array: its own, then those of a vec or mat. Returns
/// their number; `extents` has room for CHIRT_MAX_RANK + 2.
int npyAxes(const chirt_field *field, int64_t *extents);
/// Bytes of the values of a field's array.
int64_t npyBytes(const chirt_field *field);
/// Writes the values of a field in logical order. False after an error, which
/// the sink knows.
bool writeNpyValues(const ByteSink &sink, const chirt_field *field);
/// Reads `count` values of an array as scalars of `dtype`. Returns the bytes of
/// the array that were there.
size_t readNpyScalars(const ByteSource &source, const NpyHeader &header,
                      int32_t dtype, char *to, int64_t count);
/// Reads the values of an array into a field of its axes. Returns the bytes of
/// the array that were there.
size_t readNpyValues(const ByteSource &source, const NpyHeader &header,
                     chirt_field *field);
/// What a program asks for.
struct NpyWish {
  const FieldType *type; ///< of the elements
  int rank;              ///< 0 of a value; extents may be any
  bool isValue;          ///< a scalar, vec or mat; else a field
  bool isCast;           ///< numbers of another type are converted
};
/// Whether an array is that. Fails at `site` if not; `what` names the array.
bool checkNpyType(const chirt_site *site, const char *what, const NpyWish &wish,
                  NpyHeader &header);

} // namespace chirt
#endif // CHIRT_IO_NPYARRAY_H
