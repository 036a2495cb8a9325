//===- NativeMath.cpp - A device's own elementary functions ---------------===//

#include "chi/Conversion/Elementary.h"
#include "chi/Conversion/Passes.h"
#include "chi/Conversion/ValueOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

namespace chi::conv {
#define GEN_PASS_DEF_NATIVEMATHPASS
#include "chi/Conversion/Passes.h.inc"
} // namespace chi::conv

using namespace mlir;
using namespace chi;
using namespace chi::conv;

StringRef chi::conv::elementaryName(Operation *op) {
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
      .Case([](ir::HypotOp) { return "hypot"; })
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

using Functions = llvm::SetVector<Operation *>;

/// The tasks that are strict, or those that are not, and what these call.
static Functions reachedByTasks(ModuleOp module, bool areStrict) {
  Functions reached;
  for (auto task : module.getOps<ir::TaskOp>())
    if (task.getStrict() == areStrict)
      reached.insert(task);
  for (size_t at = 0; at < reached.size(); ++at) // grows as it goes
    reached[at]->walk([&](func::CallOp call) {
      if (auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee()))
        reached.insert(callee);
    });
  return reached;
}

/// For one number; half precision is computed in f32.
static bool isOfNumbers(Operation *op) {
  Type type = op->getResult(0).getType();
  return isShortFloat(type) || type.isF32() || type.isF64();
}

SmallVector<Operation *> chi::conv::findNativeMath(ModuleOp module) {
  SmallVector<Operation *> found;
  Functions strict = reachedByTasks(module, /*areStrict=*/true);
  for (Operation *function : reachedByTasks(module, /*areStrict=*/false))
    if (!strict.contains(function))
      function->walk([&](Operation *op) {
        if (!elementaryName(op).empty() && isOfNumbers(op))
          found.push_back(op);
      });
  return found;
}

/// The function of that name, declared where it is called first.
static func::FuncOp declared(ModuleOp module, const std::string &name,
                             FunctionType type) {
  if (auto known = module.lookupSymbol<func::FuncOp>(name))
    return known;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto function =
      func::FuncOp::create(builder, builder.getUnknownLoc(), name, type);
  function.setPrivate();
  return function;
}

static void replace(Operation *op, ModuleOp module) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  Type wide = isShortFloat(type) ? builder.getF32Type() : type;
  SmallVector<Value> operands(op->getOperands());
  if (wide != type)
    for (Value &operand : operands)
      operand = arith::ExtFOp::create(builder, loc, wide, operand);
  std::string name =
      (kNativePrefix + elementaryName(op) + (wide.isF64() ? ".f64" : ".f32"))
          .str();
  SmallVector<Type> inputs(operands.size(), wide);
  func::FuncOp function =
      declared(module, name, builder.getFunctionType(inputs, wide));
  Value result =
      func::CallOp::create(builder, loc, function, operands).getResult(0);
  if (wide != type)
    result = arith::TruncFOp::create(builder, loc, type, result);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

namespace {
struct NativeMathPass : chi::conv::impl::NativeMathPassBase<NativeMathPass> {
  void runOnOperation() override {
    for (Operation *op : findNativeMath(getOperation()))
      replace(op, getOperation());
  }
};
} // namespace
