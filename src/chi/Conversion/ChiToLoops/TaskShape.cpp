//===- TaskShape.cpp - What a task says of itself -------------------------===//

#include "chi/Conversion/ChiToLoops/TaskShape.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

MemRefType chi::conv::flatType(Type scalar) {
  return MemRefType::get({ShapedType::kDynamic}, memoryType(scalar));
}

std::string chi::conv::axesText(ir::TaskOp task) {
  std::string axes;
  if (ArrayAttr names = task.getAxesAttr())
    for (auto name : names.getAsRange<StringAttr>())
      axes += (axes.empty() ? "" : ", ") + name.str();
  return axes;
}

void chi::conv::setMessageNames(Operation *function, ir::TaskOp task) {
  StringRef pass = task.getNumPrimal() ? ", backward pass" : "";
  MLIRContext *context = task.getContext();
  function->setAttr(ir::kKernelAttr,
                    StringAttr::get(context, task.getKernel() + pass));
  function->setAttr(ir::kAxesAttr, StringAttr::get(context, axesText(task)));
}

//===----------------------------------------------------------------------===//
// The schedule's numbers
//===----------------------------------------------------------------------===//

static void addToReduction(TaskShape &shape, ir::AccumOp op) {
  std::optional<ArrayRef<int64_t>> numbers = op.getReduction();
  if (!numbers || shape.reductions.empty())
    return;
  ReductionTarget &reduction = shape.reductions[(*numbers)[0]];
  if (!reduction.first) {
    reduction.first = op;
    reduction.scalar = memoryType(op.getField().getType().getScalar());
  }
  reduction.isConditional[(*numbers)[1]] = op->getParentOp() != shape.task;
}

static void addPrivatized(TaskShape &shape, ir::AccumOp op) {
  BlockArgument root = ir::capturedField(op.getField());
  if (!root || shape.isPrivatized(root.getArgNumber()))
    return;
  for (ir::PrivatizedAttr each : shape.schedule.privatized)
    if (each.getArgument() == root.getArgNumber())
      shape.privatized.push_back(
          {root.getArgNumber(), op.getKind(), each.getCount()});
}

static void addBuffered(TaskShape &shape, ir::StoreOp op) {
  std::optional<uint64_t> number = op.getBuffer();
  if (!number)
    return;
  ir::FieldType type = op.getField().getType();
  BufferedField &field = shape.buffered[*number];
  if (field.first)
    return;
  field.first = op;
  field.scalars = type.getIsSoA() ? 1 : type.getNumComponents();
}

static void name(TaskShape &shape, Operation *op) {
  if (auto accum = dyn_cast<ir::AccumOp>(op)) {
    addToReduction(shape, accum);
    if (accum.getStrategy() == ir::AccumStrategy::privatized)
      addPrivatized(shape, accum);
  } else if (auto store = dyn_cast<ir::StoreOp>(op)) {
    addBuffered(shape, store);
  } else if (auto load = dyn_cast<ir::LoadOp>(op)) {
    if (load.getPrefetch() && shape.schedule.tile)
      shape.prefetched.push_back(load);
  }
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

/// The loads of the wide body that read packed values.
static void findPacked(TaskShape &shape) {
  ir::TaskOp task = shape.task;
  task.getWide().walk([&](ir::LoadOp load) {
    if (load.getPackedAttr())
      shape.packed.push_back(load);
  });
  llvm::sort(shape.packed, [](ir::LoadOp a, ir::LoadOp b) {
    return *a.getPacked() < *b.getPacked();
  });
}

TaskShape chi::conv::shapeOf(ir::TaskOp task) {
  TaskShape shape;
  shape.task = task;
  shape.schedule = task.getScheduleAttr()
                       ? ir::Schedule::of(task.getScheduleAttr())
                       : ir::plainSchedule(task);
  for (unsigned axis = 0; axis < task.getRank(); ++axis) {
    shape.from.push_back(task.getKnownStart(axis));
    shape.extent.push_back(task.getKnownExtent(axis));
  }
  for (ir::ReductionAttr reduction : shape.schedule.reductions)
    shape.reductions.push_back({nullptr,
                                {},
                                reduction.getBuffered(),
                                SmallVector<bool>(reduction.getOperations())});
  for (ir::Buffer buffer : shape.schedule.buffers)
    shape.buffered.push_back({nullptr, 1, buffer == ir::Buffer::streaming});
  if (auto rows = task.getRows()) {
    bool isInner = (*rows)[0] + 1 == int64_t(task.getRank());
    (isInner ? shape.vectors : shape.rows) = (*rows)[1];
    shape.rowsAxis = isInner ? 0 : (*rows)[0];
  }
  shape.mayFail = ir::mayFail(task);
  task.getBody().walk([&](Operation *op) {
    shape.draws |= isa<ir::RandomOp>(op);
    shape.isCounted |= isa<ir::IterationOp>(op);
    auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
    shape.isInstrumented |= access && access.getRaceKindAttr();
    name(shape, op);
  });
  findPacked(shape);
  return shape;
}

bool TaskShape::isPrivatized(unsigned captured) const {
  return llvm::any_of(privatized, [&](const PrivatizedField &field) {
    return field.captured == captured;
  });
}

bool TaskShape::isOrderedIfSame() const {
  if (!isStrict && !ir::hasFixedParts(task))
    return false;
  WalkResult walked = task.getBody().walk([&](ir::AccumOp op) {
    BlockArgument root = ir::capturedField(op.getField());
    bool mayMeet = isa<FloatType>(op.getField().getType().getScalar()) &&
                   (!root || hasAlias(root.getArgNumber()));
    return mayMeet ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walked.wasInterrupted();
}

bool TaskShape::hasCopies() const {
  constexpr uint64_t kThreads = 16;
  auto times = [](uint64_t a, int64_t b) {
    return llvm::SaturatingMultiply(a, uint64_t(std::max<int64_t>(b, 0)));
  };
  uint64_t count = 1;
  for (std::optional<int64_t> length : extent)
    count = times(count, length.value_or(0));
  return llvm::all_of(privatized, [&](const PrivatizedField &field) {
    auto type =
        cast<ir::FieldType>(task.getCaptured()[field.captured].getType());
    uint64_t elements = type.getNumComponents();
    for (int64_t length : type.getShape())
      elements =
          times(elements, ShapedType::isDynamic(length) ? INT64_MAX : length);
    // As `chirt_private_begin` decides.
    return times(elements, kThreads) / 4 <= times(count, field.perIteration);
  });
}

bool TaskShape::hasAlias(unsigned captured) const {
  return llvm::is_contained(schedule.mayAlias, int64_t(captured));
}

SmallVector<Type> TaskShape::capturedTypes() const {
  SmallVector<Type> types;
  Type index = IndexType::get(task.getContext());
  for (BlockArgument value : task.getCaptured()) {
    auto field = dyn_cast<ir::FieldType>(value.getType());
    if (!field) {
      types.push_back(value.getType());
      continue;
    }
    types.push_back(flatType(field.getScalar()));
    for (int64_t extent : field.getShape())
      if (ShapedType::isDynamic(extent))
        types.push_back(index);
    types.append(ir::numStrides(field), index);
  }
  return types;
}

SmallVector<Type> TaskShape::argumentTypes() const {
  SmallVector<Type> types = capturedTypes();
  MLIRContext *context = task.getContext();
  Type index = IndexType::get(context);
  for (unsigned axis = 0; axis < rank(); ++axis) {
    if (!from[axis])
      types.push_back(index);
    if (!extent[axis])
      types.push_back(index);
  }
  if (draws)
    types.push_back(IntegerType::get(context, 64));
  for (const ReductionTarget &reduction : reductions)
    types.push_back(flatType(reduction.scalar));
  return types;
}

SmallVector<Type> TaskShape::bodyTypes() const {
  SmallVector<Type> types = argumentTypes();
  if (rank())
    types.append(2, IndexType::get(task.getContext()));
  return types;
}
