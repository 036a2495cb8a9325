//===- Stream.cpp - Stores past the caches --------------------------------===//
// What a task leaves in its buffers goes to memory here. A line that is written
// whole past the caches is not read before, which saves a third to a half of
// the traffic of a task that only writes a field.
#include "chirt/chirt.h"
#include "chirt/cpu/Caches.h"
#include "chirt/cpu/Pool.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace chirt {

namespace {
constexpr int64_t lineBytes = 64, wordBytes = 16;

bool startsLine(int64_t address) { return address % lineBytes == 0; }

template <typename T> using Words = T __attribute__((vector_size(wordBytes)));

template <typename W> W loadWord(const char *from) {
  W word;
  memcpy(&word, from, wordBytes);
  return word;
}

/// `to` lies at a multiple of 16 if `isPast`.
template <typename W> void storeWord(char *to, W word, bool isPast) {
#ifdef __SSE2__
  if (isPast)
    return _mm_stream_si128(reinterpret_cast<__m128i *>(to),
                            reinterpret_cast<__m128i>(word));
#endif
  (void)isPast;
  memcpy(to, &word, wordBytes);
}

/// The lower or the upper halves of two words, element by element in turn.
template <bool IsUpper, typename W, int... K>
W interleave(W a, W b, std::integer_sequence<int, K...>) {
  constexpr int n = sizeof...(K), first = IsUpper ? n / 2 : 0;
  return __builtin_shufflevector(a, b, (first + K / 2 + (K % 2 ? n : 0))...);
}

/// Transposes a square of n words of n elements: log2 n perfect shuffles.
template <typename T> void transposeSquare(Words<T> *rows) {
  constexpr int n = wordBytes / sizeof(T);
  using Numbers = std::make_integer_sequence<int, n>;
  for (int step = 1; step < n; step *= 2) {
    Words<T> next[n];
    for (int k = 0; k < n / 2; ++k) {
      next[2 * k] = interleave<false>(rows[k], rows[k + n / 2], Numbers());
      next[2 * k + 1] = interleave<true>(rows[k], rows[k + n / 2], Numbers());
    }
    memcpy(rows, next, sizeof(next));
  }
}

/// The two ends of a transposition of elements of one size.
struct Tile {
  char *to;
  int64_t toStride;
  const char *from;
  int64_t fromStride;
};

template <typename T>
void copyOneByOne(const Tile &tile, int64_t row, int64_t rowEnd, int64_t column,
                  int64_t columnEnd) {
  for (int64_t c = column; c < columnEnd; ++c)
    for (int64_t r = row; r < rowEnd; ++r)
      memcpy(tile.to + c * tile.toStride + r * int64_t(sizeof(T)),
             tile.from + r * tile.fromStride + c * int64_t(sizeof(T)),
             sizeof(T));
}

/// Squares side by side along the rows of `from`, so that with four of them
/// each line is written at once: the processor combines few lines at a time.
template <typename T, int Squares>
void transposeSquares(const Tile &tile, int64_t row, int64_t column,
                      bool isPast) {
  constexpr int64_t n = wordBytes / sizeof(T);
  Words<T> words[Squares][n];
  for (int64_t s = 0; s < Squares; ++s) {
    for (int64_t k = 0; k < n; ++k)
      words[s][k] =
          loadWord<Words<T>>(tile.from + (row + s * n + k) * tile.fromStride +
                             column * int64_t(sizeof(T)));
    transposeSquare<T>(words[s]);
  }
  for (int64_t k = 0; k < n; ++k)
    for (int64_t s = 0; s < Squares; ++s)
      storeWord(tile.to + (column + k) * tile.toStride +
                    (row + s * n) * int64_t(sizeof(T)),
                words[s][k], isPast);
}

template <typename T>
void transpose(const Tile &tile, int64_t rows, int64_t columns, bool isPast) {
  constexpr int64_t n = wordBytes / sizeof(T), line = lineBytes / sizeof(T);
  int64_t lineRows = rows / line * line, wholeRows = rows / n * n;
  int64_t wholeColumns = columns / n * n;
  for (int64_t c = 0; c < wholeColumns; c += n) {
    for (int64_t r = 0; r < lineRows; r += line)
      transposeSquares<T, lineBytes / wordBytes>(tile, r, c, isPast);
    for (int64_t r = lineRows; r < wholeRows; r += n)
      transposeSquares<T, 1>(tile, r, c, isPast);
  }
  copyOneByOne<T>(tile, wholeRows, rows, 0, wholeColumns);
  copyOneByOne<T>(tile, 0, rows, wholeColumns, columns);
}

using LineCopy = void (*)(char *, const char *, int64_t);

/// Copies whole lines past the caches; `to` starts one.
void streamLines(char *to, const char *from, int64_t bytes) {
  for (int64_t k = 0; k < bytes; k += wordBytes)
    storeWord(to + k, loadWord<Words<int64_t>>(from + k), /*isPast=*/true);
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

/// With the widest stores that the processor has and whose registers the system
/// keeps. Asked here, since built programs have no library of a compiler.
LineCopy widestCopy() {
  constexpr unsigned halfLines = 0x6, lines = 0xe6; // of XCR0
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX))
    return streamLines;
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  if ((low & lines) == lines && __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
      (b & bit_AVX512F))
    return streamLinesAtOnce;
  return (low & halfLines) == halfLines ? streamHalfLines : streamLines;
}
#endif

/// Workers may ask at once: they all find the same.
LineCopy lineCopy() {
  static constinit LineCopy chosen = nullptr;
  LineCopy copy = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
  if (copy)
    return copy;
  copy = streamLines;
#ifdef __x86_64__
  copy = widestCopy();
#endif
  __atomic_store_n(&chosen, copy, __ATOMIC_RELAXED);
  return copy;
}

/// Bytes of the last caches that the pool reaches; a usual one if the machine
/// does not tell. All who ask at once find the same. For tests of Chi:
/// CHI_CACHE_BYTES in the environment says another number.
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
  int64_t bytes = pretended ? strtoll(pretended, nullptr, 10)
                            : reachedCaches("/sys/devices/system/cpu", cores,
                                            pool().size());
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
  lineCopy()(target + head, source + head, whole);
  if (end < bytes)
    memcpy(target + end, source + end, size_t(bytes - end));
}

void chirt_stream_tile(void *to, int64_t stride, const void *from, int64_t size,
                       int64_t pitch, int64_t rows, int64_t columns,
                       int32_t past) {
  Tile tile{static_cast<char *>(to), stride, static_cast<const char *>(from),
            pitch * size};
  bool isPast = past && startsLine(reinterpret_cast<intptr_t>(to)) &&
                startsLine(stride) && startsLine(rows * size);
  switch (size) {
  case 1:
    return transpose<int8_t>(tile, rows, columns, isPast);
  case 2:
    return transpose<int16_t>(tile, rows, columns, isPast);
  case 4:
    return transpose<int32_t>(tile, rows, columns, isPast);
  default:
    return transpose<int64_t>(tile, rows, columns, isPast);
  }
}

void chirt_stream_end(void) {
#ifdef __SSE2__
  _mm_sfence();
#endif
}
