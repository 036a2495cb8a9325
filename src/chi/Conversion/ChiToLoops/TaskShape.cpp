//===- TaskShape.cpp - What a task and its launches agree on --------------===//

#include "chi/Conversion/ChiToLoops/TaskShape.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

MemRefType chi::conv::flatType(Type scalar) {
  return MemRefType::get({ShapedType::kDynamic}, memoryType(scalar));
}

//===----------------------------------------------------------------------===//
// Domain
//===----------------------------------------------------------------------===//

static void findDomain(TaskShape &shape, ArrayRef<ir::LaunchOp> launches) {
  unsigned rank = shape.task.getRank();
  shape.from.resize(rank);
  shape.extent.resize(rank);
  if (std::optional<int64_t> over = shape.task.getOver()) {
    auto field =
        cast<ir::FieldType>(shape.task.getBody().getArgument(*over).getType());
    for (unsigned axis = 0; axis < rank; ++axis) {
      shape.from[axis] = 0;
      if (!field.isDynamicDim(axis))
        shape.extent[axis] = field.getShape()[axis];
    }
  }
  if (launches.size() != 1)
    return;
  ir::LaunchOp launch = launches.front();
  if (launch.getFrom().size() != rank)
    return;
  for (unsigned axis = 0; axis < rank; ++axis) {
    auto from = constantOf(launch.getFrom()[axis]);
    auto to = constantOf(launch.getTo()[axis]);
    if (from)
      shape.from[axis] = from;
    if (from && to)
      shape.extent[axis] = std::max<int64_t>(*to - *from, 0);
  }
}

/// Rows are worth keeping whole where there are many of them for the workers;
/// a tree counts iterations, whatever the rows.
static bool keepsRows(const TaskShape &shape) {
  if (shape.rank() < 2 || !shape.trees.empty() ||
      shape.off.has(Optimisation::WholeRows))
    return false;
  int64_t rows = 1;
  for (auto extent : llvm::drop_end(shape.extent)) {
    if (!extent)
      return true;
    rows *= *extent;
  }
  return rows >= 64;
}

/// Is `value` the variable, plus or minus what does not hang on it?
static bool isVariablePlus(Value value, Value variable) {
  if (value == variable)
    return true;
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::ExtSIOp>(op) &&
         isVariablePlus(op->getOperand(0), variable);
}

/// Does an access walk along memory with the outer variable, and across it
/// with the inner one?
static bool walksAcross(ir::FieldAccessOpInterface access, Value outer,
                        Value inner) {
  ArrayRef<int64_t> order = access.getField().getType().getOrder();
  size_t rank = access.getIndices().size();
  if (rank < 2)
    return false;
  size_t innermost = order.empty() ? rank - 1 : order.back();
  if (!isVariablePlus(access.getIndices()[innermost], outer))
    return false;
  return llvm::any_of(access.getIndices(), [&](Value index) {
    return isVariablePlus(index, inner);
  });
}

static bool wantsTiles(const TaskShape &shape) {
  // Of several failing checks of a part the first one counts: rows keep order.
  if (shape.rank() != 2 || !shape.wholeRows || shape.mayFail ||
      !shape.task.getWide().empty() || shape.off.has(Optimisation::Tiles))
    return false;
  for (auto extent : shape.extent)
    if (extent && *extent < 4 * kTile)
      return false;
  Value outer = shape.task.getIndexVariables()[0],
        inner = shape.task.getIndexVariables()[1];
  return shape.task.getBody()
      .walk([&](ir::FieldAccessOpInterface access) {
        return walksAcross(access, outer, inner) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Accumulations
//===----------------------------------------------------------------------===//

static bool sameValue(Value a, Value b) {
  if (a == b)
    return true;
  auto left = constantOf(a), right = constantOf(b);
  return left && right && *left == *right;
}

static bool sameTarget(ir::AccumOp a, ir::AccumOp b) {
  if (a.getField() != b.getField() || a.getComponent() != b.getComponent() ||
      a.getKind() != b.getKind() ||
      a.getIndices().size() != b.getIndices().size())
    return false;
  if (!a.getDynamic() != !b.getDynamic() ||
      (a.getDynamic() && !sameValue(a.getDynamic(), b.getDynamic())))
    return false;
  return llvm::all_of(llvm::zip(a.getIndices(), b.getIndices()), [](auto pair) {
    return sameValue(std::get<0>(pair), std::get<1>(pair));
  });
}

unsigned TaskShape::treeOf(ir::AccumOp op) const {
  for (auto [number, target] : llvm::enumerate(trees))
    if (sameTarget(target.first, op))
      return number;
  return trees.size();
}

std::string chi::conv::axesText(ir::TaskOp task) {
  std::string axes;
  if (ArrayAttr names = task.getAxesAttr())
    for (auto name : names.getAsRange<StringAttr>())
      axes += (axes.empty() ? "" : ", ") + name.str();
  return axes;
}

BlockArgument chi::conv::rootOf(Value field) {
  while (auto cast = field.getDefiningOp<ir::CastFieldOp>())
    field = cast.getField();
  return dyn_cast<BlockArgument>(field);
}

/// How often an operation runs in an iteration; unknown loops count 8.
static int64_t timesInIteration(Operation *op, Operation *task) {
  int64_t times = 1;
  for (op = op->getParentOp(); op && op != task; op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      continue;
    auto from = constantOf(loop.getLowerBound());
    auto to = constantOf(loop.getUpperBound());
    times *= from && to ? std::max<int64_t>(*to - *from, 1) : 8;
    times = std::min<int64_t>(times, 1 << 20);
  }
  return times;
}

static void addPrivatized(TaskShape &shape, ir::AccumOp op) {
  BlockArgument root = rootOf(op.getField());
  if (!root)
    return;
  int64_t times = timesInIteration(op, shape.task);
  for (PrivatizedField &known : shape.privatized)
    if (known.captured == root.getArgNumber()) {
      known.perIteration += times;
      return;
    }
  shape.privatized.push_back({root.getArgNumber(), op.getKind(), times});
}

/// Up to this many operations of a tree have a buffer for a block's values.
static constexpr unsigned kMaxSlots = 8;

static void addToTree(TaskShape &shape, ir::AccumOp op) {
  unsigned number = shape.treeOf(op);
  if (number == shape.trees.size())
    shape.trees.push_back(
        {op, memoryType(op.getField().getType().getScalar()), true, {}});
  TreeTarget &tree = shape.trees[number];
  int64_t place[] = {number, int64_t(tree.isConditional.size())};
  op.setTree(place);
  tree.isConditional.push_back(op->getParentOp() != shape.task);
  if (tree.isConditional.size() > kMaxSlots)
    tree.isBuffered = false;
  for (Operation *parent = op->getParentOp(); parent != shape.task;
       parent = parent->getParentOp())
    if (!isa<scf::IfOp>(parent))
      tree.isBuffered = false;
}

bool TaskShape::isPrivatized(unsigned captured) const {
  return llvm::any_of(privatized, [&](const PrivatizedField &field) {
    return field.captured == captured;
  });
}

/// A few operations on scalars that lie side by side, and rows that groups of
/// 16 iterations do not cross.
static bool isShortIteration(const TaskShape &shape) {
  constexpr unsigned kShort = 24;
  std::optional<int64_t> row = shape.extent[shape.rank() - 1];
  if (shape.rank() > 1 && (!row || *row % kTreeLanes != 0))
    return false;
  Block &body = shape.task.getBody().front();
  if (body.getOperations().size() > kShort)
    return false;
  return llvm::none_of(body, [](Operation &op) {
    auto load = dyn_cast<ir::LoadOp>(op);
    return op.getNumRegions() != 0 || isa<math::MathDialect>(op.getDialect()) ||
           isa<func::CallOp, arith::DivFOp, ir::RootOp, ir::CheckOp>(op) ||
           (load && load.getField().getType().getNumComponents() > 1 &&
            !load.getField().getType().getIsSoA());
  });
}

//===----------------------------------------------------------------------===//
// Buffered stores
//===----------------------------------------------------------------------===//

static void addBuffered(TaskShape &shape, ir::StoreOp op) {
  std::optional<ir::Buffer> buffer = op.getBuffer();
  if (!buffer)
    return;
  ir::FieldType type = op.getField().getType();
  auto isSame = [&](const BufferedField &field) {
    return rootOf(field.first.getField()) == rootOf(op.getField()) &&
           (!type.getIsSoA() ||
            field.first.getComponent() == op.getComponent());
  };
  auto known = llvm::find_if(shape.buffered, isSame);
  int64_t slot = known - shape.buffered.begin();
  if (known == shape.buffered.end())
    shape.buffered.push_back({op, type.getIsSoA() ? 1 : type.getNumComponents(),
                              *buffer == ir::Buffer::streaming});
  op.setBufferNumber(slot);
}

/// 256 bytes along both axes, but not more than fits in the first cache, beside
/// what is read.
static int64_t edgeOfTiles(const TaskShape &shape) {
  int64_t bytes = 0, edge = 64;
  for (const BufferedField &field : shape.buffered) {
    bytes += field.elementBytes();
    edge = std::min<int64_t>(edge, 256 / field.elementBytes());
  }
  while (edge > 16 && edge * edge * bytes > shape.l1Bytes / 4 * 3)
    edge /= 2;
  return edge;
}

/// The loads of the wide body that read what was packed.
static void findPacked(TaskShape &shape) {
  ir::TaskOp task = shape.task;
  task.getWide().walk([&](ir::LoadOp load) {
    if (load.getPackedAttr())
      shape.packed.push_back(load);
  });
  llvm::sort(shape.packed, [](ir::LoadOp a, ir::LoadOp b) {
    return *a.getPacked() < *b.getPacked();
  });
  shape.strip = task.getStrip().value_or(0);
}

static void findBuffered(TaskShape &shape) {
  shape.task.getBody().walk([&](ir::StoreOp op) { addBuffered(shape, op); });
  if (shape.buffered.empty())
    return;
  shape.period = shape.task.getPeriod().value_or(0);
  std::optional<ArrayRef<int64_t>> tile = shape.task.getTile();
  if (!tile)
    return;
  shape.tile = {(*tile)[0], (*tile)[1]};
  shape.tileEdge = edgeOfTiles(shape);
  shape.task.getBody().walk([&](ir::LoadOp load) {
    if (load.getPrefetch())
      shape.prefetched.push_back(load);
  });
  shape.wholeRows = true;
}

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

/// A cell is a variable of the control function and no other field.
static bool isCell(unsigned captured, ArrayRef<ir::LaunchOp> launches) {
  return !launches.empty() && llvm::all_of(launches, [&](ir::LaunchOp launch) {
    return launch.getInputs()[captured].getDefiningOp<ir::CellOp>();
  });
}

bool TaskShape::hasAlias(unsigned captured) const {
  return llvm::any_of(mayOverlap, [&](auto pair) {
    return pair.first == captured || pair.second == captured;
  });
}

/// The variable whose own field a launch passes, if it is one.
static ir::GlobalOp noaliasGlobalOf(ir::LaunchOp launch, unsigned captured) {
  Value field = launch.getInputs()[captured];
  while (auto cast = field.getDefiningOp<ir::CastFieldOp>())
    field = cast.getField();
  auto load = field.getDefiningOp<ir::GlobalLoadOp>();
  if (!load)
    return nullptr;
  auto global = SymbolTable::lookupNearestSymbolFrom<ir::GlobalOp>(
      launch, load.getGlobalAttr());
  return global && global.getNoalias() ? global : nullptr;
}

/// Do all launches pass the fields of two variables that share none?
static bool haveNoAlias(unsigned a, unsigned b,
                        ArrayRef<ir::LaunchOp> launches) {
  return !launches.empty() && llvm::all_of(launches, [&](ir::LaunchOp launch) {
    ir::GlobalOp left = noaliasGlobalOf(launch, a),
                 right = noaliasGlobalOf(launch, b);
    return left && right && left != right;
  });
}

static void findOverlaps(TaskShape &shape, ArrayRef<ir::LaunchOp> launches) {
  DenseMap<unsigned, bool> written; // fields that are accessed at all
  shape.task.walk([&](ir::FieldAccessOpInterface access) {
    if (BlockArgument root = rootOf(access.getField()))
      written[root.getArgNumber()] |= access.isWrite();
  });
  auto captured = shape.task.getCaptured();
  for (auto [a, left] : llvm::enumerate(captured))
    for (unsigned b = a + 1; b < captured.size(); ++b) {
      auto leftType = dyn_cast<ir::FieldType>(left.getType());
      auto rightType = dyn_cast<ir::FieldType>(captured[b].getType());
      if (!leftType || !rightType || !written.contains(a) ||
          !written.contains(b) || (!written[a] && !written[b]))
        continue;
      if (ir::mayBeOneField(leftType, rightType) && !isCell(a, launches) &&
          !isCell(b, launches) && !haveNoAlias(a, b, launches))
        shape.mayOverlap.emplace_back(a, b);
    }
}

/// Nothing that iterations read is written, and they add to nothing.
static bool mayRepeat(ir::TaskOp task) {
  DenseSet<Value> read, written;
  bool adds = false;
  task.getBody().walk([&](Operation *op) {
    auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
    adds |= isa<ir::AccumOp, ir::AtomicOp, ir::IterationOp, ir::PrintOp>(op);
    if (access)
      (access.isWrite() ? written : read).insert(rootOf(access.getField()));
  });
  return !adds && llvm::none_of(written, [&](Value field) {
    return read.contains(field);
  });
}

static bool isWrite(Operation *op) {
  auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
  return access && access.isWrite();
}

/// Calls of slow paths of elementary functions are pure.
static bool callsOther(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  return call && !call.getCallee().starts_with("chi.cold.");
}

/// Can the wide body report another iteration than the first that fails, and
/// do the checks of an iteration find the same without its writes, after some
/// of them? So it is if what is written is never read, or written behind all
/// checks.
static bool looksEarlier(ir::TaskOp task) {
  unsigned numChecks = 0;
  bool isOfOther = false; // than the first iteration
  bool isLate = true, hasWrite = false, hasOther = false;
  task.getWide().walk([&](ir::CheckOp check) {
    numChecks += check->getParentOfType<LoopLikeOpInterface>() ? 2 : 1;
    isOfOther |= ir::lanesOf(check.getOk().getType()) || check.getRow();
  });
  if (!isOfOther || numChecks < 2)
    return false;
  task.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    hasOther |= isa<ir::AtomicOp, ir::PrintOp>(op) || callsOther(op);
    hasWrite |= isWrite(op);
    isLate &= !isa<ir::CheckOp>(op) || !hasWrite;
    // In a loop all writes are before a check of the next iteration.
    if (isa<LoopLikeOpInterface>(op))
      op->walk([&](Operation *inner) { hasWrite |= isWrite(inner); });
  });
  if (hasOther)
    return false;
  DenseSet<Value> read, written;
  task.getBody().walk([&](ir::FieldAccessOpInterface access) {
    (access.isWrite() ? written : read).insert(rootOf(access.getField()));
  });
  return isLate || llvm::none_of(written, [&](Value field) {
           return read.contains(field);
         });
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

/// A wide body has the same accumulations in the same order.
static void numberWideTrees(ir::TaskOp task) {
  SmallVector<ir::AccumOp> known;
  task.getBody().walk([&](ir::AccumOp op) {
    if (op.getTree())
      known.push_back(op);
  });
  size_t next = 0;
  task.getWide().walk([&](ir::AccumOp op) {
    if (op.getStrategy() != ir::AccumStrategy::tree)
      return;
    assert(next < known.size() && "chi-lanes keeps accumulations");
    op.setTreeAttr(known[next++].getTreeAttr());
  });
}

TaskShape chi::conv::shapeOf(ir::TaskOp task, ArrayRef<ir::LaunchOp> launches,
                             OptimisationSet off) {
  TaskShape shape;
  shape.task = task;
  shape.off = off;
  shape.l1Bytes = ir::deviceOf(task->getParentOfType<ModuleOp>()).getL1Bytes();
  findDomain(shape, launches);
  task.getBody().walk([&](Operation *op) {
    shape.draws |= isa<ir::RandomOp>(op);
    shape.isCounted |= isa<ir::IterationOp>(op);
    auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
    if (access && access.getRaceKindAttr())
      shape.isInstrumented = shape.mayFail = true;
    shape.mayFail |= callsOther(op);
    if (isa<ir::CheckOp>(op))
      shape.mayFail = true;
    if (isa<ir::AccumOp, ir::AtomicOp, ir::PrintOp>(op))
      shape.isOrdered = true;
    auto accum = dyn_cast<ir::AccumOp>(op);
    if (!accum || !accum.getStrategy())
      return;
    if (*accum.getStrategy() == ir::AccumStrategy::privatized)
      addPrivatized(shape, accum);
    if (*accum.getStrategy() != ir::AccumStrategy::tree || shape.rank() == 0)
      return;
    addToTree(shape, accum);
  });
  shape.isOrdered |= shape.mayFail;
  numberWideTrees(task);
  if (auto rows = task.getRows()) {
    shape.rowsAxis = (*rows)[0];
    shape.rows = (*rows)[1];
  }
  shape.mayRepeat = !off.has(Optimisation::LastGroup) && mayRepeat(task);
  shape.looksEarlier = looksEarlier(task);
  shape.wholeRows = shape.rows > 1 || keepsRows(shape);
  findPacked(shape);
  findBuffered(shape);
  shape.isTiled = wantsTiles(shape);
  // Lanes add to buffers only.
  bool isScalar = !shape.trees.empty() && task.getWide().empty();
  shape.isShort = isScalar && !off.has(Optimisation::GroupedSums) &&
                  isShortIteration(shape);
  if (shape.isShort || (isScalar && off.has(Optimisation::BufferedSums)))
    for (TreeTarget &tree : shape.trees)
      tree.isBuffered = false;
  findOverlaps(shape, launches);
  return shape;
}

std::optional<int64_t> TaskShape::iterations() const {
  int64_t product = 1;
  for (auto axis : extent) {
    if (!axis || llvm::MulOverflow(product, *axis, product))
      return std::nullopt;
  }
  return product;
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
  for (const TreeTarget &tree : trees)
    types.push_back(flatType(tree.scalar));
  return types;
}

SmallVector<Type> TaskShape::bodyTypes() const {
  SmallVector<Type> types = argumentTypes();
  if (rank())
    types.append(2, IndexType::get(task.getContext()));
  return types;
}
