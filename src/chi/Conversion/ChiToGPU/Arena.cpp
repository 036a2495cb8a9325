//===- Arena.cpp - Memory that threads of a kernel take -------------------===//

#include "chi/Conversion/ChiToGPU/Arena.h"
#include "chirt/device_code.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::conv::kernels;
using arith::CmpIPredicate;
using ir::KernelParam;

/// The first room of a scratch is for so many scalars.
static constexpr int64_t kLeastRoom = 64;
/// The most bytes of a thread's own memory for the local arrays of an
/// iteration, and the size from which an array is moved to the arena if they
/// take more.
static constexpr int64_t kOwnBytes = int64_t(64) << 10,
                         kLargeBytes = int64_t(16) << 10;

static int64_t unitsOf(int64_t bytes) {
  return llvm::divideCeil(bytes, CHIRT_ARENA_UNIT);
}

static int64_t bytesOf(ir::LocalOp op) {
  ir::LocalType type = op.getSlot().getType();
  if (!type.getScalar().isIntOrFloat())
    return 0; // of host code: it has no lowering in a task
  return type.getNumElements() * byteSize(memoryType(type.getScalar()));
}

int64_t chi::conv::kernels::largeLocalBytes(ir::TaskOp task,
                                            ir::LocalOp local) {
  int64_t total = 0;
  task.getBody().walk([&](ir::LocalOp op) { total += bytesOf(op); });
  int64_t bytes = bytesOf(local);
  return total > kOwnBytes && bytes > kLargeBytes ? bytes : 0;
}

bool chi::conv::kernels::takesMemory(ir::TaskOp task) {
  WalkResult walked = task.getBody().walk([&](Operation *op) {
    auto local = dyn_cast<ir::LocalOp>(op);
    bool takes =
        isa<ir::ScratchOp>(op) || (local && largeLocalBytes(task, local));
    return takes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walked.wasInterrupted();
}

//===----------------------------------------------------------------------===//
// What may be repeated
//===----------------------------------------------------------------------===//

static bool isEffect(Operation *op) {
  auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
  return isa<ir::PrintOp>(op) || (access && access.isWrite());
}

static bool hasEffect(Operation *op) {
  WalkResult walked = op->walk([](Operation *inner) {
    return isEffect(inner) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walked.wasInterrupted();
}

/// The outermost loop of an iteration round an operation.
static Operation *outermostLoop(ir::TaskOp task, Operation *op) {
  Operation *loop = nullptr;
  for (Operation *parent = op->getParentOp(); parent != task;
       parent = parent->getParentOp())
    if (isa<scf::ForOp, scf::WhileOp>(parent))
      loop = parent;
  return loop;
}

bool chi::conv::kernels::asksLate(ir::TaskOp task) {
  bool isLate = false, isFound = false;
  task.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    isLate |= isEffect(op);
    if (isFound || !isa<ir::ReserveOp>(op))
      return;
    // In the loop's next iteration all of its effects have occurred.
    Operation *loop = outermostLoop(task, op);
    isFound = isLate || (loop && hasEffect(loop));
  });
  return isFound;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

Arena::Arena(const TaskShape &shape, TaskKernel &kernel, Emitter &emit)
    : kernel(kernel), emit(emit), isLate(asksLate(shape.task)) {
  auto add = [&](Type scalar) {
    if (!llvm::is_contained(scalars, memoryType(scalar)))
      scalars.push_back(memoryType(scalar));
  };
  ir::TaskOp task = shape.task;
  task.getBody().walk([&](Operation *op) {
    if (auto scratch = dyn_cast<ir::ScratchOp>(op)) {
      add(scratch.getSlot().getType().getScalar());
      int64_t bytes =
          kLeastRoom *
          byteSize(memoryType(scratch.getSlot().getType().getScalar()));
      firstBytes += unitsOf(bytes) * CHIRT_ARENA_UNIT;
    } else if (auto local = dyn_cast<ir::LocalOp>(op)) {
      int64_t bytes = largeLocalBytes(task, local);
      if (bytes == 0)
        return;
      add(local.getSlot().getType().getScalar());
      localBytes += unitsOf(bytes) * CHIRT_ARENA_UNIT;
    }
  });
}

void Arena::bind() {
  if (isEmpty())
    return;
  OpBuilder &b = emit.builder;
  header = kernel.parameter(flatType(b.getI32Type()), KernelParam::arena);
  for (Type scalar : scalars)
    views[scalar] = scalar.isInteger(32) ? header
                                         : kernel.parameter(flatType(scalar),
                                                            KernelParam::arena);
  resume = kernel.parameter(flatType(b.getI64Type()), KernelParam::resume);
  restarted = kernel.parameter(b.getI64Type(), KernelParam::restarted);
  // There is four times as much: tapes grow, arrays do not.
  kernel.abi().arenaBytes =
      firstBytes + int64_t(llvm::divideCeil(localBytes, 4));
  kernel.abi().restartsAll = isLate;
}

//===----------------------------------------------------------------------===//
// Blocks of memory
//===----------------------------------------------------------------------===//

Value Arena::own(Type type) { return emit.stackBuffer(type, 1); }
Value Arena::load(Value slot) {
  return memref::LoadOp::create(emit.builder, emit.loc, slot, emit.index(0));
}
void Arena::store(Value value, Value slot) {
  memref::StoreOp::create(emit.builder, emit.loc, value, slot, emit.index(0));
}

/// Where a scalar of a block lies, in a view of its type.
Value Arena::offsetIn(Type scalar, Value base, Value index) {
  int64_t perUnit = CHIRT_ARENA_UNIT / byteSize(scalar);
  Value start = arith::IndexCastUIOp::create(emit.builder, emit.loc,
                                             emit.builder.getIndexType(), base);
  return emit.add(emit.mul(start, emit.index(perUnit)), emit.toIndex(index));
}

/// Takes a block of `units` (i64), or leaves the kernel, to go on at `number`.
Value Arena::take(Value units, Value number) {
  OpBuilder &b = emit.builder;
  Value asked = emit.cast(units, b.getI32Type());
  Value base = memref::AtomicRMWOp::create(
      b, emit.loc, arith::AtomicRMWKind::addi, asked, header,
      ValueRange{emit.index(CHIRT_ARENA_USED)});
  auto wide = [&](Value value) -> Value {
    return arith::ExtUIOp::create(b, emit.loc, b.getI64Type(), value);
  };
  Value size =
      memref::LoadOp::create(b, emit.loc, header, emit.index(CHIRT_ARENA_SIZE));
  Value fits =
      emit.compare(CmpIPredicate::ule, emit.add(wide(base), units), wide(size));
  auto check = ir::CheckOp::create(
      b, emit.loc,
      ir::CheckKindAttr::get(b.getContext(), ir::CheckKind::bounds), fits,
      ValueRange{number}, b.getStringAttr(""), b.getI64IntegerAttr(0),
      ArrayAttr(), IntegerAttr());
  check->setAttr(ir::kRestartAttr, b.getUnitAttr());
  return base;
}

Value Arena::begin(Value thread, Value first, Value last) {
  OpBuilder &b = emit.builder;
  Value goesOn = emit.compare(CmpIPredicate::ne, restarted, emit.i64(0));
  Value noted = memref::LoadOp::create(b, emit.loc, resume, thread);
  Value start = emit.select(goesOn, noted, emit.i64(-1));
  if (localBytes) {
    Value number = emit.select(goesOn, noted, emit.toI64(first));
    // Threads that have done all, or have nothing to do, take nothing.
    Value isDone = emit.compare(CmpIPredicate::eq, start, emit.i64(INT64_MAX));
    Value isIdle = emit.compare(CmpIPredicate::sge, first, last);
    Value units = emit.i64(localBytes / CHIRT_ARENA_UNIT);
    for (Value takesNone : {isDone, isIdle})
      units = emit.select(takesNone, emit.i64(0), units);
    locals = take(units, number);
  }
  return start;
}

void Arena::end(Value thread) {
  memref::StoreOp::create(emit.builder, emit.loc, emit.i64(INT64_MAX), resume,
                          thread);
  SmallVector<memref::AllocaOp> large;
  kernel.function().walk([&](memref::AllocaOp op) {
    MemRefType type = op.getType();
    if (locals &&
        type.getNumElements() * byteSize(type.getElementType()) > kLargeBytes)
      large.push_back(op);
  });
  int64_t offset = 0;
  for (memref::AllocaOp op : large) {
    MemRefType type = op.getType();
    int64_t bytes = type.getNumElements() * byteSize(type.getElementType());
    moveLocal(op, offset);
    offset += unitsOf(bytes);
  }
}

void Arena::moveLocal(memref::AllocaOp local, int64_t offset) {
  OpBuilder &b = emit.builder;
  OpBuilder::InsertionGuard guard(b);
  Type scalar = local.getType().getElementType();
  for (Operation *user : llvm::make_early_inc_range(local->getUsers())) {
    if (isa<UnrealizedConversionCastOp>(user)) { // all looked through it
      user->erase();
      continue;
    }
    b.setInsertionPoint(user);
    Value base = emit.add(locals, emit.i32(offset));
    if (auto load = dyn_cast<memref::LoadOp>(user)) {
      Value position = offsetIn(scalar, base, load.getIndices().front());
      load.getMemrefMutable().assign(view(scalar));
      load.getIndicesMutable().assign(position);
    } else {
      auto store = cast<memref::StoreOp>(user);
      Value position = offsetIn(scalar, base, store.getIndices().front());
      store.getMemrefMutable().assign(view(scalar));
      store.getIndicesMutable().assign(position);
    }
  }
  local.erase();
}

//===----------------------------------------------------------------------===//
// Memory that grows
//===----------------------------------------------------------------------===//

/// A new block, twice as large, with the content of the old one.
void Arena::grow(const Room &room, Value size, Value number) {
  OpBuilder &b = emit.builder;
  Value count = load(room.count), base = load(room.base);
  Value wanted = emit.max(size, emit.mul(count, emit.i64(2)));
  wanted = emit.max(wanted, emit.i64(kLeastRoom));
  Value units = emit.ceilDivide(
      emit.mul(wanted, emit.i64(byteSize(room.scalar))), CHIRT_ARENA_UNIT);
  Value fresh = take(units, number);
  Value memory = view(room.scalar);
  emit.loop(emit.index(0), emit.toIndex(count), [&](Value index) {
    Value value = memref::LoadOp::create(b, emit.loc, memory,
                                         offsetIn(room.scalar, base, index));
    memref::StoreOp::create(b, emit.loc, value, memory,
                            offsetIn(room.scalar, fresh, index));
  });
  store(fresh, room.base);
  store(wanted, room.count);
}

void Arena::reserve(ir::ReserveOp op, const Room &room, Value number) {
  Value lacks =
      emit.compare(CmpIPredicate::sgt, op.getSize(), load(room.count));
  emit.when(lacks, [&] { grow(room, op.getSize(), number); });
}

void Arena::lowerUser(Operation *op, const Room &room, Value number) {
  OpBuilder &b = emit.builder;
  b.setInsertionPoint(op);
  auto position = [&](Value index) {
    return offsetIn(room.scalar, load(room.base), index);
  };
  Value memory = view(room.scalar);
  if (auto size = dyn_cast<ir::ReserveOp>(op)) {
    reserve(size, room, number);
  } else if (auto get = dyn_cast<ir::GetOp>(op)) {
    Value value = memref::LoadOp::create(b, emit.loc, memory,
                                         position(get.getIndices().front()));
    get.replaceAllUsesWith(fromMemory(emit, value, get.getResult().getType()));
  } else {
    auto set = cast<ir::SetOp>(op);
    memref::StoreOp::create(b, emit.loc, toMemory(emit, set.getValue()), memory,
                            position(set.getIndices().front()));
  }
  op->erase();
}

/// A thread keeps its rooms from iteration to iteration.
void Arena::lower(Operation *loop, Value number) {
  OpBuilder &b = emit.builder;
  OpBuilder::InsertionGuard guard(b);
  SmallVector<ir::ScratchOp> scratches;
  loop->walk([&](ir::ScratchOp op) { scratches.push_back(op); });
  for (ir::ScratchOp scratch : scratches) {
    Room room{own(b.getI32Type()), own(b.getI64Type()),
              memoryType(scratch.getSlot().getType().getScalar())};
    b.setInsertionPointAfter(room.base.getDefiningOp());
    store(emit.i32(0), room.base);
    b.setInsertionPointAfter(room.count.getDefiningOp());
    store(emit.i64(0), room.count);
    for (Operation *user : llvm::make_early_inc_range(scratch->getUsers()))
      lowerUser(user, room, number);
    scratch.erase();
  }
}
