//===- IterationLowering.cpp - The code of one iteration ------------------===//

#include "chi/Conversion/Iteration/IterationLowering.h"
#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

//===----------------------------------------------------------------------===//
// Captured values
//===----------------------------------------------------------------------===//

/// The same captured value as the wide body sees it; itself without one.
static Value alsoOf(ir::TaskOp task, BlockArgument captured) {
  Region &wide = task.getWide();
  return wide.empty() ? captured : wide.getArgument(captured.getArgNumber());
}

void IterationLowering::bind(BlockArgument captured, Value scalar) {
  scalars.map(captured, scalar);
  scalars.map(alsoOf(task, captured), scalar);
}

void IterationLowering::bind(BlockArgument captured, const FieldView &view) {
  views[alsoOf(task, captured)] = view;
  views[captured] = view;
}

const FieldView &IterationLowering::viewOf(Value field) {
  while (auto cast = field.getDefiningOp<ir::CastFieldOp>())
    field = cast.getField();
  auto known = views.find(field);
  assert(known != views.end() && "a field of a task is captured");
  return known->second;
}

//===----------------------------------------------------------------------===//
// A lowered copy
//===----------------------------------------------------------------------===//

/// The first operation of the copy, and the one after it, which may be null.
Block::iterator IterationLowering::cloneBody(Region &body, IRMapping &mapping,
                                             Operation *&end) {
  Block *block = builder.getInsertionBlock();
  Operation *first = nullptr, *last = nullptr;
  for (Operation &op : body.front().without_terminator()) {
    last = builder.clone(op, mapping);
    first = first ? first : last;
  }
  end = last ? last->getNextNode() : nullptr;
  return first ? first->getIterator() : block->end();
}

/// Is it of the chi dialect, or does it use types that are lowered?
static bool needsLowering(Operation *op) {
  return !op->getDialect() || isa<ir::ChiDialect>(op->getDialect()) ||
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<ir::FieldType>);
}

/// The operations from `at` to before `end` that need a lowering.
void IterationLowering::collectWork(Block::iterator at, Operation *end,
                                    SmallVectorImpl<Operation *> &work) {
  Block *block = builder.getInsertionBlock();
  for (; at != block->end() && &*at != end; ++at)
    at->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      if (needsLowering(inner))
        work.push_back(inner);
    });
}

LogicalResult
IterationLowering::emit(const Iteration &iteration, Region &body,
                        function_ref<void(const IRMapping &)> edit) {
  IRMapping mapping = scalars;
  for (auto [variable, value] :
       llvm::zip(body.getArguments().drop_front(task.getNumCaptured()),
                 iteration.indices))
    mapping.map(variable, value);
  Operation *end = nullptr;
  Block *block = builder.getInsertionBlock();
  Block::iterator at = cloneBody(body, mapping, end);
  // The first operation may be replaced; the one before it is not.
  Operation *before = at == block->end() ? nullptr : at->getPrevNode();
  bool isEmpty = at == block->end();
  if (edit)
    edit(mapping);
  SmallVector<Operation *> work;
  if (!isEmpty)
    collectWork(before ? std::next(before->getIterator()) : block->begin(), end,
                work);
  SmallVector<Operation *> casts; // of fields; their users go first
  for (Operation *op : work)
    if (isa<ir::CastFieldOp>(op))
      casts.push_back(op);
    else if (failed(lower(op, iteration)))
      return failure();
  for (Operation *op : llvm::reverse(casts))
    op->erase();
  return success();
}

LogicalResult IterationLowering::lower(Operation *op,
                                       const Iteration &iteration) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op)) {
    recordAccess(access, iteration);
    if (nest.lowerAccess(access, iteration))
      return success();
  }
  if (lowerLanes(op))
    return success();
  bool done =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case([&](ir::LoadOp op) { return lowerLoad(op), true; })
          .Case([&](ir::StoreOp op) { return lowerStore(op), true; })
          .Case([&](ir::AccumOp op) { return lowerAccum(op), true; })
          .Case([&](ir::AtomicOp op) { return lowerAtomic(op), true; })
          .Case([&](ir::DimOp op) { return lowerDim(op), true; })
          .Case([&](ir::CheckOp op) { return lowerCheck(op, iteration), true; })
          .Case([&](ir::RandomOp op) {
            if (!op.getLoop() || !op.getIteration())
              return false; // chi-number-random has not run
            Emitter emit(builder, op);
            op.replaceAllUsesWith(emitRandom(emit, op, seed));
            return op.erase(), true;
          })
          .Case([&](ir::IterationOp op) {
            Emitter emit(builder, op);
            op.replaceAllUsesWith(emit.toI64(iteration.number));
            return op.erase(), true;
          })
          // Until chi-lower-checks.
          .Case<ir::PrintOp, ir::NoteKinkOp>([](auto) { return true; })
          .Default([&](Operation *op) { return lowerValueOp(op, flags); });
  if (done)
    return success();
  return op->emitOpError("has no lowering in a task");
}

//===----------------------------------------------------------------------===//
// Elsewhere
//===----------------------------------------------------------------------===//

/// Recomputes values of the body for mapped operands; does not lower them yet.
static void cloneSlice(ir::TaskOp task, OpBuilder &builder, ValueRange values,
                       IRMapping &mapping, SmallVectorImpl<Operation *> &work,
                       SmallVectorImpl<Operation *> &casts) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  // Otherwise it would remove `def`, on which other operations may depend now.
  options.inclusive = true;
  options.filter = [&](Operation *op) { return task->isProperAncestor(op); };
  for (Value value : values)
    if (Operation *def = value.getDefiningOp();
        def && task->isProperAncestor(def))
      (void)getBackwardSlice(def, &slice, options);
  for (Operation *part : slice) {
    Operation *clone = builder.clone(*part, mapping);
    if (isa<ir::CastFieldOp>(clone))
      casts.push_back(clone);
    else if (isa<ir::ChiDialect>(clone->getDialect()))
      work.push_back(clone);
  }
}

LogicalResult IterationLowering::lowerSlice(ArrayRef<Operation *> work,
                                            ArrayRef<Operation *> casts) {
  for (Operation *op : work)
    if (failed(lower(op, {})))
      return failure();
  for (Operation *cast : llvm::reverse(casts))
    cast->erase();
  return success();
}

LogicalResult IterationLowering::computeAt(ValueRange values, IRMapping mapping,
                                           SmallVectorImpl<Value> &results) {
  SmallVector<Operation *> work, casts;
  cloneSlice(task, builder, values, mapping, work, casts);
  // A user that stays, so that the replacement of a lowered operation can be
  // found.
  SmallVector<Value> cloned = llvm::map_to_vector(
      values, [&](Value value) { return mapping.lookupOrDefault(value); });
  auto holder = UnrealizedConversionCastOp::create(builder, task.getLoc(),
                                                   TypeRange(), cloned);
  LogicalResult lowered = lowerSlice(work, casts);
  results.append(holder.operand_begin(), holder.operand_end());
  holder->erase();
  return lowered;
}

FailureOr<Value> IterationLowering::offsetAt(ir::FieldAccessOpInterface access,
                                             IRMapping mapping,
                                             int64_t component) {
  SmallVector<Operation *> work, casts;
  SmallVector<Value> values(access.getIndices());
  Value dynamic = access.getDynamicComponent();
  if (dynamic)
    values.push_back(dynamic);
  cloneSlice(task, builder, values, mapping, work, casts);
  auto mapped = [&](Value value) { return mapping.lookupOrDefault(value); };
  SmallVector<Value> indices = llvm::map_to_vector(access.getIndices(), mapped);
  Emitter emit(builder, access);
  Value offset = scalarOffset(emit, viewOf(access.getField()), indices,
                              dynamic ? mapped(dynamic) : dynamic, component);
  // Now that all has its user, for lowering an operation replaces it.
  if (failed(lowerSlice(work, casts)))
    return failure();
  return offset;
}
