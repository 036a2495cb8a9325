//===- Build.cpp - Nodes of the typed tree --------------------------------===//
#include "chi/Sema/Build/Build.h"

using namespace chi;
using namespace chi::sema;

bool sema::isUntyped(TypeRef type) {
  if (type->isTuple()) {
    for (TypeRef member : type->members)
      if (isUntyped(member))
        return true;
    return false;
  }
  if (type->isObject())
    return (type->element && isUntyped(type->element)) ||
           (type->key && isUntyped(type->key));
  TypeRef scalar = type->scalarOrNull();
  return scalar && !scalar->isBool() && scalar->bits == 0;
}

bool sema::isError(const Expr *expr) { return expr->type->isError(); }

bool sema::isConstant(const Expr *expr) {
  if (llvm::isa<LiteralExpr>(expr))
    return !isError(expr);
  if (llvm::isa<StringLiteralExpr>(expr))
    return true;
  if (auto *splat = llvm::dyn_cast<SplatExpr>(expr))
    return isConstant(splat->operand);
  auto *construct = llvm::dyn_cast<ConstructExpr>(expr);
  if (!construct)
    return false;
  for (const Expr *part : construct->parts)
    if (!isConstant(part))
      return false;
  return true;
}

std::optional<int64_t> sema::constantInt(const Expr *expr) {
  auto *literal = llvm::dyn_cast<LiteralExpr>(expr);
  if (!literal || isError(expr) || literal->type->isFloat())
    return std::nullopt;
  auto *exact = static_cast<const ExactLiteral *>(literal);
  if (exact->exact > INT64_MAX || exact->exact < INT64_MIN)
    return std::nullopt;
  return int64_t(exact->exact);
}

std::string sema::intText(__int128 value) {
  bool isNegative = value < 0;
  unsigned __int128 rest =
      isNegative ? -static_cast<unsigned __int128>(value) : value;
  std::string digits;
  do {
    digits.insert(digits.begin(), char('0' + int(rest % 10)));
    rest /= 10;
  } while (rest);
  return (isNegative ? "-" : "") + digits;
}

/// What the statements of a block hold, to be looked at: it is not replaced.
static void forEachInBlock(BlockExpr &block,
                           llvm::function_ref<void(Expr *&)> visit) {
  forEachExpr(block.body, [&](Expr *inner) { visit(inner); });
  visit(block.value);
}

void sema::forEachOperand(Expr *expr, llvm::function_ref<void(Expr *&)> visit) {
  auto each = [&](std::vector<Expr *> &list) {
    for (Expr *&item : list)
      visit(item);
  };
  auto along = [&](Path &path) {
    for (PathStep &step : path)
      if (!step.isMember())
        visit(step.index);
  };
  auto maybe = [&](Expr *&item) {
    if (item)
      visit(item);
  };
  switch (expr->kind) {
  case ExprKind::Literal:
  case ExprKind::StringLiteral:
  case ExprKind::Variable:
  case ExprKind::Global:
  case ExprKind::Param:
    break;
  case ExprKind::Random:
    maybe(llvm::cast<RandomExpr>(expr)->low);
    return maybe(llvm::cast<RandomExpr>(expr)->high);
  case ExprKind::Unary:
    return visit(llvm::cast<UnaryExpr>(expr)->operand);
  case ExprKind::Binary:
    visit(llvm::cast<BinaryExpr>(expr)->lhs);
    return visit(llvm::cast<BinaryExpr>(expr)->rhs);
  case ExprKind::Compare:
    visit(llvm::cast<CompareExpr>(expr)->lhs);
    return visit(llvm::cast<CompareExpr>(expr)->rhs);
  case ExprKind::Logical:
    visit(llvm::cast<LogicalExpr>(expr)->lhs);
    return visit(llvm::cast<LogicalExpr>(expr)->rhs);
  case ExprKind::Select:
    visit(llvm::cast<SelectExpr>(expr)->condition);
    visit(llvm::cast<SelectExpr>(expr)->thenValue);
    return visit(llvm::cast<SelectExpr>(expr)->elseValue);
  case ExprKind::Cast:
    return visit(llvm::cast<CastExpr>(expr)->operand);
  case ExprKind::Splat:
    return visit(llvm::cast<SplatExpr>(expr)->operand);
  case ExprKind::Construct:
    return each(llvm::cast<ConstructExpr>(expr)->parts);
  case ExprKind::Extract:
    visit(llvm::cast<ExtractExpr>(expr)->base);
    return along(llvm::cast<ExtractExpr>(expr)->path);
  case ExprKind::Builtin:
    return each(llvm::cast<BuiltinExpr>(expr)->args);
  case ExprKind::Call:
    return each(llvm::cast<CallExpr>(expr)->args);
  case ExprKind::Load: {
    auto *load = llvm::cast<LoadExpr>(expr);
    visit(load->field), each(load->indices);
    return along(load->path);
  }
  case ExprKind::Dim:
    return visit(llvm::cast<DimExpr>(expr)->field);
  case ExprKind::Companion:
    return visit(llvm::cast<CompanionExpr>(expr)->field);
  case ExprKind::Atomic: {
    auto *atomic = llvm::cast<AtomicExpr>(expr);
    visit(atomic->field), each(atomic->indices), along(atomic->path);
    maybe(atomic->value);
    return maybe(atomic->expected);
  }
  case ExprKind::Format:
    for (FormatPart &part : llvm::cast<FormatExpr>(expr)->parts)
      maybe(part.value);
    break;
  case ExprKind::HostOp:
    return each(llvm::cast<HostOpExpr>(expr)->args);
  case ExprKind::Let:
    visit(llvm::cast<LetExpr>(expr)->value);
    return visit(llvm::cast<LetExpr>(expr)->body);
  case ExprKind::Block:
    return forEachInBlock(*llvm::cast<BlockExpr>(expr), visit);
  }
}

Expr *Builder::error(SourceRange range) {
  return make<ExactLiteral>(range, types.error);
}

ExactLiteral *Builder::intLiteral(SourceRange range, __int128 value,
                                  TypeRef type) {
  auto *literal = make<ExactLiteral>(range, type);
  literal->exact = value;
  literal->integer = int64_t(value);
  literal->exactReal = literal->real = double(value);
  return literal;
}

ExactLiteral *Builder::realLiteral(SourceRange range, double value,
                                   TypeRef type) {
  auto *literal = make<ExactLiteral>(range, type);
  literal->exactReal = value;
  literal->real = roundTo(value, type);
  return literal;
}

ExactLiteral *Builder::boolLiteral(SourceRange range, bool value) {
  return intLiteral(range, value, types.boolTy);
}

Expr *Builder::variable(SourceRange range, Variable *variable) {
  auto *expr = make<VariableExpr>(range, variable->type);
  expr->variable = variable;
  return expr;
}

static void flattenInto(Builder &build, Expr *part,
                        std::vector<Expr *> &parts) {
  if (!part->type->isAggregate())
    return parts.push_back(part);
  for (int64_t k = 0; k < part->type->numScalars(); ++k)
    parts.push_back(build.component(part, k));
}

Expr *Builder::construct(SourceRange range, TypeRef type,
                         std::vector<Expr *> parts) {
  auto *expr = make<ConstructExpr>(range, type);
  bool flatten = type->isAggregate();
  for (Expr *part : parts) {
    if (isError(part))
      return error(range);
    // A row with effects stays whole: it is evaluated once.
    flatten &= part->type->isScalar() || isConstant(part) ||
               (type->isMat() && isPure(part));
  }
  if (!flatten) {
    expr->parts = std::move(parts);
  } else {
    for (Expr *part : parts)
      flattenInto(*this, part, expr->parts);
  }
  markFlexible(expr, expr->parts);
  return expr;
}

Expr *Builder::splat(Expr *scalar, TypeRef shaped) {
  TypeRef type = types.withScalar(shaped, scalar->type);
  if (isError(scalar))
    return scalar;
  auto *expr = make<SplatExpr>(scalar->range, type);
  expr->operand = scalar;
  markFlexible(expr, scalar);
  return expr;
}

/// Element k of an elementwise tree, operands by operand.
static bool isElementwise(Builtin op) {
  return op <= Builtin::StopGradient || op == Builtin::Choose;
}

/// Looks through constants: `e[1]` of a constant matrix is a constant vector.
static Expr *foldExtract(Builder &build, ExtractExpr *expr) {
  if (!isConstant(expr->base))
    return expr;
  TypeRef base = expr->base->type;
  if (!base->isAggregate())
    return expr;
  std::vector<Expr *> parts;
  if (!expr->components.empty()) {
    for (unsigned k : expr->components)
      parts.push_back(build.component(expr->base, k));
  } else {
    int64_t offset = 0;
    for (auto [axis, step] : llvm::enumerate(expr->path)) {
      auto k = constantInt(step.index);
      if (!k || *k < 0 || *k >= base->shape[axis])
        return expr;
      offset = offset * base->shape[axis] + *k;
    }
    int64_t count = expr->path.size() < base->rank() ? base->shape[1] : 1;
    for (int64_t k = 0; k < count; ++k)
      parts.push_back(build.component(expr->base, offset * count + k));
  }
  for (Expr *part : parts)
    part->range = expr->range;
  if (expr->type->isScalar())
    return parts[0];
  return build.construct(expr->range, expr->type, std::move(parts));
}

Expr *Builder::component(Expr *value, unsigned k) {
  TypeRef type = value->type->scalar();
  if (isError(value) || value->type->isScalar())
    return clone(value);
  auto with = [&](auto *node) {
    auto *copy = make<std::remove_pointer_t<decltype(node)>>(node->range, type);
    *copy = *node;
    copy->type = type;
    return copy;
  };
  auto down = [&](auto *node) -> Expr * {
    auto *copy = with(node);
    forEachOperand(copy,
                   [&](Expr *&operand) { operand = component(operand, k); });
    if (isFlexible(node))
      flexibleTrees.insert(copy);
    return copy;
  };
  if (auto *splat = llvm::dyn_cast<SplatExpr>(value))
    return clone(splat->operand);
  if (auto *construct = llvm::dyn_cast<ConstructExpr>(value)) {
    for (Expr *part : construct->parts) {
      unsigned n = part->type->numScalars();
      if (k < n)
        return component(part, k);
      k -= n;
    }
  }
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(value))
    return down(unary);
  if (auto *cast = llvm::dyn_cast<CastExpr>(value))
    return down(cast);
  if (auto *binary = llvm::dyn_cast<BinaryExpr>(value))
    if (binary->op != BinaryOp::MatMul)
      return down(binary);
  if (auto *call = llvm::dyn_cast<BuiltinExpr>(value))
    if (isElementwise(call->op))
      return down(call);
  auto i32 = [&](int64_t n) { return intLiteral(value->range, n, types.i32); };
  Path path;
  if (value->type->isVec())
    path = {i32(k)};
  else
    path = {i32(k / value->type->shape[1]), i32(k % value->type->shape[1])};
  if (auto *load = llvm::dyn_cast<LoadExpr>(value);
      load && load->path.empty()) {
    auto *copy = llvm::cast<LoadExpr>(clone(load));
    copy->type = type;
    copy->path = path;
    return copy;
  }
  auto *extract = make<ExtractExpr>(value->range, type);
  extract->base = clone(value);
  extract->path = path;
  return foldExtract(*this, extract);
}

Expr *Builder::tupleMember(Expr *value, unsigned k) {
  if (isError(value))
    return value;
  if (auto *construct = llvm::dyn_cast<ConstructExpr>(value))
    return clone(construct->parts[k]);
  auto *extract = make<ExtractExpr>(value->range, value->type->members[k]);
  extract->base = clone(value);
  extract->path = {PathStep::ofMember(k)};
  return extract;
}

Expr *Builder::clone(const Expr *expr) {
  auto copyOf = [&](auto *node) -> Expr * {
    using Node = std::remove_const_t<std::remove_pointer_t<decltype(node)>>;
    Node *copy = program.make<Node>();
    *copy = *node;
    forEachOperand(copy, [&](Expr *&operand) { operand = clone(operand); });
    if (isFlexible(expr))
      flexibleTrees.insert(copy);
    return copy;
  };
  switch (expr->kind) {
  case ExprKind::Literal:
    return copyOf(static_cast<const ExactLiteral *>(expr));
#define CHI_CLONE(Kind)                                                        \
  case ExprKind::Kind:                                                         \
    return copyOf(llvm::cast<Kind##Expr>(expr));
    CHI_CLONE(StringLiteral)
    CHI_CLONE(Variable)
    CHI_CLONE(Global)
    CHI_CLONE(Param)
    CHI_CLONE(Unary)
    CHI_CLONE(Binary)
    CHI_CLONE(Compare)
    CHI_CLONE(Logical)
    CHI_CLONE(Select)
    CHI_CLONE(Cast)
    CHI_CLONE(Splat)
    CHI_CLONE(Construct)
    CHI_CLONE(Extract)
    CHI_CLONE(Builtin)
    CHI_CLONE(Call)
    CHI_CLONE(Load)
    CHI_CLONE(Dim)
    CHI_CLONE(Companion)
    CHI_CLONE(Random)
    CHI_CLONE(Atomic)
    CHI_CLONE(Format)
    CHI_CLONE(HostOp)
    CHI_CLONE(Let)
#undef CHI_CLONE
  case ExprKind::Block: // made and evaluated in one place
    return const_cast<Expr *>(expr);
  }
  llvm_unreachable("expression kind");
}

/// Counts nodes up to `limit`; a node with effects counts as the limit.
static unsigned weigh(const Expr *expr, unsigned limit) {
  if (llvm::isa<CallExpr, RandomExpr, AtomicExpr, HostOpExpr, LetExpr,
                BlockExpr>(expr))
    return limit;
  unsigned sum = 1;
  forEachOperand(const_cast<Expr *>(expr), [&](Expr *&operand) {
    if (sum < limit)
      sum += weigh(operand, limit - sum);
  });
  return sum < limit ? sum : limit;
}

bool Builder::isCheap(const Expr *expr) const {
  constexpr unsigned kLimit = 20;
  return isConstant(expr) || weigh(expr, kLimit) < kLimit;
}

bool Builder::isPure(const Expr *expr) const {
  constexpr unsigned kLimit = 1000;
  return weigh(expr, kLimit) < kLimit;
}

Expr *Builder::reusable(Expr *value, std::vector<LetExpr *> &lets) {
  value = withDefault(value);
  if (isError(value) || isCheap(value))
    return value;
  auto *temporary = program.make<Variable>();
  temporary->name = ".t" + std::to_string(numTemporaries++);
  temporary->type = value->type;
  temporary->range = value->range;
  auto *let = make<LetExpr>(value->range, nullptr);
  let->variable = temporary;
  let->value = value;
  lets.push_back(let);
  return variable(value->range, temporary);
}

Expr *Builder::closeLets(Expr *body, llvm::ArrayRef<LetExpr *> lets) {
  if (isError(body))
    return body;
  for (LetExpr *let : llvm::reverse(lets)) {
    let->body = withDefault(body);
    let->type = let->body->type;
    let->range = body->range;
    body = let;
  }
  return body;
}
