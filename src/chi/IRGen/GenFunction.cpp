//===- GenFunction.cpp - Frames of functions and kernels ------------------===//

#include "chi/IRGen/Gen.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;

FunctionGen::FunctionGen(ModuleGen &module, const sema::Function *function,
                         bool isDevice, bool isPassive)
    : module(module), function(function), isDevice(isDevice),
      isPassive(isPassive), b(&module.context), here(b.getUnknownLoc()) {}

Location FunctionGen::loc(SourceRange range) { return module.location(range); }

bool FunctionGen::isTerminated() {
  Block *block = b.getInsertionBlock();
  return !block->empty() && block->back().hasTrait<OpTrait::IsTerminator>();
}

/// Finds the variables of kernel level that a parallel loop accumulates into.
namespace {
struct CellFinder {
  llvm::DenseSet<const sema::Variable *> &cells;
  llvm::DenseSet<const sema::Variable *> atKernelLevel;

  void walk(const sema::Body &body, bool inParallel) {
    for (const sema::Stmt *stmt : body)
      visit(stmt, inParallel);
  }
  void visit(const sema::Stmt *stmt, bool inParallel) {
    using namespace sema;
    if (auto *assign = llvm::dyn_cast<AssignStmt>(stmt)) {
      if (!inParallel && assign->lvalue.kind == LValue::Local)
        atKernelLevel.insert(assign->lvalue.variable);
    } else if (auto *accum = llvm::dyn_cast<AccumulateStmt>(stmt)) {
      if (inParallel && accum->lvalue.kind == LValue::Local &&
          atKernelLevel.contains(accum->lvalue.variable))
        cells.insert(accum->lvalue.variable);
    } else if (auto *loop = llvm::dyn_cast<ForStmt>(stmt)) {
      walk(loop->body, inParallel || loop->isParallel);
    } else if (auto *branch = llvm::dyn_cast<IfStmt>(stmt)) {
      walk(branch->thenBody, inParallel);
      walk(branch->elseBody, inParallel);
    } else if (auto *loop = llvm::dyn_cast<WhileStmt>(stmt)) {
      walk(loop->body, inParallel);
    } else if (auto *unrolled = llvm::dyn_cast<UnrolledStmt>(stmt)) {
      for (const Body &body : unrolled->bodies)
        walk(body, inParallel);
    }
  }
};
} // namespace

void FunctionGen::collectCells(const sema::Body &body) {
  CellFinder finder{cells, {}};
  for (const sema::Variable *param : function->params)
    finder.atKernelLevel.insert(param);
  finder.walk(body, false);
}

/// Binds the arguments from `next` on to a parameter or a member of one.
ProgramValue FunctionGen::boundParameter(sema::TypeRef type, Block &entry,
                                         unsigned &next) {
  if (type->hasMembers()) {
    ProgramValue tuple{type, {}, {}};
    for (sema::TypeRef member : type->members)
      tuple.members.push_back(boundParameter(member, entry, next));
    return tuple;
  }
  if (livesInMemory(type) &&
      isa<ir::LocalType, ir::FieldType>(entry.getArgument(next).getType()))
    return {type, {}, entry.getArgument(next++)};
  SmallVector<Type> types;
  module.flattenTypes(type, types, isDevice);
  SmallVector<mlir::Value> parts;
  for (size_t k = 0; k < types.size(); ++k)
    parts.push_back(entry.getArgument(next++));
  return flat(type, parts);
}

void FunctionGen::bindParameters(Block &entry) {
  unsigned next = 0;
  if (function->isRecursive && !function->isKernel)
    depth = entry.getArgument(next++);
  for (const sema::Variable *param : function->params) {
    if (function->isKernel && module.goesInField(param->type)) {
      cells.insert(param); // the field is the kernel's own
      Storage &stored = variables[param];
      stored.cell = entry.getArgument(next++);
      stored.isFlat = true;
      continue;
    }
    ProgramValue value = boundParameter(param->type, entry, next);
    if (function->isKernel && param->type->hasMembers())
      value.eachLeaf([&](const ProgramValue &leaf) {
        if (leaf.slot && isa<ir::FieldType>(leaf.slot.getType()))
          variables[param].slots.push_back(leaf.slot); // so is this one
        else
          addSlots(variables[param], param, leaf.type);
      });
    writeVariable(param, value);
  }
  resultSlots.append(entry.args_begin() + next, entry.args_end());
}

void FunctionGen::genFunction(func::FuncOp op) {
  Block *entry = op.addEntryBlock();
  frame = entry;
  here = op.getLoc();
  b.setInsertionPointToStart(entry);
  bindParameters(*entry);
  if (function == module.program.script)
    makeGlobals();
  genBody(function->body);
  if (!isTerminated())
    finishUnreached(op.getResultTypes());
  releaseHandles(op);
}

/// Sema has seen that every path returns a value, so that this end of a
/// function with results is not reached: any value will do.
void FunctionGen::finishUnreached(TypeRange types) {
  SmallVector<mlir::Value> results;
  for (Type type : types) {
    if (isHandle(type))
      results.push_back(ir::NullOp::create(b, here, type));
    else
      results.push_back(
          arith::ConstantOp::create(b, here, b.getZeroAttr(type)));
  }
  finish(results);
}

void FunctionGen::genWith(func::FuncOp op, llvm::function_ref<void()> body) {
  frame = op.addEntryBlock();
  here = op.getLoc();
  b.setInsertionPointToStart(frame);
  body();
  finish({});
  releaseHandles(op);
}

void FunctionGen::genKernel(ir::KernelOp op) {
  if (function->isStrict)
    op.setStrict(true);
  if (function->lanes)
    op.setLanes(function->lanes);
  if (op.getBody().empty())
    op.getBody().emplaceBlock();
  Block *entry = &op.getBody().front();
  if (entry->getNumArguments() == 0)
    for (Type type : op.getArgumentTypes())
      entry->addArgument(type, op.getLoc());
  frame = entry;
  here = op.getLoc();
  b.setInsertionPointToStart(entry);
  collectCells(function->body);
  bindParameters(*entry);
  genBody(function->body);
  if (!isTerminated())
    finish({});
}

void FunctionGen::finishWith(const ProgramValue &value) {
  if (!function || function->isKernel)
    return finish(flatten(value));
  SmallVector<mlir::Value> results;
  ArrayRef<mlir::Value> slots = resultSlots;
  value.eachLeaf([&](const ProgramValue &leaf) {
    if (livesInMemory(leaf.type))
      writeArray(slots.consume_front(), leaf);
    else
      llvm::append_range(results, leaf.parts);
  });
  finish(results);
}

/// Leaves the function; `releaseHandles` releases the handles that it owns.
void FunctionGen::finish(ArrayRef<mlir::Value> results) {
  releaseTemporaries();
  ir::ReturnOp::create(b, here, results);
}

void FunctionGen::storeParam(ArrayRef<std::string> globals,
                             const ProgramValue &value) {
  own(value);
  SmallVector<mlir::Value> old;
  for (auto [name, part] : llvm::zip_equal(globals, flatten(value))) {
    if (isHandle(part.getType()))
      old.push_back(ir::GlobalLoadOp::create(b, here, part.getType(), name));
    ir::GlobalStoreOp::create(b, here, part, name);
  }
  release(old); // of an earlier run of a library's program
}

mlir::Value FunctionGen::rt(Location at, StringRef name, Type result,
                            ArrayRef<mlir::Value> args, StringRef site) {
  SmallVector<Type> results;
  if (result)
    results.push_back(result);
  auto op =
      ir::RtOp::create(b, at, results, b.getStringAttr(name), args,
                       site.empty() ? StringAttr() : b.getStringAttr(site));
  return result ? op.getResult(0) : mlir::Value();
}

void FunctionGen::check(Location at, ir::CheckKind kind, mlir::Value ok,
                        ArrayRef<mlir::Value> values, StringRef what,
                        int64_t axis, bool isUnsigned) {
  auto op = ir::CheckOp::create(
      b, at, ir::CheckKindAttr::get(b.getContext(), kind), ok, values,
      b.getStringAttr(what), b.getI64IntegerAttr(axis), ArrayAttr(),
      IntegerAttr());
  if (isUnsigned)
    op.setIsUnsigned(true);
}
