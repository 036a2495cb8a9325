//===- Cells.h - The cells of recorded kernels ------------------*- C++ -*-===//
#ifndef CHIRT_FIELD_CELLS_H
#define CHIRT_FIELD_CELLS_H

#include <cstddef>

namespace chirt {

/// How many cells the calling thread has.
size_t numCells();
/// Frees the last ones down to `count`.
void releaseCells(size_t count);

} // namespace chirt
#endif // CHIRT_FIELD_CELLS_H
