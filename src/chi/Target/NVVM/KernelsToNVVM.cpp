//===- KernelsToNVVM.cpp - Kernels for NVPTX in the LLVM dialect ----------===//
// Memory, casts, overflow and the zeros of min and max are lowered as for a
// processor; only the grid, the calling convention and the scope of atomics are
// the device's.

#include "chi/Conversion/ChiToGPU/Kernels.h"
#include "chi/Conversion/LoopsToCPU/LoopsToCPU.h"
#include "chi/Dialect/Chi/KernelParams.h"
#include "chi/Target/NVVM/Libdevice.h"
#include "chirt/device_code.h"

namespace chi::target::nvvm {
#define GEN_PASS_DEF_KERNELSTONVVMPASS
#include "chi/Target/NVVM/Passes.h.inc"
} // namespace chi::target::nvvm

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::target::nvvm;
using namespace chi::conv::kernels;

/// A name of letters, digits, `_` and `$`: a dot becomes `$`, what else PTX
/// does not take `$` with its number. Names of programs hold no `$`.
static std::string nameInPTX(StringRef name) {
  std::string result;
  for (char c : name)
    if (c == '.')
      result += '$';
    else if (llvm::isAlnum(c) || c == '_')
      result += c;
    else
      result += "$" + llvm::utohexstr(static_cast<unsigned char>(c));
  return result;
}

/// A register of the grid as an index. They have 32 bits, the highest not used.
static void readRegister(Operation *op, StringRef name) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value number =
      LLVM::CallIntrinsicOp::create(
          builder, loc, builder.getI32Type(),
          builder.getStringAttr(("llvm.nvvm.read.ptx.sreg." + name).str()),
          ValueRange())
          .getResults();
  Value index = arith::IndexCastUIOp::create(builder, loc,
                                             builder.getIndexType(), number);
  op->replaceAllUsesWith(ValueRange{index});
  op->erase();
}

/// All threads of the block wait here for each other.
static void lowerBarrier(mlir::gpu::BarrierOp op) {
  OpBuilder builder(op);
  Emitter emit(builder, op);
  LLVM::CallIntrinsicOp::create(
      builder, op.getLoc(),
      builder.getStringAttr("llvm.nvvm.barrier.cta.sync.aligned.all"),
      ValueRange{emit.i32(0)});
  op.erase();
}

/// The memory of a block is a variable of the module.
static void lowerShared(OpBuilder &atModule, memref::AllocOp op,
                        unsigned number) {
  constexpr unsigned kShared = 3;
  MemRefType type = op.getType();
  auto array =
      LLVM::LLVMArrayType::get(type.getElementType(), type.getNumElements());
  std::string name =
      (op->getParentOfType<func::FuncOp>().getName() + "$shared").str() +
      std::to_string(number);
  auto global = LLVM::GlobalOp::create(
      atModule, op.getLoc(), array, /*isConstant=*/false,
      LLVM::Linkage::Internal, name, Attribute(), /*alignment=*/16, kShared);
  // It is uninitialised, which a global of the module may not be.
  OpBuilder builder(op);
  Block *init = builder.createBlock(&global.getInitializerRegion());
  builder.setInsertionPointToEnd(init);
  Value nothing = LLVM::UndefOp::create(builder, op.getLoc(), array);
  LLVM::ReturnOp::create(builder, op.getLoc(), nothing);
  builder.setInsertionPoint(op);
  Emitter emit(builder, op);
  Value address = LLVM::AddressOfOp::create(builder, emit.loc, global);
  Value plain =
      LLVM::AddrSpaceCastOp::create(builder, emit.loc, emit.ptrType(), address);
  op.replaceAllUsesWith(emit.reinterpret(plain, type));
  op.erase();
}

/// Replaces an operation of the gpu dialect; kernels have a grid of one
/// dimension.
static LogicalResult lowerGridOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<mlir::gpu::ThreadIdOp>(
          [](Operation *op) { return readRegister(op, "tid.x"), success(); })
      .Case<mlir::gpu::BlockIdOp>(
          [](Operation *op) { return readRegister(op, "ctaid.x"), success(); })
      .Case<mlir::gpu::BlockDimOp>(
          [](Operation *op) { return readRegister(op, "ntid.x"), success(); })
      .Case<mlir::gpu::GridDimOp>(
          [](Operation *op) { return readRegister(op, "nctaid.x"), success(); })
      .Case([](mlir::gpu::BarrierOp op) { return lowerBarrier(op), success(); })
      .Case([](mlir::gpu::ReturnOp op) {
        OpBuilder builder(op);
        func::ReturnOp::create(builder, op.getLoc());
        return op.erase(), success();
      })
      .Default([](Operation *op) {
        return op->emitOpError("is not an operation of this stage");
      });
}

/// The kernel as a function of the module at the builder's place.
static LogicalResult makeFunction(OpBuilder &builder,
                                  mlir::gpu::GPUFuncOp kernel) {
  auto function = func::FuncOp::create(builder, kernel.getLoc(),
                                       nameInPTX(kernel.getName()),
                                       kernel.getFunctionType());
  if (ArrayAttr attrs = kernel.getArgAttrsAttr())
    function.setArgAttrsAttr(attrs);
  ir::KernelABI abi = ir::KernelABI::of(kernel);
  abi.task = builder.getStringAttr(kernel.getName());
  function->setAttr(ir::kKernelABIAttr, abi.attr(kernel.getContext()));
  function.getBody().takeBody(kernel.getBody());
  SmallVector<Operation *> work;
  SmallVector<memref::AllocOp> shared;
  function.walk([&](Operation *op) {
    if (isa_and_nonnull<mlir::gpu::GPUDialect>(op->getDialect()))
      work.push_back(op);
    else if (auto memory = dyn_cast<memref::AllocOp>(op))
      shared.push_back(memory);
  });
  for (auto [number, memory] : llvm::enumerate(shared))
    lowerShared(builder, memory, number);
  for (Operation *op : work)
    if (failed(lowerGridOp(op)))
      return failure();
  return success();
}

static void setTraits(LLVM::LLVMFuncOp function) {
  Builder b(function.getContext());
  SmallVector<Attribute> flags{b.getStringAttr("nounwind")};
  if (ir::kernelABIOf(function)) {
    function.setCConv(LLVM::CConv::PTX_Kernel);
    flags.push_back(b.getStrArrayAttr(
        {"nvvm.maxntid", std::to_string(kBlockSize) + ",1,1"}));
  } else {
    function.setLinkage(LLVM::Linkage::Internal);
  }
  function.setPassthroughAttr(b.getArrayAttr(flags));
}

static bool isAtomic(LLVM::LoadOp load) {
  return load.getOrdering() != LLVM::AtomicOrdering::not_atomic;
}

/// Threads of other devices, and of the host, are none of a launch's.
static void narrowScopes(ModuleOp kernels) {
  constexpr llvm::StringLiteral scope = "device";
  kernels.walk([&](Operation *op) {
    if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
      update.setSyncscope(scope);
    else if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
      exchange.setSyncscope(scope);
    else if (auto load = dyn_cast<LLVM::LoadOp>(op); load && isAtomic(load))
      load.setSyncscope(scope);
  });
}

/// LLVM's NVPTX makes a load invariant if nothing else can reach its memory and
/// the kernel does not write it, and crashes if that load is atomic. So no
/// aliasing facts are emitted where a kernel has atomic loads.
static void allowAtomicLoads(ModuleOp kernels) {
  auto found = kernels.walk([](LLVM::LoadOp load) {
    return isAtomic(load) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return;
  for (auto function : kernels.getOps<LLVM::LLVMFuncOp>())
    for (unsigned k = 0; k < function.getNumArguments(); ++k)
      function.removeArgAttr(k, LLVM::LLVMDialect::getNoAliasAttrName());
}

/// Parameters that are more than a kernel takes lie in memory, a word each.
static void gatherParameters(LLVM::LLVMFuncOp kernel) {
  unsigned count = kernel.getNumArguments();
  if (!ir::kernelABIOf(kernel) || count <= CHIRT_CUDA_PARAMS)
    return;
  Block &entry = kernel.getBody().front();
  Location loc = kernel.getLoc();
  OpBuilder b = OpBuilder::atBlockBegin(&entry);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value offset = entry.addArgument(pointer, loc);
  for (unsigned k = 0; k < count; ++k) {
    BlockArgument parameter = entry.getArgument(k);
    Value word = LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), offset,
                                     ArrayRef<LLVM::GEPArg>(int32_t(k)));
    auto value = LLVM::LoadOp::create(b, loc, parameter.getType(), word);
    value.setInvariant(true);
    parameter.replaceAllUsesWith(value);
  }
  entry.eraseArguments(0, count);
  kernel.removeArgAttrsAttr();
  kernel.setFunctionType(LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), {pointer}));
}

/// The device's own elementary functions get their names.
static LogicalResult nameNativeMath(ModuleOp kernels) {
  for (auto function : kernels.getOps<func::FuncOp>()) {
    std::string name = libdeviceName(function.getName());
    if (name.empty())
      continue;
    auto symbol = StringAttr::get(kernels.getContext(), name);
    if (failed(SymbolTable::replaceAllSymbolUses(function, symbol, kernels)))
      return failure();
    function.setSymNameAttr(symbol);
  }
  return success();
}

static LogicalResult convert(mlir::gpu::GPUModuleOp source) {
  OpBuilder builder(source);
  auto kernels = ModuleOp::create(builder, source.getLoc(), source.getName());
  builder.setInsertionPointToStart(kernels.getBody());
  for (Operation &op : llvm::make_early_inc_range(*source.getBody())) {
    auto kernel = dyn_cast<mlir::gpu::GPUFuncOp>(op);
    if (kernel ? failed(makeFunction(builder, kernel))
               : !isa<func::FuncOp, memref::GlobalOp>(op))
      return op.emitOpError("is not an operation of this stage");
    if (!kernel)
      op.moveBefore(kernels.getBody(), builder.getInsertionPoint());
  }
  source.erase();
  if (failed(nameNativeMath(kernels)) || failed(lowerMemory(kernels)) ||
      failed(convertToLLVM(kernels)))
    return failure();
  for (auto function : kernels.getOps<LLVM::LLVMFuncOp>()) {
    if (isOfLibdevice(function))
      continue;
    if (function.isExternal())
      return function.emitOpError("does not exist on a device");
    setTraits(function);
    gatherParameters(function);
  }
  narrowScopes(kernels);
  allowAtomicLoads(kernels);
  reconcileCasts(kernels);
  return success();
}

namespace {
struct KernelsToNVVMPass
    : chi::target::nvvm::impl::KernelsToNVVMPassBase<KernelsToNVVMPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registerDialects(registry);
  }
  void runOnOperation() override {
    for (auto kernels : llvm::make_early_inc_range(
             getOperation().getOps<mlir::gpu::GPUModuleOp>()))
      if (failed(convert(kernels)))
        return signalPassFailure();
  }
};
} // namespace
