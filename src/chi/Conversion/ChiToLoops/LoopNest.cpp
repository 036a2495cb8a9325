//===- LoopNest.cpp - Loops over a part of a task's iterations ------------===//

#include "chi/Conversion/ChiToLoops/TaskLowering.h"
#include "chi/Conversion/Runtime.h"
#include "chi/Conversion/ValueOps.h"
#include "chi/Dialect/Chi/Accumulations.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void TaskLowering::bindCaptured(ArrayRef<Value> arguments, unsigned &next) {
  Emitter emit(builder, shape.task.getLoc());
  ir::TaskOp task = shape.task;
  for (BlockArgument value : task.getCaptured()) {
    auto type = dyn_cast<ir::FieldType>(value.getType());
    if (!type) {
      code.bind(value, arguments[next++]);
      continue;
    }
    FieldView view{type, arguments[next++], {}};
    for (int64_t extent : type.getShape())
      view.extents.push_back(ShapedType::isDynamic(extent)
                                 ? arguments[next++]
                                 : emit.index(extent));
    for (unsigned k = 0; k < ir::numStrides(type); ++k)
      view.strides.push_back(arguments[next++]);
    code.bind(value, view);
  }
}

void TaskLowering::bindArguments(func::FuncOp function) {
  SmallVector<Value> arguments(function.getArguments());
  Emitter emit(builder, shape.task.getLoc());
  unsigned next = 0;
  bindCaptured(arguments, next);
  for (unsigned axis = 0; axis < shape.rank(); ++axis) {
    from.push_back(shape.from[axis] ? emit.index(*shape.from[axis])
                                    : arguments[next++]);
    extent.push_back(shape.extent[axis] ? emit.index(*shape.extent[axis])
                                        : arguments[next++]);
  }
  if (shape.draws)
    code.bindSeed(arguments[next++]);
  for ([[maybe_unused]] const ReductionTarget &reduction : shape.reductions)
    partials.push_back(arguments[next++]);
}

Type TaskLowering::axisType(unsigned axis) {
  ir::TaskOp task = shape.task;
  return task.getIndexVariables()[axis].getType();
}

/// The loop variable for the `offset`-th iteration of an axis.
Value TaskLowering::variable(Emitter &emit, unsigned axis, Value offset) {
  return emit.cast(emit.add(from[axis], offset), axisType(axis));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Variables of all axes but the innermost, of a row's number.
SmallVector<Value> TaskLowering::rowIndices(Emitter &emit, Value row) {
  SmallVector<Value> indices(shape.rank() - 1);
  for (unsigned axis = shape.rank() - 2; axis > 0; --axis) {
    indices[axis] = variable(emit, axis, emit.remainder(row, extent[axis]));
    row = emit.divide(row, extent[axis]);
  }
  indices[0] = variable(emit, 0, row);
  return indices;
}

scf::ForOp
TaskLowering::emitOneByOne(Emitter &emit, Value low, Value high,
                           function_ref<Iteration(Value)> iterationAt,
                           LogicalResult &result) {
  return emit.loop(low, high, [&](Value last) {
    if (failed(emitIteration(iterationAt(last))))
      result = failure();
  });
}

LogicalResult
TaskLowering::emitInnermost(Emitter &emit, Value low, Value high,
                            function_ref<Iteration(Value)> iterationAt) {
  LogicalResult result = success();
  ir::TaskOp task = shape.task;
  // Where fields overlap, iterations keep their order.
  if (task.getWide().empty() || mayAlias) {
    // Code for fields that overlap hardly ever runs: one loop will do.
    bool isCold = mayAlias && shape.privatized.empty();
    if (shape.schedule.peel && !isCold)
      return emitPeeledRow(emit, low, high, iterationAt);
    if (!distributed.empty())
      return emitDistributed(emit, low, high, Form::One, iterationAt);
    auto one = [&] {
      return emitOneByOne(emit, low, high, iterationAt, result);
    };
    auto checks = shape.schedule.versioned && !mayAlias && rowStarts.empty()
                      ? analysis::findRowChecks(task)
                      : std::nullopt;
    if (checks) {
      // In 32 bits a long row would have a negative number of iterations.
      Value count = emit.sub(emit.toIndex(high), emit.toIndex(low));
      LogicalResult both =
          emitVersions(emit, *checks, {low, count}, iterationAt, one,
                       [&] { keepPlain(one()); });
      return failure(failed(both) || failed(result));
    }
    scf::ForOp loop = one();
    if (!mayAlias && shape.rank() == 1 &&
        isShortLookup(task, shape.extent[0].value_or(0)))
      unrollWholly(loop);
    return result;
  }
  LogicalResult groups =
      emitLaneGroups(emit, low, high, iterationAt, [&](Value from) {
        keepPlain(emitOneByOne(emit, from, high, iterationAt, result));
      });
  return failure(failed(groups) || failed(result));
}

LogicalResult
TaskLowering::emitPeeledRow(Emitter &emit, Value low, Value high,
                            function_ref<Iteration(Value)> iterationAt) {
  Type type = low.getType();
  ir::PeelAttr peel = shape.schedule.peel;
  Value first = emit.constant(type, peel.getLow());
  Value begin = emit.min(emit.max(low, first), high);
  Value last = emit.constant(type, peel.getHigh());
  Value end = emit.max(emit.min(high, last), begin);
  LogicalResult result = success();
  auto part = [&](Value from, Value to, Form form) {
    return emit.loop(from, to, [&](Value last) {
      if (succeeded(result))
        result = emitIteration(iterationAt(last), form);
    });
  };
  if (shape.schedule.unordered) {
    part(begin, end, Form::Middle);
    emitEdges(emit, {low, begin}, {end, high}, [&](Value last) {
      if (succeeded(result))
        result = emitIteration(iterationAt(last));
    });
    return result;
  }
  keepPlain(part(low, begin, Form::One));
  if (distributed.empty())
    part(begin, end, Form::Middle);
  else if (failed(emitDistributed(emit, begin, end, Form::Middle, iterationAt)))
    return failure();
  keepPlain(part(end, high, Form::One));
  return result;
}

/// Both edges of a row in one loop: half the code of two.
void TaskLowering::emitEdges(Emitter &emit, std::pair<Value, Value> left,
                             std::pair<Value, Value> right,
                             function_ref<void(Value)> body) {
  Value width = emit.sub(left.second, left.first);
  Value count = emit.add(width, emit.sub(right.second, right.first));
  Value shift = emit.sub(right.first, width);
  Value zero = emit.constant(width.getType(), 0);
  keepPlain(emit.loop(zero, count, [&](Value number) {
    Value isLeft = emit.compare(arith::CmpIPredicate::slt, number, width);
    body(emit.select(isLeft, emit.add(left.first, number),
                     emit.add(shift, number)));
  }));
}

/// The innermost loop runs over the variable itself, in the program's type:
/// LLVM then sees `x[i + 1]` beside `x[i]`.
LogicalResult TaskLowering::emitLongRows(Emitter &emit, Value begin, Value end,
                                         bool whole, RowEmitter emitOne) {
  unsigned inner = shape.rank() - 1;
  Value length = extent[inner];
  Value lastRow =
      emit.divide(emit.add(end, emit.sub(length, emit.index(1))), length);
  LogicalResult result = success();
  emit.loop(emit.divide(begin, length), lastRow, [&](Value row) {
    SmallVector<Value> outer = rowIndices(emit, row);
    Value start = emit.mul(row, length), low = emit.index(0), high = length;
    if (!whole && !shape.hasWholeRows()) {
      low = emit.max(emit.sub(begin, start), low);
      high = emit.min(emit.sub(end, start), high);
    }
    auto iterationAt = [&](Value last) {
      Iteration iteration{outer};
      iteration.indices.push_back(last);
      if (countsIterations())
        iteration.number =
            emit.add(start, emit.sub(emit.toIndex(last), from[inner]));
      return iteration;
    };
    Value first = variable(emit, inner, low);
    Value last = variable(emit, inner, high);
    result = emitOne ? emitOne(first, last, iterationAt)
                     : emitRow(emit, first, last, iterationAt);
  });
  return result;
}

/// Rows of a part and columns, both in steps of a tile.
LogicalResult TaskLowering::emitTiles(Emitter &emit, Value begin, Value end) {
  int64_t edge = shape.schedule.tile.getEdge();
  Value length = extent[1], tile = emit.index(edge);
  Value firstRow = emit.divide(begin, length);
  Value lastRow =
      emit.divide(emit.add(end, emit.sub(length, emit.index(1))), length);
  LogicalResult result = success();
  auto inSteps = [&](Value from, Value to, std::optional<int64_t> known,
                     function_ref<void(Value, Value)> body) {
    Value count = emit.ceilDivide(emit.sub(to, from), edge);
    emit.loop(emit.index(0), count, [&](Value number) {
      Value start = emit.add(from, emit.mul(number, tile));
      Value next = emit.add(start, tile);
      bool isExact = known && *known % edge == 0;
      body(start, isExact ? next : emit.min(next, to));
    });
  };
  inSteps(firstRow, lastRow, shape.extent[0], [&](Value rowFrom, Value rowTo) {
    inSteps(emit.index(0), length, shape.extent[1],
            [&](Value columnFrom, Value columnTo) {
              emit.loop(rowFrom, rowTo, [&](Value row) {
                Value outer = variable(emit, 0, row);
                emit.loop(variable(emit, 1, columnFrom),
                          variable(emit, 1, columnTo), [&](Value inner) {
                            Iteration iteration{{outer, inner}};
                            if (countsIterations())
                              iteration.number = emit.add(
                                  emit.mul(row, length),
                                  emit.sub(emit.toIndex(inner), from[1]));
                            result = emitIteration(iteration);
                          });
              });
            });
  });
  return result;
}

LogicalResult TaskLowering::emitRange(Emitter &emit, Value begin, Value end) {
  if (!shape.reductions.empty())
    return emitBlocks(emit, begin, end);
  return emitLoops(emit, begin, end);
}

LogicalResult TaskLowering::emitLoops(Emitter &emit, Value begin, Value end) {
  if (shape.schedule.tile && !storeBuffers.empty())
    return emitBufferedTiles(emit, begin, end);
  if (shape.schedule.tile && shape.buffered.empty())
    return emitTilesOrRows(emit, begin, end);
  if (shape.rows > 1 && !mayAlias)
    return emitRowGroups(emit, begin, end);
  if (shape.rank() > 1)
    return emitRows(emit, begin, end);
  return emitRow(emit, variable(emit, 0, begin), variable(emit, 0, end),
                 [&](Value i) {
                   Iteration iteration{{i}};
                   if (countsIterations())
                     iteration.number = emit.sub(emit.toIndex(i), from[0]);
                   return iteration;
                 });
}

LogicalResult TaskLowering::emitBody(func::FuncOp function) {
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  Emitter emit(builder, shape.task.getLoc());
  auto end = func::ReturnOp::create(builder, emit.loc);
  builder.setInsertionPoint(end);
  bindArguments(function);
  if (shape.schedule.peel)
    simpler = analysis::simplerInMiddle(shape.task, shape.schedule.peel);
  if (shape.rank() == 0)
    return emitIteration({{}, emit.index(0)});
  makeStoreBuffers(emit);
  makeSumBuffers(emit);
  if (!mayAlias)
    makePackBuffers(emit);
  ValueRange bounds = function.getArguments().take_back(2);
  if (failed(emitStreamed(emit, bounds[0], bounds[1])))
    return failure();
  dropPackBuffers(emit);
  return success();
}

LogicalResult TaskLowering::emitEarlier(func::FuncOp function) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(function.addEntryBlock());
  Emitter emit(builder, shape.task.getLoc());
  builder.setInsertionPoint(func::ReturnOp::create(builder, emit.loc));
  bindArguments(function);
  onlyChecks = true;
  LogicalResult result = success();
  ValueRange bounds = function.getArguments().take_back(2);
  keepPlain(emit.loop(bounds[0], bounds[1], [&](Value number) {
    Iteration iteration{SmallVector<Value>(shape.rank()), number};
    Value rest = number;
    for (unsigned axis = shape.rank(); axis-- > 1;) {
      iteration.indices[axis] =
          variable(emit, axis, emit.remainder(rest, extent[axis]));
      rest = emit.divide(rest, extent[axis]);
    }
    iteration.indices[0] = variable(emit, 0, rest);
    result = emitIteration(iteration);
  }));
  return result;
}

/// Replaces the clones of operations that are simpler in the middle of a row.
void TaskLowering::dropEdges(const IRMapping &clones) {
  OpBuilder::InsertionGuard guard(builder);
  for (const analysis::Simpler &simple : simpler) {
    Value result = clones.lookup(simple.op->getResult(0));
    Operation *clone = result.getDefiningOp();
    builder.setInsertionPoint(clone);
    Value value = simple.operand
                      ? clone->getOperand(*simple.operand)
                      : Emitter(builder, clone)
                            .constant(result.getType(), simple.constant);
    result.replaceAllUsesWith(value);
    clone->erase();
  }
}

LogicalResult TaskLowering::emitIteration(Iteration iteration, Form form) {
  ir::TaskOp task = shape.task;
  Emitter emit(builder, task.getLoc());
  if (form == Form::Wide)
    prepareLaneBuffers(emit, iteration);
  else if (!onlyChecks)
    prepareBuffers(emit, iteration);
  Region &body = form == Form::Wide ? task.getWide() : task.getBody();
  return code.emit(iteration, body, [&](const IRMapping &clones) {
    if (form == Form::Middle)
      dropEdges(clones);
    if (!rowStarts.empty())
      dropRowChecks(clones, iteration);
    if (sumStart)
      sumNow ? addBuffered(clones, iteration, form)
             : gatherSums(clones, iteration);
  });
}

//===----------------------------------------------------------------------===//
// Queries of iterations
//===----------------------------------------------------------------------===//

bool TaskLowering::isAtomic(ir::AccumOp op) {
  BlockArgument root = ir::capturedField(op.getField());
  bool mayOverlap = mayAlias && (!root || shape.hasAlias(root.getArgNumber()));
  return ir::isAtomic(op, {/*isAlone=*/shape.rank() == 0, mayOverlap,
                           /*hasCopies=*/!mayAlias});
}

bool TaskLowering::lowerAccess(ir::FieldAccessOpInterface access,
                               const Iteration &iteration) {
  Operation *op = access.getOperation();
  if (onlyChecks && isa<ir::StoreOp, ir::AccumOp>(op))
    return op->erase(), true;
  if (auto load = dyn_cast<ir::LoadOp>(op))
    return lowerPacked(load);
  if (auto store = dyn_cast<ir::StoreOp>(op))
    return !ir::lanesOf(store.getValue().getType()) &&
           bufferStore(store, iteration);
  auto accum = dyn_cast<ir::AccumOp>(op);
  if (!accum || accum.getStrategy() != ir::AccumStrategy::deterministic ||
      shape.rank() == 0)
    return false;
  if (ir::lanesOf(accum.getValue().getType()))
    lowerLaneReduction(accum, iteration);
  else
    accumulateReduction(accum, iteration);
  return true;
}

Value TaskLowering::numberOf(Emitter &emit, ArrayRef<Value> indices) {
  Value number = emit.index(0);
  for (auto [axis, index] : llvm::enumerate(indices))
    number = emit.add(emit.mul(number, extent[axis]),
                      emit.sub(emit.toIndex(index), from[axis]));
  return number;
}

/// They are taken one by one. The run time keeps the first iteration of all
/// that failed.
void TaskLowering::lookBack(Emitter &emit, const Iteration &first,
                            ArrayRef<Value> failed) {
  Operation *inside = builder.getInsertionBlock()->getParentOp();
  auto function = inside->getParentOfType<func::FuncOp>();
  SmallVector<Value> arguments(
      ValueRange(function.getArguments()).drop_back(2));
  arguments.push_back(numberOf(emit, first.indices));
  arguments.push_back(numberOf(emit, failed));
  auto module = function->getParentOfType<ModuleOp>();
  func::CallOp::create(
      builder, emit.loc,
      module.lookupSymbol<func::FuncOp>(functionName(shape, ".earlier")),
      arguments);
}
