//===- PackComponents.cpp - The components of an element as a vector ------===//
// A particle's position is three floats, and what is computed from it is so
// three times: cells, fractions, weights. Backwards from what is stored
// (chi-slp, LLVM's SLP vectoriser) that is not seen, since the weights of one
// axis meet those of another. So vectors are built forwards, from the loads,
// as far as the components are computed alike.
#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Dialect/Chi/MemoryOrder.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "chi/Transforms/SLP/Passes.h"
#include "chi/Transforms/SLP/SLP.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace chi::slp {
#define GEN_PASS_DEF_PACKCOMPONENTSPASS
#include "chi/Transforms/SLP/Passes.h.inc"
} // namespace chi::slp

using namespace mlir;
using namespace chi;

namespace {
constexpr size_t kMostLanes = 4;

/// Operations that do the same with one component each.
struct Group {
  /// By component; null where the program does not compute it.
  std::array<Operation *, kMostLanes> lanes = {};
  Value vector;

  Operation *any() const {
    return *llvm::find_if(lanes, [](Operation *op) { return op; });
  }
  unsigned count() const {
    return llvm::count_if(lanes, [](Operation *op) { return op; });
  }
};

class ComponentPacker {
public:
  explicit ComponentPacker(Block &block)
      : block(block), builder(block.getParentOp()->getContext()) {}
  void run();

private:
  struct Lane {
    unsigned group, lane;
  };
  std::optional<Lane> laneOf(Value value) const;
  void findLoads(ir::LoadOp first);
  void findAlike(Operation *op);
  Operation *siblingOf(Operation *op, unsigned from, unsigned lane);
  bool isSibling(Operation *op, unsigned from, Operation *other, unsigned lane,
                 bool exact);
  void add(Group group);
  int64_t gain() const;
  void emit(Group &group);
  Value emitLoad(Group &group);
  Value operandOf(const Group &group, unsigned k, VectorType type);
  void replaceScalars();
  void joinChecks();
  void joinChecks(MutableArrayRef<ir::CheckOp> checks);

  Block &block;
  OpBuilder builder;
  size_t size = 0; ///< components of an element
  std::vector<Group> groups;
  llvm::DenseMap<Operation *, Lane> known;
};
} // namespace

//===----------------------------------------------------------------------===//
// Equal computations
//===----------------------------------------------------------------------===//

/// Can the operation be done with several lanes at once, and any time?
static bool isPackable(Operation *op) {
  if (op->getNumRegions() || op->getNumResults() != 1 ||
      !op->getNumOperands() || op->hasTrait<OpTrait::ConstantLike>() ||
      !isPure(op))
    return false;
  Type type = op->getResult(0).getType();
  if (auto cast = dyn_cast<ir::ToIntOp>(op))
    return cast.getInrange() && type.isInteger(32) &&
           cast.getOperand().getType().isF32();
  return OpTrait::hasElementwiseMappableTraits(op) &&
         (type.isF32() || type.isInteger(1)) &&
         llvm::all_of(op->getOperandTypes(), [](Type type) {
           return type.isF32() || type.isInteger(1) || type.isInteger(32);
         });
}

std::optional<ComponentPacker::Lane>
ComponentPacker::laneOf(Value value) const {
  auto found = known.find(value.getDefiningOp());
  if (found == known.end())
    return std::nullopt;
  return found->second;
}

void ComponentPacker::add(Group group) {
  for (auto [lane, op] : llvm::enumerate(group.lanes))
    if (op)
      known[op] = {unsigned(groups.size()), unsigned(lane)};
  groups.push_back(group);
}

/// Loads of all components of an element, with only loads and arithmetic
/// between them.
void ComponentPacker::findLoads(ir::LoadOp first) {
  ir::FieldType field = first.getField().getType();
  size_t components = field.getNumComponents();
  if (known.contains(first) || !ir::hasAdjacentComponents(field) ||
      !field.getScalar().isF32() || components < 3 || components > kMostLanes ||
      (size && size != components))
    return;
  Group group;
  for (Operation *op = first; op && group.count() < components;
       op = op->getNextNode()) {
    if (op->getNumRegions() ||
        !(isPure(op) || isa<ir::LoadOp>(op))) // of the rest nothing is known
      break;
    auto load = dyn_cast<ir::LoadOp>(op);
    if (load && load.getField() == first.getField() &&
        load.getIndices() == first.getIndices() && load.getInbounds() &&
        !load.getDynamicComponent() && !load.getMask() &&
        !load.getContiguous() && !load.getRaceKindAttr() &&
        load.getType().isF32() && !group.lanes[load.getComponent()])
      group.lanes[load.getComponent()] = load;
  }
  if (group.count() != components)
    return;
  size = components;
  add(group);
}

/// Does `other` do with component `lane` what `op` does with `from`? Not
/// `exact`: constants may be others.
bool ComponentPacker::isSibling(Operation *op, unsigned from, Operation *other,
                                unsigned lane, bool exact) {
  if (other->getBlock() != &block || known.contains(other) ||
      other->getName() != op->getName() ||
      other->getAttrDictionary() != op->getAttrDictionary() ||
      other->getOperandTypes() != op->getOperandTypes())
    return false;
  for (auto [mine, its] : llvm::zip(op->getOperands(), other->getOperands())) {
    if (auto here = laneOf(mine); here && here->lane == from) {
      auto there = laneOf(its);
      if (!there || there->group != here->group || there->lane != lane)
        return false;
      continue;
    }
    Attribute left, right;
    bool areConstant = matchPattern(mine, m_Constant(&left)) &&
                       matchPattern(its, m_Constant(&right));
    if (areConstant ? exact && left != right : mine != its)
      return false;
  }
  return true;
}

Operation *ComponentPacker::siblingOf(Operation *op, unsigned from,
                                      unsigned lane) {
  for (bool exact : {true, false})
    for (Value operand : op->getOperands()) {
      auto here = laneOf(operand);
      Operation *other = here ? groups[here->group].lanes[lane] : nullptr;
      if (!other)
        continue;
      for (Operation *user : other->getUsers())
        if (isSibling(op, from, user, lane, exact))
          return user;
    }
  return nullptr;
}

/// Vectors of operations on lanes of other vectors.
void ComponentPacker::findAlike(Operation *op) {
  if (known.contains(op) || !isPackable(op))
    return;
  std::optional<unsigned> from;
  for (Value operand : op->getOperands())
    if (auto here = laneOf(operand)) {
      if (from && *from != here->lane)
        return;
      from = here->lane;
    }
  if (!from)
    return;
  Group group;
  group.lanes[*from] = op;
  for (unsigned lane = 0; lane < size; ++lane)
    if (lane != *from)
      group.lanes[lane] = siblingOf(op, *from, lane);
  if (group.count() > 1)
    add(group);
}

/// Operations that are saved, less those that take components out again.
int64_t ComponentPacker::gain() const {
  int64_t gain = 0;
  for (const Group &group : groups) {
    gain += group.count() - 1;
    for (auto [lane, op] : llvm::enumerate(group.lanes))
      if (op && lane && llvm::any_of(op->getUsers(), [&](Operation *user) {
            return !known.contains(user);
          }))
        --gain;
  }
  return gain;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// The first of the operations: the operands of all of them precede it, since a
/// vector is created where the first of its components was.
static Operation *firstOf(const Group &group) {
  Operation *first = group.any();
  for (Operation *op : group.lanes)
    if (op && op->isBeforeInBlock(first))
      first = op;
  return first;
}

Value ComponentPacker::emitLoad(Group &group) {
  auto first = cast<ir::LoadOp>(group.lanes[0]);
  auto load = cast<ir::LoadOp>(builder.clone(*first));
  load.getResult().setType(VectorType::get({int64_t(size)}, first.getType()));
  load.setContiguous(true);
  return load;
}

/// Operand `k` of the components: a vector, a constant or the same for all.
/// Unused lanes take the value of another one.
Value ComponentPacker::operandOf(const Group &group, unsigned k,
                                 VectorType type) {
  Value any = group.any()->getOperand(k);
  if (auto here = laneOf(any); here && group.lanes[here->lane] == group.any())
    return groups[here->group].vector;
  Location loc = group.any()->getLoc();
  Attribute value;
  if (!matchPattern(any, m_Constant(&value)))
    return vector::BroadcastOp::create(builder, loc, type, any);
  SmallVector<Attribute> values(size, value);
  for (size_t lane = 0; lane < size; ++lane)
    if (Operation *op = group.lanes[lane])
      matchPattern(op->getOperand(k), m_Constant(&values[lane]));
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, values));
}

void ComponentPacker::emit(Group &group) {
  Operation *first = firstOf(group);
  builder.setInsertionPoint(first);
  if (isa<ir::LoadOp>(first)) {
    group.vector = emitLoad(group);
    return;
  }
  auto lanesOf = [&](Type type) {
    return VectorType::get({int64_t(size)}, type);
  };
  OperationState state(first->getLoc(), first->getName());
  state.addAttributes(first->getAttrDictionary().getValue());
  state.addTypes(lanesOf(first->getResult(0).getType()));
  for (auto [k, type] : llvm::enumerate(first->getOperandTypes()))
    state.addOperands(operandOf(group, k, lanesOf(type)));
  group.vector = builder.create(state)->getResult(0);
}

/// Other users of a component extract it from the vector; the scalars are
/// erased.
void ComponentPacker::replaceScalars() {
  for (Group &group : llvm::reverse(groups))
    for (auto [lane, op] : llvm::enumerate(group.lanes)) {
      if (!op)
        continue;
      if (!op->use_empty()) {
        builder.setInsertionPointAfterValue(group.vector);
        op->getResult(0).replaceAllUsesWith(vector::ExtractOp::create(
            builder, op->getLoc(), group.vector, int64_t(lane)));
      }
      op->erase();
    }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// One check for all components. If it fails, the original checks run, so that
/// the same one fails.
void ComponentPacker::joinChecks(MutableArrayRef<ir::CheckOp> checks) {
  auto extract = checks.front().getOk().getDefiningOp<vector::ExtractOp>();
  Value conditions = extract.getSource();
  builder.setInsertionPoint(checks.back());
  Location loc = checks.front().getLoc();
  Value all = vector::ReductionOp::create(
      builder, loc, vector::CombiningKind::AND, conditions);
  Value yes =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  Value some = arith::XOrIOp::create(builder, loc, all, yes);
  auto branch = scf::IfOp::create(builder, loc, some);
  for (ir::CheckOp check : checks)
    check->moveBefore(branch.thenBlock()->getTerminator());
}

void ComponentPacker::joinChecks() {
  SmallVector<SmallVector<ir::CheckOp>> all;
  SmallVector<ir::CheckOp> open;
  auto close = [&] {
    if (open.size() == size)
      all.push_back(open);
    open.clear();
  };
  for (Operation &op : block) {
    auto check = dyn_cast<ir::CheckOp>(op);
    if (!check) {
      if (!isPure(&op))
        close();
      continue;
    }
    auto extract = check.getOk().getDefiningOp<vector::ExtractOp>();
    auto first = open.empty()
                     ? extract
                     : open.front().getOk().getDefiningOp<vector::ExtractOp>();
    if (!extract || extract.getSource() != first.getSource() ||
        extract.getStaticPosition() != ArrayRef<int64_t>{int64_t(open.size())})
      close();
    if (extract)
      open.push_back(check);
  }
  close();
  for (MutableArrayRef<ir::CheckOp> checks : all)
    joinChecks(checks);
}

void ComponentPacker::run() {
  for (Operation &op : block) {
    if (auto load = dyn_cast<ir::LoadOp>(op))
      findLoads(load);
    else
      findAlike(&op);
  }
  if (gain() <= 0)
    return;
  for (Group &group : groups)
    emit(group);
  replaceScalars();
  joinChecks();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct PackComponentsPass
    : chi::slp::impl::PackComponentsPassBase<PackComponentsPass> {
  using PackComponentsPassBase::PackComponentsPassBase;

  void runOnOperation() override {
    for (auto task : getOperation().getOps<ir::TaskOp>())
      if (task.getRank() != 0 && task.getWide().empty() &&
          !ir::hasScratch(task) && slp::scatters(task))
        ComponentPacker(task.getBody().front()).run();
  }
};
} // namespace
