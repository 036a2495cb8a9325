//===- ExpandMath.cpp - Chi's own elementary functions --------------------===//

#include "chi/Conversion/Emitter.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/RegionUtils.h"

namespace chi::conv {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "chi/Conversion/Passes.h.inc"
} // namespace chi::conv

using namespace mlir;
using namespace chi::conv;

/// The library's name of an operation, "" for what the hardware has.
static StringRef libraryName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](math::AcosOp) { return "acos"; })
      .Case([](math::AcoshOp) { return "acosh"; })
      .Case([](math::AsinOp) { return "asin"; })
      .Case([](math::AsinhOp) { return "asinh"; })
      .Case([](math::AtanOp) { return "atan"; })
      .Case([](math::Atan2Op) { return "atan2"; })
      .Case([](math::AtanhOp) { return "atanh"; })
      .Case([](math::CbrtOp) { return "cbrt"; })
      .Case([](math::CosOp) { return "cos"; })
      .Case([](math::CoshOp) { return "cosh"; })
      .Case([](math::ErfOp) { return "erf"; })
      .Case([](math::ErfcOp) { return "erfc"; })
      .Case([](math::ExpOp) { return "exp"; })
      .Case([](math::Exp2Op) { return "exp2"; })
      .Case([](math::ExpM1Op) { return "expm1"; })
      .Case([](math::LogOp) { return "log"; })
      .Case([](math::Log10Op) { return "log10"; })
      .Case([](math::Log1pOp) { return "log1p"; })
      .Case([](math::Log2Op) { return "log2"; })
      .Case([](math::PowFOp) { return "pow"; })
      .Case([](math::SinOp) { return "sin"; })
      .Case([](math::SinhOp) { return "sinh"; })
      .Case([](math::TanOp) { return "tan"; })
      .Case([](math::TanhOp) { return "tanh"; })
      .Default(StringRef());
}

/// The side of a branch that only rare arguments take (sin of a huge one): the
/// library has no other branches but on such. Null if both sides are short.
static Region *rareSide(scf::IfOp branch) {
  if (branch.getNumResults() != 1 || branch.getElseRegion().empty())
    return nullptr;
  constexpr size_t kLong = 16, kShort = 2;
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
  explicit Expansion(ModuleOp library) {
    for (auto function : library.getOps<func::FuncOp>())
      if (!function.isExternal())
        functions[function.getSymName()] = function;
  }

  void run(ModuleOp target) {
    module = target;
    SmallVector<Operation *> work;
    module.walk([&](Operation *op) {
      if (!libraryName(op).empty())
        work.push_back(op);
    });
    for (Operation *op : work)
      replace(op);
  }

private:
  void replace(Operation *op);
  /// Clones a library function's body; calls inside are expanded too.
  Value inlined(OpBuilder &builder, func::FuncOp function,
                ValueRange arguments);

  /// Clones a branch of a library function; its rare side becomes a function
  /// of its own, made once, which vectors call for the lanes that need it.
  void cloneRareBranch(OpBuilder &builder, scf::IfOp branch, Region &side,
                       IRMapping &mapping, StringRef name);
  func::FuncOp rareFunction(Region &side, ArrayRef<Value> captured,
                            StringRef name);

  ModuleOp module;
  llvm::StringMap<func::FuncOp> functions;
};
} // namespace

func::FuncOp Expansion::rareFunction(Region &side, ArrayRef<Value> captured,
                                     StringRef name) {
  std::string symbol = ("chi.rare." + name).str();
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

void Expansion::cloneRareBranch(OpBuilder &builder, scf::IfOp branch,
                                Region &side, IRMapping &mapping,
                                StringRef name) {
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(side, above);
  SmallVector<Value> captured = llvm::filter_to_vector(above, [](Value value) {
    Operation *op = value.getDefiningOp();
    return !op || !op->hasTrait<OpTrait::ConstantLike>();
  });
  func::FuncOp rare = rareFunction(side, captured, name);
  auto *clone = builder.clone(*branch, mapping);
  auto copy = cast<scf::IfOp>(clone);
  Block &block = &side == &branch.getThenRegion() ? *copy.thenBlock()
                                                  : *copy.elseBlock();
  Operation *yield = block.getTerminator();
  OpBuilder inside(yield);
  SmallVector<Value> arguments = llvm::map_to_vector(
      captured, [&](Value value) { return mapping.lookupOrDefault(value); });
  auto call = func::CallOp::create(inside, branch.getLoc(), rare, arguments);
  yield->setOperand(0, call.getResult(0));
  SmallVector<Operation *> unused;
  for (Operation &op : block.without_terminator())
    if (&op != call)
      unused.push_back(&op);
  for (Operation *op : llvm::reverse(unused))
    op->erase();
}

Value Expansion::inlined(OpBuilder &builder, func::FuncOp function,
                         ValueRange arguments) {
  IRMapping mapping;
  Block &body = function.getBody().front();
  mapping.map(body.getArguments(), arguments);
  SmallVector<func::CallOp> calls;
  SmallVector<Operation *> math;
  for (Operation &op : body.without_terminator()) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      if (Region *side = rareSide(branch)) {
        cloneRareBranch(builder, branch, *side, mapping, function.getSymName());
        continue;
      }
    builder.clone(op, mapping)->walk([&](Operation *inner) {
      if (auto call = dyn_cast<func::CallOp>(inner))
        calls.push_back(call);
      else if (!libraryName(inner).empty())
        math.push_back(inner);
    });
  }
  Value result = mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
  for (func::CallOp call : calls) {
    auto callee = functions.find(call.getCallee());
    if (callee == functions.end() || call.getNumResults() != 1)
      continue;
    OpBuilder inner(call);
    Value value = inlined(inner, callee->second, call.getOperands());
    if (result == call.getResult(0))
      result = value;
    call.getResult(0).replaceAllUsesWith(value);
    call.erase();
  }
  // One elementary function may be written by another (pow by exp and log).
  for (Operation *op : math) {
    Value old = op->getResult(0);
    bool isResult = result == old;
    OpBuilder inner(op);
    auto callee = functions.find(
        (libraryName(op) + (old.getType().isF64() ? ".f64" : ".f32")).str());
    if (callee == functions.end() || callee->second == function)
      continue;
    Value value = inlined(inner, callee->second, op->getOperands());
    if (isResult)
      result = value;
    old.replaceAllUsesWith(value);
    op->erase();
  }
  return result;
}

void Expansion::replace(Operation *op) {
  Type type = op->getResult(0).getType();
  // Half precision goes by f32: exact in, rounded once more out.
  bool narrow = isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 16;
  StringRef suffix = type.isF64() ? ".f64" : ".f32";
  auto function = functions.find((libraryName(op) + suffix).str());
  if (function == functions.end() || (!narrow && !type.isF32() && !type.isF64()))
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  SmallVector<Value> operands(op->getOperands());
  if (narrow)
    for (Value &operand : operands)
      operand = arith::ExtFOp::create(builder, loc, builder.getF32Type(),
                                      operand);
  Value result = inlined(builder, function->second, operands);
  if (narrow)
    result = arith::TruncFOp::create(builder, loc, type, result);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

namespace {
struct ExpandMathPass : chi::conv::impl::ExpandMathPassBase<ExpandMathPass> {
  using ExpandMathPassBase::ExpandMathPassBase;
  ExpandMathPass(ModuleOp library) : library(library) {}

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
      Expansion(source).run(getOperation());
  }

  ModuleOp library = nullptr;
};
} // namespace

std::unique_ptr<Pass> chi::conv::createExpandMathPass(ModuleOp library) {
  return std::make_unique<ExpandMathPass>(library);
}
