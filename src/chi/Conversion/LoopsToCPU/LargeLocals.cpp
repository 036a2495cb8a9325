//===- LargeLocals.cpp - Locals that no stack has room for ----------------===//
// The run time has memory for launches that grows and shrinks as a stack does;
// large locals take theirs from it, for as long as their function runs.

#include "chi/Conversion/LoopsToCPU/LoopsToCPU.h"
#include "chi/Conversion/Runtime.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// The most bytes of stack for the locals of one function: functions call each
/// other, and a thread of the run time has some megabytes.
static constexpr int64_t kStackBytes = int64_t(64) << 10;
/// As of `Emitter::stackBuffer`.
static constexpr int64_t kAlignment = 64;

static int64_t bytesOf(memref::AllocaOp local) {
  MemRefType type = local.getType();
  int64_t bits = type.getElementType().getIntOrFloatBitWidth();
  return llvm::alignTo(type.getNumElements() * ((bits + 7) / 8), kAlignment);
}

/// The largest locals, without which the others are few enough.
static SmallVector<memref::AllocaOp> tooLarge(func::FuncOp function) {
  SmallVector<memref::AllocaOp> locals;
  int64_t total = 0;
  function.walk([&](memref::AllocaOp local) {
    locals.push_back(local);
    total += bytesOf(local);
  });
  SmallVector<memref::AllocaOp> moved;
  while (total > kStackBytes) {
    auto largest =
        llvm::max_element(locals, [](memref::AllocaOp a, memref::AllocaOp b) {
          return bytesOf(a) < bytesOf(b);
        });
    total -= bytesOf(*largest);
    moved.push_back(*largest);
    locals.erase(largest);
  }
  return moved;
}

static void moveLocals(func::FuncOp function) {
  SmallVector<memref::AllocaOp> locals = tooLarge(function);
  if (locals.empty())
    return;
  Block *entry = &function.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(entry);
  Emitter emit(builder, function.getLoc());
  int64_t total = 0;
  for (memref::AllocaOp local : locals)
    total += bytesOf(local);
  Value memory = callRuntime(emit, "chirt_scratch_push", {emit.i64(total)});
  int64_t offset = 0;
  for (memref::AllocaOp local : locals) {
    Value position = emit.at(memory, builder.getI8Type(), emit.i64(offset));
    offset += bytesOf(local);
    local.replaceAllUsesWith(emit.reinterpret(position, local.getType()));
  }
  // Not before: the builder's place is one of them.
  for (memref::AllocaOp local : locals)
    local.erase();
  function.walk([&](func::ReturnOp end) {
    builder.setInsertionPoint(end);
    callRuntime(emit, "chirt_scratch_pop", {memory});
  });
}

void chi::conv::moveLargeLocals(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      moveLocals(function);
}
