//===- FindEndedLoops.cpp - Has the driver ended a loop? ------------------===//
// Note [Loops that the driver ends]
// Drivers that emulate a device on a processor may end a loop whose condition
// holds: Mesa's does when the loops of a group of threads have run 65,535
// iterations together, and then each further loop runs one iteration. A kernel
// that may run so many has a test loop at its end: if it runs fewer iterations
// than the launch requests (CHIRT_KERNEL_PARAM_PROBE_ITERATIONS), the driver
// ended it, and others before it.
//===----------------------------------------------------------------------===//

#include "chi/Dialect/Chi/KernelParams.h"
#include "chi/Target/SPIRV/Steps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace chi;
using ir::KernelParam;

/// Appends a parameter.
static Value addWord(mlir::gpu::GPUFuncOp kernel, Type type, KernelParam kind) {
  ir::changeKernelABI(
      kernel, [&](ir::KernelABI &abi) { abi.params.push_back({kind, 0, 0}); });
  unsigned number = kernel.getNumArguments();
  (void)kernel.insertArgument(number, type, {}, kernel.getLoc());
  return kernel.getArgument(number);
}

/// do { done += 1 } while (done < wanted): its number of iterations.
static Value countIterations(OpBuilder &b, Location loc, Value wanted) {
  Value none = arith::ConstantIndexOp::create(b, loc, 0);
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange{b.getIndexType()}, ValueRange{none},
      [&](OpBuilder &inner, Location at, ValueRange done) {
        Value one = arith::ConstantIndexOp::create(inner, at, 1);
        Value next = arith::AddIOp::create(inner, at, done.front(), one);
        Value goesOn = arith::CmpIOp::create(
            inner, at, arith::CmpIPredicate::slt, next, wanted);
        scf::ConditionOp::create(inner, at, goesOn, next);
      },
      [](OpBuilder &inner, Location at, ValueRange done) {
        scf::YieldOp::create(inner, at, done);
      });
  return loop.getResult(0);
}

LogicalResult chi::target::spv::findEndedLoops(mlir::gpu::GPUFuncOp kernel) {
  if (kernel->hasAttr(conv::kernels::kFewIterationsAttr))
    return success();
  if (!ir::kernelABIOf(kernel))
    return kernel.emitOpError("may have many iterations, but does not describe "
                              "its parameters (")
           << ir::kKernelABIAttr << ")";
  MLIRContext *context = kernel.getContext();
  Location loc = kernel.getLoc();
  auto number = spirv::StorageClassAttr::get(
      context, spirv::StorageClass::PhysicalStorageBuffer);
  OpBuilder b(context);
  auto flag = MemRefType::get({ShapedType::kDynamic}, b.getI32Type(),
                              MemRefLayoutAttrInterface(), number);
  Value ended = addWord(kernel, flag, KernelParam::ended);
  Value wanted =
      addWord(kernel, b.getIndexType(), KernelParam::probeIterations);
  // All threads come here, also those of which a check has failed.
  b.setInsertionPoint(kernel.getBody().back().getTerminator());
  Value done = countIterations(b, loc, wanted);
  Value isEnded =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, done, wanted);
  scf::IfOp::create(b, loc, isEnded, [&](OpBuilder &then, Location at) {
    Value yes = arith::ConstantIntOp::create(then, at, 1, 32);
    Value first = arith::ConstantIndexOp::create(then, at, 0);
    memref::StoreOp::create(then, at, yes, ended, first);
    scf::YieldOp::create(then, at);
  });
  return success();
}
