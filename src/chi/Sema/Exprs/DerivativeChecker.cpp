//===- DerivativeChecker.cpp - What asks for derivatives ------------------===//
#include "chi/Sema/Exprs/DerivativeChecker.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/ExprCheckers.h"
#include "chi/Sema/Exprs/HostCallChecker.h"

using namespace chi;
using namespace chi::sema;

bool sema::isDifferentiable(TypeRef type) {
  if (type->isStruct() || type->isArray()) // of a member
    return holdsFloats(type);
  TypeRef scalar = hasNumbers(type) ? type->scalar() : nullptr;
  return scalar && scalar->isFloat();
}

Expr *DerivativeChecker::companionOf(Expr *field, SourceRange range,
                                     bool isDual) {
  TypeRef type = field->type;
  if (!isDifferentiable(type->element)) {
    diags.report(range, diag::NotDifferentiable, type->str()).send();
    return fail(range);
  }
  TypeRef element = type->element;
  if (element->isComplex)
    return build.construct(
        range, type,
        {companionOf(ctx.complexes.fieldOfParts(field), range, isDual)});
  // Of a class its members' gradients are meant: `p.grad[i].x`.
  if (!element->isStruct() && element->scalar()->bits < 32)
    element = types.withScalar(element, types.f32);
  auto *companion = build.make<CompanionExpr>(
      range, types.field(element, type->shape, type->layout, type->order,
                         type->wideAxes, type->offset));
  companion->field = field;
  companion->isDual = isDual;
  return companion;
}

std::optional<bool> DerivativeChecker::fieldMark(const ast::Argument *mark,
                                                 TypeRef element, size_t rank) {
  if (!mark)
    return false;
  const ast::Expr *written = mark->value;
  std::string name = "`" + mark->keyword.str() + "`";
  Expr *flag = ctx.exprs.checkConstant(written, name);
  if (flag)
    flag = build.convert(flag, types.boolTy, name);
  auto known = flag && !isError(flag) ? constantInt(flag) : std::nullopt;
  if (!known || *known == 0 || isDifferentiable(element))
    return known ? std::optional(*known != 0) : std::nullopt;
  TypeRef field =
      types.field(element, std::vector<int64_t>(rank, -1), Layout::AoS, {});
  diags
      .report(mark->keywordRange.to(written->range), diag::NotDifferentiable,
              field->str())
      .send();
  return std::nullopt;
}

Expr *DerivativeChecker::callKernelGrad(const ast::CallExpr *expr,
                                        FunctionDecl &decl) {
  llvm::StringRef name = decl.ast->name;
  for (const ast::Argument &arg : expr->args)
    ctx.exprs.checkExpr(arg.value);
  if (decl.isBroken)
    return fail(expr->range);
  if (!decl.isKernel) {
    diags.report(expr->range, diag::GradOfFunction, name)
        .note(decl.ast->nameRange, diag::DeclaredHere, name)
        .send();
    return fail(expr->range);
  }
  if (!expr->args.empty()) {
    diags
        .report(expr->range, diag::ArgCountMismatch, (name + ".grad").str(),
                size_t(0), expr->args.size())
        .send();
    return fail(expr->range);
  }
  if (!state.hostOnly(expr->range, ("`" + name + ".grad()`").str()))
    return fail(expr->range);
  decl.usesGrad = true;
  HostOpExpr *op =
      ctx.hostCalls.hostOp(expr->range, HostOp::KernelGrad, types.voidTy, {});
  op->text = decl.fullName();
  return op;
}

Expr *DerivativeChecker::callStopGradient(const ast::CallExpr *expr) {
  std::vector<Expr *> args;
  if (!ctx.builtins.builtinArgs(expr, 1, 1, args))
    return fail(expr->range);
  Expr *value = args[0];
  if (!hasNumbers(value->type)) {
    diags
        .report(expr->range, diag::BadArgument, "stop_gradient",
                "a number, a vec or a mat", build.defaulted(value->type)->str())
        .send();
    return fail(expr->range);
  }
  if (!value->type->scalar()->isFloat() || isConstant(value))
    return value;
  return build.elementwise(expr->range, Builtin::StopGradient, {value},
                           value->type);
}

//===----------------------------------------------------------------------===//
// @adjoint_of(f) ([AD.7])
//===----------------------------------------------------------------------===//

// A function that only computes, numbers from numbers, may have its adjoint
// written by hand: `def f_bar(a, b, result, d_result)` returns the adjoints of
// those of `a, b` that are floats. Each instance of f has one of f_bar, for the
// same types.
//
// The adjoint of a kernel or host function takes what that takes and adds to
// `.grad` of fields. How many parameters it has says which of both is meant.

/// Whether values of the type are scalars of the code ([IRGen/ProgramValue.h]).
static bool isSmall(TypeRef type) {
  constexpr int64_t kMost = 16;
  return hasNumbers(type) && type->numScalars() <= kMost;
}

/// Does it touch anything but its arguments?
static bool onlyComputes(const Function &function) {
  bool is = true;
  for (Function *each :
       reachableFunctions({const_cast<Function *>(&function)}, [&](Expr *expr) {
         is &= !llvm::isa<LoadExpr, AtomicExpr, RandomExpr, HostOpExpr, DimExpr,
                          CompanionExpr>(expr);
       }))
    forEachStmt(each->body, [&](Stmt *stmt) {
      auto *set = llvm::dyn_cast<AssignStmt>(stmt);
      auto *update = llvm::dyn_cast<AccumulateStmt>(stmt);
      bool isStore = (set && set->lvalue.kind != LValue::Local) ||
                     (update && update->lvalue.kind != LValue::Local);
      is &= !isStore && !llvm::isa<PrintStmt>(stmt);
    });
  return is;
}

/// The types of the function and of its adjoint go together.
bool DerivativeChecker::checkAdjoint(const ast::CallExpr *expr,
                                     const Instance &callee,
                                     const Instance &adjoint) {
  const Function &of = *callee.function;
  llvm::StringRef name = callee.decl->ast->name;
  std::vector<TypeRef> floats;
  bool areSmall = isSmall(of.result);
  for (const Variable *parameter : of.params) {
    areSmall &= isSmall(parameter->type);
    if (holdsFloats(parameter->type))
      floats.push_back(parameter->type);
  }
  bool isPlain = areSmall && of.params.size() == callee.args.size() &&
                 !callee.hostCause && !adjoint.hostCause && onlyComputes(of) &&
                 onlyComputes(*adjoint.function);
  if (!isPlain) {
    diags.report(callee.decl->ast->nameRange, diag::AdjointNotPlain, name)
        .note(adjoint.decl->ast->nameRange, diag::DeclaredHere,
              adjoint.decl->ast->name)
        .note(expr->range, diag::CalledHere, of.display)
        .send();
    return false;
  }
  TypeRef wanted = floats.empty()      ? types.voidTy
                   : floats.size() > 1 ? types.tuple(floats)
                                       : floats[0];
  TypeRef given = adjoint.function->result;
  if (given == wanted)
    return true;
  diags
      .report(adjoint.decl->ast->nameRange, diag::AdjointResult,
              adjoint.decl->ast->name, given->str(), name, wanted->str())
      .note(expr->range, diag::CalledHere, of.display)
      .send();
  return false;
}

/// Whether both are field types that differ at most in which of their extents
/// are known.
static bool areAlikeFields(TypeRef a, TypeRef b) {
  return a->isField() && b->isField() && a->element == b->element &&
         a->rank() == b->rank() && a->layout == b->layout &&
         a->order == b->order &&
         llvm::all_of(b->shape, [](int64_t extent) { return extent < 0; });
}

/// The parameters' types as the adjoint declares them, which are those of its
/// function; false after an error.
bool DerivativeChecker::bindDeclared(
    const ast::CallExpr *expr, const Function &of, FunctionDecl &adjoint,
    llvm::MutableArrayRef<ArgBinding> bindings) {
  ExprCheckers declared(program, *adjoint.module, Where::Constant, nullptr);
  for (auto [binding, parameter] : llvm::zip(bindings, adjoint.ast->params)) {
    if (!parameter.type || !binding.type)
      continue;
    TypeRef type = declared.checkType(parameter.type);
    if (type->isError())
      return false;
    if (type != binding.type && areAlikeFields(binding.type, type))
      binding.type = type;
    bool isViewed = type->isRef() && binding.type == viewOf(type);
    if (type == binding.type || isViewed)
      continue;
    diags
        .report(parameter.nameRange, diag::TypeMismatch,
                "`" + parameter.name.str() + "`", binding.type->str(),
                type->str())
        .note(expr->range, diag::CalledHere, of.display)
        .send();
    return false;
  }
  return true;
}

/// The instance of `decl`, the adjoint of `of`, for `bindings`. Null: it is
/// broken, which was said.
Instance *DerivativeChecker::findAdjoint(const ast::CallExpr *expr,
                                         const Function &of, FunctionDecl &decl,
                                         std::vector<ArgBinding> bindings) {
  if (!bindDeclared(expr, of, decl, bindings))
    return nullptr;
  program.findConstantParams(decl);
  Instance &adjoint =
      program.instantiate(decl, std::move(bindings), expr->range);
  for (const Diagnostic &known : adjoint.diagnostics)
    diags.add(known);
  return adjoint.isBroken ? nullptr : &adjoint;
}

bool DerivativeChecker::giveCallAdjoint(const ast::CallExpr *expr,
                                        Instance &callee) {
  FunctionDecl &decl = *callee.decl->adjoint;
  Function &of = *callee.function;
  if (decl.isBroken || std::exchange(callee.hasCallAdjoint, true))
    return true;
  std::vector<ArgBinding> bindings = callee.args;
  for (auto [binding, parameter] : llvm::zip(bindings, decl.ast->params)) {
    if (!binding.type || binding.constant)
      continue;
    if (binding.type->holdsObject()) {
      reportLater(diags, parameter.nameRange,
                  "an object as a parameter of a host function with an "
                  "adjoint");
      return false;
    }
    if (!binding.type->holdsStr())
      continue;
    diags
        .report(parameter.nameRange, diag::AdjointOfText, parameter.name,
                callee.decl->ast->name)
        .note(expr->range, diag::CalledHere, of.display)
        .send();
    return false;
  }
  Instance *adjoint = findAdjoint(expr, of, decl, std::move(bindings));
  if (!adjoint)
    return false;
  TypeRef result = adjoint->function->result;
  if (!result->isVoid()) {
    diags
        .report(decl.ast->nameRange, diag::CallAdjointResult, decl.ast->name,
                result->str(), callee.decl->ast->name)
        .note(expr->range, diag::CalledHere, of.display)
        .send();
    return false;
  }
  of.callAdjoint = adjoint->function;
  return true;
}

bool DerivativeChecker::giveAdjoint(const ast::CallExpr *expr,
                                    Instance &callee) {
  FunctionDecl &decl = *callee.decl->adjoint;
  Function &of = *callee.function;
  if (of.adjoint || decl.isBroken || of.result->isError())
    return true;
  std::vector<ArgBinding> bindings;
  auto bind = [&](TypeRef type) {
    bindings.emplace_back();
    bindings.back().type = type;
  };
  for (const Variable *parameter : of.params)
    bind(parameter->type);
  bind(of.result), bind(of.result);
  if (bindings.size() != decl.ast->params.size())
    bindings.resize(decl.ast->params.size(), bindings.back());
  Instance *adjoint = findAdjoint(expr, of, decl, std::move(bindings));
  if (!adjoint || !checkAdjoint(expr, callee, *adjoint))
    return false;
  of.adjoint = adjoint->function;
  return true;
}
