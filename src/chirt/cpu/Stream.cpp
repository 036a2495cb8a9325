//===- Stream.cpp - Stores past the caches --------------------------------===//
// What a task leaves in its buffers goes to memory here. A line that is written
// whole past the caches is not read before, which saves a third to a half of
// the traffic of a task that only writes a field.
#include "chirt/chirt.h"
#include "chirt/cpu/Caches.h"
#include "chirt/cpu/Pool.h"
#include "chirt/cpu/Transpose.h"
#include "chirt/support/Settings.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace chirt {

namespace {
constexpr int64_t lineBytes = 64;

bool startsLine(int64_t address) { return address % lineBytes == 0; }

/// Copies whole lines past the caches; `to` starts one.
void streamLines(char *to, const char *from, int64_t bytes) {
#ifdef __SSE2__
  for (int64_t k = 0; k < bytes; k += 16)
    _mm_stream_si128(
        reinterpret_cast<__m128i *>(to + k),
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + k)));
#else
  memcpy(to, from, size_t(bytes));
#endif
}

#ifdef __x86_64__
/// The same, half a line a store.
__attribute__((target("avx"))) void streamHalfLines(char *to, const char *from,
                                                    int64_t bytes) {
  for (int64_t k = 0; k < bytes; k += lineBytes / 2)
    _mm256_stream_si256(
        reinterpret_cast<__m256i *>(to + k),
        _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from + k)));
}

/// The same, a line a store: the processor need not put it together.
__attribute__((target("avx512f"))) void
streamLinesAtOnce(char *to, const char *from, int64_t bytes) {
  for (int64_t k = 0; k < bytes; k += lineBytes)
    _mm512_stream_si512(reinterpret_cast<__m512i *>(to + k),
                        _mm512_loadu_si512(from + k));
}

#endif

/// How to copy on a kind of processor.
struct Copies {
  LineCopy lines;
  void (*tile)(const Tile &, LineCopy);
};
constexpr Copies plainCopies{streamLines, transposeTile};

#ifdef __x86_64__
constexpr Copies avxCopies{streamHalfLines, transposeTile};
constexpr Copies avx2Copies{streamHalfLines, transposeTileAVX2};
constexpr Copies avx512Copies{streamLinesAtOnce, transposeTileAVX512};

/// With the widest registers that the processor has and the system keeps. Asked
/// here, since built programs have no library of a compiler.
const Copies &widestCopies() {
  constexpr unsigned halfLines = 0x6, lines = 0xe6; // of XCR0
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX))
    return plainCopies;
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  if ((low & halfLines) != halfLines)
    return plainCopies;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2))
    return avxCopies;
  bool hasLines = (b & bit_AVX512F) && (b & bit_AVX512BW);
  return (low & lines) == lines && hasLines ? avx512Copies : avx2Copies;
}
#endif

/// Workers may ask at once: they all find the same.
const Copies &copies() {
  static constinit const Copies *chosen = nullptr;
  if (const Copies *known = __atomic_load_n(&chosen, __ATOMIC_RELAXED))
    return *known;
  const Copies *found = &plainCopies;
#ifdef __x86_64__
  found = &widestCopies();
#endif
  __atomic_store_n(&chosen, found, __ATOMIC_RELAXED);
  return *found;
}

/// Bytes of the last caches that the pool reaches; a usual one if the machine
/// does not tell. All who ask at once find the same. A described machine has
/// the one cache that it names. For tests of Chi: CHI_CACHE_BYTES in the
/// environment says another number.
int64_t poolCaches() {
  constexpr int64_t usual = int64_t(32) << 20;
  static constinit int64_t known = 0;
  if (int64_t bytes = __atomic_load_n(&known, __ATOMIC_RELAXED))
    return bytes;
  cpu_set_t cores;
  CPU_ZERO(&cores);
  const char *pretended = getenv("CHI_CACHE_BYTES");
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0)
    CPU_SET(0, &cores);
  int64_t bytes =
      pretended ? strtoll(pretended, nullptr, 10)
      : settings().lastCache > 0
          ? settings().lastCache
          : reachedCaches("/sys/devices/system/cpu", cores, pool().size());
  bytes = bytes ? bytes : usual;
  __atomic_store_n(&known, bytes, __ATOMIC_RELAXED);
  return bytes;
}
} // namespace

} // namespace chirt

using namespace chirt;

int32_t chirt_streams(int64_t bytes) {
  return exceedsCaches(bytes, poolCaches());
}

void chirt_stream(void *to, const void *from, int64_t bytes, int32_t past) {
  char *target = static_cast<char *>(to);
  const char *source = static_cast<const char *>(from);
  int64_t head = -reinterpret_cast<intptr_t>(to) & (lineBytes - 1);
  if (!past || bytes < head + lineBytes) {
    memcpy(target, source, size_t(bytes));
    return;
  }
  if (head)
    memcpy(target, source, size_t(head));
  int64_t whole = (bytes - head) / lineBytes * lineBytes, end = head + whole;
  copies().lines(target + head, source + head, whole);
  if (end < bytes)
    memcpy(target + end, source + end, size_t(bytes - end));
}

void chirt_stream_tile(void *to, int64_t stride, const void *from, int64_t size,
                       int64_t pitch, int64_t rows, int64_t columns,
                       int32_t past) {
  Tile tile{static_cast<char *>(to),
            stride,
            static_cast<const char *>(from),
            pitch,
            size,
            rows,
            columns};
  bool isPast = past && startsLine(reinterpret_cast<intptr_t>(to)) &&
                startsLine(stride) && startsLine(rows * size);
  const Copies &chosen = copies();
  chosen.tile(tile, isPast ? chosen.lines : nullptr);
}

void chirt_stream_end(void) {
#ifdef __SSE2__
  _mm_sfence();
#endif
}
