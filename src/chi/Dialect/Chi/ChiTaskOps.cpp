//===- ChiTaskOps.cpp - Kernels, tasks, control with exits ----------------===//

#include "chi/Dialect/Chi/Schedule.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace chi::ir;

//===----------------------------------------------------------------------===//
// kernel, call
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     FunctionType type) {
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addRegion();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto makeType = [](Builder &builder, ArrayRef<Type> arguments,
                     ArrayRef<Type> results,
                     function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), makeType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto kernel =
      symbolTable.lookupNearestSymbolFrom<KernelOp>(*this, getCalleeAttr());
  if (!kernel)
    return emitOpError("refers to an unknown kernel: ") << getCalleeAttr();
  FunctionType type = kernel.getFunctionType();
  if (getInputs().getTypes() != TypeRange(type.getInputs()) ||
      getOutputs().getTypes() != TypeRange(type.getResults()))
    return emitOpError("does not match ") << getCalleeAttr() << " : " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// parallel
//===----------------------------------------------------------------------===//

/// `(%i, %j : i32, i32)`
static ParseResult
parseLoopVariables(OpAsmParser &parser,
                   SmallVectorImpl<OpAsmParser::Argument> &variables) {
  SmallVector<Type> types;
  if (parser.parseLParen())
    return failure();
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseArgumentList(variables) || parser.parseColonTypeList(types) ||
      parser.parseRParen())
    return failure();
  if (types.size() != variables.size())
    return parser.emitError(loc, "expected one type for each variable");
  for (auto [variable, type] : llvm::zip(variables, types))
    variable.type = type;
  return success();
}

/// `(%a, %b)`, with the types of the loop variables.
static ParseResult parseBounds(OpAsmParser &parser,
                               ArrayRef<OpAsmParser::Argument> variables,
                               SmallVectorImpl<Value> &operands,
                               int32_t &count) {
  SmallVector<OpAsmParser::UnresolvedOperand> bounds;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(bounds, OpAsmParser::Delimiter::Paren))
    return failure();
  if (bounds.size() != variables.size())
    return parser.emitError(loc, "expected one bound for each variable");
  for (auto [bound, variable] : llvm::zip(bounds, variables))
    if (parser.resolveOperand(bound, variable.type, operands))
      return failure();
  count = bounds.size();
  return success();
}

ParseResult ParallelOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> variables;
  int32_t from = 0, to = 0, step = 0, over = 0;
  if (parseLoopVariables(parser, variables))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("over"))) {
    OpAsmParser::UnresolvedOperand field;
    Type type;
    if (parser.parseOperand(field) || parser.parseColonType(type) ||
        parser.resolveOperand(field, type, result.operands))
      return failure();
    over = 1;
  } else {
    if (parser.parseEqual() ||
        parseBounds(parser, variables, result.operands, from) ||
        parser.parseKeyword("to") ||
        parseBounds(parser, variables, result.operands, to))
      return failure();
    if (succeeded(parser.parseOptionalKeyword("step")) &&
        parseBounds(parser, variables, result.operands, step))
      return failure();
  }
  result.getOrAddProperties<ParallelOp::Properties>().operandSegmentSizes = {
      from, to, step, over};
  return failure(parser.parseRegion(*result.addRegion(), variables) ||
                 parser.parseOptionalAttrDict(result.attributes));
}

static void printLoopVariables(OpAsmPrinter &printer,
                               Block::BlockArgListType variables) {
  printer << " (";
  llvm::interleaveComma(variables, printer);
  if (!variables.empty()) {
    printer << " : ";
    llvm::interleaveComma(variables, printer,
                          [&](Value v) { printer << v.getType(); });
  }
  printer << ')';
}

void ParallelOp::print(OpAsmPrinter &printer) {
  printLoopVariables(printer, getBody().getArguments());
  if (getOver())
    printer << " over " << getOver() << " : " << getOver().getType();
  else
    printer << " = (" << getFrom() << ") to (" << getTo() << ')';
  if (!getStep().empty())
    printer << " step (" << getStep() << ')';
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs(), {"operandSegmentSizes"});
}

LogicalResult ParallelOp::verify() {
  size_t rank = getRank();
  if (getAxes() && getAxes()->size() != rank)
    return emitOpError("names ")
           << getAxes()->size() << " axes, but has " << rank << " variables";
  for (BlockArgument variable : getBody().getArguments())
    if (!isa<IntegerType>(variable.getType()))
      return emitOpError("has a variable of type ") << variable.getType();
  if (getOver()) {
    if (!getFrom().empty() || !getTo().empty() || !getStep().empty())
      return emitOpError("has both bounds and a field");
    if (static_cast<int64_t>(rank) != getOver().getType().getRank())
      return emitOpError("has ") << rank << " variables over a rank-"
                                 << getOver().getType().getRank() << " field";
    return success();
  }
  if (getFrom().size() != rank || getTo().size() != rank)
    return emitOpError("needs two bounds for each of its ")
           << rank << " variables";
  if (!getStep().empty() && (rank != 1 || getStep().size() != 1))
    return emitOpError("has a step and several axes");
  for (auto [axis, variable] : llvm::enumerate(getBody().getArguments()))
    if (getFrom()[axis].getType() != variable.getType() ||
        getTo()[axis].getType() != variable.getType())
      return emitOpError("has bounds of another type than variable ") << axis;
  if (!getStep().empty() &&
      getStep()[0].getType() != getBody().getArgument(0).getType())
    return emitOpError("has a step of another type than its variable");
  return success();
}

//===----------------------------------------------------------------------===//
// task, launch
//===----------------------------------------------------------------------===//

ParseResult TaskOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments, variables;
  auto &properties = result.getOrAddProperties<TaskOp::Properties>();
  Builder &builder = parser.getBuilder();
  if (parser.parseSymbolName(name) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true, /*allowAttrs=*/false))
    return failure();
  properties.sym_name = name;
  if (succeeded(parser.parseOptionalKeyword("over"))) {
    int64_t over = 0;
    if (parser.parseInteger(over))
      return failure();
    properties.over = builder.getI64IntegerAttr(over);
  }
  if (parser.parseArgumentList(variables, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true, /*allowAttrs=*/false) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  properties.rank = builder.getI64IntegerAttr(variables.size());
  llvm::append_range(arguments, variables);
  Region *body = result.addRegion(), *wide = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (failed(parser.parseOptionalKeyword("wide")))
    return success();
  return parser.parseRegion(*wide);
}

void TaskOp::print(OpAsmPrinter &printer) {
  auto printArgument = [&](BlockArgument argument) {
    printer.printRegionArgument(argument);
  };
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(getCaptured(), printer, printArgument);
  printer << ')';
  if (getOver())
    printer << " over " << *getOver();
  printer << " (";
  llvm::interleaveComma(getIndexVariables(), printer, printArgument);
  printer << ')';
  SmallVector<StringRef> elided = {"sym_name", "rank", "over"};
  if (getKernel().empty())
    elided.push_back("kernel");
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), elided);
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  if (getWide().empty())
    return;
  printer << " wide ";
  printer.printRegion(getWide());
}

/// The body for several iterations, if there is one.
static LogicalResult verifyWide(TaskOp op) {
  Region &wide = op.getWide();
  std::optional<ArrayRef<int64_t>> rows = op.getRows();
  if (wide.empty()) {
    if (rows)
      return op.emitOpError("has `rows`, but no wide body");
    return success();
  }
  if (op.getLanes().value_or(0) < 2)
    return op.emitOpError("has a wide body, but no number of lanes");
  if (op.getRank() == 0)
    return op.emitOpError("has a wide body, but no axis");
  if (rows &&
      (rows->size() != 2 || (*rows)[0] < 0 ||
       (*rows)[0] >= static_cast<int64_t>(op.getRank()) || (*rows)[1] < 2))
    return op.emitOpError(
        "has `rows` that are not an axis and a number of at least two");
  SmallVector<Type> types(op.getBody().getArgumentTypes());
  if (rows && (*rows)[0] + 1 == static_cast<int64_t>(op.getRank()))
    types.push_back(IntegerType::get(op.getContext(), 64));
  if (!llvm::equal(wide.getArgumentTypes(), types))
    return op.emitOpError("has a wide body with other arguments");
  if (!isa<NextOp>(wide.front().getTerminator()))
    return op.emitOpError("must end with chi.next");
  return success();
}

/// Are these numbers of fields among the arguments?
static LogicalResult verifyFields(TaskOp op, StringRef name,
                                  ArrayRef<int64_t> numbers) {
  auto captured = op.getCaptured();
  for (int64_t number : numbers)
    if (number >= int64_t(captured.size()) ||
        !isa<FieldType>(captured[number].getType()))
      return op.emitOpError()
             << name << " argument " << number << ", which is not a field";
  return success();
}

/// The effects list each field that the body touches.
static LogicalResult verifyEffects(TaskOp op) {
  EffectsAttr effects = op.getEffectsAttr();
  if (!effects)
    return success();
  if (failed(verifyFields(op, "reads", effects.getReads())) ||
      failed(verifyFields(op, "writes", effects.getWrites())))
    return failure();
  WalkResult walked = op.walk([&](FieldAccessOpInterface access) {
    Value field = access.getField();
    while (auto cast = field.getDefiningOp<CastFieldOp>())
      field = cast.getField();
    auto argument = dyn_cast<BlockArgument>(field);
    if (!argument)
      return WalkResult::advance();
    unsigned number = argument.getArgNumber();
    bool isRead = access.getAccessKind() != AccessKind::store;
    if ((!isRead || op.reads(number)) &&
        (!access.isWrite() || op.writes(number)))
      return WalkResult::advance();
    access->emitOpError("is not among the effects of its task");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

/// Does its role in differentiation fit its arguments and axes?
static LogicalResult verifyAdjoint(TaskOp op) {
  AdjointAttr adjoint = op.getAdjointAttr();
  if (!adjoint)
    return success();
  if (!adjoint.getTask() && (adjoint.getRecorder() || adjoint.getFused()))
    return op.emitOpError("has a recorder or a fused adjoint, but no adjoint");
  if (adjoint.getNumPrimal() > int64_t(op.getNumCaptured()))
    return op.emitOpError("captures ")
           << op.getNumCaptured() << " values, but " << adjoint.getNumPrimal()
           << " of its primal";
  DenseI64ArrayAttr axes = adjoint.getDomainAxes();
  if (axes && axes.size() != int64_t(op.getRank()))
    return op.emitOpError("maps ")
           << axes.size() << " axes to those of its domain, but has rank "
           << op.getRank();
  return success();
}

LogicalResult TaskOp::verify() {
  int64_t rank = getRank(), numArguments = getBody().getNumArguments();
  if (rank < 0 || rank > numArguments)
    return emitOpError("has rank ")
           << rank << ", but " << numArguments << " arguments";
  if (failed(verifyWide(*this)) || failed(verifyEffects(*this)) ||
      failed(verifyFacts(*this)) || failed(verifyAdjoint(*this)))
    return failure();
  for (BlockArgument index : getIndexVariables())
    if (!isa<IntegerType>(index.getType()))
      return emitOpError("has an index of type ") << index.getType();
  if (getAxes() && static_cast<int64_t>(getAxes()->size()) != rank)
    return emitOpError("names ")
           << getAxes()->size() << " axes, but has rank " << rank;
  if (!isa<NextOp>(getBody().front().getTerminator()))
    return emitOpError("must end with chi.next");
  if (!getOver())
    return verifySchedule(*this);
  int64_t over = *getOver();
  auto field = over >= 0 && over < static_cast<int64_t>(getNumCaptured())
                   ? dyn_cast<FieldType>(getCaptured()[over].getType())
                   : FieldType();
  if (!field || field.getRank() != rank)
    return emitOpError("runs over argument ")
           << over << ", which is not a field of rank " << rank;
  return verifySchedule(*this);
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto task = symbolTable.lookupNearestSymbolFrom<TaskOp>(*this, getTaskAttr());
  if (!task)
    return emitOpError("refers to an unknown task: ") << getTaskAttr();
  if (getInputs().getTypes() != ValueRange(task.getCaptured()).getTypes())
    return emitOpError("passes other arguments than ")
           << getTaskAttr() << " captures";
  auto indices = ValueRange(task.getIndexVariables()).getTypes();
  if (getFrom().getTypes() != indices || getTo().getTypes() != indices)
    return emitOpError("passes other bounds than the axes of ")
           << getTaskAttr();
  if (!getValues().empty() && (getValues().size() != 2 || task.getRank() != 1))
    return emitOpError("passes begin and step of an axis to ")
           << getTaskAttr() << ", which has " << task.getRank() << " axes";
  AdjointAttr adjoint = task.getAdjointAttr();
  if (getLast() && !(adjoint && adjoint.getFused()))
    return emitOpError("is the last one of its kernel, but ")
           << getTaskAttr() << " has no fused adjoint";
  return verifyAgrees(*this, task);
}

//===----------------------------------------------------------------------===//
// Control with exits
//===----------------------------------------------------------------------===//

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument variable;
  OpAsmParser::UnresolvedOperand from, to, step;
  if (parser.parseArgument(variable) || parser.parseEqual() ||
      parser.parseOperand(from) || parser.parseKeyword("to") ||
      parser.parseOperand(to) || parser.parseKeyword("step") ||
      parser.parseOperand(step) || parser.parseColonType(variable.type) ||
      parser.resolveOperands({from, to, step}, variable.type, result.operands))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("progress")))
    result.getOrAddProperties<ForOp::Properties>().progress =
        parser.getBuilder().getUnitAttr();
  return failure(parser.parseRegion(*result.addRegion(), variable) ||
                 parser.parseOptionalAttrDict(result.attributes));
}

void ForOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getBody().getArgument(0) << " = " << getFrom() << " to "
          << getTo() << " step " << getStep() << " : " << getFrom().getType()
          << ' ';
  if (getProgress())
    printer << "progress ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs(), {"progress"});
}

LogicalResult ForOp::verify() {
  if (getBody().getNumArguments() != 1)
    return emitOpError("has one variable, not ") << getBody().getNumArguments();
  Type type = getBody().getArgument(0).getType();
  for (Value bound : getOperands())
    if (bound.getType() != type)
      return emitOpError("has bounds of another type than its variable");
  return success();
}

LogicalResult WhileOp::verify() {
  if (!isa<ConditionOp>(getBefore().front().getTerminator()))
    return emitOpError("must end its first region with chi.condition");
  return success();
}

/// The loop that an exit at `op` belongs to: through chi.if only.
static Operation *enclosingLoop(Operation *op) {
  Operation *parent = op->getParentOp();
  while (isa_and_nonnull<IfOp>(parent))
    parent = parent->getParentOp();
  return parent;
}

LogicalResult BreakOp::verify() {
  if (!isa_and_nonnull<ForOp, WhileOp>(enclosingLoop(*this)))
    return emitOpError("is not in a sequential loop");
  return success();
}

LogicalResult ContinueOp::verify() {
  if (!isa_and_nonnull<ForOp, WhileOp, ParallelOp>(enclosingLoop(*this)))
    return emitOpError("is not in a loop");
  return success();
}

LogicalResult ReturnOp::verify() {
  for (Operation *op = (*this)->getParentOp(); op; op = op->getParentOp()) {
    if (isa<ParallelOp, TaskOp>(op))
      return emitOpError("leaves a parallel loop");
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      continue;
    if (getInputs().getTypes() != TypeRange(function.getResultTypes()))
      return emitOpError("returns other types than `")
             << function.getName() << "`";
    return success();
  }
  return emitOpError("is not in a function");
}
