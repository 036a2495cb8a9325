//===- WorkOfTask.cpp - The work of tasks from their code -----------------===//
#include "chi/Profile/WorkOfTask.h"

#include "chi/Analysis/AccessMaps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace chi;
using namespace chi::profile;

namespace {
/// Flops of an operation, and whether it is an elementary function.
struct Flops {
  double count = 0;
  bool isFunction = false;
};

/// Reads one task.
class Reader {
public:
  Reader(ir::TaskOp task, analysis::Ranges &ranges)
      : task(task), ranges(ranges) {
    work.name = task.getSymName().str();
  }
  TaskWork read();

private:
  void readAccesses();
  void addRegion(Region &region, profile::Block &to);
  void add(Operation *op, profile::Block &to);
  void addFlops(Operation *op, profile::Block &to);
  bool addControl(Operation *op, profile::Block &to);
  void addCall(func::CallOp call, profile::Block &to);
  size_t addLoop(scf::ForOp loop);
  Sum sumOf(const analysis::Linear &linear, Operation *at);
  std::optional<Term> termOf(const analysis::Symbol &symbol, Operation *at);

  ir::TaskOp task;
  analysis::Ranges &ranges;
  TaskWork work;
  DenseMap<Operation *, size_t> accesses, loops;
  SmallVector<Operation *> callees; ///< being read
};
} // namespace

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static Flops flopsOf(Operation *op) {
  return TypeSwitch<Operation *, Flops>(op)
      .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
            arith::RemFOp, arith::MinimumFOp, arith::MaximumFOp,
            arith::MinNumFOp, arith::MaxNumFOp, math::SqrtOp, ir::RootOp>(
          [](auto) { return Flops{1}; })
      .Case<math::FmaOp>([](auto) { return Flops{2}; })
      .Case<math::AbsFOp, math::FloorOp, math::CeilOp, math::TruncOp,
            math::RoundOp, math::RoundEvenOp, math::CopySignOp>(
          [](auto) { return Flops{0}; })
      .Case<ir::HypotOp, ir::FFloorModOp>([](auto) { return Flops{1, true}; })
      .Case<ir::AccumOp, ir::AtomicOp>([](auto access) {
        return Flops{analysis::updateKindOf(access) ? 1.0 : 0.0};
      })
      .Default([](Operation *each) {
        bool isMath = each->getName().getDialectNamespace() == "math";
        return isMath ? Flops{1, true} : Flops{};
      });
}

/// The scalar that an operation computes on, or null if that is no float.
static Type floatOf(Operation *op) {
  Type type;
  if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op))
    type = access.getField().getType().getScalar();
  else if (op->getNumResults() > 0)
    type = getElementTypeOrSelf(op->getResult(0).getType());
  return isa_and_nonnull<FloatType>(type) ? type : Type();
}

void Reader::addFlops(Operation *op, profile::Block &to) {
  Type type = floatOf(op);
  Flops flops = type ? flopsOf(op) : Flops();
  double width = 1;
  if (op->getNumResults() > 0)
    if (auto vector = dyn_cast<VectorType>(op->getResult(0).getType()))
      width = double(vector.getNumElements());
  if (flops.count == 0)
    return;
  (type.getIntOrFloatBitWidth() == 64 ? to.flops64 : to.flops32) +=
      flops.count * width;
  to.functions += flops.isFunction ? width : 0;
}

void Reader::addRegion(Region &region, profile::Block &to) {
  for (mlir::Block &block : region)
    for (Operation &op : block)
      add(&op, to);
}

/// Callees may be shared, but cannot be recursive.
void Reader::addCall(func::CallOp call, profile::Block &to) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || callee.isExternal() || llvm::is_contained(callees, callee))
    return;
  callees.push_back(callee);
  addRegion(callee.getBody(), to);
  callees.pop_back();
}

/// False: the operation has no regions that are its control flow.
bool Reader::addControl(Operation *op, profile::Block &to) {
  Inner inner;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    inner.kind = Inner::Counted;
    inner.loop = addLoop(loop);
  } else if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
    inner.kind = Inner::Branch;
  } else if (op->getNumRegions() > 0) {
    inner.kind = Inner::Condition;
  } else {
    return false;
  }
  for (Region &region : op->getRegions())
    if (!region.empty())
      addRegion(region, inner.blocks.emplace_back());
  if (!inner.blocks.empty())
    to.inner.push_back(std::move(inner));
  return true;
}

void Reader::add(Operation *op, profile::Block &to) {
  if (addControl(op, to))
    return;
  if (auto call = dyn_cast<func::CallOp>(op))
    return addCall(call, to);
  if (auto access = accesses.find(op); access != accesses.end())
    to.accesses.push_back(access->second);
  addFlops(op, to);
}

//===----------------------------------------------------------------------===//
// Numbers of a launch
//===----------------------------------------------------------------------===//

size_t Reader::addLoop(scf::ForOp loop) {
  auto [found, isNew] = loops.try_emplace(loop, work.loops.size());
  size_t number = found->second;
  if (!isNew)
    return number;
  work.loops.emplace_back();
  Loop made;
  // In a callee the bounds are none of the task's values.
  bool isOwn = task->isAncestor(loop);
  auto step = analysis::constantOf(loop.getStep());
  made.step = step.value_or(1);
  made.from.isKnown = made.to.isKnown = isOwn && step && *step > 0;
  if (made.from.isKnown) {
    made.from = sumOf(ranges.linearAt(loop.getLowerBound(), loop), loop);
    made.to = sumOf(ranges.linearAt(loop.getUpperBound(), loop), loop);
  }
  work.loops[number] = std::move(made);
  return number;
}

std::optional<Term> Reader::termOf(const analysis::Symbol &symbol,
                                   Operation *at) {
  if (auto argument = dyn_cast<BlockArgument>(symbol.value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    int64_t number = argument.getArgNumber();
    int64_t captured = task.getNumCaptured();
    Term term{Term::Scalar, number};
    if (owner == task) {
      term.axis = std::max(symbol.axis, 0);
      if (symbol.isExtent())
        term.kind = Term::Extent;
      else if (number >= captured)
        term.kind = Term::Axis, term.number = number - captured;
      return term;
    }
    if (auto loop = dyn_cast<scf::ForOp>(owner);
        loop && argument == loop.getInductionVar() && task->isAncestor(loop)) {
      term.kind = Term::Loop, term.number = int64_t(addLoop(loop));
      return term;
    }
  }
  analysis::Interval range = ranges.intervalAt(symbol, at);
  if (range.lo <= INT32_MIN || range.hi >= INT32_MAX)
    return std::nullopt;
  Term term{Term::Interval};
  term.least = range.lo, term.greatest = range.hi;
  return term;
}

Sum Reader::sumOf(const analysis::Linear &linear, Operation *at) {
  Sum sum;
  sum.constant = linear.getConstant();
  for (const analysis::Linear::Term &part : linear.getTerms()) {
    auto term = termOf(part.symbol, at);
    if (!term) {
      sum.isKnown = false;
      return sum;
    }
    term->factor = part.factor;
    sum.terms.push_back(*term);
  }
  return sum;
}

void Reader::readAccesses() {
  analysis::AccessMaps maps(task, ranges);
  for (const analysis::Access &access : maps.getAccesses()) {
    auto field = dyn_cast<BlockArgument>(access.field);
    if (!field || field.getOwner()->getParentOp() != task)
      continue;
    AccessWork made;
    made.argument = field.getArgNumber();
    made.component = access.component.value_or(-1);
    ir::AccessKind kind = access.op.getAccessKind();
    made.reads = kind != ir::AccessKind::store;
    made.writes = access.op.isWrite() && !analysis::isAtomicLoad(access.op);
    for (const analysis::Linear &index : access.index)
      made.index.push_back(sumOf(index, access.op));
    accesses[access.op] = work.accesses.size();
    work.accesses.push_back(std::move(made));
  }
}

TaskWork Reader::read() {
  readAccesses();
  addRegion(task.getBody(), work.body);
  return std::move(work);
}

std::vector<TaskWork> chi::profile::workOfTasks(ModuleOp module) {
  analysis::Ranges ranges(module);
  std::vector<TaskWork> all;
  for (auto task : module.getOps<ir::TaskOp>())
    all.push_back(Reader(task, ranges).read());
  return all;
}
