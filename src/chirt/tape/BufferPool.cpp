//===- BufferPool.cpp - Memory of saves for the next tape -----------------===//
#include "chirt/tape/BufferPool.h"

#include "chirt/support/Memory.h"
#include <algorithm>
#include <cstring>
#include <tuple>

namespace chirt {

bool ownsMemory(const chirt_field *field) {
  return !field->release && !field->is_lent && field->bytes > 0;
}

void swapMemory(chirt_field *a, chirt_field *b) {
  std::swap(a->data, b->data);
  std::swap(a->buffer, b->buffer);
  std::swap(a->touched, b->touched);
  std::swap(a->current, b->current);
}

/// More are not kept, nor more than a part of the memory that is free.
static constexpr int64_t kMostBytes = int64_t(1) << 30;
static constexpr int64_t kPartOfFree = 8;
/// So many from the end are looked at.
static constexpr size_t kLookedAt = 8;

static bool areAlike(const chirt_field *a, const chirt_field *b) {
  auto layout = [](const chirt_field *f) {
    return std::tuple(f->bytes, f->dtype, f->rank, f->rows, f->columns,
                      f->element_rank, f->is_soa, f->device);
  };
  return layout(a) == layout(b) &&
         !memcmp(a->extents, b->extents, sizeof(a->extents)) &&
         !memcmp(a->order, b->order, sizeof(a->order));
}

/// Has nobody else the field, and does it lie in plain memory of its own?
static bool isFree(const chirt_field *field) {
  return __atomic_load_n(&field->refcount, __ATOMIC_RELAXED) == 1 &&
         ownsMemory(field) && !field->grad && !field->dual && !field->buffer &&
         field->current == CHIRT_AT_HOST;
}

BufferPool::~BufferPool() {
  for (chirt_field *field : fields)
    chirt_field_release(field);
}

void BufferPool::give(chirt_field *field) {
  if (!field)
    return;
  if (limit < 0)
    limit = std::min(kMostBytes, int64_t(freeMemory() / kPartOfFree));
  if (!isFree(field) || bytes + field->bytes > limit)
    return chirt_field_release(field);
  field->taped = 0;
  bytes += field->bytes;
  fields.push(field);
}

void BufferPool::keepAtMost(int64_t most) {
  while (bytes > most) {
    bytes -= fields.back()->bytes;
    chirt_field_release(fields.back());
    fields.pop();
  }
}

chirt_field *BufferPool::take(const chirt_field *like) {
  size_t count = fields.size();
  for (size_t k = count; k-- > 0 && count - k <= kLookedAt;) {
    chirt_field *found = fields[k];
    if (!areAlike(found, like))
      continue;
    for (; k + 1 < count; ++k)
      fields[k] = fields[k + 1];
    fields.pop();
    bytes -= found->bytes;
    return found;
  }
  // What was wanted next before is not any more.
  if (count > 0) {
    bytes -= fields.back()->bytes;
    chirt_field_release(fields.back());
    fields.pop();
  }
  return nullptr;
}

} // namespace chirt
