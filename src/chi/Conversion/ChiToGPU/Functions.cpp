//===- Functions.cpp - What kernels call ----------------------------------===//

#include "chi/Conversion/ChiToGPU/Kernels.h"
#include "chi/Conversion/ValueOps.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv::kernels;

/// A copy beside the kernels, of arith, math, scf and memref.
static LogicalResult copyFunction(func::FuncOp source, OpBuilder &builder) {
  auto copy = cast<func::FuncOp>(builder.clone(*source));
  copy.setPrivate();
  SmallVector<Operation *> work;
  copy.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa_and_nonnull<ir::ChiDialect>(op->getDialect()))
      work.push_back(op);
  });
  for (Operation *op : work)
    if (!conv::lowerValueOp(op, arith::FastMathFlags::none))
      return op->emitOpError("has no lowering in a function of a device");
  return success();
}

LogicalResult chi::conv::kernels::addFunctions(mlir::gpu::GPUModuleOp kernels,
                                               ModuleOp source) {
  OpBuilder builder(kernels.getContext());
  SmallVector<StringRef> wanted;
  auto collect = [&](Operation *op) {
    op->walk([&](func::CallOp call) { wanted.push_back(call.getCallee()); });
  };
  collect(kernels);
  for (size_t at = 0; at < wanted.size(); ++at) { // grows as it goes
    if (kernels.lookupSymbol(wanted[at]))
      continue;
    auto function = source.lookupSymbol<func::FuncOp>(wanted[at]);
    builder.setInsertionPointToStart(kernels.getBody());
    if (failed(copyFunction(function, builder)))
      return failure();
    collect(function);
  }
  return success();
}

void chi::conv::kernels::addTables(mlir::gpu::GPUModuleOp kernels,
                                   ModuleOp source) {
  Block *body = kernels.getBody();
  for (auto table :
       llvm::make_early_inc_range(source.getOps<memref::GlobalOp>()))
    table->moveBefore(body, body->begin());
}
