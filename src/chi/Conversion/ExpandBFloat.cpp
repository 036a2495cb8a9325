//===- ExpandBFloat.cpp - bf16 by f32 and integers ------------------------===//
// Few targets compute in bf16, and code generators call functions for its
// conversions that not every system has. A bf16 is the upper half of an f32:
// arithmetic is done in f32 and rounded, and memory holds integers.
#include "chi/Conversion/Emitter.h"
#include "chi/Conversion/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace chi;

namespace chi::conv {
#define GEN_PASS_DEF_EXPANDBFLOATPASS
#include "chi/Conversion/Passes.h.inc"
} // namespace chi::conv

static bool isBFloat(Type type) { return getElementTypeOrSelf(type).isBF16(); }

/// `type`, a scalar or a vector, with another scalar.
static Type with(Type type, Type scalar) {
  if (auto lanes = dyn_cast<VectorType>(type))
    return lanes.clone(scalar);
  return scalar;
}

/// Does the operation compute with numbers, and not only move them?
static bool computes(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp, arith::ExtFOp,
          arith::TruncFOp>(op))
    return false;
  return dialect == "arith" || dialect == "math" ||
         isa<vector::ReductionOp, vector::FMAOp, ir::ToIntOp, ir::RootOp,
             ir::HypotOp, ir::FFloorModOp>(op);
}

/// The operands as f32, and the results rounded.
static void widen(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType();
    if (isBFloat(type))
      operand.set(arith::ExtFOp::create(b, loc, with(type, b.getF32Type()),
                                        operand.get()));
  }
  b.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    Type type = result.getType();
    if (!isBFloat(type))
      continue;
    result.setType(with(type, b.getF32Type()));
    Value rounded = arith::TruncFOp::create(b, loc, type, result);
    result.replaceAllUsesExcept(rounded, rounded.getDefiningOp());
  }
}

namespace {
/// Conversions by integers, of a number or of lanes.
class Conversions {
public:
  Conversions(OpBuilder &b, Location loc, Type shape)
      : b(b), loc(loc), shape(shape), i16(with(shape, b.getI16Type())),
        i32(with(shape, b.getI32Type())), f32(with(shape, b.getF32Type())) {}

  /// An i16 with the bits of the bf16 as f32.
  Value extended(Value bits);
  /// The f32 rounded to nearest, ties to even, as the bits of a bf16.
  Value rounded(Value number);
  /// The f64 as an f32 whose rounding to bf16 is that of the f64: its last bit
  /// is set if digits were dropped (S. Boldo and G. Melquiond, "When double
  /// rounding is odd", 2005).
  Value roundedToOdd(Value number);

private:
  Value constant(int64_t value) {
    Attribute number = b.getI32IntegerAttr(int32_t(value));
    if (auto lanes = dyn_cast<VectorType>(i32))
      number = DenseElementsAttr::get(lanes, number);
    return arith::ConstantOp::create(b, loc, cast<TypedAttr>(number));
  }

  OpBuilder &b;
  Location loc;
  Type shape, i16, i32, f32;
};
} // namespace

Value Conversions::extended(Value bits) {
  Value wide = arith::ExtUIOp::create(b, loc, i32, bits);
  Value upper = arith::ShLIOp::create(b, loc, wide, constant(16));
  return arith::BitcastOp::create(b, loc, f32, upper);
}

Value Conversions::rounded(Value number) {
  Value bits = arith::BitcastOp::create(b, loc, i32, number);
  Value upper = arith::ShRUIOp::create(b, loc, bits, constant(16));
  Value isOdd = arith::AndIOp::create(b, loc, upper, constant(1));
  Value half = arith::AddIOp::create(b, loc, isOdd, constant(0x7fff));
  Value sum = arith::AddIOp::create(b, loc, bits, half);
  Value nearest = arith::ShRUIOp::create(b, loc, sum, constant(16));
  // Rounding could make an infinity of a NaN; it becomes a quiet one.
  Value quiet = arith::OrIOp::create(b, loc, upper, constant(0x40));
  Value magnitude = arith::AndIOp::create(b, loc, bits, constant(0x7fffffff));
  Value isNaN = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt,
                                      magnitude, constant(0x7f800000));
  Value kept = arith::SelectOp::create(b, loc, isNaN, quiet, nearest);
  return arith::TruncIOp::create(b, loc, i16, kept);
}

Value Conversions::roundedToOdd(Value number) {
  using P = arith::CmpFPredicate;
  Value nearest = arith::TruncFOp::create(b, loc, f32, number);
  Value back = arith::ExtFOp::create(b, loc, number.getType(), nearest);
  Value isOther = arith::CmpFOp::create(b, loc, P::ONE, back, number);
  Value isAbove =
      arith::CmpFOp::create(b, loc, P::OGT, math::AbsFOp::create(b, loc, back),
                            math::AbsFOp::create(b, loc, number));
  Value bits = arith::BitcastOp::create(b, loc, i32, nearest);
  Value below = arith::SubIOp::create(
      b, loc, bits, arith::ExtUIOp::create(b, loc, i32, isAbove));
  Value odd = arith::OrIOp::create(
      b, loc, below, arith::ExtUIOp::create(b, loc, i32, isOther));
  return arith::BitcastOp::create(b, loc, f32, odd);
}

static void expandExtension(arith::ExtFOp op) {
  OpBuilder b(op);
  Conversions convert(b, op.getLoc(), op.getIn().getType());
  Type i16 = with(op.getIn().getType(), b.getI16Type());
  Value bits = arith::BitcastOp::create(b, op.getLoc(), i16, op.getIn());
  Value number = convert.extended(bits);
  if (number.getType() != op.getType())
    number = arith::ExtFOp::create(b, op.getLoc(), op.getType(), number);
  op.replaceAllUsesWith(number);
  op.erase();
}

static void expandTruncation(arith::TruncFOp op) {
  OpBuilder b(op);
  Conversions convert(b, op.getLoc(), op.getType());
  Value number = op.getIn();
  if (getElementTypeOrSelf(number.getType()).isF64())
    number = convert.roundedToOdd(number);
  Value bits = convert.rounded(number);
  op.replaceAllUsesWith(
      arith::BitcastOp::create(b, op.getLoc(), op.getType(), bits).getResult());
  op.erase();
}

/// i16 for bf16 in all types and constants.
static void replaceTypes(ModuleOp module) {
  Type i16 = IntegerType::get(module.getContext(), 16);
  using Replaced = std::optional<std::pair<Attribute, WalkResult>>;
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](BFloat16Type) { return i16; });
  replacer.addReplacement([&](FloatAttr number) -> Replaced {
    if (!number.getType().isBF16())
      return std::nullopt;
    APInt bits = number.getValue().bitcastToAPInt();
    return {{IntegerAttr::get(i16, bits), WalkResult::skip()}};
  });
  replacer.addReplacement([&](DenseIntOrFPElementsAttr numbers) -> Replaced {
    if (!numbers.getElementType().isBF16())
      return std::nullopt;
    return {{numbers.bitcast(i16), WalkResult::skip()}};
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

static void removeCasts(ModuleOp module) {
  SmallVector<arith::BitcastOp> casts;
  module.walk([&](arith::BitcastOp op) { casts.push_back(op); });
  for (arith::BitcastOp op : casts)
    if (op.getIn().getType() == op.getType()) {
      op.replaceAllUsesWith(op.getIn());
      op.erase();
    }
}

static bool hasBFloats(ModuleOp module) {
  bool found = false;
  AttrTypeWalker walker;
  walker.addWalk([&](BFloat16Type) { found = true; });
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      walker.walk(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          walker.walk(type);
    for (NamedAttribute attribute : op->getAttrs())
      if (isa<TypeAttr>(attribute.getValue()))
        walker.walk(attribute.getValue());
  });
  return found;
}

namespace {
struct ExpandBFloatPass
    : chi::conv::impl::ExpandBFloatPassBase<ExpandBFloatPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!hasBFloats(module))
      return;
    SmallVector<Operation *> computing;
    module.walk([&](Operation *op) {
      bool found = llvm::any_of(op->getOperandTypes(), isBFloat) ||
                   llvm::any_of(op->getResultTypes(), isBFloat);
      if (found && computes(op))
        computing.push_back(op);
    });
    llvm::for_each(computing, widen);
    SmallVector<arith::ExtFOp> extensions;
    SmallVector<arith::TruncFOp> truncations;
    module.walk([&](Operation *op) {
      if (auto cast = dyn_cast<arith::ExtFOp>(op))
        if (isBFloat(cast.getIn().getType()))
          extensions.push_back(cast);
      if (auto cast = dyn_cast<arith::TruncFOp>(op))
        if (isBFloat(cast.getType()))
          truncations.push_back(cast);
    });
    llvm::for_each(extensions, expandExtension);
    llvm::for_each(truncations, expandTruncation);
    replaceTypes(module);
    removeCasts(module);
  }
};
} // namespace
