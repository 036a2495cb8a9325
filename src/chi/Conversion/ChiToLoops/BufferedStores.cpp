//===- BufferedStores.cpp - Stores that gather in buffers -----------------===//
// Stores that chi-buffer-stores marked go to buffers on the stack, which the
// run time then copies: a chunk of a row past the caches, or a tile transposed.

#include "chi/Conversion/ChiToLoops/TaskLowering.h"
#include "chi/Conversion/Runtime.h"
#include <numeric>

using namespace mlir;
using namespace chi;
using namespace chi::conv;

int64_t BufferedField::elementBytes() const {
  return scalars * byteSize(first.getField().getType().getScalar());
}

/// Elements from one that begins a line of the cache to the next such.
static int64_t elementsOfLine(const TaskShape &shape,
                              const BufferedField &field) {
  int64_t line = shape.schedule.line;
  return line / std::gcd(line, field.elementBytes());
}

void TaskLowering::makeStoreBuffers(Emitter &emit) {
  if (mayAlias || shape.buffered.empty())
    return;
  const ir::Schedule &schedule = shape.schedule;
  int64_t elements;
  if (schedule.tile) {
    elements = schedule.tile.getEdge() * schedule.tile.getEdge();
  } else {
    bufferLength = schedule.chunk;
    bufferPeriod = schedule.period ? bufferLength : 0;
    // Where rows repeat, up to a line more is written at the buffer's end.
    elements = bufferLength + (bufferPeriod ? schedule.line : 0);
  }
  for (const BufferedField &field : shape.buffered)
    storeBuffers.push_back(emit.stackBuffer(
        memoryType(field.first.getField().getType().getScalar()),
        elements * field.scalars));
}

/// Is a launch of the body large enough for its fields to go past the caches of
/// the machine that runs it, and are its rows more than ends of lines?
Value TaskLowering::asksToStream(Emitter &emit) {
  Value bytes = bytesOfLaunch(emit);
  Value answer = choose(emit, CHIRT_CHOICE_STREAMING,
                        callRuntime(emit, "chirt_streams", {bytes}), bytes);
  if (shape.schedule.tile || shape.extent.back())
    return answer;
  int64_t element = 0;
  for (const BufferedField &field : shape.buffered)
    element += field.elementBytes();
  Value row = emit.mul(extent.back(), emit.index(element));
  Value isLong = emit.compare(arith::CmpIPredicate::sge, row,
                              emit.index(ir::kMinStreamedRow));
  return emit.select(isLong, answer, emit.i32(0));
}

/// The iterations of a part, where stores that stream do so if it pays. Where a
/// buffer is for nothing else, there are loops without it besides.
LogicalResult TaskLowering::emitStreamed(Emitter &emit, Value begin,
                                         Value end) {
  past = emit.i32(0);
  bool asks = !storeBuffers.empty() &&
              llvm::any_of(shape.buffered, [](const BufferedField &field) {
                return field.isStreamed;
              });
  if (!asks)
    return emitRange(emit, begin, end);
  Value answer = asksToStream(emit);
  Value streams = emit.compare(arith::CmpIPredicate::ne, answer, emit.i32(0));
  LogicalResult result = success();
  // The blocks of reductions are made once.
  if (shape.schedule.tile || bufferPeriod || !shape.reductions.empty()) {
    past = answer;
    result = emitRange(emit, begin, end);
    emit.when(streams, [&] { callRuntime(emit, "chirt_stream_end", {}); });
    return result;
  }
  past = emit.i32(1);
  emit.when(
      streams,
      [&] {
        result = emitRange(emit, begin, end);
        callRuntime(emit, "chirt_stream_end", {});
      },
      [&] {
        SmallVector<Value> none;
        std::swap(storeBuffers, none);
        if (succeeded(result))
          result = emitRange(emit, begin, end);
        std::swap(storeBuffers, none);
      });
  return result;
}

/// Stores in the buffer; false if the operation is not buffered here.
bool TaskLowering::bufferStore(ir::StoreOp op, const Iteration &iteration) {
  std::optional<uint64_t> slot = op.getBuffer();
  if (!iteration.position || !slot)
    return false;
  Emitter emit(builder, op);
  const BufferedField &field = shape.buffered[*slot];
  Value position = iteration.position;
  if (field.scalars > 1)
    position = emit.add(emit.mul(position, emit.index(field.scalars)),
                        emit.index(op.getComponent()));
  memref::StoreOp::create(builder, emit.loc, toMemory(emit, op.getValue()),
                          storeBuffers[*slot], position);
  op.erase();
  return true;
}

/// Where a buffered element goes, in scalars from the field's start.
FailureOr<Value> TaskLowering::bufferedOffset(const BufferedField &field,
                                              ArrayRef<Value> indices) {
  IRMapping mapping = code.captured();
  ir::TaskOp task = shape.task;
  for (auto [variable, value] : llvm::zip(task.getIndexVariables(), indices))
    mapping.map(variable, value);
  return code.offsetAt(field.first, mapping,
                       field.scalars > 1 ? 0 : field.first.getComponent());
}

static Value addressAt(Emitter &emit, const FieldView &view, Value offset) {
  return emit.at(emit.reinterpret(view.data, emit.ptrType()),
                 memoryType(view.type.getScalar()), offset);
}

/// Copies `count` elements from `source` on to where the iteration with the
/// indices `at` and those after it put them.
LogicalResult TaskLowering::flushRow(Emitter &emit, ArrayRef<Value> at,
                                     Value source, Value count) {
  for (auto [field, buffer] : llvm::zip(shape.buffered, storeBuffers)) {
    FailureOr<Value> offset = bufferedOffset(field, at);
    if (failed(offset))
      return failure();
    const FieldView &view = code.viewOf(field.first.getField());
    Value start = addressAt(emit, {view.type, buffer, {}},
                            emit.mul(source, emit.index(field.scalars)));
    Value bytes = emit.mul(count, emit.index(field.elementBytes()));
    callRuntime(
        emit, "chirt_stream",
        {addressAt(emit, view, *offset), start, emit.toI64(bytes), past});
  }
  return success();
}

/// Elements before the first iteration's in its line of the cache.
FailureOr<Value> TaskLowering::skewOf(Emitter &emit, const Iteration &first) {
  const BufferedField &field = shape.buffered.front();
  FailureOr<Value> offset = bufferedOffset(field, first.indices);
  if (failed(offset))
    return failure();
  Value element = emit.divide(*offset, emit.index(field.scalars));
  return emit.remainder(element, emit.index(elementsOfLine(shape, field)));
}

/// Computes the iterations from `low` on, `count` of them, into the buffers
/// from element `position` on.
LogicalResult
TaskLowering::fillStoreBuffers(Emitter &emit, Value low, Value count,
                               Value position,
                               function_ref<Iteration(Value)> iterationAt) {
  Value first = emit.toIndex(low);
  Value high = emit.cast(emit.add(first, count), low.getType());
  return emitInnermost(emit, low, high, [&](Value last) {
    Iteration iteration = iterationAt(last);
    iteration.position =
        emit.add(emit.sub(emit.toIndex(last), first), position);
    return iteration;
  });
}

/// The first length iterations were computed from element `skew` on; moves the
/// elements past the end to those before, which have the same values.
void TaskLowering::wrapStoreBuffers(Emitter &emit, Value skew) {
  for (auto [field, buffer] : llvm::zip(shape.buffered, storeBuffers)) {
    Value memory = buffer, scalars = emit.index(field.scalars);
    Value behind = emit.index(bufferLength * field.scalars);
    keepPlain(emit.loop(emit.index(0), emit.mul(skew, scalars), [&](Value at) {
      Value value = memref::LoadOp::create(builder, emit.loc, memory,
                                           emit.add(at, behind));
      memref::StoreOp::create(builder, emit.loc, value, memory, at);
    }));
  }
}

/// A row that begins or ends within a line of the cache writes a part of it, by
/// plain stores, which wait for the line and delay all later stores: prefetches
/// the line before the row is computed.
LogicalResult TaskLowering::fetchRowEnds(Emitter &emit, const Iteration &first,
                                         const Iteration &last) {
  Value part = emit.index(shape.schedule.line - 1);
  for (const BufferedField &field : shape.buffered) {
    FailureOr<Value> from = bufferedOffset(field, first.indices);
    FailureOr<Value> to = bufferedOffset(field, last.indices);
    if (failed(from) || failed(to))
      return failure();
    Value data = code.viewOf(field.first.getField()).data;
    Value size =
        emit.index(byteSize(cast<MemRefType>(data.getType()).getElementType()));
    Value start =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, emit.loc, data);
    auto fetchIfRagged = [&](Value offset, Value edge) {
      Value address = emit.add(start, emit.mul(edge, size));
      Value rest = builder.createOrFold<arith::AndIOp>(emit.loc, address, part);
      emit.when(
          emit.compare(arith::CmpIPredicate::ne, rest, emit.index(0)), [&] {
            memref::PrefetchOp::create(builder, emit.loc, data, offset,
                                       /*isWrite=*/true, /*localityHint=*/3,
                                       /*isDataCache=*/true);
          });
    };
    fetchIfRagged(*from, *from);
    fetchIfRagged(*to, emit.add(*to, emit.index(field.scalars)));
  }
  return success();
}

/// A row in chunks that begin where a line of the cache does.
LogicalResult
TaskLowering::emitBufferedRow(Emitter &emit, Value low, Value high,
                              function_ref<Iteration(Value)> iterationAt) {
  Value zero = emit.index(0), length = emit.index(bufferLength);
  Value first = emit.toIndex(low);
  Value count = emit.max(emit.sub(emit.toIndex(high), first), zero);
  FailureOr<Value> skew = skewOf(emit, iterationAt(low));
  if (failed(skew))
    return failure();
  Value last = emit.sub(high, emit.constant(high.getType(), 1));
  last = emit.max(last, low); // no address is formed outside of the field
  if (failed(fetchRowEnds(emit, iterationAt(low), iterationAt(last))))
    return failure();
  LogicalResult result = success();
  if (bufferPeriod) {
    result = fillStoreBuffers(emit, low, emit.min(count, length), *skew,
                              iterationAt);
    wrapStoreBuffers(emit, *skew);
  }
  Value chunks = emit.ceilDivide(emit.add(count, *skew), bufferLength);
  emit.loop(zero, chunks, [&](Value chunk) {
    Value before = emit.sub(emit.mul(chunk, length), *skew);
    Value from = emit.max(before, zero);
    Value to = emit.min(emit.add(before, length), count);
    Value start = emit.cast(emit.add(first, from), low.getType());
    Value size = emit.sub(to, from);
    if (!bufferPeriod && succeeded(result))
      result = fillStoreBuffers(emit, start, size, zero, iterationAt);
    if (succeeded(result))
      result = flushRow(emit, iterationAt(start).indices,
                        bufferPeriod ? emit.sub(from, before) : zero, size);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Transposes the buffers to where the tile that begins at `offsets` lies.
LogicalResult TaskLowering::flushTile(Emitter &emit, ArrayRef<Value> offsets,
                                      Value rows, Value columns) {
  SmallVector<Value> at, next;
  for (unsigned axis = 0; axis < shape.rank(); ++axis) {
    bool isInner = axis == shape.schedule.tile.getInner();
    at.push_back(variable(emit, axis, offsets[axis]));
    next.push_back(
        isInner ? variable(emit, axis, emit.add(offsets[axis], emit.index(1)))
                : at.back());
  }
  for (auto [field, buffer] : llvm::zip(shape.buffered, storeBuffers)) {
    FailureOr<Value> offset = bufferedOffset(field, at);
    FailureOr<Value> behind = bufferedOffset(field, next);
    if (failed(offset) || failed(behind))
      return failure();
    const FieldView &view = code.viewOf(field.first.getField());
    int64_t size = field.elementBytes();
    Value stride = emit.mul(emit.sub(*behind, *offset), emit.index(size));
    callRuntime(emit, "chirt_stream_tile",
                {addressAt(emit, view, *offset), emit.toI64(stride),
                 emit.reinterpret(buffer, emit.ptrType()), emit.i64(size),
                 emit.i64(shape.schedule.tile.getEdge()), emit.toI64(rows),
                 emit.toI64(columns), field.isStreamed ? past : emit.i32(0)});
  }
  return success();
}

/// Prefetches the loads of the next tile's row while this one is written: the
/// processor does not prefetch loads after the stores of a tile.
LogicalResult TaskLowering::fetchAhead(Emitter &emit, ArrayRef<Value> indices) {
  ir::TaskOp task = shape.task;
  ir::TileAttr tile = shape.schedule.tile;
  IRMapping mapping = code.captured();
  for (auto [axis, variable] : llvm::enumerate(task.getIndexVariables())) {
    Value index = indices[axis];
    if (int64_t(axis) == tile.getInner())
      index = emit.add(index, emit.constant(index.getType(), tile.getEdge()));
    mapping.map(variable, index);
  }
  for (ir::LoadOp load : shape.prefetched) {
    FailureOr<Value> offset = code.offsetAt(load, mapping, load.getComponent());
    if (failed(offset))
      return failure();
    const FieldView &view = code.viewOf(load.getField());
    int64_t size = byteSize(view.type.getScalar());
    // It may lie past the field's end.
    for (int64_t line = 0; line < tile.getEdge() * size;
         line += shape.schedule.line)
      memref::PrefetchOp::create(
          builder, emit.loc, view.data,
          ValueRange{emit.add(*offset, emit.index(line / size))},
          /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
  }
  return success();
}

/// The iterations of one tile, into the buffers, then to memory.
LogicalResult TaskLowering::emitBufferedTile(Emitter &emit,
                                             ArrayRef<Value> offsets,
                                             Value rows, Value columns) {
  ir::TileAttr tile = shape.schedule.tile;
  int64_t outer = tile.getOuter(), inner = tile.getInner();
  SmallVector<Value> indices;
  for (unsigned axis = 0; axis < shape.rank(); ++axis)
    indices.push_back(variable(emit, axis, offsets[axis]));
  Value firstRow = indices[outer], firstColumn = indices[inner];
  LogicalResult result = success();
  constexpr auto kExact = arith::IntegerOverflowFlags::nsw;
  auto along = [&](Value first, Value size, function_ref<void(Value)> body) {
    Type type = first.getType();
    emit.loop(emit.constant(type, 0), emit.cast(size, type), body);
  };
  along(firstRow, rows, [&](Value row) {
    indices[outer] =
        arith::AddIOp::create(builder, emit.loc, firstRow, row, kExact);
    indices[inner] = firstColumn;
    Value start = emit.mul(emit.toIndex(row), emit.index(tile.getEdge()));
    if (failed(fetchAhead(emit, indices)))
      result = failure();
    along(firstColumn, columns, [&](Value column) {
      indices[inner] =
          arith::AddIOp::create(builder, emit.loc, firstColumn, column, kExact);
      Iteration iteration{indices};
      iteration.position = emit.add(start, emit.toIndex(column));
      if (succeeded(result))
        result = emitIteration(iteration);
    });
  });
  if (failed(result))
    return failure();
  return flushTile(emit, offsets, rows, columns);
}

/// Tiles along two axes within loops along the others; parts are cut along the
/// first axis.
LogicalResult TaskLowering::emitBufferedTiles(Emitter &emit, Value begin,
                                              Value end) {
  ir::TileAttr tile = shape.schedule.tile;
  unsigned outer = tile.getOuter(), inner = tile.getInner();
  int64_t edge = tile.getEdge();
  Value below = emit.index(1), one = below;
  for (unsigned axis = 1; axis < shape.rank(); ++axis)
    below = emit.mul(below, extent[axis]);
  Value firstLow = emit.divide(begin, below);
  Value firstHigh = emit.divide(emit.add(end, emit.sub(below, one)), below);
  SmallVector<Value> offsets(shape.rank());
  SmallVector<unsigned> order;
  for (unsigned axis = 0; axis < shape.rank(); ++axis)
    if (axis != outer && axis != inner)
      order.push_back(axis);
  order.append({outer, inner});
  Value rows, columns;
  auto loops = [&](auto &&self, unsigned level) -> LogicalResult {
    if (level == order.size())
      return emitBufferedTile(emit, offsets, rows, columns);
    unsigned axis = order[level];
    Value low = axis ? emit.index(0) : firstLow;
    Value high = axis ? extent[axis] : firstHigh;
    LogicalResult result = success();
    if (axis != outer && axis != inner) {
      emit.loop(low, high, [&](Value position) {
        offsets[axis] = position;
        result = self(self, level + 1);
      });
      return result;
    }
    bool isExact = shape.extent[axis] && *shape.extent[axis] % edge == 0;
    Value panels = emit.ceilDivide(emit.sub(high, low), edge);
    emit.loop(emit.index(0), panels, [&](Value panel) {
      Value start = emit.add(low, emit.mul(panel, emit.index(edge)));
      Value size = emit.index(edge);
      if (!isExact)
        size = emit.min(emit.sub(high, start), size);
      offsets[axis] = start;
      (axis == outer ? rows : columns) = size;
      result = self(self, level + 1);
    });
    return result;
  };
  return loops(loops, 0);
}
