//===- Views.cpp - Fields over elements of other fields -------------------===//
#include "chirt/field/Views.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include <cstdlib>

namespace chirt {

namespace {
/// Do the strides say more than the extents?
bool hasGaps(const chirt_field &view) {
  chirt_field compact = view;
  compact.is_strided = 0;
  setCompactStrides(compact);
  for (int k = 0; k < view.rank; ++k)
    if (view.extents[k] > 1 && view.strides[k] != compact.strides[k])
      return true;
  return componentsOf(&view) > 1 &&
         view.component_stride != compact.component_stride;
}

/// Fills in what follows from rank, extents, strides, offset and base.
void finish(chirt_field &view) {
  view.refcount = 1;
  view.is_soa = 0;
  view.elements = 1;
  for (int k = 0; k < CHIRT_MAX_RANK; ++k) {
    view.order[k] = k;
    if (k >= view.rank)
      view.extents[k] = 1, view.strides[k] = 0;
    view.elements *= view.extents[k];
  }
  view.bytes = view.elements * componentsOf(&view) * scalarBytes(view.dtype);
  if (view.elements == 0)
    view.offset = 0;
  view.is_strided = view.elements > 0 && hasGaps(view);
  const chirt_field *base = view.base;
  view.device = base->device;
  view.has_grad = base->has_grad;
  view.has_dual = base->has_dual;
  view.is_complex = base->is_complex;
  view.is_lent = 1;
  view.data = base->data ? static_cast<char *>(base->data) +
                               view.offset * scalarBytes(view.dtype)
                         : nullptr;
}

/// What the view shares is known to its base from now on, which keeps its
/// memory as long as it lives (tape/BufferPool.h).
chirt_field *makeHandle(const chirt_field &view) {
  auto *made = static_cast<chirt_field *>(malloc(sizeof(chirt_field)));
  if (!made)
    outOfMemory();
  *made = view;
  chirt_field_retain(view.base);
  view.base->is_lent = 1;
  linkView(made);
  return made;
}

/// A view with only the element type of a field.
chirt_field elementOf(const chirt_field *field) {
  chirt_field view = {};
  view.dtype = field->dtype;
  view.rows = field->rows;
  view.columns = field->columns;
  view.element_rank = field->element_rank;
  view.component_stride = field->component_stride;
  return view;
}

bool checkSlice(const chirt_site *site, const chirt_slice &slice, int axis,
                int64_t extent) {
  if (slice.count == 0)
    return true;
  int64_t last = slice.begin;
  bool isHuge = slice.count > 0 &&
                (slice.step < 1 ||
                 __builtin_mul_overflow(slice.count - 1, slice.step, &last) ||
                 __builtin_add_overflow(last, slice.begin, &last));
  if (slice.count > 0 && slice.step < 1)
    return failAt(site, UserFault, "a view cannot have the step %lld (axis %d)",
                  static_cast<long long>(slice.step), axis);
  bool isInside = !isHuge && slice.begin >= 0 && last < extent;
  if (!isInside && slice.count < 0)
    return failAt(site, UserFault,
                  "index %lld is out of bounds for axis %d with size %lld",
                  static_cast<long long>(slice.begin), axis,
                  static_cast<long long>(extent));
  if (!isInside)
    return failAt(site, UserFault,
                  "a view of the elements %lld to %lld of axis %d, which has "
                  "%lld",
                  static_cast<long long>(slice.begin),
                  static_cast<long long>(isHuge ? INT64_MAX : last), axis,
                  static_cast<long long>(extent));
  return true;
}

/// Null after a failure.
chirt_field *makeView(const chirt_site *site, chirt_field *field,
                      const chirt_slice *slices) {
  chirt_field view = elementOf(field);
  view.base = field->base ? field->base : field;
  view.offset = field->offset;
  view.made_at = site;
  for (int axis = 0; axis < field->rank; ++axis) {
    const chirt_slice &slice = slices[axis];
    if (!checkSlice(site, slice, axis, field->extents[axis]))
      return nullptr;
    view.offset += slice.begin * field->strides[axis];
    if (slice.count < 0)
      continue;
    view.extents[view.rank] = slice.count;
    // The step of a single element is any number.
    int64_t step = slice.count > 1 ? slice.step : 1;
    view.strides[view.rank++] = field->strides[axis] * step;
  }
  finish(view);
  return makeHandle(view);
}
} // namespace

chirt_field *makeViewLike(const chirt_field *like, chirt_field *base) {
  chirt_field view = elementOf(base);
  view.base = base;
  view.offset = like->offset;
  view.made_at = like->made_at;
  view.rank = like->rank;
  for (int k = 0; k < like->rank; ++k) {
    view.extents[k] = like->extents[k];
    view.strides[k] = like->strides[k];
  }
  finish(view);
  return makeHandle(view);
}

void releaseView(chirt_field *view) {
  unlinkView(view);
  chirt_field_release(view->grad);
  chirt_field_release(view->dual);
  chirt_field_release(view->base);
  free(view);
}

int64_t spanOf(const chirt_field *field) {
  if (!field->is_strided)
    return field->bytes;
  int64_t scalars = 1 + (componentsOf(field) - 1) * field->component_stride;
  for (int k = 0; k < field->rank; ++k)
    scalars += (field->extents[k] - 1) * field->strides[k];
  return scalars * scalarBytes(field->dtype);
}

} // namespace chirt

using namespace chirt;

/// A bound of a slice as the number of an element; false after a failure.
static bool readBound(const chirt_site *site, int axis, int64_t extent,
                      int64_t given, int64_t &bound) {
  bound = given < 0 ? given + extent : given;
  return (bound >= 0 && bound <= extent) ||
         failAt(site, UserFault,
                "a slice has the bound %lld on axis %d, which has %lld "
                "elements",
                static_cast<long long>(given), axis,
                static_cast<long long>(extent));
}

/// `words`: as chirt_field_slice takes them of one axis.
static bool readSlice(const chirt_site *site, int axis, int64_t extent,
                      const int64_t *words, chirt_slice &slice) {
  auto [flags, first, last, step] =
      *reinterpret_cast<const int64_t (*)[4]>(words);
  slice = {first, 1, -1};
  if (flags & CHIRT_SLICE_INDEX)
    return true;
  int64_t begin = 0, end = extent;
  if (((flags & CHIRT_SLICE_BEGIN) &&
       !readBound(site, axis, extent, first, begin)) ||
      ((flags & CHIRT_SLICE_END) && !readBound(site, axis, extent, last, end)))
    return false;
  if (step < 1)
    return failAt(site, UserFault, "a view cannot have the step %lld (axis %d)",
                  static_cast<long long>(step), axis);
  int64_t length = end > begin ? end - begin : 0;
  slice = {begin, step, length / step + (length % step != 0)};
  return true;
}

chirt_field *chirt_field_slice(const chirt_site *site, chirt_field *field,
                               const int64_t *words) {
  chirt_slice slices[CHIRT_MAX_RANK];
  bool isGood = true;
  for (int axis = 0; axis < field->rank && isGood; ++axis)
    isGood = readSlice(site, axis, field->extents[axis], words + 4 * axis,
                       slices[axis]);
  chirt_field *made = isGood ? makeView(site, field, slices) : nullptr;
  if (!made)
    leave();
  return made;
}

int32_t chirt_fields_overlap(const chirt_field *a, const chirt_field *b) {
  auto *left = static_cast<const char *>(a->data);
  auto *right = static_cast<const char *>(b->data);
  return a->elements && b->elements && left < right + spanOf(b) &&
         right < left + spanOf(a);
}

chirt_field *chirt_field_view(const chirt_site *site, chirt_field *field,
                              const chirt_slice *slices) {
  chirt_field *made = makeView(site, field, slices);
  if (!made)
    leave();
  return made;
}
