//===- FieldOps.cpp - fill and copy of fields -----------------------------===//
#include "chirt/cpu/FieldOps.h"
#include "chirt/chirt.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Changes.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include "chirt/field/Making.h"
#include "chirt/field/Views.h"

namespace chirt {

namespace {
/// 1/16 ns to move a byte.
constexpr int64_t costOfByte = 2;

struct FillArgs {
  char *data;
  const char *pattern;
  int64_t bytes; ///< of the pattern
};

void fillChunk(void *context, int64_t begin, int64_t end, int32_t) {
  auto *args = static_cast<FillArgs *>(context);
  char *to = args->data + begin * args->bytes;
  int64_t all = (end - begin) * args->bytes;
  bool isUniform = true;
  for (int64_t k = 1; k < args->bytes; ++k)
    isUniform &= args->pattern[k] == args->pattern[0];
  if (isUniform) {
    memset(to, args->pattern[0], size_t(all));
    return;
  }
  // Doubles what is there, up to a piece that fits in the first cache.
  int64_t piece = args->bytes;
  memcpy(to, args->pattern, size_t(piece));
  int64_t done = piece;
  while (done < all) {
    int64_t next = all - done < piece ? all - done : piece;
    memcpy(to + done, to, size_t(next));
    done += next;
    if (piece < 16384 && done >= 2 * piece)
      piece *= 2;
  }
}

void fillPart(char *data, int64_t count, const char *pattern, int64_t bytes) {
  FillArgs args{data, pattern, bytes};
  chirt_parallel(fillChunk, &args, count, 1024, bytes * costOfByte);
}

struct CopyArgs {
  const chirt_field *to, *from;
  char *target;
  const char *source;
};

void copyBytesChunk(void *context, int64_t begin, int64_t end, int32_t) {
  auto *args = static_cast<CopyArgs *>(context);
  memcpy(args->target + begin, args->source + begin, size_t(end - begin));
}

/// `source`: one element; null: zeros.
void fillElementsChunk(void *context, int64_t begin, int64_t end, int32_t) {
  auto *args = static_cast<CopyArgs *>(context);
  LogicalWalk to(args->to, begin);
  size_t bytes = size_t(scalarBytes(args->to->dtype));
  int components = componentsOf(args->to);
  for (int64_t i = begin; i < end; ++i, to.next())
    for (int c = 0; c < components; ++c) {
      char *scalar = args->target + scalarOffset(args->to, to.storage(), c);
      if (args->source)
        memcpy(scalar, args->source + size_t(c) * bytes, bytes);
      else
        memset(scalar, 0, bytes);
    }
}

/// Between layouts, element by element in logical order.
void copyElementsChunk(void *context, int64_t begin, int64_t end, int32_t) {
  auto *args = static_cast<CopyArgs *>(context);
  LogicalWalk to(args->to, begin), from(args->from, begin);
  size_t bytes = size_t(scalarBytes(args->to->dtype));
  int components = componentsOf(args->to);
  for (int64_t i = begin; i < end; ++i, to.next(), from.next())
    for (int c = 0; c < components; ++c)
      memcpy(args->target + scalarOffset(args->to, to.storage(), c),
             args->source + scalarOffset(args->from, from.storage(), c), bytes);
}

} // namespace

bool checkFieldsAgree(const chirt_site *site, const char *what,
                      const chirt_field *a, const chirt_field *b) {
  Text left, right;
  if (!hasSameElement(a, b)) {
    appendElementType(left, a);
    appendElementType(right, b);
    return failAt(site, UserFault,
                  "%s: the fields have elements of different types, %s and %s",
                  what, left.c_str(), right.c_str());
  }
  if (!hasSameShape(a, b)) {
    appendShape(left, a->rank, a->extents);
    appendShape(right, b->rank, b->extents);
    return failAt(site, UserFault,
                  "%s: the fields have different shapes, %s and %s", what,
                  left.c_str(), right.c_str());
  }
  return true;
}

namespace {
struct AddArgs {
  const chirt_field *to, *from;
  char *target;
  const char *source;
};

template <typename T> void addScalar(char *to, const char *from) {
  T sum, term;
  memcpy(&sum, to, sizeof(T)), memcpy(&term, from, sizeof(T));
  sum += term;
  memcpy(to, &sum, sizeof(T));
}

/// Of equal layout: the scalars from `begin` on.
template <typename T>
void addAlike(void *context, int64_t begin, int64_t end, int32_t) {
  auto *args = static_cast<AddArgs *>(context);
  T *to = reinterpret_cast<T *>(args->target);
  auto *from = reinterpret_cast<const T *>(args->source);
  for (int64_t k = begin; k < end; ++k)
    to[k] += from[k];
}

template <typename T>
void addElements(void *context, int64_t begin, int64_t end, int32_t) {
  auto *args = static_cast<AddArgs *>(context);
  LogicalWalk to(args->to, begin), from(args->from, begin);
  for (int64_t i = begin; i < end; ++i, to.next(), from.next())
    for (int c = 0; c < componentsOf(args->to); ++c)
      addScalar<T>(args->target + scalarOffset(args->to, to.storage(), c),
                   args->source + scalarOffset(args->from, from.storage(), c));
}

template <typename T> void addFloats(AddArgs &args) {
  int64_t scalars = args.to->elements * componentsOf(args.to);
  if (hasSameLayout(args.to, args.from))
    return chirt_parallel(addAlike<T>, &args, scalars, 1024,
                          int64_t(sizeof(T)) * costOfByte);
  chirt_parallel(addElements<T>, &args, args.to->elements, 64,
                 16 * 4 * componentsOf(args.to));
}
} // namespace

void addField(chirt_field *to, const chirt_field *from) {
  if (to->elements == 0)
    return;
  const char *source = hostCopy(from);
  AddArgs args{to, from, hostCopyToUpdate(to), source};
  to->dtype == CHIRT_F64 ? addFloats<double>(args) : addFloats<float>(args);
}

/// Copies where the source is, if that is a device that both are on.
static bool copiedAtDevice(chirt_field *to, const chirt_field *from) {
  if (!hasOwnCopy(from) || to->device != from->device || !to->device->copy ||
      to == from || to->base || from->base ||
      !(from->current & CHIRT_AT_DEVICE) || !hasSameLayout(to, from))
    return false;
  // Which copies are current is no part of what a field is.
  chirt_field_acquire(const_cast<chirt_field *>(from), CHIRT_AT_DEVICE,
                      CHIRT_TO_READ);
  chirt_field_acquire(to, CHIRT_AT_DEVICE, CHIRT_TO_OVERWRITE);
  to->device->copy(to->buffer, from->buffer, to->bytes);
  return true;
}

void copyField(chirt_field *to, const chirt_field *from) {
  if (to->elements == 0 || copiedAtDevice(to, from))
    return;
  const char *source = hostCopy(from);
  CopyArgs args{to, from, hostCopyToOverwrite(to), source};
  if (hasSameLayout(to, from))
    return chirt_parallel(copyBytesChunk, &args, to->bytes, 4096, costOfByte);
  chirt_parallel(copyElementsChunk, &args, to->elements, 64,
                 16 * 4 * componentsOf(to));
}

/// Whether memory that repeats these bytes repeats a word, which is returned.
static bool isOneWord(const char *pattern, int64_t bytes, uint32_t &word) {
  char repeated[sizeof(word)];
  for (int64_t k = 0; k < int64_t(sizeof(word)); ++k)
    repeated[k] = pattern[k % bytes];
  for (int64_t k = 0; k < bytes * int64_t(sizeof(word)); ++k)
    if (pattern[k % bytes] != repeated[k % int64_t(sizeof(word))])
      return false;
  memcpy(&word, repeated, sizeof(word));
  return true;
}

/// Fills where the field was used last, if that is a device. `pattern` is what
/// its memory repeats.
static bool filledAtDevice(chirt_field *field, const char *pattern,
                           int64_t bytes) {
  uint32_t word;
  if (!hasOwnCopy(field) || !field->device->fill || field->base ||
      !(field->current & CHIRT_AT_DEVICE) || !isOneWord(pattern, bytes, word))
    return false;
  chirt_field_acquire(field, CHIRT_AT_DEVICE, CHIRT_TO_OVERWRITE);
  field->device->fill(field->buffer, word, (field->bytes + 3) & ~int64_t(3));
  return true;
}

/// Element by element.
static void fillStrided(chirt_field *field, const char *pattern) {
  CopyArgs args{field, nullptr, hostCopyToUpdate(field), pattern};
  chirt_parallel(fillElementsChunk, &args, field->elements, 64,
                 16 * 4 * componentsOf(field));
}

chirt_field *copyWithoutGaps(const chirt_field *field) {
  chirt_field *made =
      makeField(nullptr, typeOf(field), field->rank, field->extents);
  if (!made)
    leave();
  copyField(made, field);
  return made;
}

void zeroField(chirt_field *field) {
  if (field->is_strided)
    return fillStrided(field, nullptr);
  if (field->elements > 0 && !filledAtDevice(field, "", 1))
    fillPart(hostCopyToOverwrite(field), field->bytes, "", 1);
}

void zeroScalars(chirt_field *field, const int64_t *offsets, int64_t count) {
  size_t bytes = size_t(scalarBytes(field->dtype));
  char *data = hostCopyToUpdate(field);
  for (int64_t k = 0; k < count; ++k)
    memset(data + size_t(offsets[k]) * bytes, 0, bytes);
}

void fillField(chirt_field *field, const void *value) {
  const char *pattern = static_cast<const char *>(value);
  int64_t scalar = scalarBytes(field->dtype);
  int components = componentsOf(field);
  if (field->elements == 0)
    return;
  if (field->is_strided)
    return fillStrided(field, pattern);
  bool isUniform = true;
  for (int c = 1; c < components && field->is_soa; ++c)
    isUniform &= !memcmp(pattern, pattern + c * scalar, size_t(scalar));
  if (isUniform && filledAtDevice(field, pattern,
                                  field->is_soa ? scalar : scalar * components))
    return;
  char *data = hostCopyToOverwrite(field);
  if (!field->is_soa)
    return fillPart(data, field->elements, pattern, scalar * components);
  for (int c = 0; c < components; ++c)
    fillPart(data + scalarOffset(field, 0, c), field->elements,
             pattern + c * scalar, scalar);
}

} // namespace chirt

using namespace chirt;

void chirt_field_fill(chirt_field *field, const void *value) {
  noteFill(field);
  fillField(field, value);
}

void chirt_field_copy(const chirt_site *site, chirt_field *to,
                      const chirt_field *from) {
  if (!checkFieldsAgree(site, "copy_from", to, from))
    leave();
  if (to->data == from->data && hasSameLayout(to, from))
    return;
  if (baseOf(to) != baseOf(from) && !(to->base && from->base)) {
    noteCopy(to, from);
    return copyField(to, from);
  }
  // Elements may lie where others are to be read; and tapes record copies of
  // one view at a time.
  chirt_field *between =
      makeField(site, typeOf(from), from->rank, from->extents);
  if (!between)
    leave();
  chirt_field_copy(site, between, from);
  chirt_field_copy(site, to, between);
  chirt_field_release(between);
}
