//===- Retype.cpp ---------------------------------------------------------===//
#include "chi/Conversion/Retype.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

static void removeEqualCasts(ModuleOp module) {
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  for (UnrealizedConversionCastOp cast : casts)
    if (cast.getOperandTypes() == cast.getResultTypes()) {
      cast.replaceAllUsesWith(cast.getInputs());
      cast.erase();
    }
}

void chi::conv::retypeValues(ModuleOp module,
                             llvm::function_ref<Type(Type)> retyped) {
  auto retype = [&](Value value) { value.setType(retyped(value.getType())); };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), retype);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), retype);
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      FunctionType type = function.getFunctionType();
      function.setFunctionType(FunctionType::get(
          op->getContext(), llvm::map_to_vector(type.getInputs(), retyped),
          llvm::map_to_vector(type.getResults(), retyped)));
    }
  });
  removeEqualCasts(module);
}
