//===- ResultShapes.cpp - Shapes of results from those of arguments -------===//
#include "chi/Driver/Library/ResultShapes.h"

#include "chi/Driver/Library/PythonText.h"
#include "chi/Sema/Build/Build.h"

using namespace chi;
using namespace chi::driver;
using namespace chi::sema;

namespace {
/// Follows the values of one function's body.
class Shapes {
public:
  explicit Shapes(const Function &function);

  std::optional<std::vector<std::string>> of(size_t result) const;

private:
  using Text = std::optional<std::string>;

  const Expr *valueOf(const Expr *expr) const;
  Text text(const Expr *expr) const;
  Text binary(const BinaryExpr &expr) const;
  Text extent(const Expr *field, unsigned axis) const;

  const Function &function;
  const ReturnStmt *leave = nullptr; ///< null: there is not exactly one
  /// The value of each variable that one statement sets.
  llvm::DenseMap<const Variable *, const Expr *> values;
};
} // namespace

Shapes::Shapes(const Function &function) : function(function) {
  unsigned numLeaves = 0;
  llvm::DenseMap<const Variable *, unsigned> count;
  auto set = [&](const Variable *variable, const Expr *value) {
    values[variable] = count[variable]++ ? nullptr : value;
  };
  forEachStmt(function.body, [&](Stmt *stmt) {
    if (auto *assign = llvm::dyn_cast<AssignStmt>(stmt))
      if (assign->lvalue.kind == LValue::Local)
        set(assign->lvalue.variable,
            assign->lvalue.path.empty() ? assign->value : nullptr);
    if (auto *update = llvm::dyn_cast<AccumulateStmt>(stmt))
      if (update->lvalue.kind == LValue::Local)
        set(update->lvalue.variable, nullptr);
    if (auto *loop = llvm::dyn_cast<ForStmt>(stmt))
      for (const Variable *variable : loop->variables)
        set(variable, nullptr);
    if (auto *found = llvm::dyn_cast<ReturnStmt>(stmt))
      leave = numLeaves++ ? nullptr : found;
  });
  for (const Variable *parameter : function.params)
    if (values.contains(parameter))
      values[parameter] = nullptr; // it is set to something else
}

/// What a variable stands for; the expression itself if it is none, or a
/// parameter. Null: not known.
const Expr *Shapes::valueOf(const Expr *expr) const {
  for (int depth = 0; depth < 16 && expr; ++depth) {
    if (auto *part = llvm::dyn_cast<ExtractExpr>(expr)) {
      auto *whole = llvm::dyn_cast_or_null<ConstructExpr>(valueOf(part->base));
      bool isMember =
          whole && part->path.size() == 1 && part->path[0].isMember();
      expr = isMember ? whole->parts[part->path[0].member] : nullptr;
      continue;
    }
    auto *variable = llvm::dyn_cast<VariableExpr>(expr);
    if (!variable)
      return expr;
    auto found = values.find(variable->variable);
    if (found == values.end())
      return variable->variable->isParameter ? expr : nullptr;
    expr = found->second;
  }
  return nullptr;
}

/// The extent of a field: of a parameter, or of one that the function makes.
Shapes::Text Shapes::extent(const Expr *field, unsigned axis) const {
  const Expr *value = valueOf(field);
  if (auto *parameter = llvm::dyn_cast_or_null<VariableExpr>(value))
    return pythonName(*parameter->variable) + ".shape[" + std::to_string(axis) +
           "]";
  auto *made = llvm::dyn_cast_or_null<HostOpExpr>(value);
  if (!made || made->op != HostOp::MakeField || axis >= made->args.size())
    return std::nullopt;
  return text(made->args[axis]);
}

Shapes::Text Shapes::binary(const BinaryExpr &expr) const {
  switch (expr.op) {
  case sema::BinaryOp::Add:
  case sema::BinaryOp::Sub:
  case sema::BinaryOp::Mul:
  case sema::BinaryOp::FloorDiv:
  case sema::BinaryOp::Mod:
    break;
  default:
    return std::nullopt;
  }
  Text lhs = text(expr.lhs), rhs = text(expr.rhs);
  if (!lhs || !rhs)
    return std::nullopt;
  return "(" + *lhs + " " + spelling(expr.op).str() + " " + *rhs + ")";
}

/// An integer as an expression of Python.
Shapes::Text Shapes::text(const Expr *expr) const {
  const Expr *value = valueOf(expr);
  if (!value || !value->type->isInt())
    return std::nullopt;
  if (auto *literal = llvm::dyn_cast<LiteralExpr>(value))
    return std::to_string(literal->integer);
  if (auto *parameter = llvm::dyn_cast<VariableExpr>(value))
    return pythonName(*parameter->variable);
  if (auto *cast = llvm::dyn_cast<CastExpr>(value))
    return cast->isBitcast ? std::nullopt : text(cast->operand);
  if (auto *extent = llvm::dyn_cast<DimExpr>(value))
    return this->extent(extent->field, extent->axis);
  auto *operation = llvm::dyn_cast<BinaryExpr>(value);
  return operation ? binary(*operation) : std::nullopt;
}

std::optional<std::vector<std::string>> Shapes::of(size_t result) const {
  const Expr *value = leave ? valueOf(leave->value) : nullptr;
  if (auto *tuple = llvm::dyn_cast_or_null<ConstructExpr>(value);
      tuple && function.result->isTuple())
    value = tuple->parts[result];
  if (!value || !value->type->isField())
    return std::nullopt;
  std::vector<std::string> extents;
  for (unsigned axis = 0; axis < value->type->rank(); ++axis) {
    Text one = extent(value, axis);
    if (!one)
      return std::nullopt;
    extents.push_back(*one);
  }
  sema::TypeRef element = value->type->element;
  if (element->isAggregate())
    for (int64_t inner : element->shape)
      extents.push_back(std::to_string(inner));
  return extents;
}

std::optional<std::vector<std::string>>
chi::driver::resultShape(const sema::Function &function, size_t result) {
  return Shapes(function).of(result);
}
