//===- NoaliasFields.cpp - Variables that share their field with no other -===//
#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "chi/Transforms/Facts/Passes.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace chi::facts {
#define GEN_PASS_DEF_NOALIASFIELDSPASS
#include "chi/Transforms/Facts/Passes.h.inc"
} // namespace chi::facts

using namespace mlir;
using namespace chi;

namespace {
/// Consecutive stores that permute the fields of some variables: `a, b = b, a`.
using Exchange = SmallVector<ir::GlobalStoreOp, 2>;

struct NoaliasFieldsPass
    : facts::impl::NoaliasFieldsPassBase<NoaliasFieldsPass> {
  void runOnOperation() override;
};
} // namespace

/// A field that is made here and put nowhere else. A view has the memory of
/// another field.
static bool isNew(ir::GlobalStoreOp store) {
  auto made = store.getValue().getDefiningOp<ir::RtOp>();
  return made && made.getFunction() != "chirt_field_slice" &&
         store.getValue().hasOneUse() &&
         ir::findRuntimeFunction(made.getFunction())->result.use ==
             ir::RuntimeUse::Made;
}

/// Neither looks at fields nor assigns variables.
static bool isHarmless(Operation &op) {
  if (auto call = dyn_cast<ir::RtOp>(op))
    return ir::isRetain(call.getFunction()) ||
           ir::isRelease(call.getFunction());
  return isa<ir::GlobalLoadOp>(op) || (op.getNumRegions() == 0 && isPure(&op));
}

/// Do these stores exchange fields, with nothing between the first load and
/// the last store that could see some of them done?
static bool isExchange(const Exchange &stores) {
  llvm::StringSet<> from, to;
  Operation *first = stores.front();
  for (ir::GlobalStoreOp store : stores) {
    auto load = store.getValue().getDefiningOp<ir::GlobalLoadOp>();
    if (!load || load->getBlock() != store->getBlock() ||
        !load->isBeforeInBlock(stores.front()) ||
        !from.insert(load.getGlobal()).second ||
        !to.insert(store.getGlobal()).second)
      return false;
    if (load->isBeforeInBlock(first))
      first = load;
  }
  for (auto &name : from)
    if (!to.contains(name.getKey()))
      return false;
  for (Operation *op = first; op != stores.back(); op = op->getNextNode())
    if (!isHarmless(*op) &&
        !llvm::is_contained(stores, dyn_cast<ir::GlobalStoreOp>(op)))
      return false;
  return true;
}

static void findExchanges(Block &block, SmallVectorImpl<Exchange> &found) {
  Exchange open;
  for (Operation &op : block) {
    auto store = dyn_cast<ir::GlobalStoreOp>(op);
    if (!store || !store.getValue().getDefiningOp<ir::GlobalLoadOp>()) {
      if (store || !isHarmless(op))
        open.clear();
      continue;
    }
    open.push_back(store);
    if (isExchange(open)) {
      found.push_back(open);
      open.clear();
    }
  }
}

void NoaliasFieldsPass::runOnOperation() {
  SmallVector<Exchange> exchanges;
  getOperation().walk([&](Block *block) { findExchanges(*block, exchanges); });
  llvm::SmallPtrSet<Operation *, 16> inExchange;
  for (const Exchange &exchange : exchanges)
    inExchange.insert_range(exchange);

  llvm::StringSet<> assigned, shared;
  getOperation().walk([&](ir::GlobalStoreOp store) {
    assigned.insert(store.getGlobal());
    if (!inExchange.contains(store) && !isNew(store))
      shared.insert(store.getGlobal());
  });
  // A variable that is exchanged with a shared one may get a shared field.
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (const Exchange &exchange : exchanges) {
      auto isShared = [&](ir::GlobalStoreOp store) {
        return shared.contains(store.getGlobal());
      };
      if (llvm::none_of(exchange, isShared))
        continue;
      for (ir::GlobalStoreOp store : exchange)
        isChanged |= shared.insert(store.getGlobal()).second;
    }
  }
  for (auto global : getOperation().getOps<ir::GlobalOp>()) {
    StringRef name = global.getSymName();
    if (!isa<ir::FieldType>(global.getType()) || !assigned.contains(name) ||
        shared.contains(name))
      continue;
    global.setNoalias(true);
  }
}
