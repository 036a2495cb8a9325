//===- Private.cpp - Private copies of scattered accumulations ------------===//
// Copies are kept from launch to launch. Merging leaves them neutral again, in
// the pass that reads them, so that a loop of launches never clears them. Where
// no worker added anything, merging only reads.
#include "chirt/chirt.h"
#include "chirt/cpu/Combine.h"
#include "chirt/cpu/Pool.h"
#include "chirt/failure/Failure.h"
#include "chirt/support/Memory.h"

#include <pthread.h>
#include <type_traits>

namespace chirt {

namespace {
constexpr int numKept = 8;

/// The copies of one launch: `bytes` long in all.
struct Copies {
  void *memory = nullptr;
  int64_t bytes = 0;
  int32_t dtype = 0, kind = 0;
  bool isNeutral = false; ///< as dtype and kind say
  bool isUsed = false;
};

struct KeptCopies {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Copies slots[numKept];
  int64_t most = 0; ///< bytes allowed; 0: not yet asked for
};
constinit KeptCopies kept;

/// Stands for "no copies, but none needed": one part only.
alignas(64) constinit char noCopies[64] = {};

int64_t strideOf(int64_t elements, int32_t dtype) {
  return (elements * scalarBytes(dtype) + 63) & ~int64_t(63);
}

/// Needs the lock. The slot to use for `bytes`: the same use before, else a
/// free one of that size, else an empty one, else any free one; null if all
/// are in use.
Copies *chooseSlot(int64_t bytes, int32_t dtype, int32_t kind) {
  Copies *best = nullptr;
  int bestRank = 0;
  for (Copies &slot : kept.slots) {
    if (slot.isUsed)
      continue;
    bool fits = slot.bytes == bytes;
    int rank = fits && slot.dtype == dtype && slot.kind == kind ? 4
               : fits                                           ? 3
               : !slot.memory                                   ? 2
                                                                : 1;
    if (rank > bestRank)
      best = &slot, bestRank = rank;
  }
  return best;
}

/// Needs the lock. May copies take so many bytes?
bool mayTake(int64_t bytes) {
  if (kept.most == 0 || bytes > kept.most)
    kept.most = int64_t(freeMemory() / 4);
  return bytes <= kept.most;
}

/// Needs the lock.
Copies *takeSlot(int64_t bytes, int32_t dtype, int32_t kind) {
  Copies *slot = chooseSlot(bytes, dtype, kind);
  if (!slot)
    return nullptr;
  if (slot->bytes != bytes) {
    releaseMemory(slot->memory);
    *slot = Copies();
    slot->memory = allocateUncleared(size_t(bytes));
    if (!slot->memory)
      return nullptr;
    slot->bytes = bytes;
  }
  slot->isNeutral &= slot->dtype == dtype && slot->kind == kind;
  slot->dtype = dtype, slot->kind = kind;
  slot->isUsed = true;
  return slot;
}

struct ClearArgs {
  char *memory;
  int64_t stride; ///< of a copy
  int32_t dtype, kind;
};

/// Clears the same part of every copy, as merging will read it.
void clearChunk(void *context, int64_t begin, int64_t end, int32_t) {
  auto *args = static_cast<ClearArgs *>(context);
  withCombine(args->dtype, args->kind, [&](auto combine) {
    using C = decltype(combine);
    using T = typename ValueOf<C>::Type;
    T *to = reinterpret_cast<T *>(args->memory);
    const T neutral = C::neutral();
    for (int64_t i = begin; i < end; ++i)
      to[i] = neutral;
  });
}

template <size_t bytes>
using UnsignedOf = std::conditional_t<
    bytes == 1, uint8_t,
    std::conditional_t<bytes == 2, uint16_t,
                       std::conditional_t<bytes == 4, uint32_t, uint64_t>>>;

struct MergeArgs {
  char *copies;
  char *data;
  int64_t stride;
  int32_t dtype, kind, chunks;
};

/// Scalars that are merged, or passed over, together.
constexpr int64_t blockLength = 512;

/// Has nobody added to these? Bits are compared, without a branch for each.
template <typename T>
bool isUntouched(const T *copy, int64_t begin, int64_t end, T neutral) {
  using Bits = UnsignedOf<sizeof(T)>;
  const Bits wanted = __builtin_bit_cast(Bits, neutral);
  Bits differing = 0;
  for (int64_t i = begin; i < end; ++i)
    differing |= Bits(__builtin_bit_cast(Bits, copy[i]) ^ wanted);
  return differing == 0;
}

/// Adds the copies in worker order and makes them neutral. A block at a time,
/// so that the part of the field stays in the cache.
template <typename C, typename T>
void mergeBlock(T *data, const MergeArgs &args, int64_t begin, int64_t end) {
  const T neutral = C::neutral();
  for (int chunk = 1; chunk < args.chunks; ++chunk) {
    T *__restrict copy =
        reinterpret_cast<T *>(args.copies + (chunk - 1) * args.stride);
    T *__restrict to = data;
    if (isUntouched(copy, begin, end, neutral))
      continue;
    for (int64_t i = begin; i < end; ++i) {
      to[i] = C::apply(to[i], copy[i]);
      copy[i] = neutral;
    }
  }
}

void mergeChunk(void *context, int64_t begin, int64_t end, int32_t) {
  auto *args = static_cast<MergeArgs *>(context);
  withCombine(args->dtype, args->kind, [&](auto combine) {
    using C = decltype(combine);
    using T = typename ValueOf<C>::Type;
    T *data = reinterpret_cast<T *>(args->data);
    for (int64_t at = begin; at < end; at += blockLength)
      mergeBlock<C>(data, *args, at,
                    at + blockLength < end ? at + blockLength : end);
  });
}

/// 1/16 ns that a scalar of that size costs when it goes through memory once.
int64_t costOf(int32_t dtype, int passes) {
  return 2 * int64_t(scalarBytes(dtype)) * passes;
}

/// Makes all copies neutral.
void clear(void *memory, int64_t stride, int64_t bytes, int32_t dtype,
           int32_t kind) {
  ClearArgs args{static_cast<char *>(memory), stride, dtype, kind};
  chirt_parallel(clearChunk, &args, bytes / scalarBytes(dtype), 64,
                 costOf(dtype, 1));
}

/// Returns merged copies: to their slot, or to the system.
void giveBack(void *copies) {
  bool isKept = false;
  pthread_mutex_lock(&kept.lock);
  for (Copies &slot : kept.slots)
    if (slot.memory == copies)
      slot.isNeutral = true, slot.isUsed = false, isKept = true;
  pthread_mutex_unlock(&kept.lock);
  if (!isKept)
    releaseMemory(copies);
}

/// Adds all copies to the field, and gives them back.
void mergeAll(void *copies, void *data, int64_t elements, int32_t dtype,
              int32_t kind, int32_t chunks) {
  MergeArgs args{static_cast<char *>(copies),
                 static_cast<char *>(data),
                 strideOf(elements, dtype),
                 dtype,
                 kind,
                 chunks};
  chirt_parallel(mergeChunk, &args, elements, 64, costOf(dtype, chunks));
  giveBack(copies);
}

bool canCombine(int32_t dtype, int32_t kind) {
  bool known = false;
  withCombine(dtype, kind, [&](auto) { known = true; });
  return known;
}
} // namespace

} // namespace chirt

using namespace chirt;

void *chirt_private_begin(int64_t elements, int32_t dtype, int32_t kind,
                          int64_t accumulations, int32_t chunks) {
  if (chunks <= 1)
    return noCopies;
  int64_t wanted;
  if (__builtin_mul_overflow(elements, int64_t(chunks), &wanted) ||
      wanted / 4 > accumulations || elements <= 0 || !canCombine(dtype, kind))
    return nullptr;
  int64_t stride = strideOf(elements, dtype), bytes = stride * (chunks - 1);
  pthread_mutex_lock(&kept.lock);
  Copies *slot = mayTake(bytes) ? takeSlot(bytes, dtype, kind) : nullptr;
  pthread_mutex_unlock(&kept.lock);
  if (!slot)
    return nullptr;
  if (!slot->isNeutral)
    clear(slot->memory, stride, bytes, dtype, kind);
  slot->isNeutral = false; // until it is merged
  pool().holdChunks(1);
  return slot->memory;
}

void chirt_private_end(void *copies, void *data, int64_t elements,
                       int32_t dtype, int32_t kind, int32_t chunks) {
  if (copies == noCopies || !copies)
    return;
  pool().holdChunks(-1);
  mergeAll(copies, data, elements, dtype, kind, chunks);
}

void *chirt_parts_begin(int64_t elements, int32_t dtype, int32_t kind,
                        int32_t parts) {
  if (parts <= 1)
    return noCopies;
  int64_t stride = strideOf(elements, dtype), bytes = stride * (parts - 1);
  pthread_mutex_lock(&kept.lock);
  Copies *slot = takeSlot(bytes, dtype, kind);
  pthread_mutex_unlock(&kept.lock);
  void *memory = slot ? slot->memory : allocateUncleared(size_t(bytes));
  if (!memory) {
    failAt(nullptr, WorldFault,
           "out of memory: the copies of a launch under --deterministic need "
           "%lld bytes",
           static_cast<long long>(bytes));
    leave();
  }
  if (!slot || !slot->isNeutral)
    clear(memory, stride, bytes, dtype, kind);
  if (slot)
    slot->isNeutral = false; // until it is merged
  return memory;
}

void chirt_parts_end(void *copies, void *data, int64_t elements, int32_t dtype,
                     int32_t kind, int32_t parts) {
  if (copies != noCopies)
    mergeAll(copies, data, elements, dtype, kind, parts);
}

void chirt_reduction_join(void *partial, int64_t count, int32_t dtype,
                          int32_t kind) {
  withCombine(dtype, kind, [&](auto combine) {
    using C = decltype(combine);
    using T = typename ValueOf<C>::Type;
    T *values = static_cast<T *>(partial);
    for (; count > 1; count = (count + 1) / 2) {
      for (int64_t i = 0; i < count / 2; ++i)
        values[i] = C::apply(values[2 * i], values[2 * i + 1]);
      if (count % 2)
        values[count / 2] = values[count - 1];
    }
  });
}
