//===- ExpandMath.cpp - Chi's own elementary functions --------------------===//

#include "chi/Conversion/Elementary.h"
#include "chi/Conversion/Emitter.h"
#include "chi/Conversion/ValueOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/RegionUtils.h"

namespace chi::conv {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "chi/Conversion/Passes.h.inc"
} // namespace chi::conv

using namespace mlir;
using namespace chi::conv;

/// The name of the function that does well where nothing is fused, "" for
/// those of which there is one only.
static StringRef nameByHalves(Operation *op) {
  bool isWide = getElementTypeOrSelf(op->getResult(0).getType()).isF64();
  return isa<math::SinOp>(op)               ? "sin_halves"
         : isa<math::CosOp>(op)             ? "cos_halves"
         : isa<math::TanOp>(op)             ? "tan_halves"
         : isa<math::PowFOp>(op) && !isWide ? "pow_halves"
                                            : "";
}

/// The library's name of an operation, "" if the hardware has it. `isFree`: of
/// no strict task.
static StringRef libraryName(Operation *op, Remainders remainders,
                             bool isFree) {
  bool byBits = remainders == Remainders::bits;
  if (isFree)
    if (StringRef name = nameByHalves(op); !name.empty())
      return name;
  if (isa<arith::RemFOp>(op) && remainders != Remainders::processor)
    return byBits ? "fmod_bits" : "fmod";
  if (isa<chi::ir::FFloorModOp>(op))
    return byBits ? "floormod_bits" : "floormod";
  return elementaryName(op);
}

/// The side of a branch that only rare arguments take (sin of a huge one): the
/// library has no other branches but on such. Null if both sides are short.
static Region *coldSide(scf::IfOp branch) {
  if (branch.getNumResults() != 1 || branch.getElseRegion().empty())
    return nullptr;
  constexpr size_t kLong = 8, kShort = 2;
  size_t inThen = branch.thenBlock()->getOperations().size();
  size_t inElse = branch.elseBlock()->getOperations().size();
  if (inThen > kLong && inElse <= kShort)
    return &branch.getThenRegion();
  return inElse > kLong && inThen <= kShort ? &branch.getElseRegion() : nullptr;
}

namespace {
/// Replaces the operations of one module.
class Expansion {
public:
  Expansion(ModuleOp library, Remainders remainders, bool halves)
      : remainders(remainders), halves(halves) {
    for (auto function : library.getOps<func::FuncOp>())
      if (!function.isExternal())
        functions[function.getSymName()] = function;
  }

  void run(ModuleOp target) {
    module = target;
    SmallVector<Operation *> work;
    if (halves)
      free.insert_range(findNativeMath(module));
    module.walk([&](Operation *op) {
      if (!libraryName(op, remainders, free.contains(op)).empty())
        work.push_back(op);
    });
    for (Operation *op : work)
      replace(op);
  }

  /// The library's function for an operation or call, if there is one.
  func::FuncOp bodyOf(Operation *op) const;
  /// Outlines a cold side to a function, made once for a module.
  func::FuncOp coldFunction(Region &side, ArrayRef<Value> captured,
                            StringRef name);

private:
  void replace(Operation *op);

  Remainders remainders;
  bool halves;
  /// Not in a strict task: a device may compute them its own way.
  llvm::SmallPtrSet<Operation *, 8> free;
  ModuleOp module;
  llvm::StringMap<func::FuncOp> functions;
};

/// Writes the body of a library function at one place, for one value (`lanes`
/// is 0) or a vector of them.
class Body {
public:
  Body(Expansion &expansion, OpBuilder &builder, StringRef name, int64_t lanes)
      : expansion(expansion), b(builder), name(name), lanes(lanes) {}
  Value inlined(func::FuncOp function, ValueRange arguments);

private:
  Type widened(Type type) const {
    return lanes ? VectorType::get({lanes}, type) : type;
  }
  void clone(Operation &op);
  /// The operations of a region but the last; returns what that one yields.
  SmallVector<Value> cloneRegion(Region &region);
  /// The cold side becomes a call: of scalars, which LLVM's vectoriser can
  /// widen, or after a test whether any lane needs it.
  void cloneRareBranch(scf::IfOp branch, Region &side, StringRef name);
  Value callForLanes(OpBuilder &outside, func::FuncOp cold, Value isCold,
                     ValueRange arguments, Value near);
  /// All bits set, of an i1 or lanes of them.
  Value truth(Type type);

  Expansion &expansion;
  OpBuilder &b;
  StringRef name;
  int64_t lanes;
  IRMapping mapping;
};
} // namespace

func::FuncOp Expansion::coldFunction(Region &side, ArrayRef<Value> captured,
                                     StringRef name) {
  std::string symbol = ("chi.cold." + name).str();
  if (auto made = module.lookupSymbol<func::FuncOp>(symbol))
    return made;
  Operation *parent = side.getParentOp();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, parent->getLoc(), symbol,
      builder.getFunctionType(TypeRange(ValueRange(captured)),
                              parent->getResultTypes()));
  function.setPrivate();
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  IRMapping mapping;
  mapping.map(captured, entry->getArguments());
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(side, above);
  for (Value value : above)
    if (Operation *constant = value.getDefiningOp();
        constant && constant->hasTrait<OpTrait::ConstantLike>())
      builder.clone(*constant, mapping);
  for (Operation &op : side.front().without_terminator())
    builder.clone(op, mapping);
  Value result = side.front().getTerminator()->getOperand(0);
  func::ReturnOp::create(builder, parent->getLoc(),
                         mapping.lookupOrDefault(result));
  return function;
}

/// The values that a side uses from outside, except constants.
static SmallVector<Value> capturedBy(Region &side) {
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(side, above);
  return llvm::filter_to_vector(above, [](Value value) {
    Operation *op = value.getDefiningOp();
    return !op || !op->hasTrait<OpTrait::ConstantLike>();
  });
}

void Body::cloneRareBranch(scf::IfOp branch, Region &side, StringRef name) {
  Location loc = branch.getLoc();
  SmallVector<Value> captured = capturedBy(side);
  func::FuncOp cold = expansion.coldFunction(side, captured, name);
  bool inThen = &side == &branch.getThenRegion();
  Value near =
      cloneRegion(inThen ? branch.getElseRegion() : branch.getThenRegion())[0];
  Value isCold = mapping.lookup(branch.getCondition());
  if (!inThen)
    isCold = arith::XOrIOp::create(b, loc, isCold, truth(isCold.getType()));
  SmallVector<Value> arguments = llvm::map_to_vector(
      captured, [&](Value value) { return mapping.lookup(value); });
  Value any = isCold;
  if (lanes)
    any =
        vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, isCold);
  auto choice = scf::IfOp::create(
      b, loc, any,
      [&](OpBuilder &inside, Location) {
        Value far = lanes ? callForLanes(inside, cold, isCold, arguments, near)
                          : func::CallOp::create(inside, loc, cold, arguments)
                                .getResult(0);
        scf::YieldOp::create(inside, loc, far);
      },
      [&](OpBuilder &inside, Location) {
        scf::YieldOp::create(inside, loc, near);
      });
  mapping.map(branch.getResult(0), choice.getResult(0));
}

Value Body::callForLanes(OpBuilder &outside, func::FuncOp cold, Value isCold,
                         ValueRange arguments, Value near) {
  Location loc = near.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(outside, loc, value);
  };
  auto each = [&](OpBuilder &b, Location, Value lane, ValueRange carried) {
    auto extract = [&](OpBuilder &inside, Value lanes) -> Value {
      return vector::ExtractOp::create(inside, loc, lanes, OpFoldResult(lane));
    };
    Value result = carried[0];
    auto one = scf::IfOp::create(
        b, loc, extract(b, isCold),
        [&](OpBuilder &inside, Location) {
          SmallVector<Value> scalars = llvm::map_to_vector(
              arguments, [&](Value value) { return extract(inside, value); });
          Value far =
              func::CallOp::create(inside, loc, cold, scalars).getResult(0);
          Value filled = vector::InsertOp::create(inside, loc, far, result,
                                                  OpFoldResult(lane));
          scf::YieldOp::create(inside, loc, filled);
        },
        [&](OpBuilder &inside, Location) {
          scf::YieldOp::create(inside, loc, result);
        });
    scf::YieldOp::create(b, loc, one.getResults());
  };
  return scf::ForOp::create(outside, loc, index(0), index(lanes), index(1),
                            ValueRange(near), each)
      .getResult(0);
}

Value Body::truth(Type type) {
  return arith::ConstantOp::create(b, b.getUnknownLoc(), b.getOneAttr(type));
}

SmallVector<Value> Body::cloneRegion(Region &region) {
  for (Operation &op : region.front().without_terminator())
    clone(op);
  return llvm::map_to_vector(
      region.front().getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookup(value); });
}

void Body::clone(Operation &op) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (Region *side = coldSide(branch))
      return cloneRareBranch(branch, *side, name);
    if (lanes && !branch.getElseRegion().empty()) {
      SmallVector<Value> yes = cloneRegion(branch.getThenRegion());
      SmallVector<Value> no = cloneRegion(branch.getElseRegion());
      Value condition = mapping.lookup(branch.getCondition());
      for (auto [result, left, right] : llvm::zip(branch.getResults(), yes, no))
        mapping.map(result, arith::SelectOp::create(b, op.getLoc(), condition,
                                                    left, right)
                                .getResult());
      return;
    }
  }
  if (auto value = dyn_cast<arith::ConstantOp>(op); value && lanes) {
    auto type = cast<VectorType>(widened(value.getType()));
    mapping.map(value.getResult(),
                arith::ConstantOp::create(
                    b, op.getLoc(),
                    DenseElementsAttr::get(type, Attribute(value.getValue())))
                    .getResult());
    return;
  }
  // One elementary function may be written by another (pow by exp and log).
  if (func::FuncOp callee = expansion.bodyOf(&op);
      callee && callee.getSymName() != name) {
    SmallVector<Value> arguments = llvm::map_to_vector(
        op.getOperands(), [&](Value value) { return mapping.lookup(value); });
    mapping.map(op.getResult(0), Body(expansion, b, callee.getSymName(), lanes)
                                     .inlined(callee, arguments));
    return;
  }
  Operation *copy = b.clone(op, mapping);
  for (Value result : copy->getResults())
    result.setType(widened(result.getType()));
}

Value Body::inlined(func::FuncOp function, ValueRange arguments) {
  Region &body = function.getBody();
  mapping.map(body.getArguments(), arguments);
  return cloneRegion(body)[0];
}

func::FuncOp Expansion::bodyOf(Operation *op) const {
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getNumResults() == 1 ? functions.lookup(call.getCallee())
                                     : func::FuncOp();
  StringRef stem = libraryName(op, remainders, free.contains(op));
  if (stem.empty())
    return {};
  // Half precision goes by f32: exact in, rounded once more out.
  Type scalar = getElementTypeOrSelf(op->getResult(0).getType());
  if (!isa<FloatType>(scalar) || scalar.isF80())
    return {};
  return functions.lookup((stem + (scalar.isF64() ? ".f64" : ".f32")).str());
}

void Expansion::replace(Operation *op) {
  func::FuncOp function = bodyOf(op);
  Type type = op->getResult(0).getType();
  auto lanes = dyn_cast<VectorType>(type);
  if (!function || (lanes && lanes.getRank() != 1))
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  bool isHalf = isShortFloat(type);
  Type single = builder.getF32Type();
  if (lanes)
    single = lanes.clone(single);
  SmallVector<Value> operands(op->getOperands());
  if (isHalf)
    for (Value &operand : operands)
      operand = arith::ExtFOp::create(builder, loc, single, operand);
  Value result = Body(*this, builder, function.getSymName(),
                      lanes ? lanes.getNumElements() : 0)
                     .inlined(function, operands);
  if (isHalf)
    result = arith::TruncFOp::create(builder, loc, type, result);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

namespace {
struct ExpandMathPass : chi::conv::impl::ExpandMathPassBase<ExpandMathPass> {
  using ExpandMathPassBase::ExpandMathPassBase;
  ExpandMathPass(ModuleOp library, Remainders how, bool byHalves)
      : library(library) {
    remainders = how;
    halves = byHalves;
  }

  void runOnOperation() override {
    OwningOpRef<ModuleOp> read;
    ModuleOp source = library;
    if (!libraryFile.empty()) {
      read = parseSourceFile<ModuleOp>(libraryFile, &getContext());
      if (!read)
        return signalPassFailure();
      source = *read;
    }
    if (source)
      Expansion(source, remainders, halves).run(getOperation());
  }

  ModuleOp library = nullptr;
};
} // namespace

std::unique_ptr<Pass> chi::conv::createExpandMathPass(ModuleOp library,
                                                      Remainders remainders,
                                                      bool halves) {
  return std::make_unique<ExpandMathPass>(library, remainders, halves);
}
