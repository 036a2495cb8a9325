//===- Parts.cpp - Launches in parts that threads do not determine --------===//
// --deterministic: what scattered accumulations add to is a copy of the part,
// and the number of parts depends on the sizes only
// (docs/design/0135-deterministic-sums.md).
#include "chirt/cpu/Pool.h"
#include "chirt/launch/Observers.h"

namespace chirt {

namespace {
struct Parts {
  chirt_chunk body;
  void *args;
  int64_t n, align;
  int parts;
};

/// Parts begin .. end - 1, one after the other.
void runParts(void *context, int64_t begin, int64_t end, int32_t) {
  auto &launch = *static_cast<Parts *>(context);
  for (int64_t part = begin; part < end; ++part) {
    Chunk chunk = chunkOf(launch.n, launch.align, int(part), launch.parts);
    if (chunk.begin < chunk.end)
      launch.body(launch.args, chunk.begin, chunk.end, int32_t(part));
  }
}

int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
} // namespace

} // namespace chirt

using namespace chirt;

int32_t chirt_num_parts(int64_t n, int64_t align, int64_t cost,
                        int64_t elements, int64_t accumulations) {
  int64_t work;
  if (__builtin_mul_overflow(n, cost < 1 ? 1 : cost, &work))
    work = INT64_MAX;
  if (n <= 0 || elements <= 0 || work < CHIRT_SMALL_LAUNCH)
    return 1;
  align = align < 1 ? 1 : align;
  int64_t parts = least(CHIRT_MAX_PARTS, work / (CHIRT_SMALL_LAUNCH / 2));
  parts = least(parts, n / align + (n % align != 0));
  // Halves instead of doubling, which might overflow.
  parts = least(parts, accumulations / (elements / 2 + elements % 2));
  return int32_t(parts < 1 ? 1 : parts);
}

void chirt_parallel_parts(chirt_chunk chunk, void *args, int64_t n,
                          int64_t align, int32_t parts) {
  Parts launch{chunk, args, n, align < 1 ? 1 : align, parts};
  int workers = __atomic_load_n(&instrumentedLaunches, __ATOMIC_RELAXED)
                    ? 1
                    : int(least(parts, pool().size()));
  constexpr int64_t mostSlices = 16;
  int slices = int(least(parts / workers, mostSlices));
  pool().run(runParts, &launch, parts, 1, workers, slices);
}
