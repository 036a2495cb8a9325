//===- ShortIndices.cpp - Kernels that count in 32 bits -------------------===//

#include "chi/Conversion/ChiToGPU/ShortIndices.h"
#include "chi/Conversion/ChiToGPU/Arena.h"
#include "chirt/device_code.h"

namespace chi::conv::kernels {
#define GEN_PASS_DEF_SHORTINDICESPASS
#include "chi/Conversion/ChiToGPU/Passes.h.inc"
} // namespace chi::conv::kernels

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::conv::kernels;

//===----------------------------------------------------------------------===//
// Which kernels may
//===----------------------------------------------------------------------===//

static constexpr int64_t kMost = CHIRT_SMALL_NUMBERS;

static bool isSmall(int64_t factor, ArrayRef<int64_t> extents) {
  for (int64_t extent : extents)
    if (extent > kMost || llvm::MulOverflow(factor, extent, factor))
      return false;
  return factor <= kMost;
}

static std::optional<bool> isSmall(ir::FieldType field) {
  if (!field.hasStaticShape() || ir::isStrided(field))
    return std::nullopt;
  return ::isSmall(field.getNumComponents(), field.getShape());
}

static std::optional<bool> hasSmallDomain(const TaskShape &shape) {
  SmallVector<int64_t> extents;
  bool isNear = true;
  for (auto [from, extent] : llvm::zip(shape.from, shape.extent)) {
    if (!from || !extent)
      return std::nullopt;
    extents.push_back(*extent);
    isNear &= -kMost <= *from && *from <= kMost - *extent;
  }
  return isNear && ::isSmall(1, extents);
}

std::optional<bool> chi::conv::kernels::isSmall(const TaskShape &shape) {
  ir::TaskOp task = shape.task;
  if (takesMemory(task))
    return false;
  SmallVector<std::optional<bool>> known{hasSmallDomain(shape)};
  for (BlockArgument value : task.getCaptured())
    if (auto field = dyn_cast<ir::FieldType>(value.getType()))
      known.push_back(::isSmall(field));
  if (llvm::is_contained(known, false))
    return false;
  return llvm::is_contained(known, std::nullopt) ? std::optional<bool>() : true;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
/// Makes the indices of a kernel numbers of 32 bits.
class Shortening {
public:
  explicit Shortening(mlir::gpu::GPUFuncOp kernel)
      : kernel(kernel), builder(kernel.getContext()) {}

  void run() {
    kernel.walk([&](Operation *op) { collect(op); });
    kernel.walk([&](Operation *op) { retype(op); });
    for (Value value : made)
      shortenResult(value);
    for (OpOperand *operand : taken)
      lengthenOperand(*operand);
    for (Operation *cast : casts)
      lowerCast(cast);
    kernel.setFunctionType(
        builder.getFunctionType(kernel.getBody().getArgumentTypes(), {}));
  }

private:
  /// Does an operation compute alike whatever the width of its numbers is?
  static bool isRetyped(Operation *op) {
    return isa_and_nonnull<arith::ArithDialect, scf::SCFDialect>(
        op->getDialect());
  }

  void collect(Operation *op) {
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
      casts.push_back(op);
    if (isRetyped(op))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (isa<IndexType>(operand.get().getType()))
        taken.push_back(&operand);
    for (Value result : op->getResults())
      if (isa<IndexType>(result.getType()))
        made.push_back(result);
  }

  void retype(Value value) {
    if (isa<IndexType>(value.getType()))
      value.setType(builder.getI32Type());
  }
  void retype(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          retype(argument);
    if (!isRetyped(op))
      return;
    for (Value result : op->getResults())
      retype(result);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (isa<IndexType>(constant.getValue().getType())) {
        int64_t number = cast<IntegerAttr>(constant.getValue()).getInt();
        assert(llvm::isInt<32>(number) &&
               "numbers of small launches are short");
        constant.setValueAttr(builder.getI32IntegerAttr(number));
      }
  }

  /// The indices that another operation returns.
  void shortenResult(Value value) {
    builder.setInsertionPointAfterValue(value);
    auto cast = arith::IndexCastOp::create(builder, value.getLoc(),
                                           builder.getI32Type(), value);
    value.replaceAllUsesExcept(cast, cast);
  }

  /// The indices that another operation takes.
  void lengthenOperand(OpOperand &operand) {
    Value value = operand.get();
    // A 64-bit index of a user is the final value, and is available at once.
    if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
      value = cast.getIn();
    builder.setInsertionPoint(operand.getOwner());
    if (!isa<IndexType>(value.getType()))
      value = arith::IndexCastOp::create(builder, operand.getOwner()->getLoc(),
                                         builder.getIndexType(), value);
    operand.set(value);
  }

  /// A cast to or from an index is one between integers now.
  void lowerCast(Operation *cast) {
    Emitter emit(builder, cast);
    builder.setInsertionPoint(cast);
    Value from = cast->getOperand(0), to = cast->getResult(0);
    bool isLonger = from.getType().getIntOrFloatBitWidth() <
                    to.getType().getIntOrFloatBitWidth();
    Value value = isa<arith::IndexCastUIOp>(cast) && isLonger
                      ? arith::ExtUIOp::create(builder, cast->getLoc(),
                                               to.getType(), from)
                      : emit.cast(from, to.getType());
    to.replaceAllUsesWith(value);
    cast->erase();
  }

  mlir::gpu::GPUFuncOp kernel;
  OpBuilder builder;
  SmallVector<Operation *> casts;
  SmallVector<OpOperand *> taken; ///< by operations that stay as they are
  SmallVector<Value> made;        ///< by such
};

struct ShortIndicesPass
    : chi::conv::kernels::impl::ShortIndicesPassBase<ShortIndicesPass> {
  void runOnOperation() override {
    getOperation().walk([](mlir::gpu::GPUFuncOp kernel) {
      if (ir::KernelABIAttr abi = ir::kernelABIOf(kernel);
          abi && abi.getShortIndices())
        Shortening(kernel).run();
    });
  }
};
} // namespace
