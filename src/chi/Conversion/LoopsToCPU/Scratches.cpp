//===- Scratches.cpp - Local memory that grows ----------------------------===//
// A scratch is an address and a number of scalars that there is room for. Both
// are variables of the function that LLVM has in registers; the run time is
// called where there is not enough room only. The next iteration finds the room
// that the one before had.

#include "chi/Conversion/LoopsToCPU/LoopsToCPU.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// The first room is for so many scalars.
static constexpr int64_t kLeastRoom = 256;

namespace {
/// The variables of one scratch.
struct Room {
  Value memory, count; ///< addresses of a pointer and an i64
  Type scalar;
};
} // namespace

static Room makeRoom(func::FuncOp function, ir::ScratchOp scratch) {
  auto builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Emitter emit(builder, scratch);
  Type i64 = builder.getI64Type();
  Room room;
  room.scalar = memoryType(scratch.getSlot().getType().getScalar());
  room.memory = LLVM::AllocaOp::create(builder, emit.loc, emit.ptrType(),
                                       emit.ptrType(), emit.i64(1));
  room.count = LLVM::AllocaOp::create(builder, emit.loc, emit.ptrType(), i64,
                                      emit.i64(1));
  emit.store(emit.null(), room.memory);
  emit.store(emit.i64(0), room.count);
  return room;
}

/// if (size > count) memory = grow(memory, (count = max(size, 2 * count)))
static void lowerReserve(ir::ReserveOp op, const Room &room) {
  OpBuilder builder(op);
  Emitter emit(builder, op);
  Value size = op.getSize();
  Value count = emit.load(builder.getI64Type(), room.count);
  Value lacks = emit.compare(arith::CmpIPredicate::sgt, size, count);
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  Block *grow = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  auto branch = cf::CondBranchOp::create(builder, emit.loc, lacks, grow,
                                         ValueRange(), after, ValueRange());
  branch.setBranchWeights(ArrayRef<int32_t>{1, 1000});
  builder.setInsertionPointToStart(grow);
  Value wanted = emit.max(size, emit.mul(count, emit.i64(2)));
  wanted = emit.max(wanted, emit.i64(kLeastRoom));
  int64_t bytes = std::max(room.scalar.getIntOrFloatBitWidth() / 8, 1u);
  Value memory = callRuntime(emit, "chirt_local_grow",
                             {emit.load(emit.ptrType(), room.memory),
                              emit.mul(wanted, emit.i64(bytes))});
  emit.store(memory, room.memory);
  emit.store(wanted, room.count);
  cf::BranchOp::create(builder, emit.loc, after);
  op.erase();
}

static void lowerUser(Operation *op, const Room &room) {
  OpBuilder builder(op);
  Emitter emit(builder, op);
  auto offset = [&](Value index) {
    return emit.at(emit.load(emit.ptrType(), room.memory), room.scalar,
                   emit.toI64(index));
  };
  if (auto reserve = dyn_cast<ir::ReserveOp>(op))
    return lowerReserve(reserve, room);
  if (auto get = dyn_cast<ir::GetOp>(op)) {
    Value value = emit.load(room.scalar, offset(get.getIndices().front()));
    get.replaceAllUsesWith(fromMemory(emit, value, get.getResult().getType()));
  } else if (auto set = dyn_cast<ir::SetOp>(op)) {
    emit.store(toMemory(emit, set.getValue()),
               offset(set.getIndices().front()));
  }
  op->erase();
}

static void lowerScratches(func::FuncOp function) {
  SmallVector<ir::ScratchOp> scratches;
  function.walk([&](ir::ScratchOp op) { scratches.push_back(op); });
  for (ir::ScratchOp scratch : scratches) {
    Room room = makeRoom(function, scratch);
    for (Operation *user : llvm::make_early_inc_range(scratch->getUsers()))
      lowerUser(user, room);
    scratch.erase();
    function.walk([&](func::ReturnOp end) {
      OpBuilder builder(end);
      Emitter emit(builder, end);
      callRuntime(emit, "chirt_local_free",
                  {emit.load(emit.ptrType(), room.memory)});
    });
  }
}

void chi::conv::lowerScratches(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      ::lowerScratches(function);
}
