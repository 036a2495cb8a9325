//===- OperatorRecords.cpp - Functions that a library differentiates ------===//
// A library has the vector-Jacobian product of a function by two more
// functions: the record of a call, which is the function's own call between
// chirt_kernel_begin and chirt_kernel_end, and the adjoint of what was
// recorded. Between the two the run time sets the gradients of the results.
#include "chi/Sema/Program/Gradients.h"
#include "chi/Sema/Program/WrittenParameters.h"
#include "chi/Sema/Tree/Exports.h"
#include "llvm/ADT/StringSet.h"

using namespace chi;
using namespace chi::sema;

static bool isFloatField(TypeRef type) {
  return type->isField() && holdsFloats(type->element);
}

/// Does it give fields of floats, none of which is a view? The adjoint of a
/// view is a part of its field's.
static bool givesFloatFields(const Function &function) {
  TypeRef result = function.result;
  if (!result)
    return false;
  llvm::ArrayRef<TypeRef> members = result;
  if (result->isTuple())
    members = result->members;
  return llvm::any_of(members, isFloatField) &&
         llvm::none_of(members, [](TypeRef member) {
           return isFloatField(member) && member->layout == Layout::Strided;
         });
}

namespace {
/// Looks for what a function, or what it calls, does that its record cannot
/// repeat or undo.
class Obstacles {
public:
  bool areIn(const Function &function) {
    visit(function);
    return found;
  }

private:
  void visit(const Function &function);
  void look(const Expr *expr);

  bool found = false;
  llvm::DenseSet<const Function *> seen;
};
} // namespace

/// Tapes and gradients: these would be second derivatives. Random numbers: the
/// record draws others. Top-level fields of floats: they have gradients of
/// their own, to which each call would add.
void Obstacles::look(const Expr *expr) {
  auto *op = llvm::dyn_cast<HostOpExpr>(expr);
  auto *global = llvm::dyn_cast<GlobalExpr>(expr);
  found |= llvm::isa<CompanionExpr, RandomExpr>(expr) ||
           (op && op->op == HostOp::KernelGrad) ||
           (global && global->type->holdsField() &&
            (!global->type->isField() || isFloatField(global->type)));
}

void Obstacles::visit(const Function &function) {
  if (!seen.insert(&function).second)
    return;
  forEachStmt(function.body,
              [&](Stmt *stmt) { found |= llvm::isa<TapeStmt>(stmt); });
  forEachInner(function.body, [&](Expr *expr) {
    look(expr);
    if (auto *call = llvm::dyn_cast<CallExpr>(expr))
      visit(*call->callee);
  });
}

static bool isDifferentiable(const TapeProgram &all, Function &function,
                             WrittenParameters &written) {
  return !function.isKernel && !function.isPassive &&
         llvm::none_of(reachableFunctions({&function}),
                       [](Function *each) { return each->isRecursive; }) &&
         isExported(all.program, function) &&
         problemForOperator(function).empty() && givesFloatFields(function) &&
         llvm::any_of(function.params,
                      [](const Variable *parameter) {
                        return isFloatField(parameter->type);
                      }) &&
         written.of(function).none() && !Obstacles().areIn(function) &&
         !losesDerivatives(all, function);
}

/// `return function(…)` with parameters like its own.
static std::unique_ptr<Function> recordOf(Program &program,
                                          Function &function) {
  auto record = std::make_unique<Function>();
  record->name = function.name + ".record";
  record->display = function.display;
  record->range = function.range;
  record->isHostOnly = record->isRecord = true;
  record->result = function.result;
  auto *call = program.make<CallExpr>();
  call->callee = &function;
  call->type = function.result;
  call->range = function.range;
  for (const Variable *parameter : function.params) {
    auto *copy = program.make<Variable>();
    *copy = *parameter;
    record->params.push_back(copy);
    auto *value = program.make<VariableExpr>();
    value->variable = copy;
    value->type = copy->type;
    value->range = copy->range;
    call->args.push_back(value);
  }
  auto *leave = program.make<ReturnStmt>();
  leave->value = call;
  leave->range = function.range;
  record->body.push_back(leave);
  return record;
}

void sema::addOperatorRecords(const TapeProgram &all, Program &program) {
  WrittenParameters written;
  std::vector<Function *> found;
  llvm::StringSet<> names;
  for (const auto &function : program.functions)
    names.insert(function->name);
  for (const auto &function : program.functions)
    if (!names.contains(function->name + "_vjp") &&
        isDifferentiable(all, *function, written))
      found.push_back(function.get());
  for (Function *function : found) {
    program.functions.push_back(recordOf(program, *function));
    function->record = program.functions.back().get();
    program.hasTapes = true;
  }
}
