//===- Tiles.cpp - Blocks of threads that are tiles of a domain -----------===//
// See Note [Tiles].
#include "chi/Conversion/ChiToGPU/Tiles.h"
#include "chirt/device_code.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::conv::kernels;

/// Of a tile: a row is a warp.
static constexpr int64_t kColumns = 32;
/// From these extents on at most half as many threads again as there are
/// iterations are idle, at the edges.
static constexpr int64_t kLeastColumns = 2 * kColumns,
                         kLeastRows = 2 * CHIRT_BLOCK_SIZE / kColumns;

/// Through operations that only compute.
static bool dependsOn(Value value, Value variable) {
  SetVector<Value> all;
  all.insert(value);
  for (size_t k = 0; k < all.size(); ++k)
    if (Operation *op = all[k].getDefiningOp(); op && isPure(op))
      all.insert(op->operand_begin(), op->operand_end());
  return all.contains(variable);
}

/// Do neighbours in a row access elements in different rows of the field?
static bool isByColumns(ir::FieldAccessOpInterface access, Value innermost) {
  auto indices = access.getIndices();
  return indices.size() > 1 && !dependsOn(indices.back(), innermost) &&
         llvm::any_of(indices.drop_back(),
                      [&](Value index) { return dependsOn(index, innermost); });
}

bool Tiles::areUseful(const TaskShape &shape) {
  if (shape.rank() < 2 || !shape.reductions.empty())
    return false;
  // A domain that is known to be too small.
  for (auto [axis, least] : {std::pair(shape.rank() - 1, kLeastColumns),
                             std::pair(shape.rank() - 2, kLeastRows)})
    if (shape.extent[axis] && *shape.extent[axis] < least)
      return false;
  Value innermost = shape.task.getIndexVariables().back();
  WalkResult walked =
      shape.task.getBody().walk([&](ir::FieldAccessOpInterface access) {
        return isByColumns(access, innermost) ? WalkResult::interrupt()
                                              : WalkResult::advance();
      });
  return walked.wasInterrupted();
}

static Value both(Emitter &emit, Value a, Value b) {
  return emit.builder.createOrFold<arith::AndIOp>(emit.loc, a, b);
}

Value Tiles::ceilDivide(Value a, Value b) {
  return emit.divide(emit.add(a, emit.sub(b, emit.index(1))), b);
}

Tiles::Tiles(TaskKernel &kernel, Emitter &emit, ArrayRef<Value> extent)
    : emit(emit), extent(extent) {
  Value height = extent[extent.size() - 2], width = extent.back();
  isTiled = both(
      emit,
      emit.compare(arith::CmpIPredicate::uge, width, emit.index(kLeastColumns)),
      emit.compare(arith::CmpIPredicate::uge, height, emit.index(kLeastRows)));
  // The run time chooses the size of blocks.
  Value threads = kernel.ofGrid<mlir::gpu::BlockDimOp>();
  columns = emit.select(isTiled, emit.index(kColumns), threads);
  rows = emit.divide(threads, columns);
  lastRow = emit.select(isTiled, height, emit.index(1));
  lastColumn = emit.select(isTiled, width, emit.mul(height, width));
  numRows = ceilDivide(lastRow, rows);
  numColumns = ceilDivide(lastColumn, columns);
  Value thread = kernel.ofGrid<mlir::gpu::ThreadIdOp>();
  row = emit.divide(thread, columns);
  column = emit.remainder(thread, columns);
}

Value Tiles::count() {
  Value product = emit.mul(numRows, numColumns);
  for (Value each : extent.drop_back(2))
    product = emit.mul(product, each);
  return product;
}

Tiles::Place Tiles::placeIn(Value tile) {
  Place place;
  Value rest = emit.divide(tile, numColumns);
  Value j =
      emit.add(emit.mul(emit.remainder(tile, numColumns), columns), column);
  bool isOnlyAxes = extent.size() == 2;
  Value ofRows = isOnlyAxes ? rest : emit.remainder(rest, numRows);
  Value i = emit.add(emit.mul(ofRows, rows), row);
  rest = isOnlyAxes ? emit.index(0) : emit.divide(rest, numRows);
  place.isInside =
      both(emit, emit.compare(arith::CmpIPredicate::ult, i, lastRow),
           emit.compare(arith::CmpIPredicate::ult, j, lastColumn));
  Value height = extent[extent.size() - 2], width = extent.back();
  Value inRows = emit.mul(rest, emit.mul(height, width));
  place.number = emit.add(inRows, emit.add(emit.mul(i, lastColumn), j));
  // Without tiles j counts along both axes.
  place.offsets.resize(extent.size());
  place.offsets.back() = emit.select(isTiled, j, emit.remainder(j, width));
  place.offsets[extent.size() - 2] =
      emit.select(isTiled, i, emit.divide(j, width));
  for (size_t axis = extent.size() - 2; axis-- > 0;) {
    place.offsets[axis] = axis ? emit.remainder(rest, extent[axis]) : rest;
    rest = axis ? emit.divide(rest, extent[axis]) : rest;
  }
  return place;
}
