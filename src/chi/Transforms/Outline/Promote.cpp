//===- Promote.cpp - Slots become values ----------------------------------===//
// One walk in the order of execution holds the value of each slot; a
// structured op is made again with the slots it carries as results.
//===----------------------------------------------------------------------===//

#include "chi/Transforms/Outline/Promote.h"
#include "chi/Transforms/Outline/Passes.h"
#include "chi/Transforms/Outline/SlotBuilder.h"
#include "chi/Transforms/Outline/SlotLiveness.h"
#include "chi/Transforms/Outline/TripCount.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace chi::outline {
#define GEN_PASS_DEF_PROMOTEPASS
#include "chi/Transforms/Outline/Passes.h.inc"
} // namespace chi::outline

using namespace mlir;
using namespace chi::ir;
using namespace chi::outline;

namespace {
class Promoter {
public:
  explicit Promoter(Operation *function)
      : function(function), liveness(function),
        current(liveness.slots().size()) {}
  void run();

private:
  void promoteBlock(Block &block);
  void promoteIf(scf::IfOp op);
  void promoteFor(scf::ForOp op);
  void promoteWhile(scf::WhileOp op);

  Type typeOf(unsigned slot);
  Value value(unsigned slot);
  SmallVector<Value> values(ArrayRef<unsigned> slots);
  void assign(unsigned slot, Value value);
  void assign(ArrayRef<unsigned> slots, ValueRange values);
  /// Forgets the assignments since the log had `length` entries.
  void forget(size_t length);
  SmallVector<Type> typesOf(ArrayRef<unsigned> slots);
  void appendToTerminator(Block &block, ArrayRef<unsigned> slots);

  Operation *function;
  SlotLiveness liveness;
  SmallVector<Value> current; // null: undefined
  SmallVector<std::pair<unsigned, Value>> log;
  DenseMap<Type, Value> zeros;
};
} // namespace

Type Promoter::typeOf(unsigned slot) {
  LocalOp local = liveness.slots()[slot];
  return local.getSlot().getType().getScalar();
}

SmallVector<Type> Promoter::typesOf(ArrayRef<unsigned> slots) {
  return llvm::map_to_vector(slots, [&](unsigned s) { return typeOf(s); });
}

Value Promoter::value(unsigned slot) {
  if (current[slot])
    return current[slot];
  Value &zero = zeros[typeOf(slot)];
  if (!zero) {
    Block *entry = &function->getRegion(0).front();
    OpBuilder builder = OpBuilder::atBlockBegin(entry);
    zero = makeZero(builder, function->getLoc(), typeOf(slot));
  }
  return zero;
}

SmallVector<Value> Promoter::values(ArrayRef<unsigned> slots) {
  return llvm::map_to_vector(slots, [&](unsigned s) { return value(s); });
}

void Promoter::assign(unsigned slot, Value value) {
  log.push_back({slot, current[slot]});
  current[slot] = value;
}

void Promoter::assign(ArrayRef<unsigned> slots, ValueRange values) {
  for (auto [slot, value] : llvm::zip_equal(slots, values))
    assign(slot, value);
}

void Promoter::forget(size_t length) {
  while (log.size() > length) {
    auto [slot, old] = log.pop_back_val();
    current[slot] = old;
  }
}

void Promoter::appendToTerminator(Block &block, ArrayRef<unsigned> slots) {
  Operation *end = block.getTerminator();
  end->insertOperands(end->getNumOperands(), values(slots));
}

void Promoter::run() {
  if (liveness.slots().empty())
    return;
  promoteBlock(function->getRegion(0).front());
  for (LocalOp slot : liveness.slots())
    slot.erase();
}

void Promoter::promoteBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto local = dyn_cast<LocalOp>(op)) {
      if (auto slot = liveness.numberOf(local.getSlot()))
        assign(*slot, Value());
    } else if (auto get = dyn_cast<GetOp>(op)) {
      if (auto slot = liveness.numberOf(get.getSlot())) {
        get.replaceAllUsesWith(value(*slot));
        get.erase();
      }
    } else if (auto set = dyn_cast<SetOp>(op)) {
      if (auto slot = liveness.numberOf(set.getSlot())) {
        assign(*slot, set.getValue());
        set.erase();
      }
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      promoteIf(branch);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      promoteFor(loop);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      promoteWhile(loop);
    } else {
      // A parallel loop only reads what lives around it.
      size_t length = log.size();
      for (Region &region : op.getRegions())
        for (Block &inner : region) {
          promoteBlock(inner);
          forget(length);
        }
    }
  }
}

/// Replaces `op` by `made`, whose results begin with those of `op`.
static void replaceByWider(Operation *op, Operation *made) {
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->replaceAllUsesWith(made->getResults().take_front(op->getNumResults()));
  op->erase();
}

void Promoter::promoteIf(scf::IfOp op) {
  SmallVector<unsigned> slots(liveness.carried(op));
  size_t length = log.size();
  size_t numResults = op.getNumResults();
  if (!slots.empty()) {
    OpBuilder builder(op);
    SmallVector<Type> types(op.getResultTypes());
    llvm::append_range(types, typesOf(slots));
    auto made = scf::IfOp::create(builder, op.getLoc(), types,
                                  op.getCondition(), false, false);
    made.getThenRegion().takeBody(op.getThenRegion());
    if (op.getElseRegion().empty()) {
      builder.createBlock(&made.getElseRegion());
      scf::YieldOp::create(builder, op.getLoc());
    } else {
      made.getElseRegion().takeBody(op.getElseRegion());
    }
    replaceByWider(op, made);
    op = made;
  }
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    promoteBlock(region.front());
    appendToTerminator(region.front(), slots);
    forget(length);
  }
  assign(slots, op.getResults().drop_front(numResults));
}

void Promoter::promoteFor(scf::ForOp op) {
  SmallVector<unsigned> slots(liveness.carried(op));
  size_t length = log.size();
  size_t numResults = op.getNumResults();
  if (!slots.empty()) {
    OpBuilder builder(op);
    SmallVector<Value> inits(op.getInitArgs());
    llvm::append_range(inits, values(slots));
    auto made = scf::ForOp::create(builder, op.getLoc(), op.getLowerBound(),
                                   op.getUpperBound(), op.getStep(), inits,
                                   nullptr, op.getUnsignedCmp());
    made.getRegion().takeBody(op.getRegion());
    for (Type type : typesOf(slots))
      made.getBody()->addArgument(type, op.getLoc());
    replaceByWider(op, made);
    op = made;
  }
  Block *body = op.getBody();
  assign(slots, ValueRange(body->getArguments().take_back(slots.size())));
  promoteBlock(*body);
  appendToTerminator(*body, slots);
  forget(length);
  assign(slots, op.getResults().drop_front(numResults));
}

void Promoter::promoteWhile(scf::WhileOp op) {
  SmallVector<unsigned> slots(liveness.carried(op));
  size_t length = log.size();
  size_t numResults = op.getNumResults();
  if (!slots.empty()) {
    OpBuilder builder(op);
    SmallVector<Type> types(op.getResultTypes());
    llvm::append_range(types, typesOf(slots));
    SmallVector<Value> inits(op.getInits());
    llvm::append_range(inits, values(slots));
    auto made = scf::WhileOp::create(builder, op.getLoc(), types, inits);
    made.getBefore().takeBody(op.getBefore());
    made.getAfter().takeBody(op.getAfter());
    for (Type type : typesOf(slots)) {
      made.getBeforeBody()->addArgument(type, op.getLoc());
      made.getAfterBody()->addArgument(type, op.getLoc());
    }
    replaceByWider(op, made);
    op = made;
  }
  for (Block *block : {op.getBeforeBody(), op.getAfterBody()}) {
    assign(slots, ValueRange(block->getArguments().take_back(slots.size())));
    promoteBlock(*block);
    appendToTerminator(*block, slots);
  }
  forget(length);
  assign(slots, op.getResults().drop_front(numResults));
}

void chi::outline::promoteSlots(Operation *function) {
  if (function->getRegion(0).empty())
    return;
  Promoter(function).run();
  eraseDeadValues(function);
}

//===----------------------------------------------------------------------===//
// Arrays with constant indices
//===----------------------------------------------------------------------===//

/// Row-major number of the element, or nothing if an index is not constant or
/// outside.
static std::optional<int64_t> constantElement(LocalType type,
                                              ValueRange indices) {
  int64_t element = 0;
  for (auto [extent, index] : llvm::zip_equal(type.getShape(), indices)) {
    std::optional<APInt> value = constantInt(index);
    if (!value || value->isNegative() || value->getActiveBits() > 62 ||
        value->getSExtValue() >= extent)
      return std::nullopt;
    element = element * extent + value->getSExtValue();
  }
  return element;
}

static ValueRange indicesOf(Operation *access) {
  if (auto get = dyn_cast<GetOp>(access))
    return get.getIndices();
  return cast<SetOp>(access).getIndices();
}

static bool splitArray(LocalOp array) {
  LocalType type = array.getSlot().getType();
  if (type.isScalar())
    return false;
  for (Operation *user : array->getUsers())
    if (!isa<GetOp, SetOp>(user) || !constantElement(type, indicesOf(user)))
      return false;

  DenseMap<int64_t, Value> slots;
  OpBuilder builder(array);
  for (Operation *user : llvm::make_early_inc_range(array->getUsers())) {
    Value &slot = slots[*constantElement(type, indicesOf(user))];
    Location loc = array.getLoc();
    if (!slot) {
      builder.setInsertionPoint(array);
      slot = makeSlot(builder, loc, type.getScalar(), array.getName());
      setSlot(builder, loc, slot, makeZero(builder, loc, type.getScalar()));
    }
    builder.setInsertionPoint(user);
    if (auto get = dyn_cast<GetOp>(user))
      get.replaceAllUsesWith(getSlot(builder, user->getLoc(), slot));
    else
      setSlot(builder, user->getLoc(), slot, cast<SetOp>(user).getValue());
    user->erase();
  }
  array.erase();
  return true;
}

bool chi::outline::splitArrays(Operation *function) {
  SmallVector<LocalOp> arrays;
  function->walk([&](LocalOp local) { arrays.push_back(local); });
  bool changed = false;
  for (LocalOp array : arrays)
    changed |= splitArray(array);
  return changed;
}

namespace {
struct PromotePass : chi::outline::impl::PromotePassBase<PromotePass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect>();
  }

  LogicalResult simplify() {
    OpPassManager passes(ModuleOp::getOperationName());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    return runPipeline(passes, getOperation());
  }

  void runOnOperation() override {
    auto functions = [&](auto visit) {
      for (Operation &op : *getOperation().getBody())
        if (isa<func::FuncOp, KernelOp, TaskOp>(op))
          visit(&op);
    };
    functions([](Operation *op) {
      splitArrays(op);
      promoteSlots(op);
    });
    if (failed(simplify()))
      return signalPassFailure();
    // Indices may have become constant only now.
    bool again = false;
    functions([&](Operation *op) {
      if (!splitArrays(op))
        return;
      promoteSlots(op);
      again = true;
    });
    if (again && failed(simplify()))
      signalPassFailure();
  }
};
} // namespace
