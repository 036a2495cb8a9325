//===- SharedCopies.cpp - Small fields in a block's memory ----------------===//

#include "chi/Conversion/ChiToGPU/SharedCopies.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::conv::kernels;

/// The most bytes of all copies of a kernel: half of what every device of
/// Vulkan has, so that a large one runs several blocks at a time.
static constexpr int64_t kCopyBytes = int64_t(8) << 10;
/// Scalars of a copy for each iteration of a thread: a copy of 256 scalars is
/// added to the field once in 512 iterations of its block.
static constexpr int64_t kScalarsPerIteration = kBlockSize / 2;

Value chi::conv::kernels::makeShared(TaskKernel &kernel, Emitter &emit,
                                     Type scalar, int64_t count) {
  OpBuilder &builder = emit.builder;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.function().getBody().front());
  auto space = mlir::gpu::AddressSpaceAttr::get(
      builder.getContext(), mlir::gpu::AddressSpace::Workgroup);
  auto type =
      MemRefType::get({count}, scalar, MemRefLayoutAttrInterface(), space);
  return memref::AllocOp::create(builder, emit.loc, type);
}

/// Devices have atomics on 32 bits in a block's memory; on 64 some have none.
static bool isWord(Type scalar) {
  return scalar.isF32() || scalar.isInteger(32);
}

SharedCopies::SharedCopies(const TaskShape &shape, TaskKernel &kernel,
                           Emitter &emit)
    : shape(shape), kernel(kernel), emit(emit) {
  if (shape.isInstrumented) // accesses are logged by their offset in the field
                            // it
    return;
  int64_t bytes = 0;
  for (const PrivatizedField &field : shape.privatized) {
    auto type =
        cast<ir::FieldType>(shape.task.getCaptured()[field.captured].getType());
    std::optional<int64_t> elements = type.getNumElements();
    if (shape.rank() == 0 || !elements || *elements > kCopyBytes ||
        !isWord(type.getScalar()) || mayOverlap(shape.task, field.captured))
      continue;
    int64_t count = *elements * type.getNumComponents();
    if (count == 0 || bytes + 4 * count > kCopyBytes)
      continue;
    bytes += 4 * count;
    copies.push_back({field, type.getScalar(), count, {}, {}});
  }
}

int64_t SharedCopies::perThread() const {
  int64_t most = 1;
  for (const Copy &copy : copies)
    most = std::max(most, copy.count / kScalarsPerIteration);
  return most;
}

/// Each thread has some of them.
void SharedCopies::eachScalar(const Copy &copy,
                              function_ref<void(Value)> body) {
  Value thread = kernel.ofGrid<mlir::gpu::ThreadIdOp>();
  auto loop =
      scf::ForOp::create(emit.builder, emit.loc, thread, emit.index(copy.count),
                         emit.index(kBlockSize));
  OpBuilder::InsertionGuard guard(emit.builder);
  emit.builder.setInsertionPoint(loop.getBody()->getTerminator());
  body(loop.getInductionVar());
}

void SharedCopies::begin(IterationLowering &code) {
  if (isEmpty())
    return;
  for (Copy &copy : copies) {
    BlockArgument field = shape.task.getCaptured()[copy.of.captured];
    FieldView view = code.viewOf(field);
    copy.data = view.data;
    copy.memory = makeShared(kernel, emit, copy.scalar, copy.count);
    view.data = copy.memory;
    code.bind(field, view);
    eachScalar(copy, [&](Value offset) {
      memref::StoreOp::create(emit.builder, emit.loc,
                              neutral(emit, copy.of.kind, copy.scalar),
                              copy.memory, offset);
    });
  }
  mlir::gpu::BarrierOp::create(emit.builder, emit.loc);
}

static Value bitsOf(Emitter &emit, Value value) {
  if (isa<IntegerType>(value.getType()))
    return value;
  return arith::BitcastOp::create(emit.builder, emit.loc,
                                  emit.builder.getI32Type(), value);
}

void SharedCopies::end() {
  if (isEmpty())
    return;
  // Also a thread whose iteration failed comes here.
  auto exitBarrier = mlir::gpu::BarrierOp::create(emit.builder, emit.loc);
  exitBarrier->setAttr(ir::kExitBarrierAttr, emit.builder.getUnitAttr());
  for (const Copy &copy : copies)
    eachScalar(copy, [&](Value offset) {
      Value value =
          memref::LoadOp::create(emit.builder, emit.loc, copy.memory, offset);
      Value none = neutral(emit, copy.of.kind, copy.scalar);
      Value isSome = emit.compare(arith::CmpIPredicate::ne, bitsOf(emit, value),
                                  bitsOf(emit, none));
      emit.when(isSome, [&] {
        emitAtomic(emit, copy.of.kind, value, copy.data, offset);
      });
    });
}
