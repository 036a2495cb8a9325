//===- ChiHostOps.cpp - Globals and the run time --------------------------===//

#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace chi::ir;

/// Checks that `global` exists and holds `type`.
static LogicalResult verifyGlobalUse(Operation *op, FlatSymbolRefAttr global,
                                     Type type, SymbolTableCollection &tables) {
  auto symbol = tables.lookupNearestSymbolFrom<GlobalOp>(op, global);
  if (!symbol)
    return op->emitOpError("refers to an unknown global: ") << global;
  if (symbol.getType() != type)
    return op->emitOpError("uses ")
           << global << " as " << type << ", but it holds " << symbol.getType();
  return success();
}

LogicalResult
GlobalLoadOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyGlobalUse(*this, getGlobalAttr(), getResult().getType(),
                         symbolTable);
}

LogicalResult
GlobalStoreOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyGlobalUse(*this, getGlobalAttr(), getValue().getType(),
                         symbolTable);
}

/// Checks that `function` is one of the module that takes and returns nothing.
static LogicalResult verifyBodyUse(Operation *op, FlatSymbolRefAttr function,
                                   SymbolTableCollection &tables) {
  auto symbol = tables.lookupNearestSymbolFrom<func::FuncOp>(op, function);
  if (symbol && symbol.getArgumentTypes().empty() &&
      symbol.getResultTypes().empty())
    return success();
  return op->emitOpError(
             "does not refer to a function without arguments and results: ")
         << function;
}

LogicalResult ParamOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  for (auto variable : getVariables().getAsRange<FlatSymbolRefAttr>()) {
    auto symbol =
        symbolTable.lookupNearestSymbolFrom<GlobalOp>(*this, variable);
    if (!symbol)
      return emitOpError("refers to an unknown global: ") << variable;
    bool isUnsigned = getType().starts_with("u");
    if (dtypeOf(symbol.getType(), isUnsigned) != dtypeNamed(getType()))
      return emitOpError("of \"") << getType() << "\" is held by " << variable
                                  << " of " << symbol.getType();
  }
  return getSetByAttr() ? verifyBodyUse(*this, getSetByAttr(), symbolTable)
                        : success();
}

LogicalResult ParamOp::verify() {
  if (!dtypeNamed(getType()))
    return emitOpError("has an unknown scalar type: \"") << getType() << '"';
  if (getVariables().empty())
    return emitOpError("has no variable");
  if (getLow().has_value() != getHigh().has_value())
    return emitOpError("has only one of two bounds");
  return success();
}

LogicalResult TestOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyBodyUse(*this, getBodyAttr(), symbolTable);
}

/// Whether a value of the dialect can be passed as a C type.
static bool isPassedAs(Type type, RuntimeType expected) {
  switch (expected) {
  case RuntimeType::I32:
    return type.isInteger(32);
  case RuntimeType::I64:
    return type.isInteger(64);
  case RuntimeType::F64:
    return type.isF64();
  case RuntimeType::Text:
    return isa<StrType>(type);
  case RuntimeType::Field:
    return isa<FieldType>(type);
  case RuntimeType::Object:
    return isa<ObjectType>(type);
  case RuntimeType::Memory:
    return isa<LocalType>(type);
  default:
    return false;
  }
}

static LogicalResult verifyInputs(RtOp op, ArrayRef<RuntimeParameter> takes) {
  if (op.getInputs().size() != takes.size())
    return op.emitOpError("passes ")
           << op.getInputs().size() << " operands to " << op.getFunction()
           << ", which takes " << takes.size();
  for (auto [number, input] : llvm::enumerate(op.getInputs()))
    if (!isPassedAs(input.getType(), takes[number].type))
      return op.emitOpError("passes ")
             << input.getType() << " as parameter " << number + 1 << " of "
             << op.getFunction();
  return success();
}

LogicalResult RtOp::verify() {
  const RuntimeFunction *callee = findRuntimeFunction(getFunction());
  if (!callee)
    return emitOpError("calls an unknown function of the run time: ")
           << getFunction();
  if (!callee->isForTasks && ((*this)->getParentOfType<TaskOp>() ||
                              (*this)->getParentOfType<ParallelOp>()))
    return emitOpError("calls ") << getFunction() << " in a task";
  if (callee->takesSite() != getSite().has_value())
    return emitOpError(callee->takesSite() ? "is missing the site of "
                                           : "has a site for ")
           << getFunction();
  if (failed(verifyInputs(*this,
                          callee->parameters.drop_front(callee->takesSite()))))
    return failure();
  bool isVoid = callee->result.type == RuntimeType::Void;
  if (getNumResults() != !isVoid ||
      (!isVoid && !isPassedAs(getResult(0).getType(), callee->result.type)))
    return emitOpError("has other results than ")
           << getFunction() << " returns";
  return success();
}

LogicalResult CompanionOp::verify() {
  FieldType field = getField().getType(), grad = getResult().getType();
  auto scalar = dyn_cast<FloatType>(field.getScalar());
  if (!scalar)
    return emitOpError("queries the gradient of ") << field;
  Type kept = scalar.getWidth() < 32 ? Float32Type::get(getContext()) : scalar;
  if (grad.getShape() != field.getShape() || grad.getScalar() != kept ||
      grad.getNumComponents() != field.getNumComponents())
    return emitOpError("makes ") << grad << " of " << field;
  return success();
}

LogicalResult CastFieldOp::verify() {
  FieldType from = getField().getType(), to = getResult().getType();
  if (from.getRank() != to.getRank() || from.getElement() != to.getElement() ||
      from.getIsSoA() != to.getIsSoA() || from.getOrder() != to.getOrder())
    return emitOpError("changes more than extents: ") << from << " to " << to;
  return success();
}

OpFoldResult CastFieldOp::fold(FoldAdaptor adaptor) {
  if (getField().getType() == getType())
    return getField();
  // A chain of casts is one cast.
  if (auto inner = getField().getDefiningOp<CastFieldOp>()) {
    if (inner.getField().getType() == getType())
      return inner.getField();
    getFieldMutable().assign(inner.getField());
    return getResult();
  }
  return {};
}
