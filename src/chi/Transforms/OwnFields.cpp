//===- OwnFields.cpp - Variables that share their field with no other -----===//
#include "chi/Transforms/Passes.h"

#include "llvm/ADT/StringMap.h"

namespace chi::transforms {
#define GEN_PASS_DEF_OWNFIELDSPASS
#include "chi/Transforms/Passes.h.inc"
} // namespace chi::transforms

using namespace mlir;
using namespace chi;

/// A field that is made here and put nowhere else.
static bool isNew(ir::GlobalStoreOp store) {
  auto made = store.getValue().getDefiningOp<ir::RtOp>();
  return made && made.getFunction() == "chirt_field_new" &&
         store.getValue().hasOneUse();
}

namespace {
struct OwnFieldsPass : transforms::impl::OwnFieldsPassBase<OwnFieldsPass> {
  void runOnOperation() override {
    llvm::StringMap<SmallVector<ir::GlobalStoreOp, 1>> stores;
    getOperation().walk([&](ir::GlobalStoreOp store) {
      stores[store.getGlobal()].push_back(store);
    });
    for (auto global : getOperation().getOps<ir::GlobalOp>()) {
      auto found = stores.find(global.getSymName());
      if (!isa<ir::FieldType>(global.getType()) || found == stores.end() ||
          found->second.size() != 1 || !isNew(found->second.front()))
        continue;
      global->setAttr(ir::kOwnAttr, UnitAttr::get(&getContext()));
      ++numOwn;
    }
  }
};
} // namespace
