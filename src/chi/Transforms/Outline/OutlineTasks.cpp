//===- OutlineTasks.cpp - Kernels become control functions and tasks ------===//

#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chi/Transforms/Outline/FloatCells.h"
#include "chi/Transforms/Outline/Passes.h"
#include "chi/Transforms/Outline/SlotBuilder.h"
#include "chi/Transforms/Outline/TaskBuilder.h"
#include "chi/Transforms/Outline/TripCount.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

namespace chi::outline {
#define GEN_PASS_DEF_OUTLINETASKSPASS
#include "chi/Transforms/Outline/Passes.h.inc"
} // namespace chi::outline

using namespace mlir;
using namespace chi::ir;
using namespace chi::outline;

namespace {
/// Outlines the tasks of one kernel.
class KernelOutliner {
public:
  explicit KernelOutliner(KernelOp kernel)
      : kernel(kernel), builder(kernel.getContext()), lastSymbol(kernel),
        floats(kernel, withParallel) {}
  LogicalResult run();

private:
  void hoistGlobals();
  void hoistCompanions();
  void hoistCells();
  void arraysToCells();
  void zeroCell(Location loc, Value cell);
  void findParallel();

  LogicalResult outlineBlock(Block &block);
  LogicalResult outlineStretch(Operation *first, Operation *last);
  LogicalResult outlineFloats(Operation *first, Operation *end);
  void hoistControl(Operation *first, Operation *last);
  LogicalResult outlineSerial(Operation *first, Operation *last, bool strict);
  LogicalResult storeResults(Operation *op, TaskOp task,
                             SmallVectorImpl<std::pair<Value, Value>> &results);
  LogicalResult outlineParallel(ParallelOp op);
  TaskBuilder makeTask(Location loc, Region *region);
  LogicalResult capture(TaskBuilder &task) {
    return task.capture([&](Operation *op) { return floats.isValueLoad(op); });
  }
  LaunchOp launch(TaskBuilder &task, ValueRange from, ValueRange to);
  bool normaliseStep(ParallelOp op, SmallVectorImpl<Value> &from,
                     SmallVectorImpl<Value> &to);
  void makeControlFunction();
  Value makeCell(Location loc, Type type, StringRef name);

  KernelOp kernel;
  OpBuilder builder;
  Operation *lastSymbol;              // after which the next task is inserted
  DenseSet<Operation *> withParallel; // ops with a parallel loop inside
  FloatCells floats;
  unsigned numTasks = 0;
};
} // namespace

/// Does `op`, or an op in it, touch fields or have other effects? Growing
/// memory is that of one task.
static bool hasEffects(Operation *root) {
  auto needs = [](Operation *op) {
    if (auto access = dyn_cast<FieldAccessOpInterface>(op))
      return !access.getField().getDefiningOp<CellOp>();
    return isa<CheckOp, PrintOp, RandomOp, FormatOp, RtOp, ScratchOp,
               ReserveOp>(op);
  };
  return root
      ->walk([&](Operation *op) {
        return needs(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// The entry of the kernel
//===----------------------------------------------------------------------===//

/// A kernel reads globals as they are at the call: one read each, at its
/// entry.
void KernelOutliner::hoistGlobals() {
  DenseMap<StringAttr, GlobalLoadOp> loads;
  Block *entry = &kernel.getBody().front();
  Operation *last = nullptr;
  kernel.walk([&](GlobalLoadOp load) {
    GlobalLoadOp &first = loads[load.getGlobalAttr().getAttr()];
    if (first) {
      load.replaceAllUsesWith(first.getResult());
      load.erase();
      return;
    }
    first = load;
    if (last)
      load->moveAfter(last);
    else
      load->moveBefore(entry, entry->begin());
    last = load;
  });
}

/// Gradients of fields are found at the entry too: tasks get them as they get
/// fields, each under one name.
void KernelOutliner::hoistCompanions() {
  DenseMap<std::pair<Value, unsigned>, Value> known;
  Block *entry = &kernel.getBody().front();
  SmallVector<CompanionOp> companions;
  kernel.walk([&](CompanionOp op) { companions.push_back(op); });
  for (CompanionOp op : companions) {
    Value field = stripCasts(op.getField());
    if (field.getParentBlock() != entry)
      continue; // of a field that is chosen further down
    bool isDual = op->hasAttr(kDualAttr);
    Value &made = known[{field, unsigned(isDual)}];
    if (!made) {
      if (Operation *producer = field.getDefiningOp())
        builder.setInsertionPointAfter(producer);
      else
        builder.setInsertionPointToStart(entry);
      FieldType from = cast<FieldType>(field.getType());
      FieldType type = op.getResult().getType();
      made = CompanionOp::create(
          builder, op.getLoc(),
          FieldType::get(op.getContext(), from.getShape(), type.getElement(),
                         type.getIsSoA(), type.getOrder()),
          field);
      if (isDual)
        made.getDefiningOp()->setAttr(kDualAttr, builder.getUnitAttr());
    }
    Value here = made;
    builder.setInsertionPoint(op);
    if (here.getType() != op.getType())
      here = CastFieldOp::create(builder, op.getLoc(), op.getType(), here);
    op.replaceAllUsesWith(here);
    op.erase();
  }
}

void KernelOutliner::findParallel() {
  kernel.walk([&](ParallelOp op) {
    for (Operation *parent = op; parent != kernel;
         parent = parent->getParentOp())
      if (!withParallel.insert(parent).second)
        break;
  });
}

void KernelOutliner::hoistCells() {
  Block *entry = &kernel.getBody().front();
  kernel.walk([&](CellOp cell) {
    if (cell->getBlock() != entry)
      cell->moveBefore(entry, entry->begin());
  });
}

Value KernelOutliner::makeCell(Location loc, Type type, StringRef name) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  return CellOp::create(builder, loc, type, name);
}

/// Stores zeros to all of an array, as a nest of loops.
void KernelOutliner::zeroCell(Location loc, Value cell) {
  auto type = cast<FieldType>(cell.getType());
  Type i32 = builder.getI32Type();
  Value zero = makeInt(builder, loc, i32, 0);
  Value one = makeInt(builder, loc, i32, 1);
  Value value = makeZero(builder, loc, type.getScalar());
  SmallVector<Value> indices;
  OpBuilder::InsertionGuard guard(builder);
  for (int64_t extent : type.getShape()) {
    Value end = makeInt(builder, loc, i32, extent);
    auto loop = scf::ForOp::create(builder, loc, zero, end, one);
    indices.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  StoreOp::create(builder, loc, value, cell, indices, Value(), 0, true);
}

/// Local arrays of the kernel itself (not of an iteration) become cells: a
/// task may read them, and tasks see no slots.
void KernelOutliner::arraysToCells() {
  SmallVector<LocalOp> arrays;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ParallelOp>(op))
      return WalkResult::skip();
    if (auto local = dyn_cast<LocalOp>(op))
      if (!local.getSlot().getType().isScalar())
        arrays.push_back(local);
    return WalkResult::advance();
  });
  for (LocalOp array : arrays) {
    LocalType type = array.getSlot().getType();
    auto field =
        FieldType::get(type.getContext(), type.getShape(), type.getScalar());
    Value cell = makeCell(array.getLoc(), field, array.getName());
    builder.setInsertionPoint(array);
    zeroCell(array.getLoc(), cell);
    for (Operation *user : llvm::make_early_inc_range(array->getUsers())) {
      builder.setInsertionPoint(user);
      Location loc = user->getLoc();
      if (auto get = dyn_cast<GetOp>(user))
        get.replaceAllUsesWith(LoadOp::create(builder, loc, type.getScalar(),
                                              cell, get.getIndices(), Value(),
                                              0, true)
                                   .getResult());
      else if (auto set = dyn_cast<SetOp>(user))
        StoreOp::create(builder, loc, set.getValue(), cell, set.getIndices(),
                        Value(), 0, true);
      user->erase();
    }
    array.erase();
  }
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// Makes the next task of the kernel, with its attributes.
TaskBuilder KernelOutliner::makeTask(Location loc, Region *region) {
  OpBuilder outside(kernel.getContext());
  outside.setInsertionPointAfter(lastSymbol);
  std::string symbol =
      (kernel.getSymName() + ".t" + llvm::Twine(numTasks++)).str();
  TaskBuilder task(outside, loc, symbol, region);
  task.op().setKernelAttr(kernel.getSymNameAttr());
  task.op().setStrict(kernel.getStrict());
  task.op().setLanesAttr(kernel.getLanesAttr());
  lastSymbol = task.op();
  return task;
}

/// Launches `task` at the builder's place.
LaunchOp KernelOutliner::launch(TaskBuilder &task, ValueRange from,
                                ValueRange to) {
  return LaunchOp::create(builder, task.op().getLoc(), task.op().getSymName(),
                          task.inputs(), from, to);
}

/// Finds the stretches and loops of a block of control code.
LogicalResult KernelOutliner::outlineBlock(Block &block) {
  Operation *first = nullptr, *last = nullptr;
  auto flush = [&]() -> LogicalResult {
    if (!first)
      return success();
    Operation *begin = std::exchange(first, nullptr);
    return outlineStretch(begin, last);
  };
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (withParallel.contains(&op)) {
      if (failed(flush()))
        return failure();
      if (auto parallel = dyn_cast<ParallelOp>(op)) {
        if (failed(outlineParallel(parallel)))
          return failure();
        continue;
      }
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          if (failed(outlineBlock(inner)))
            return failure();
    } else if (op.hasTrait<OpTrait::IsTerminator>()) {
      return flush();
    } else if (hasEffects(&op) || floats.isForTask(&op)) {
      first = first ? first : &op;
      last = &op;
    }
  }
  return flush();
}

/// Does `root`, or an op in it, read a result of `producers`?
static bool dependsOn(Operation *root, const DenseSet<Operation *> &producers) {
  return root
      ->walk([&](Operation *op) {
        for (Value operand : op->getOperands())
          if (Operation *producer = operand.getDefiningOp())
            if (producers.contains(producer))
              return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// Code that only computes with floats is executed as written; code that
/// accesses fields is executed in tasks. So a sequence is up to three tasks:
/// the part before its first effect, up to its last one, and after it.
LogicalResult KernelOutliner::outlineStretch(Operation *first,
                                             Operation *last) {
  Operation *before = first->getPrevNode(), *end = last->getNextNode();
  Operation *firstEffect = nullptr, *lastEffect = nullptr;
  for (Operation *op = first; op != end; op = op->getNextNode())
    if (hasEffects(op)) {
      firstEffect = firstEffect ? firstEffect : op;
      lastEffect = op;
    }
  if (!firstEffect)
    return outlineFloats(first, end);
  hoistControl(firstEffect, lastEffect);
  Operation *behind = lastEffect->getNextNode();
  first = before ? before->getNextNode() : &first->getBlock()->front();
  if (failed(outlineFloats(first, firstEffect)) ||
      failed(outlineSerial(firstEffect, lastEffect, kernel.getStrict())))
    return failure();
  return outlineFloats(behind, end);
}

/// Makes a task of what computes floats, from `first` to before `end`.
LogicalResult KernelOutliner::outlineFloats(Operation *first, Operation *end) {
  Operation *begin = nullptr, *last = nullptr;
  for (Operation *op = first; op != end; op = op->getNextNode())
    if (floats.isForTask(op)) {
      begin = begin ? begin : op;
      last = op;
    }
  return begin ? outlineSerial(begin, last, /*strict=*/true) : success();
}

/// Moves pure ops that do not depend on the rest before it.
void KernelOutliner::hoistControl(Operation *first, Operation *last) {
  DenseSet<Operation *> inside;
  Operation *end = last->getNextNode();
  for (Operation *op = first, *next; op != end; op = next) {
    next = op->getNextNode();
    bool isControl = isPure(op) && !isa<RandomOp>(op) && !dependsOn(op, inside);
    if (!isControl && !isa<CellOp>(op) && !floats.isValueLoad(op))
      inside.insert(op);
    else if (op != first)
      op->moveBefore(first);
  }
}

/// Makes the operations from `first` to `last` a task of one iteration. Pure
/// ops that do not depend on it are moved before it and stay control code.
LogicalResult KernelOutliner::outlineSerial(Operation *first, Operation *last,
                                            bool strict) {
  SmallVector<Operation *> ops;
  DenseSet<Operation *> inside;
  Operation *end = last->getNextNode();
  for (Operation *op = first, *next; op != end; op = next) {
    next = op->getNextNode();
    bool isControl = isPure(op) && !isa<RandomOp>(op) &&
                     !floats.isForTask(op) && !dependsOn(op, inside);
    if (isa<CellOp>(op) || isControl || floats.isValueLoad(op)) {
      if (op != first)
        op->moveBefore(first);
      continue;
    }
    ops.push_back(op);
    inside.insert(op);
  }

  TaskBuilder task = makeTask(first->getLoc(), nullptr);
  task.op().setStrict(strict);
  for (Operation *op : ops)
    op->moveBefore(&task.body(), task.body().end());
  SmallVector<std::pair<Value, Value>> results; // value, its cell
  for (Operation *op : ops)
    if (failed(storeResults(op, task.op(), results)))
      return failure();
  builder.setInsertionPointToEnd(&task.body());
  NextOp::create(builder, task.op().getLoc());
  if (failed(capture(task)))
    return failure();

  builder.setInsertionPoint(end);
  launch(task, {}, {});
  for (auto [value, cell] : results) {
    Value copy = LoadOp::create(builder, value.getLoc(), value.getType(), cell,
                                ValueRange(), Value(), 0, true);
    value.replaceUsesWithIf(copy, [&](OpOperand &use) {
      return !task.op()->isAncestor(use.getOwner());
    });
  }
  return success();
}

/// Stores what code outside of `task` reads of the results of `op` to cells.
LogicalResult KernelOutliner::storeResults(
    Operation *op, TaskOp task,
    SmallVectorImpl<std::pair<Value, Value>> &results) {
  for (Value result : op->getResults()) {
    if (llvm::all_of(result.getUsers(),
                     [&](Operation *user) { return task->isAncestor(user); }))
      continue;
    if (!result.getType().isIntOrFloat())
      return op->emitError("a kernel passes a value of type ")
             << result.getType() << " from serial code to later code";
    Value cell = floats.makeValueCell(op->getLoc(), result.getType());
    builder.setInsertionPointAfter(op);
    StoreOp::create(builder, op->getLoc(), result, cell, ValueRange(), Value(),
                    0, true);
    results.push_back({result, cell});
  }
  return success();
}

/// Runs a range with a step over 0 to its number of iterations; true if it did.
bool KernelOutliner::normaliseStep(ParallelOp op, SmallVectorImpl<Value> &from,
                                   SmallVectorImpl<Value> &to) {
  if (op.getStep().empty())
    return false;
  Value step = op.getStep()[0];
  std::optional<APInt> constant = constantInt(step);
  if (constant && constant->isOne())
    return false;
  Location loc = op.getLoc();
  builder.setInsertionPoint(op);
  Value begin = from[0];
  to[0] = tripCountOf(builder, loc, begin, to[0], step);
  from[0] = makeInt(builder, loc, begin.getType(), 0);

  OpBuilder inside = OpBuilder::atBlockBegin(&op.getBody().front());
  BlockArgument counter = op.getBody().getArgument(0);
  Value scaled = arith::MulIOp::create(inside, loc, counter, step);
  Value variable = arith::AddIOp::create(inside, loc, begin, scaled);
  counter.replaceAllUsesExcept(variable, scaled.getDefiningOp());
  return true;
}

LogicalResult KernelOutliner::outlineParallel(ParallelOp op) {
  SmallVector<Value> from(op.getFrom()), to(op.getTo());
  bool hasStep = normaliseStep(op, from, to);
  Value over = op.getOver() ? stripCasts(op.getOver()) : Value();
  SmallVector<Type> types(op.getBody().getArgumentTypes());

  TaskBuilder task = makeTask(op.getLoc(), &op.getBody());
  task.op().setBlockAttr(op.getBlockAttr());
  task.op().setAxesAttr(op.getAxesAttr());
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    task.op()->setDiscardableAttr(attribute.getName(), attribute.getValue());
  if (over)
    task.op().setOver(task.argumentFor(over));
  if (failed(capture(task)))
    return failure();

  builder.setInsertionPoint(op);
  if (over)
    for (auto [axis, type] : llvm::enumerate(types)) {
      from.push_back(makeInt(builder, op.getLoc(), type, 0));
      to.push_back(
          builder.createOrFold<DimOp>(op.getLoc(), type, op.getOver(), axis));
    }
  LaunchOp made = launch(task, from, to);
  if (hasStep)
    made.getValuesMutable().append({op.getFrom()[0], op.getStep()[0]});
  op.erase();
  return success();
}

void KernelOutliner::makeControlFunction() {
  builder.setInsertionPoint(kernel);
  auto control = func::FuncOp::create(
      builder, kernel.getLoc(), kernel.getSymName(), kernel.getFunctionType());
  control->setDiscardableAttrs(kernel->getDiscardableAttrDictionary());
  control->setAttr(kControlAttr, builder.getUnitAttr());
  control.setSymVisibilityAttr(kernel.getSymVisibilityAttr());
  control.setArgAttrsAttr(kernel.getArgAttrsAttr());
  control.setResAttrsAttr(kernel.getResAttrsAttr());
  control.getBody().takeBody(kernel.getBody());
  Operation *end = control.getBody().front().getTerminator();
  builder.setInsertionPoint(end);
  func::ReturnOp::create(builder, end->getLoc(), end->getOperands());
  end->erase();
  kernel.erase();
}

LogicalResult KernelOutliner::run() {
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitError("is not structured");
  arraysToCells();
  hoistCells();
  hoistGlobals();
  hoistCompanions();
  findParallel();
  // A kernel that touches no field becomes a plain function: the math library's
  // are made so.
  if (!withParallel.empty() || hasEffects(kernel)) {
    floats.run();
    if (failed(outlineBlock(kernel.getBody().front())))
      return failure();
  }
  makeControlFunction();
  return success();
}

namespace {
struct OutlineTasksPass
    : chi::outline::impl::OutlineTasksPassBase<OutlineTasksPass> {
  void runOnOperation() override {
    SmallVector<KernelOp> kernels(getOperation().getOps<KernelOp>());
    for (KernelOp kernel : kernels)
      if (failed(KernelOutliner(kernel).run()))
        return signalPassFailure();
    getOperation().walk([](CallOp call) {
      OpBuilder builder(call);
      auto made = func::CallOp::create(builder, call.getLoc(),
                                       call.getOutputs().getTypes(),
                                       call.getCalleeAttr(), call.getInputs());
      if (Attribute mark = call->getAttr(kOneEntryAttr))
        made->setAttr(kOneEntryAttr, mark);
      call.replaceAllUsesWith(made.getResults());
      call.erase();
    });
  }
};
} // namespace
