//===- Tiles.h - Blocks of threads that are tiles of a domain ---*- C++ -*-===//
// Note [Tiles]
// Threads in row-major order that access (j, i) touch a sector of memory each,
// and use one number of it; the next numbers are for blocks of the next rows,
// on other multiprocessors. A block that is a tile of 8 rows of 32 columns uses
// whole sectors in both directions (8 f32 are one), and a warp is still 32
// neighbours of a row.
// docs/design/0080-tiles-of-threads.md
//===----------------------------------------------------------------------===//
#ifndef CHI_CONVERSION_CHITOGPU_TILES_H
#define CHI_CONVERSION_CHITOGPU_TILES_H

#include "chi/Conversion/ChiToGPU/TaskKernel.h"

namespace chi::conv::kernels {

/// The tiles of the last two axes of a domain, in row-major order.
class Tiles {
public:
  /// Do neighbours in a row access elements in different rows of a field? For
  /// others row-major order is as good or better.
  static bool areUseful(const conv::TaskShape &shape);

  /// `extent`: of each axis. The tiles are computed at the builder's place.
  Tiles(TaskKernel &kernel, conv::Emitter &emit,
        llvm::ArrayRef<mlir::Value> extent);

  /// How many there are; each is for one block of threads.
  mlir::Value count();

  /// What this thread does of a tile.
  struct Place {
    llvm::SmallVector<mlir::Value> offsets; ///< along each axis, from its start
    mlir::Value number;                     ///< of the iteration, row-major
    mlir::Value isInside;                   ///< is there such an iteration?
  };
  Place placeIn(mlir::Value tile);

private:
  mlir::Value ceilDivide(mlir::Value a, mlir::Value b);

  conv::Emitter &emit;
  llvm::ArrayRef<mlir::Value> extent;
  mlir::Value isTiled; ///< else a tile is a row of the last two axes, joined
  mlir::Value rows, columns, numRows, numColumns; ///< of a tile, and of tiles
  mlir::Value lastRow, lastColumn;                ///< exclusive
  mlir::Value row, column;                        ///< of this thread
};

} // namespace chi::conv::kernels
#endif // CHI_CONVERSION_CHITOGPU_TILES_H
