//===- TaskKernel.cpp - A kernel that is made of a task -------------------===//

#include "chi/Conversion/ChiToGPU/TaskKernel.h"

#include "chi/Dialect/Chi/MemoryOrder.h"
#include "chirt/device_code.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::conv::kernels;
using ir::KernelParam;

bool chi::conv::kernels::mayOverlap(ir::TaskOp task, unsigned captured) {
  for (BlockArgument other : task.getCaptured()) {
    unsigned number = other.getArgNumber();
    if (number != captured && isa<ir::FieldType>(other.getType()) &&
        (task.writes(captured) || task.writes(number)) &&
        task.mayAlias(captured, number))
      return true;
  }
  return false;
}

int64_t chi::conv::kernels::partialBytes(const TaskShape &shape, size_t number,
                                         int64_t lanes) {
  int64_t bytes = 0;
  for (const ReductionTarget &reduction :
       ArrayRef(shape.reductions).take_front(number))
    bytes += lanes * byteSize(reduction.scalar);
  return bytes;
}

TaskKernel::TaskKernel(ir::TaskOp task, mlir::gpu::GPUModuleOp kernels,
                       const KernelForm &form, Emitter &emit)
    : task(task), emit(emit) {
  OpBuilder &builder = emit.builder;
  builder.setInsertionPointToEnd(kernels.getBody());
  kernel = mlir::gpu::GPUFuncOp::create(builder, emit.loc, form.name,
                                        builder.getFunctionType({}, {}));
  kernel->setAttr(mlir::gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel.setKnownBlockSize(ArrayRef<int32_t>{kBlockSize, 1, 1});
  setMessageNames(kernel, task);
  requirements.shortIndices = form.isShort;
  requirements.hasLarge = form.hasLarge;
  body = &kernel.getBody().front();
  builder.setInsertionPointToEnd(body);
}

Value TaskKernel::parameter(Type type, KernelParam kind, int32_t number,
                            int32_t axis) {
  requirements.params.push_back({kind, number, axis});
  return body->addArgument(type, emit.loc);
}

void TaskKernel::bindCaptured(IterationLowering &code) {
  for (BlockArgument value : task.getCaptured()) {
    int32_t number = value.getArgNumber();
    if (auto type = dyn_cast<ir::FieldType>(value.getType()))
      code.bind(value, fieldView(type, number));
    else
      code.bind(value, scalar(value.getType(), number));
  }
}

FieldView TaskKernel::fieldView(ir::FieldType type, int32_t number) {
  unsigned offset = body->getNumArguments();
  // Where narrow numbers share a word, it is the base's memory that is aligned.
  bool isStrided = ir::isStrided(type);
  FieldView view{type,
                 parameter(flatType(type.getScalar()), KernelParam::data,
                           number, isStrided ? CHIRT_DATA_OF_BASE : 0),
                 {}};
  if (!mayOverlap(task, number))
    disjoint.push_back(offset);
  for (auto [axis, extent] : llvm::enumerate(type.getShape()))
    view.extents.push_back(ShapedType::isDynamic(extent)
                               ? parameter(emit.builder.getIndexType(),
                                           KernelParam::extent, number, axis)
                               : emit.index(extent));
  for (unsigned k = 0; k < ir::numStrides(type); ++k)
    view.strides.push_back(parameter(
        emit.builder.getIndexType(), KernelParam::fieldStride, number,
        k < type.getRank() ? int32_t(k) : CHIRT_STRIDE_OF_COMPONENTS));
  if (isStrided)
    view.offset =
        parameter(emit.builder.getIndexType(), KernelParam::fieldStride, number,
                  CHIRT_OFFSET_IN_BASE);
  return view;
}

/// Parameters have 32 or 64 bits, which every device can take.
Value TaskKernel::scalar(Type type, int32_t number) {
  OpBuilder &builder = emit.builder;
  unsigned width = type.getIntOrFloatBitWidth();
  if (width >= 32)
    return parameter(type, KernelParam::scalar, number);
  Value word = parameter(builder.getI32Type(), KernelParam::scalar, number);
  Value bits = emit.cast(word, builder.getIntegerType(width));
  if (isa<IntegerType>(type))
    return bits;
  return arith::BitcastOp::create(builder, emit.loc, type, bits);
}

void TaskKernel::finishSignature() {
  OpBuilder &builder = emit.builder;
  kernel.setFunctionType(builder.getFunctionType(body->getArgumentTypes(), {}));
  for (unsigned offset : disjoint)
    kernel.setArgAttr(offset, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
  kernel->setAttr(ir::kKernelABIAttr, requirements.attr(kernel.getContext()));
}

Value TaskKernel::threadNumber() {
  Value first =
      emit.mul(ofGrid<mlir::gpu::BlockIdOp>(), ofGrid<mlir::gpu::BlockDimOp>());
  return emit.add(first, ofGrid<mlir::gpu::ThreadIdOp>());
}

Value TaskKernel::threadCount() {
  return emit.mul(ofGrid<mlir::gpu::GridDimOp>(),
                  ofGrid<mlir::gpu::BlockDimOp>());
}
