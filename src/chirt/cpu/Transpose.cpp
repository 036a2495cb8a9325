//===- Transpose.cpp - Tiles whose rows become columns --------------------===//
// Squares of 16 bytes by as many elements are transposed in registers by
// perfect shuffles, in each lane of a register another one.
#include "chirt/cpu/Transpose.h"

#include <cstddef>
#include <cstring>
#include <utility>

// What is inlined has the features of the processor that the caller is compiled
// for. No vector is passed by value: how that is done depends on them.
#define CHIRT_INLINE __attribute__((always_inline)) inline

namespace chirt {

namespace {
constexpr int64_t laneBytes = 16, lineBytes = 64;

/// Bytes of a row of a transposed tile that are stored one after the other.
constexpr int64_t runBytes = 512;

/// Elements of a lane; their number is a side of a square.
template <typename T> constexpr int side = int(laneBytes / sizeof(T));

template <typename T, int Lanes>
using Words = T __attribute__((vector_size(laneBytes * Lanes)));

template <typename Wide, typename W, int... K>
CHIRT_INLINE void join(Wide &both, const W &low, const W &high,
                       std::integer_sequence<int, K...>) {
  both = __builtin_shufflevector(low, high, K...);
}

/// A row of each of several squares one below the other.
template <typename T, int Lanes>
CHIRT_INLINE void loadRow(Words<T, Lanes> &row, const char *from,
                          int64_t pitch) {
  if constexpr (Lanes == 1) {
    memcpy(&row, from, laneBytes);
  } else {
    constexpr int half = Lanes / 2;
    Words<T, half> low, high;
    loadRow<T, half>(low, from, pitch);
    loadRow<T, half>(high, from + half * side<T> * pitch, pitch);
    join(row, low, high, std::make_integer_sequence<int, Lanes * side<T>>());
  }
}

/// The lower or the upper halves of each lane of two words, in turn.
template <int Side, bool IsUpper, typename W, int... K>
CHIRT_INLINE void interleave(W &mixed, const W &a, const W &b,
                             std::integer_sequence<int, K...>) {
  constexpr int all = sizeof...(K), first = IsUpper ? Side / 2 : 0;
  mixed = __builtin_shufflevector(
      a, b, (K / Side * Side + first + K % Side / 2 + (K % 2 ? all : 0))...);
}

/// log2 n perfect shuffles of the n rows of squares.
template <typename T, int Lanes>
CHIRT_INLINE void transposeRows(Words<T, Lanes> *rows) {
  constexpr int n = side<T>;
  std::make_integer_sequence<int, n * Lanes> numbers;
  for (int step = 1; step < n; step *= 2) {
    Words<T, Lanes> next[n];
    for (int k = 0; k < n / 2; ++k) {
      interleave<n, false>(next[2 * k], rows[k], rows[k + n / 2], numbers);
      interleave<n, true>(next[2 * k + 1], rows[k], rows[k + n / 2], numbers);
    }
    memcpy(rows, next, sizeof(next));
  }
}

/// Squares one below the other, which become as many side by side. Several
/// registers of them are stored together, so that lines are written at once.
template <typename T, int Lanes, int Registers>
CHIRT_INLINE void transposeSquares(char *to, int64_t stride, const char *from,
                                   int64_t pitch) {
  constexpr int n = side<T>;
  Words<T, Lanes> rows[Registers][n];
  for (int64_t p = 0; p < Registers; ++p) {
    for (int64_t k = 0; k < n; ++k)
      loadRow<T, Lanes>(rows[p][k], from + (p * Lanes * n + k) * pitch, pitch);
    transposeRows<T, Lanes>(rows[p]);
  }
  for (int64_t k = 0; k < n; ++k)
    for (int64_t p = 0; p < Registers; ++p)
      memcpy(to + k * stride + p * Lanes * laneBytes, &rows[p][k],
             laneBytes * Lanes);
}

/// As many columns as a square has; returns the rows done.
template <typename T, int Lanes>
CHIRT_INLINE int64_t transposeColumns(char *to, int64_t stride,
                                      const char *from, int64_t pitch,
                                      int64_t rows) {
  constexpr int64_t n = side<T>, size = sizeof(T), line = lineBytes / size;
  constexpr int registers = lineBytes / laneBytes / Lanes;
  int64_t r = 0;
  for (; r + line <= rows; r += line)
    transposeSquares<T, Lanes, registers>(to + r * size, stride,
                                          from + r * pitch, pitch);
  for (; r + n <= rows; r += n)
    transposeSquares<T, 1, 1>(to + r * size, stride, from + r * pitch, pitch);
  return r;
}

/// The same past the caches, a line a store. `to` and `stride` are at lines,
/// and `rows` fill them.
template <typename T>
CHIRT_INLINE void storeLines(char *to, int64_t stride, const char *from,
                             int64_t pitch, int64_t rows) {
  constexpr int lanes = lineBytes / laneBytes;
  constexpr int64_t n = side<T>, size = sizeof(T);
  for (int64_t r = 0; r < rows; r += lanes * n) {
    Words<T, lanes> words[n];
    for (int64_t k = 0; k < n; ++k)
      loadRow<T, lanes>(words[k], from + (r + k) * pitch, pitch);
    transposeRows<T, lanes>(words);
    for (int64_t k = 0; k < n; ++k)
      __builtin_nontemporal_store(words[k], reinterpret_cast<Words<T, lanes> *>(
                                                to + k * stride + r * size));
  }
}

/// The same in pieces of a line. The memory takes lines that lie side by side
/// much faster than those of one row after those of another: rows of the tile
/// are gathered first.
template <typename T, int Lanes>
CHIRT_INLINE void streamColumns(char *to, int64_t stride, const char *from,
                                int64_t pitch, int64_t rows, LineCopy lines) {
  constexpr int64_t size = sizeof(T), atOnce = runBytes / size;
  alignas(64) char gathered[side<T> * runBytes];
  for (int64_t r = 0; r < rows; r += atOnce) {
    int64_t count = rows - r < atOnce ? rows - r : atOnce;
    transposeColumns<T, Lanes>(gathered, runBytes, from + r * pitch, pitch,
                               count);
    for (int64_t k = 0; k < side<T>; ++k)
      lines(to + k * stride + r * size, gathered + k * runBytes, count * size);
  }
}

template <typename T>
CHIRT_INLINE void copyOneByOne(const Tile &tile, int64_t row, int64_t column,
                               int64_t columnEnd) {
  constexpr int64_t size = sizeof(T);
  for (int64_t c = column; c < columnEnd; ++c)
    for (int64_t r = row; r < tile.rows; ++r)
      memcpy(tile.to + c * tile.stride + r * size,
             tile.from + (r * tile.pitch + c) * size, size);
}

template <typename T, int Lanes, bool StoresLines>
CHIRT_INLINE void transpose(const Tile &tile, LineCopy lines) {
  constexpr int64_t n = side<T>, size = sizeof(T);
  int64_t pitch = tile.pitch * size, done = tile.rows;
  int64_t wholeColumns = tile.columns / n * n;
  for (int64_t c = 0; c < wholeColumns; c += n) {
    char *to = tile.to + c * tile.stride;
    const char *from = tile.from + c * size;
    if (lines && StoresLines)
      storeLines<T>(to, tile.stride, from, pitch, tile.rows);
    else if (lines)
      streamColumns<T, Lanes>(to, tile.stride, from, pitch, tile.rows, lines);
    else
      done =
          transposeColumns<T, Lanes>(to, tile.stride, from, pitch, tile.rows);
  }
  copyOneByOne<T>(tile, done, 0, wholeColumns);
  copyOneByOne<T>(tile, 0, wholeColumns, tile.columns);
}

/// StoresLines: a register holds a line.
template <int Lanes, bool StoresLines>
CHIRT_INLINE void transposeAny(const Tile &tile, LineCopy lines) {
  switch (tile.size) {
  case 1:
    return transpose<int8_t, Lanes, StoresLines>(tile, lines);
  case 2:
    return transpose<int16_t, Lanes, StoresLines>(tile, lines);
  case 4:
    return transpose<int32_t, Lanes, StoresLines>(tile, lines);
  default: // two of them are a shuffle: lanes are not worth their joining
    return transpose<int64_t, 1, StoresLines>(tile, lines);
  }
}
} // namespace

} // namespace chirt

using namespace chirt;

void chirt::transposeTile(const Tile &tile, LineCopy lines) {
  transposeAny<1, false>(tile, lines);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) void chirt::transposeTileAVX2(const Tile &tile,
                                                              LineCopy lines) {
  transposeAny<2, false>(tile, lines);
}

__attribute__((target("avx512f,avx512bw"))) void
chirt::transposeTileAVX512(const Tile &tile, LineCopy lines) {
  transposeAny<4, true>(tile, lines);
}
#endif
