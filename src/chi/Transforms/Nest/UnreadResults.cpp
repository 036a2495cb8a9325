//===- UnreadResults.cpp - Recorded launches that only check --------------===//
// The vector-Jacobian product of a function runs the function again, to record
// its launches. What it gives is not looked at then. A launch that writes such
// fields alone has to be recorded, and its indices checked, for its adjoint
// relies on that; the elements need not be computed.
#include "chi/Transforms/Nest/Passes.h"

#include "chi/Analysis/Cost.h"
#include "chi/Analysis/Ranges.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace chi::nest {
#define GEN_PASS_DEF_UNREADRESULTSPASS
#include "chi/Transforms/Nest/Passes.h.inc"
} // namespace chi::nest

using namespace mlir;
using namespace chi;

namespace {
/// Rewrites the records of one module.
class Records {
public:
  explicit Records(ModuleOp module) : module(module), symbols(module) {}
  void visit(func::FuncOp record);

private:
  func::CallOp callOf(func::FuncOp record);
  bool isUnread(Value field, func::CallOp launcher, unsigned &uses);
  bool isMade(Value field, func::CallOp launcher);
  bool isUnreadIn(BlockArgument argument, Value field);
  bool readsNothing(ir::TaskOp task, unsigned number);
  bool isSkippable(ir::LaunchOp launch, const llvm::BitVector &unread);
  func::FuncOp skipping(func::CallOp launcher);
  ir::TaskOp onlyChecks(ir::TaskOp task);

  ModuleOp module;
  SymbolTable symbols;
};
} // namespace

/// The call of a host function that it records, its only call.
func::CallOp Records::callOf(func::FuncOp record) {
  func::CallOp found;
  bool isOne = true;
  record.walk([&](func::CallOp call) {
    isOne &= !found;
    found = call;
  });
  return isOne ? found : nullptr;
}

/// Is the field only counted, asked for its extents, returned, or passed to the
/// one call?
bool Records::isUnread(Value field, func::CallOp launcher, unsigned &uses) {
  return llvm::all_of(field.getUsers(), [&](Operation *user) {
    if (auto cast = dyn_cast<ir::CastFieldOp>(user))
      return isUnread(cast.getResult(), launcher, uses);
    if (auto call = dyn_cast<ir::RtOp>(user))
      return ir::isRelease(call.getFunction()) ||
             call.getFunction() == "chirt_field_retain";
    uses += user == launcher;
    return user == launcher || isa<ir::DimOp, func::ReturnOp>(user);
  });
}

static Value belowCasts(Value field) {
  while (auto cast = field.getDefiningOp<ir::CastFieldOp>())
    field = cast.getField();
  return field;
}

/// Made by the function, and unread there.
bool Records::isMade(Value field, func::CallOp launcher) {
  Value root = belowCasts(field);
  auto made = root.getDefiningOp<ir::RtOp>();
  unsigned uses = 0;
  return made && made.getFunction() == "chirt_field_new" &&
         isUnread(root, launcher, uses) && uses == 1;
}

/// Neither the task nor what runs for its adjoint reads the argument.
bool Records::readsNothing(ir::TaskOp task, unsigned number) {
  SmallVector<ir::TaskOp> pending{task};
  llvm::DenseSet<Operation *> seen;
  while (!pending.empty()) {
    ir::TaskOp next = pending.pop_back_val();
    if (!next || !next.getEffectsAttr() || next.reads(number))
      return false;
    if (!seen.insert(next).second)
      continue;
    for (FlatSymbolRefAttr other :
         {ir::adjointOf(next), ir::prologueOf(next), ir::recorderOf(next),
          ir::fusedAdjointOf(next), ir::variantOf(next)})
      if (other)
        pending.push_back(symbols.lookup<ir::TaskOp>(other.getValue()));
  }
  return true;
}

/// Do the launches of a kernel leave the argument unread?
bool Records::isUnreadIn(BlockArgument argument, Value field) {
  return llvm::all_of(field.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto cast = dyn_cast<ir::CastFieldOp>(user))
      return isUnreadIn(argument, cast.getResult());
    auto launch = dyn_cast<ir::LaunchOp>(user);
    if (!launch)
      return isa<ir::DimOp>(user);
    auto task = symbols.lookup<ir::TaskOp>(launch.getTask());
    return use.getOperandNumber() < launch.getInputs().size() &&
           readsNothing(task, use.getOperandNumber());
  });
}

/// Does it only load, store and check?
static bool onlyStores(ir::TaskOp task) {
  return !task.getBody()
              .walk([](Operation *op) {
                auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
                bool isGood = access ? isa<ir::LoadOp, ir::StoreOp>(op) &&
                                           !access.getRaceKindAttr()
                                     : isa<scf::ForOp, scf::IfOp, scf::YieldOp,
                                           ir::CheckOp, ir::NextOp>(op) ||
                                           isMemoryEffectFree(op);
                return isGood ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Does it write unread arguments of the kernel alone?
bool Records::isSkippable(ir::LaunchOp launch, const llvm::BitVector &unread) {
  auto task = symbols.lookup<ir::TaskOp>(launch.getTask());
  if (!task || !task.getEffectsAttr() || launch.getLast() ||
      ir::recorderOf(task) || !onlyStores(task))
    return false;
  ArrayRef<int64_t> writes = task.getEffectsAttr().getWrites();
  return !writes.empty() && llvm::all_of(writes, [&](int64_t number) {
    auto root = dyn_cast<BlockArgument>(belowCasts(launch.getInputs()[number]));
    return root && unread.test(root.getArgNumber());
  });
}

/// Does it only compute values that nothing uses?
static bool isDead(Operation *op) {
  if (!op->use_empty() || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  return !op->walk([](Operation *inner) {
              bool isPart =
                  isa<ir::LoadOp, scf::ForOp, scf::IfOp, scf::YieldOp>(inner);
              return isPart || isMemoryEffectFree(inner)
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            }).wasInterrupted();
}

/// A copy of the task without stores, and without what they alone need.
ir::TaskOp Records::onlyChecks(ir::TaskOp task) {
  auto copy = cast<ir::TaskOp>(task->clone());
  copy.setSymName((task.getSymName() + ".checks").str());
  symbols.insert(copy, std::next(task->getIterator()));
  copy.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isa<ir::StoreOp>(op) || (op != copy && isDead(op)))
      op->erase();
  });
  analysis::Ranges ranges(module);
  copy.setCost(analysis::costOf(copy, ranges));
  return copy;
}

/// A copy of the kernel that `launcher` calls, with launches that only check;
/// null if there are none.
func::FuncOp Records::skipping(func::CallOp launcher) {
  auto kernel = symbols.lookup<func::FuncOp>(launcher.getCallee());
  if (!kernel || kernel.isExternal() || !kernel->hasAttr(ir::kControlAttr))
    return nullptr;
  llvm::BitVector unread(kernel.getNumArguments());
  for (auto [argument, field] :
       llvm::zip(kernel.getArguments(), launcher.getOperands()))
    if (isa<ir::FieldType>(argument.getType()) && isMade(field, launcher) &&
        isUnreadIn(argument, argument))
      unread.set(argument.getArgNumber());
  SmallVector<ir::TaskOp> tasks;
  kernel.walk([&](ir::LaunchOp launch) {
    if (isSkippable(launch, unread))
      tasks.push_back(symbols.lookup<ir::TaskOp>(launch.getTask()));
  });
  if (tasks.empty())
    return nullptr;
  llvm::DenseMap<StringAttr, ir::TaskOp> copies;
  func::FuncOp copy = kernel.clone();
  copy.walk([&](ir::LaunchOp launch) {
    auto task = symbols.lookup<ir::TaskOp>(launch.getTask());
    if (!isSkippable(launch, unread))
      return;
    ir::TaskOp &checks = copies[task.getSymNameAttr()];
    if (!checks)
      checks = onlyChecks(task);
    launch.setTaskAttr(ir::referenceTo(checks));
  });
  copy.setSymName((kernel.getSymName() + ".checks").str());
  copy.setPrivate();
  copy->setAttr(ir::kUnitAttr, kernel.getSymNameAttr());
  symbols.insert(copy, std::next(kernel->getIterator()));
  return copy;
}

void Records::visit(func::FuncOp record) {
  func::CallOp call = callOf(record);
  auto function =
      call ? symbols.lookup<func::FuncOp>(call.getCallee()) : func::FuncOp();
  if (!function || function.isExternal() || !function->hasAttr(ir::kHostAttr))
    return;
  func::FuncOp copy = function.clone();
  bool isChanged = false;
  copy.walk([&](func::CallOp launcher) {
    func::FuncOp kernel = skipping(launcher);
    if (!kernel)
      return;
    launcher.setCallee(kernel.getSymName());
    isChanged = true;
  });
  if (!isChanged)
    return copy.erase();
  copy.setSymName((function.getSymName() + ".checks").str());
  copy.setPrivate();
  symbols.insert(copy, std::next(function->getIterator()));
  call.setCallee(copy.getSymName());
}

namespace {
struct UnreadResultsPass
    : nest::impl::UnreadResultsPassBase<UnreadResultsPass> {
  /// `@f.record.backward` is the adjoint of what `@f.record` records.
  void runOnOperation() override {
    Records records(getOperation());
    SmallVector<func::FuncOp> all;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.getSymName().ends_with(".record") &&
          function->hasAttr(ir::kHostAttr) &&
          getOperation().lookupSymbol(
              (function.getSymName() + ".backward").str()))
        all.push_back(function);
    llvm::for_each(all, [&](func::FuncOp record) { records.visit(record); });
  }
};
} // namespace
