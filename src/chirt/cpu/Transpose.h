//===- Transpose.h - Tiles whose rows become columns ------------*- C++ -*-===//
#ifndef CHIRT_CPU_TRANSPOSE_H
#define CHIRT_CPU_TRANSPOSE_H

#include <cstdint>

namespace chirt {

/// Elements of `size` bytes (1, 2, 4, 8): (r, c), at from + r * pitch + c
/// elements, goes to `to` + c * stride bytes + r elements.
struct Tile {
  char *to;
  int64_t stride;
  const char *from;
  int64_t pitch, size, rows, columns;
};

/// Copies whole lines of the cache past the caches; `to` starts one.
using LineCopy = void (*)(char *to, const char *from, int64_t bytes);

/// Past the caches by `lines`, where all lines of `to` must be written whole,
/// or by plain stores if it is null.
void transposeTile(const Tile &tile, LineCopy lines);
#ifdef __x86_64__
/// The same on processors with AVX2.
void transposeTileAVX2(const Tile &tile, LineCopy lines);
/// The same on processors with AVX-512 for bytes: a line is one register.
void transposeTileAVX512(const Tile &tile, LineCopy lines);
#endif

} // namespace chirt
#endif // CHIRT_CPU_TRANSPOSE_H
