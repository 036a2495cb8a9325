//===- FindEndedLoops.cpp - Has the driver ended a loop? ------------------===//
// Note [Loops that the driver ends]
// Drivers that play a device on a processor may end a loop whose condition
// holds: Mesa's does when the loops of a group of threads have taken 65,535
// turns together, and then each further loop takes one turn. A kernel that may
// take so many asks at its end: a loop of as many turns as the launch says
// (CHIRT_WORD_TURNS) that takes fewer was ended, and others before it.
//===----------------------------------------------------------------------===//

#include "chi/Dialect/Chi/KernelWords.h"
#include "chi/Target/SPIRV/Steps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace chi;
using ir::WordKind;

/// Adds a parameter behind the others.
static Value addWord(mlir::gpu::GPUFuncOp kernel, Type type, WordKind kind) {
  SmallVector<int32_t> words(
      kernel->getAttrOfType<DenseI32ArrayAttr>(ir::kWordsAttr).asArrayRef());
  words.append({static_cast<int32_t>(kind), 0, 0});
  kernel->setAttr(ir::kWordsAttr,
                  DenseI32ArrayAttr::get(kernel.getContext(), words));
  unsigned place = kernel.getNumArguments();
  (void)kernel.insertArgument(place, type, {}, kernel.getLoc());
  return kernel.getArgument(place);
}

/// do { done += 1 } while (done < wanted): how many turns that took.
static Value countTurns(OpBuilder &b, Location loc, Value wanted) {
  Value none = arith::ConstantIndexOp::create(b, loc, 0);
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange{b.getIndexType()}, ValueRange{none},
      [&](OpBuilder &turn, Location at, ValueRange done) {
        Value one = arith::ConstantIndexOp::create(turn, at, 1);
        Value next = arith::AddIOp::create(turn, at, done.front(), one);
        Value goesOn = arith::CmpIOp::create(
            turn, at, arith::CmpIPredicate::slt, next, wanted);
        scf::ConditionOp::create(turn, at, goesOn, next);
      },
      [](OpBuilder &turn, Location at, ValueRange done) {
        scf::YieldOp::create(turn, at, done);
      });
  return loop.getResult(0);
}

LogicalResult chi::target::spv::findEndedLoops(mlir::gpu::GPUFuncOp kernel) {
  if (kernel->hasAttr(conv::kernels::kFewTurnsAttr))
    return success();
  if (!kernel->hasAttr(ir::kWordsAttr))
    return kernel.emitOpError("may have many iterations, but does not describe "
                              "its parameters (")
           << ir::kWordsAttr << ")";
  MLIRContext *context = kernel.getContext();
  Location loc = kernel.getLoc();
  auto place = spirv::StorageClassAttr::get(
      context, spirv::StorageClass::PhysicalStorageBuffer);
  OpBuilder b(context);
  auto flag = MemRefType::get({ShapedType::kDynamic}, b.getI32Type(),
                              MemRefLayoutAttrInterface(), place);
  Value ended = addWord(kernel, flag, WordKind::ended);
  Value wanted = addWord(kernel, b.getIndexType(), WordKind::turns);
  // All threads come here, also those of which a check has failed.
  b.setInsertionPoint(kernel.getBody().back().getTerminator());
  Value done = countTurns(b, loc, wanted);
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
