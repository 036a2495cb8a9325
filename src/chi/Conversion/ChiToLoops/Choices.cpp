//===- Choices.cpp - What launches measure --------------------------------===//
// What no model of a machine settles is asked of the run time at the beginning
// of each part of a launch; see docs/design/0076-measured-choices.md.

#include "chi/Conversion/ChiToLoops/RecordedForms.h"
#include "chi/Conversion/ChiToLoops/TaskLowering.h"
#include "chi/Conversion/Runtime.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

bool chi::conv::hasChoices(const TaskShape &shape) {
  bool streams = llvm::any_of(shape.buffered, [](const BufferedField &field) {
    return field.isStreamed;
  });
  return shape.hasChunks() && (streams || shape.schedule.tile);
}

uint64_t chi::conv::hashOf(ir::TaskOp task) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  task->print(stream, OpPrintingFlags().useLocalScope());
  return llvm::xxh3_64bits(text);
}

/// Bytes that a launch of the body uses: of its fields, or less if its accesses
/// reach a small part of large fields.
Value TaskLowering::bytesOfLaunch(Emitter &emit) {
  ir::TaskOp task = shape.task;
  Value bytes = emit.i64(0);
  for (BlockArgument captured : task.getCaptured()) {
    if (!isa<ir::FieldType>(captured.getType()))
      continue;
    const FieldView &view = code.viewOf(captured);
    Value size = emit.index(byteSize(view.type.getScalar()) *
                            view.type.getNumComponents());
    for (Value extent : view.extents)
      size = emit.mul(size, extent);
    bytes = emit.add(bytes, emit.toI64(size));
  }
  Value touched = emit.i64(ir::bytesOfAccesses(task));
  for (Value axis : extent)
    touched = emit.mul(touched, emit.toI64(axis));
  return emit.min(bytes, touched);
}

/// The option of a choice, as an i32: `usual` where launches do not measure.
Value TaskLowering::choose(Emitter &emit, chirt_choice choice, Value usual,
                           Value bytes) {
  if (!shape.hash || mayAlias)
    return usual;
  std::string axes = axesText(shape.task);
  Site site = siteOf(shape.task, axes);
  ir::TaskOp task = shape.task;
  std::string kernel = task.getKernel().str();
  if (task.getNumPrimal())
    kernel += ", backward pass";
  site.kernel = kernel;
  return callRuntime(emit, "chirt_choose",
                     {siteConstant(emit, site), emit.i64(int64_t(*shape.hash)),
                      emit.i32(choice), usual, bytes});
}

/// Loops in tiles. Which of both is faster depends on the sets of the caches
/// and on how far the processor looks ahead.
LogicalResult TaskLowering::emitTilesOrRows(Emitter &emit, Value begin,
                                            Value end) {
  if (!shape.hash || mayAlias)
    return emitTiles(emit, begin, end);
  Value answer =
      choose(emit, CHIRT_CHOICE_TILES, emit.i32(1), bytesOfLaunch(emit));
  Value tiles = emit.compare(arith::CmpIPredicate::ne, answer, emit.i32(0));
  LogicalResult inTiles = success(), inRows = success();
  emit.when(
      tiles, [&] { inTiles = emitTiles(emit, begin, end); },
      [&] { inRows = emitLongRows(emit, begin, end); });
  return failure(failed(inTiles) || failed(inRows));
}
