//===- NpyArray.cpp -------------------------------------------------------===//
#include "chirt/io/NpyArray.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/support/Memory.h"
#include "chirt/support/Settings.h"

namespace chirt {

constexpr int maxAxes = CHIRT_MAX_RANK + 2;

/// The axes of a field's scalars.
static int scalarAxes(const chirt_field *f, int64_t *extents) {
  int count = 0;
  for (int k = 0; k < f->rank; ++k)
    extents[count++] = f->extents[k];
  if (f->element_rank >= 1)
    extents[count++] = f->rows;
  if (f->element_rank == 2)
    extents[count++] = f->columns;
  return count;
}

int npyAxes(const chirt_field *f, int64_t *extents) {
  int count = scalarAxes(f, extents);
  return f->is_complex ? count - 1 : count; // the pairs have no axis
}

int64_t npyBytes(const chirt_field *field) {
  return field->elements * componentsOf(field) * scalarBytes(field->dtype);
}

bool writeNpyValues(const ByteSink &sink, const chirt_field *field) {
  int components = componentsOf(field);
  size_t bytes = size_t(scalarBytes(field->dtype));
  const char *data = hostCopy(field);
  if (isInLogicalOrder(field) && (!field->is_soa || components == 1))
    return sink.write(data, size_t(field->bytes));
  LogicalWalk walk(field);
  for (int64_t i = 0; i < field->elements; ++i, walk.next())
    for (int c = 0; c < components; ++c)
      if (!sink.write(data + scalarOffset(field, walk.storage(), c), bytes))
        return false;
  return true;
}

namespace {
void swapBytes(char *data, size_t bytes, int64_t count) {
  for (int64_t i = 0; i < count; ++i, data += bytes)
    for (size_t k = 0; k < bytes / 2; ++k)
      std::swap(data[k], data[bytes - 1 - k]);
}

/// Puts values in the file's order where the field wants them.
void scatter(const char *from, chirt_field *field, bool isFortran) {
  int components = componentsOf(field);
  size_t bytes = size_t(scalarBytes(field->dtype));
  char *data = hostCopyToOverwrite(field);
  int64_t extents[maxAxes], stride[maxAxes];
  int axes = scalarAxes(field, extents);
  int64_t step = 1;
  // The two floats of a complex number are neighbours in any order.
  int turned = isFortran ? axes - (field->is_complex != 0) : 0;
  if (turned < axes && isFortran)
    stride[turned] = 1, step = 2;
  for (int k = 0; k < (isFortran ? turned : axes); ++k) {
    int axis = isFortran ? k : axes - 1 - k;
    stride[axis] = step;
    step *= extents[axis];
  }
  LogicalWalk walk(field);
  for (int64_t i = 0; i < field->elements; ++i, walk.next()) {
    int64_t start = 0;
    for (int k = 0; k < field->rank; ++k)
      start += walk.indices()[k] * stride[k];
    for (int c = 0; c < components; ++c) {
      int64_t at = start;
      if (field->element_rank >= 1)
        at += c / field->columns * stride[field->rank];
      if (field->element_rank == 2)
        at += c % field->columns * stride[field->rank + 1];
      memcpy(data + scalarOffset(field, walk.storage(), c),
             from + size_t(at) * bytes, bytes);
    }
  }
}

} // namespace

size_t readNpyScalars(const ByteSource &source, const NpyHeader &header,
                      int32_t dtype, char *to, int64_t count) {
  size_t bytes = size_t(scalarBytes(header.dtype));
  // A bool is 0 or 1 in memory, whatever the file says.
  bool isAsItIs = header.dtype == dtype && dtype != CHIRT_BOOL;
  if (isAsItIs) {
    size_t done = source.read(to, size_t(count) * bytes);
    if (header.isBigEndian)
      swapBytes(to, bytes, count);
    return done;
  }
  constexpr int64_t chunk = 8192;
  char buffer[chunk * 8];
  size_t done = 0;
  for (int64_t n; count > 0; count -= n) {
    n = count < chunk ? count : chunk;
    size_t wanted = size_t(n) * bytes, got = source.read(buffer, wanted);
    done += got;
    if (got < wanted)
      return done;
    if (header.isBigEndian)
      swapBytes(buffer, bytes, n);
    for (int64_t k = 0; header.dtype == CHIRT_BOOL && k < n; ++k)
      buffer[k] = buffer[k] != 0;
    castScalars(header.dtype, buffer, dtype, to, n);
    to += n * scalarBytes(dtype);
  }
  return done;
}

size_t readNpyValues(const ByteSource &source, const NpyHeader &header,
                     chirt_field *field) {
  int64_t count = field->elements * componentsOf(field);
  bool isDirect = isInLogicalOrder(field) && !header.isFortran &&
                  (!field->is_soa || componentsOf(field) == 1);
  char *memory =
      isDirect ? hostCopyToOverwrite(field)
               : static_cast<char *>(allocateUncleared(size_t(field->bytes)));
  if (!memory)
    return 0;
  size_t done = readNpyScalars(source, header, field->dtype, memory, count);
  if (!isDirect) {
    scatter(memory, field, header.isFortran);
    releaseMemory(memory);
  }
  return done;
}

namespace {
const char *complexName(int32_t dtype) {
  return dtype == CHIRT_F64 ? "complex128" : "complex64";
}

/// "field(f32, 2)", "vec(3, f32)"
void appendWanted(Text &out, const NpyWish &wish) {
  const FieldType &type = *wish.type;
  if (!wish.isValue)
    out << "field(";
  if (type.isComplex)
    out << complexName(type.dtype);
  else
    appendElementType(out, type.dtype, type.elementRank, type.rows,
                      type.columns);
  if (!wish.isValue)
    out << ", " << wish.rank << ')';
}

bool checkNumbers(const chirt_site *site, const char *what, const NpyWish &wish,
                  NpyHeader &header) {
  int32_t wanted = wish.type->dtype;
  if (header.dtype < 0)
    return failAt(site, UserFault, "%s contains %s ('%s'), not %s", what,
                  header.textLength >= 0 ? "text"
                                         : "numbers of a type unknown to Chi",
                  header.descr.c_str(), dtypeName(wanted));
  if (header.isComplex != wish.type->isComplex)
    return failAt(
        site, UserFault, "%s contains numbers of type %s ('%s'), not %s", what,
        header.isComplex ? complexName(header.dtype) : dtypeName(header.dtype),
        header.descr.c_str(),
        wish.type->isComplex ? complexName(wanted) : dtypeName(wanted));
  // Where gradients are checked, the program's floats are f64.
  bool isCast =
      wish.isCast || (settings().gradCheck && isFloatType(header.dtype));
  if (header.dtype == wanted || isCast)
    return true;
  return failAt(site, UserFault,
                "%s contains numbers of type %s ('%s'), not %s; `load(…, "
                "cast=True)` converts them",
                what,
                header.isComplex ? complexName(header.dtype)
                                 : dtypeName(header.dtype),
                header.descr.c_str(),
                header.isComplex ? complexName(wanted) : dtypeName(wanted));
}
} // namespace

bool checkNpyType(const chirt_site *site, const char *what, const NpyWish &wish,
                  NpyHeader &header) {
  if (!checkNumbers(site, what, wish, header))
    return false;
  const FieldType &type = *wish.type;
  const int64_t *inner = header.extents + wish.rank;
  int needed = wish.rank + type.elementRank;
  bool hasAxes = header.axes == needed;
  if (hasAxes && (type.elementRank < 1 || inner[0] == type.rows) &&
      (type.elementRank < 2 || inner[1] == type.columns))
    return true;
  Text wanted, shape;
  appendWanted(wanted, wish);
  appendShape(shape, header.axes - header.isComplex, header.extents);
  needed -= type.isComplex;
  if (!hasAxes)
    return failAt(site, UserFault,
                  "%s contains an array of shape %s; %s needs %d %s", what,
                  shape.c_str(), wanted.c_str(), needed,
                  needed == 1 ? "axis" : "axes");
  wanted.clear();
  appendElementType(wanted, type.dtype, type.elementRank, type.rows,
                    type.columns);
  return failAt(
      site, UserFault,
      "%s contains an array of shape %s, whose last axes do not match %s", what,
      shape.c_str(), wanted.c_str());
}

} // namespace chirt
