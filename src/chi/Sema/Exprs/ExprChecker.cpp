//===- ExprChecker.cpp - Names, literals, operators -----------------------===//
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprCheckers.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"
#include "chi/Sema/Exprs/TypeExprChecker.h"
#include "chi/Sema/Names/NameChecker.h"

using namespace chi;
using namespace chi::sema;

Expr *ExprChecker::checkTyped(const ast::Expr *expr) {
  return build.withDefault(checkExpr(expr));
}

Expr *ExprChecker::checkExpr(const ast::Expr *expr) {
  Expr *value = checkByKind(expr);
  if (program.observer)
    program.observer->sawExpr(expr, value->type);
  return value;
}

Expr *ExprChecker::checkByKind(const ast::Expr *expr) {
  using K = ast::ExprKind;
  switch (expr->kind) {
  case K::Int:
    return build.intLiteral(expr->range, llvm::cast<ast::IntExpr>(expr)->value,
                            types.untypedInt);
  case K::Float:
    if (llvm::cast<ast::FloatExpr>(expr)->isImaginary)
      return ctx.complexes.literal(llvm::cast<ast::FloatExpr>(expr));
    return build.realLiteral(expr->range,
                             llvm::cast<ast::FloatExpr>(expr)->value,
                             types.untypedFloat);
  case K::Bool:
    return build.boolLiteral(expr->range,
                             llvm::cast<ast::BoolExpr>(expr)->value);
  case K::None:
    diags.report(expr->range, diag::NoneValue).send();
    return fail(expr->range);
  case K::String: {
    auto *text = build.make<StringLiteralExpr>(expr->range, types.str);
    text->value = llvm::cast<ast::StringExpr>(expr)->value.str();
    return text;
  }
  case K::FString:
    return checkFString(llvm::cast<ast::FStringExpr>(expr));
  case K::Name:
    return ctx.names.checkName(llvm::cast<ast::NameExpr>(expr));
  case K::Attribute:
    return ctx.subscripts.checkAttribute(llvm::cast<ast::AttributeExpr>(expr));
  case K::Subscript:
    return ctx.subscripts.checkSubscript(llvm::cast<ast::SubscriptExpr>(expr));
  case K::Call:
    return ctx.calls.checkCall(llvm::cast<ast::CallExpr>(expr));
  case K::Unary:
    return checkUnary(llvm::cast<ast::UnaryExpr>(expr));
  case K::Binary:
    return checkBinary(llvm::cast<ast::BinaryExpr>(expr));
  case K::Compare:
    return checkCompare(llvm::cast<ast::CompareExpr>(expr));
  case K::Logical:
    return checkLogical(llvm::cast<ast::LogicalExpr>(expr));
  case K::Conditional:
    return checkConditional(llvm::cast<ast::ConditionalExpr>(expr));
  case K::List:
    return checkList(llvm::cast<ast::ListExpr>(expr));
  case K::Tuple:
    return checkTuple(llvm::cast<ast::TupleExpr>(expr));
  case K::Dict:
  case K::Set:
    return ctx.objects.checkBraces(expr);
  case K::Comprehension:
    return ctx.objects.checkComprehension(
        llvm::cast<ast::ComprehensionExpr>(expr));
  case K::Collected: // a statement of its own
    return fail(expr->range);
  case K::Slice: // of what has no views
    reportLater(diags, expr->range, "a slice");
    return fail(expr->range);
  case K::Lambda:
    diags.report(expr->range, diag::FunctionAsValue, "a `lambda`").send();
    return fail(expr->range);
  case K::Unsupported:
    return refuse(llvm::cast<ast::UnsupportedExpr>(expr));
  }
  llvm_unreachable("expression kind");
}

/// What the language does not have, or not yet.
Expr *ExprChecker::refuse(const ast::UnsupportedExpr *expr) {
  if (expr->isDelayed)
    reportLater(diags, expr->range, expr->what);
  else
    diags.report(expr->range, diag::NotInLanguage, expr->what, expr->hint)
        .send();
  if (!expr->name.empty())
    state.declareBroken(expr->name);
  return fail(expr->range);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

BinaryOp sema::binaryOpOf(ast::BinaryOp op) {
  switch (op) {
#define CHI_OP(Name)                                                           \
  case ast::BinaryOp::Name:                                                    \
    return BinaryOp::Name;
    CHI_OP(Add)
    CHI_OP(Sub)
    CHI_OP(Mul)
    CHI_OP(Div)
    CHI_OP(FloorDiv)
    CHI_OP(Mod)
    CHI_OP(Pow)
    CHI_OP(MatMul)
    CHI_OP(BitAnd)
    CHI_OP(BitOr)
    CHI_OP(BitXor)
    CHI_OP(Shl)
    CHI_OP(Shr)
#undef CHI_OP
  }
  llvm_unreachable("operator");
}

Expr *ExprChecker::checkUnary(const ast::UnaryExpr *expr) {
  Expr *operand = checkExpr(expr->operand);
  if (operand->type->isOfClass() && expr->op != ast::UnaryOp::Not)
    return ctx.classes.unary(expr->range, expr->op, operand);
  if (expr->op == ast::UnaryOp::Plus) {
    if (isError(operand) || operand->type->isScalar() ||
        operand->type->isAggregate())
      return operand;
    diags
        .report(expr->range, diag::UnaryType, "+",
                build.defaulted(operand->type)->str())
        .send();
    return fail(expr->range);
  }
  UnaryOp op = expr->op == ast::UnaryOp::Minus    ? UnaryOp::Neg
               : expr->op == ast::UnaryOp::Invert ? UnaryOp::BitNot
                                                  : UnaryOp::Not;
  return build.unary(expr->range, op, operand);
}

/// Chains such as `a + b + c …` may be 100 000 long: they are walked in a loop.
Expr *ExprChecker::checkBinary(const ast::BinaryExpr *expr) {
  llvm::SmallVector<const ast::BinaryExpr *> chain;
  const ast::Expr *first = expr;
  while (auto *next = llvm::dyn_cast<ast::BinaryExpr>(first)) {
    chain.push_back(next);
    first = next->lhs;
  }
  Expr *value = checkExpr(first);
  for (const ast::BinaryExpr *next : llvm::reverse(chain)) {
    Expr *rhs = ctx.objects.checkAs(next->rhs, value->type);
    value = operate(next->range, next->opRange, next->op, value, rhs);
  }
  return value;
}

Expr *ExprChecker::operate(SourceRange range, SourceRange opRange,
                           ast::BinaryOp op, Expr *lhs, Expr *rhs,
                           bool isInPlace) {
  bool isOfClass = lhs->type->isOfClass() || rhs->type->isOfClass();
  if (isOfClass && !isError(lhs) && !isError(rhs))
    return ctx.classes.binary(range, opRange, op, lhs, rhs, isInPlace);
  if (Expr *made = ctx.objects.binary(range, binaryOpOf(op), lhs, rhs))
    return made;
  return build.binary(range, opRange, binaryOpOf(op), lhs, rhs);
}

Expr *ExprChecker::checkLogical(const ast::LogicalExpr *expr) {
  if (auto known = staticCondition(expr))
    return build.boolLiteral(expr->range, *known);
  Expr *value = nullptr;
  for (const ast::Expr *operand : expr->operands) {
    if (!value) {
      value = checkExpr(operand);
      continue;
    }
    checkGuarded(value, expr->isAnd, [&] {
      value =
          build.logical(expr->range, expr->isAnd, value, checkExpr(operand));
    });
  }
  return value;
}

Expr *ExprChecker::checkConditional(const ast::ConditionalExpr *expr) {
  if (auto known = staticCondition(expr->condition))
    return checkExpr(*known ? expr->thenValue : expr->elseValue);
  Expr *condition = checkExpr(expr->condition);
  // A mask chooses by component.
  bool isMask = !isError(condition) && condition->type->isAggregate() &&
                condition->type->scalar()->isBool();
  if (isMask) {
    Expr *first = checkExpr(expr->thenValue);
    return ctx.builtins.chooseBy(expr->range, "if … else", condition, first,
                                 checkExpr(expr->elseValue));
  }
  condition = asCondition(condition, expr->condition, "the condition of `if`");
  Expr *thenValue = nullptr, *elseValue = nullptr;
  checkGuarded(condition, true,
               [&] { thenValue = checkExpr(expr->thenValue); });
  checkGuarded(condition, false,
               [&] { elseValue = checkExpr(expr->elseValue); });
  Expr *value = build.select(expr->range, condition, thenValue, elseValue);
  bool isChosen = value->type->holdsField() && !constantInt(condition);
  if (isChosen && !state.hostOnly(expr->range, "a choice between fields"))
    return fail(expr->range);
  return value;
}

Expr *ExprChecker::checkCondition(const ast::Expr *expr, llvm::StringRef what) {
  return asCondition(checkExpr(expr), expr, what);
}

Expr *ExprChecker::asCondition(Expr *condition, const ast::Expr *expr,
                               llvm::StringRef what) {
  if (isError(condition) || condition->type->isBool())
    return condition;
  TypeRef type = build.defaulted(condition->type);
  if (type->isVoid())
    diags.report(condition->range, diag::NoValue).send();
  else if (type->isAggregate() && type->scalar()->isBool())
    diags.report(expr->range, diag::NotABool, what, type->str())
        .fixIt(expr->range,
               ("(" + program.sources.text(expr->range) + ").all()").str())
        .send();
  else if (type->isInt() || type->isFloat())
    diags.report(expr->range, diag::NotABool, what, type->str())
        .fixIt(expr->range, (program.sources.text(expr->range) + " != 0").str())
        .send();
  else if (type->isStr() || type->isContainer())
    diags.report(expr->range, diag::NotABool, what, type->str())
        .fixIt(expr->range,
               ("len(" + program.sources.text(expr->range) + ") > 0").str())
        .send();
  else
    diags.report(expr->range, diag::NotABool, what, type->str()).send();
  return fail(expr->range);
}

//===----------------------------------------------------------------------===//
// Brackets
//===----------------------------------------------------------------------===//

/// [Vec.2]: numbers make a vec, equal vecs a mat by rows.
Expr *ExprChecker::checkList(const ast::ListExpr *expr) {
  std::vector<Expr *> parts;
  bool allScalars = !expr->elements.empty(), allVecs = allScalars;
  for (const ast::Expr *element : expr->elements) {
    Expr *part = checkExpr(element);
    if (part->type->isVoid()) {
      diags.report(element->range, diag::NoValue).send();
      part = fail(element->range);
    }
    if (isError(part)) {
      for (const ast::Expr *rest : expr->elements.drop_front(parts.size() + 1))
        checkExpr(rest);
      return fail(expr->range);
    }
    allScalars &= part->type->isScalar();
    allVecs &= part->type->isVec();
    parts.push_back(part);
  }
  if (allScalars && build.unify(expr->range, "[…]", parts))
    return build.construct(expr->range, types.vec(parts.size(), parts[0]->type),
                           parts);
  if (allVecs)
    for (Expr *part : parts) {
      allVecs &= part->type->shape == parts[0]->type->shape;
      if (allVecs || !state.inKernel())
        continue;
      diags
          .report(expr->range, diag::RowsDiffer,
                  size_t(parts[0]->type->shape[0]),
                  size_t(part->type->shape[0]))
          .send();
      return fail(expr->range);
    }
  if (allVecs && build.unify(expr->range, "[…]", parts))
    return build.construct(expr->range,
                           types.mat(parts.size(), parts[0]->type->shape[0],
                                     parts[0]->type->scalar()),
                           parts);
  if (!allScalars && !allVecs)
    return ctx.objects.listOf(expr->range, std::move(parts));
  return fail(expr->range);
}

Expr *ExprChecker::checkTuple(const ast::TupleExpr *expr) {
  std::vector<Expr *> parts;
  std::vector<TypeRef> members;
  bool failed = false;
  for (const ast::Expr *element : expr->elements) {
    Expr *part = checkExpr(element);
    failed |= isError(part);
    if (part->type->isVoid()) {
      diags.report(element->range, diag::NoValue).send();
      failed = true;
    }
    parts.push_back(part);
    members.push_back(part->type);
  }
  if (failed)
    return fail(expr->range);
  int64_t size = 0;
  for (TypeRef member : members)
    size += member->numScalars();
  if (size > kMaxEntries) {
    diags
        .report(expr->range, diag::ExtentOutOfRange, "the size of a tuple",
                size, kMaxEntries)
        .send();
    return fail(expr->range);
  }
  return build.construct(expr->range, types.tuple(members), parts);
}

Expr *ExprChecker::checkFString(const ast::FStringExpr *expr) {
  // No statements that its values may need have a place there.
  if (state.where == Where::Constant &&
      !state.hostOnly(expr->range, "an f-string as a value"))
    return fail(expr->range);
  auto *format = build.make<FormatExpr>(expr->range, types.str);
  if (!formatParts(expr, format->parts))
    return fail(expr->range);
  if (!state.hostOnly(expr->range, "an f-string as a value"))
    return fail(expr->range);
  return format;
}

Expr *ExprChecker::checkConstant(const ast::Expr *expr, llvm::StringRef what,
                                 const DiagnosticKind<> *advice) {
  bool outer = state.isStaticArgument;
  state.isStaticArgument = true;
  Expr *value = checkExpr(expr);
  state.isStaticArgument = outer;
  if (isError(value))
    return nullptr;
  if (isConstant(value))
    return value;
  // A tree of typed constants folds once it has a precision.
  value = build.withDefault(value);
  if (isError(value))
    return nullptr;
  if (isConstant(value))
    return value;
  reportNotConstant(value, what, advice);
  return nullptr;
}

void ExprChecker::reportNotConstant(Expr *value, llvm::StringRef what,
                                    const DiagnosticKind<> *advice) {
  if (build.reportUndefined(value))
    return;
  const Param *param = nullptr;
  const Variable *parameter = nullptr;
  auto find = [&](auto &self, Expr *at) -> void {
    if (auto *read = llvm::dyn_cast<ParamExpr>(at))
      param = &program.paramAt(read->index);
    auto *use = llvm::dyn_cast<VariableExpr>(at);
    if (use && use->variable->isParameter && use->variable->hasWrittenType)
      parameter = use->variable;
    forEachOperand(at, [&](Expr *&operand) { self(self, operand); });
  };
  find(find, value);
  auto report = diags.report(value->range, diag::NotConstant, what);
  if (param)
    report.addNote(param->range, diag::FixParam, param->name);
  if (parameter && parameter->type->isScalar())
    report.addNote(parameter->range, diag::TypedParameter, parameter->name);
  if (advice)
    report.addNote({}, *advice);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

std::optional<bool> ExprChecker::staticCondition(const ast::Expr *expr) {
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(expr)) {
    Meaning callee = ctx.names.resolve(call->callee);
    if (callee.kind != Meaning::Builtin ||
        callee.builtin != BuiltinName::Static)
      return std::nullopt;
    Expr *value = ctx.builtins.callStatic(call);
    auto known = value->type->isBool() ? constantInt(value) : std::nullopt;
    if (!known && !isError(value))
      diags
          .report(expr->range, diag::NotABool, "a `static` condition",
                  build.defaulted(value->type)->str())
          .send();
    return known.value_or(0) != 0;
  }
  if (auto *unary = llvm::dyn_cast<ast::UnaryExpr>(expr)) {
    if (unary->op != ast::UnaryOp::Not)
      return std::nullopt;
    auto known = staticCondition(unary->operand);
    return known ? std::optional(!*known) : std::nullopt;
  }
  if (auto *logical = llvm::dyn_cast<ast::LogicalExpr>(expr)) {
    std::optional<bool> result;
    for (const ast::Expr *operand : logical->operands) {
      auto *call = llvm::dyn_cast<ast::CallExpr>(operand);
      bool isUnary = llvm::isa<ast::UnaryExpr, ast::LogicalExpr>(operand);
      if (!call && !isUnary)
        return std::nullopt;
      auto known = staticCondition(operand);
      if (!known)
        return std::nullopt;
      if (*known != logical->isAnd)
        return known;
      result = known;
    }
    return result;
  }
  return std::nullopt;
}

/// What a condition always is, also where it has to be evaluated:
/// `x[i] > 0 and n == 6` with a constant n.
static std::optional<bool> outcome(const Expr *condition) {
  if (auto known = constantInt(condition))
    return *known != 0;
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(condition)) {
    auto known =
        unary->op == UnaryOp::Not ? outcome(unary->operand) : std::nullopt;
    return known ? std::optional(!*known) : std::nullopt;
  }
  auto *logical = llvm::dyn_cast<LogicalExpr>(condition);
  return logical ? logical->outcome : std::nullopt;
}

void ExprChecker::checkGuarded(Expr *condition, bool wanted,
                               llvm::function_ref<void()> check) {
  auto known = isError(condition) ? std::nullopt : outcome(condition);
  llvm::SaveAndRestore<bool> inside{
      build.isDead, build.isDead || (known && *known != wanted)};
  check();
}

//===----------------------------------------------------------------------===//
// All checkers of expressions
//===----------------------------------------------------------------------===//

ExprCheckers::ExprCheckers(ProgramScope &program, ModuleScope &module,
                           Where where, Instance *self)
    : state(program.build, module, where, self),
      ctx{program, state,      names,     foreign,   advice,      typeExprs,
          exprs,   subscripts, calls,     closures,  derivatives, builtins,
          methods, classes,    complexes, hostCalls, iterables,   objects},
      names(program, state, foreign), closures(program, state, names),
      foreign(program, state, names), advice(program, state, names, foreign) {}

Expr *ExprCheckers::checkExpr(const ast::Expr *expr) {
  return exprs.checkExpr(expr);
}

TypeRef ExprCheckers::checkType(const ast::Expr *expr) {
  return typeExprs.checkType(expr);
}

Meaning ExprCheckers::resolve(const ast::Expr *expr) {
  return names.resolve(expr);
}

bool ExprCheckers::isForeignlyTyped(const FunctionDecl &decl,
                                    const ast::Parameter &parameter) {
  return calls.isForeignlyTyped(decl, parameter);
}
