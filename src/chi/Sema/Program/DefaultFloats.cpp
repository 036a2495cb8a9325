//===- DefaultFloats.cpp - f32 by default where an f64 stands -------------===//
// A variable made of integers and literals alone is an f32 because nothing
// says more ([Inf.3]). Where its value meets an f64 the result is good to 1e-7
// only, which nobody asked for. This looks at a whole program: what a variable
// holds is known when all that is assigned to it is.
#include "chi/Sema/Program/ProgramChecker.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>
#include <set>

using namespace chi;
using namespace chi::sema;

namespace {
/// Where the precision of a float comes from; of several the largest counts.
enum class Origin {
  Exact,   ///< the default, and no digit is lost by it
  Rounded, ///< the default
  Decided, ///< a type that was written, or that of data
};

/// What the precision of a value depends on.
struct Sources {
  Origin own = Origin::Exact;
  llvm::SmallVector<const void *, 2> of; ///< Variable, Global, Function
};

struct Assignment {
  const void *to = nullptr;
  Sources from;
};

class DefaultFloats {
public:
  DefaultFloats(const SourceFiles &sources, TypeContext &types,
                DiagnosticEngine &diags)
      : sources(sources), types(types), diags(diags) {}
  void run(llvm::ArrayRef<std::unique_ptr<Function>> functions);

private:
  void gather(const Function &function, const Body &body);
  void gather(const Function &function, const Stmt *stmt);
  void assign(const void *to, const Expr *value, Origin least);
  void note(Expr *expr);
  Sources sourcesOf(const Expr *value) const;
  void addLeaf(const Expr *leaf, Sources &found) const;
  static const void *entityOf(const Expr *expr, SourceRange &made);
  const Expr *firstRounded(Expr *tree, SourceRange &made) const;
  void adviseCast(DiagnosticBuilder &warning, const CastExpr &cast) const;
  void report(const CastExpr &cast);

  const SourceFiles &sources;
  TypeContext &types;
  DiagnosticEngine &diags;
  std::vector<const CastExpr *> meetings;
  std::vector<Assignment> assignments;
  llvm::DenseMap<const void *, Origin> origins;
  /// Where parameters are declared: their annotations have no value.
  std::set<std::pair<uint32_t, uint32_t>> parameters;
};
} // namespace

static bool isFloat(const Expr *expr, unsigned bits) {
  TypeRef scalar = hasNumbers(expr->type) ? expr->type->scalar() : nullptr;
  return scalar && scalar->isFloat() && scalar->bits == bits;
}

/// Whether a value of floats may have lost digits by this operation itself.
static bool rounds(const Expr *expr) {
  if (llvm::isa<BinaryExpr>(expr))
    return true;
  auto *call = llvm::dyn_cast<BuiltinExpr>(expr);
  if (!call)
    return false;
  switch (call->op) {
  case Builtin::Abs:
  case Builtin::Sign:
  case Builtin::Min:
  case Builtin::Max:
  case Builtin::Clamp:
  case Builtin::Step:
  case Builtin::Choose:
  case Builtin::Ldexp:
  case Builtin::Copysign:
  case Builtin::Floor:
  case Builtin::Ceil:
  case Builtin::Round:
  case Builtin::Trunc:
  case Builtin::Transpose:
  case Builtin::Column:
  case Builtin::Diag:
  case Builtin::MinElement:
  case Builtin::MaxElement:
    return false;
  default:
    return true;
  }
}

/// A conversion to the default float that nobody wrote.
static Origin originOfCast(const CastExpr &cast) {
  TypeRef from = cast.operand->type->scalar();
  if (cast.isBitcast || from->isFloat())
    return Origin::Decided;
  bool isExact = from->isBool() || from->bits <= 16;
  return isExact ? Origin::Exact : Origin::Rounded;
}

void DefaultFloats::addLeaf(const Expr *leaf, Sources &found) const {
  auto raise = [&](Origin origin) { found.own = std::max(found.own, origin); };
  SourceRange made;
  if (const void *entity = entityOf(leaf, made)) {
    auto *read = llvm::dyn_cast<VariableExpr>(leaf);
    auto *global = llvm::dyn_cast<GlobalExpr>(leaf);
    auto *call = llvm::dyn_cast<CallExpr>(leaf);
    bool isWritten = (read && read->variable->hasWrittenType) ||
                     (global && global->global->hasWrittenType) ||
                     (call && call->callee->hasWrittenResult);
    if (!isWritten)
      return found.of.push_back(entity);
    return raise(Origin::Decided);
  }
  if (auto *cast = llvm::dyn_cast<CastExpr>(leaf))
    return raise(originOfCast(*cast));
  if (llvm::isa<LiteralExpr>(leaf)) {
    auto *literal = static_cast<const ExactLiteral *>(leaf);
    bool isRounded = literal->isRounded || literal->exactReal != literal->real;
    return raise(isRounded && !std::isnan(literal->real) ? Origin::Rounded
                                                         : Origin::Exact);
  }
  raise(Origin::Decided);
}

/// Walks over what computes a value, not over conditions and indices.
Sources DefaultFloats::sourcesOf(const Expr *value) const {
  Sources found;
  llvm::SmallVector<Expr *> work = {const_cast<Expr *>(value)};
  while (!work.empty()) {
    Expr *next = work.pop_back_val();
    bool isTuple = next->type->isTuple();
    if (!isTuple && !isFloat(next, 16) && !isFloat(next, 32) &&
        !isFloat(next, 64))
      continue;
    if (!isTuple && (next->isWritten || !isFloat(next, 32))) {
      found.own = Origin::Decided;
      continue;
    }
    if (rounds(next))
      found.own = std::max(found.own, Origin::Rounded);
    switch (next->kind) {
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::Splat:
    case ExprKind::Construct:
    case ExprKind::Builtin:
      forEachOperand(next, [&](Expr *&operand) { work.push_back(operand); });
      break;
    case ExprKind::Extract:
      work.push_back(llvm::cast<ExtractExpr>(next)->base);
      break;
    case ExprKind::Select:
      work.push_back(llvm::cast<SelectExpr>(next)->thenValue);
      work.push_back(llvm::cast<SelectExpr>(next)->elseValue);
      break;
    case ExprKind::Let:
      work.push_back(llvm::cast<LetExpr>(next)->body);
      break;
    default:
      addLeaf(next, found);
    }
  }
  return found;
}

void DefaultFloats::assign(const void *to, const Expr *value, Origin least) {
  Assignment made{to, sourcesOf(value)};
  made.from.own = std::max(made.from.own, least);
  assignments.push_back(std::move(made));
}

/// Conversions, arguments and the variables of an expression.
void DefaultFloats::note(Expr *expr) {
  llvm::SmallVector<Expr *> work = {expr};
  while (!work.empty()) {
    Expr *next = work.pop_back_val();
    if (auto *cast = llvm::dyn_cast<CastExpr>(next)) {
      if (!cast->isWritten && isFloat(cast, 64) && isFloat(cast->operand, 32))
        meetings.push_back(cast);
    } else if (auto *call = llvm::dyn_cast<CallExpr>(next)) {
      for (auto [parameter, value] :
           llvm::zip(call->callee->params, call->args))
        assign(parameter, value, Origin::Exact);
    } else if (auto *let = llvm::dyn_cast<LetExpr>(next)) {
      assign(let->variable, let->value, Origin::Exact);
    }
    forEachOperand(next, [&](Expr *&operand) { work.push_back(operand); });
  }
}

void DefaultFloats::gather(const Function &function, const Stmt *stmt) {
  auto variableOf = [](const LValue &lvalue) -> const void * {
    return lvalue.kind == LValue::Local      ? (const void *)lvalue.variable
           : lvalue.kind == LValue::TopLevel ? (const void *)lvalue.global
                                             : nullptr;
  };
  if (auto *set = llvm::dyn_cast<AssignStmt>(stmt)) {
    if (const void *to = variableOf(set->lvalue))
      assign(to, set->value, Origin::Exact);
  } else if (auto *update = llvm::dyn_cast<AccumulateStmt>(stmt)) {
    if (const void *to = variableOf(update->lvalue))
      assign(to, update->value, Origin::Rounded);
  } else if (auto *result = llvm::dyn_cast<ReturnStmt>(stmt)) {
    if (result->value)
      assign(&function, result->value, Origin::Exact);
  } else if (auto *branch = llvm::dyn_cast<IfStmt>(stmt)) {
    gather(function, branch->thenBody), gather(function, branch->elseBody);
  } else if (auto *loop = llvm::dyn_cast<WhileStmt>(stmt)) {
    gather(function, loop->body);
  } else if (auto *loop = llvm::dyn_cast<ForStmt>(stmt)) {
    gather(function, loop->body);
  } else if (auto *unrolled = llvm::dyn_cast<UnrolledStmt>(stmt)) {
    for (const Body &body : unrolled->bodies)
      gather(function, body);
  } else if (auto *tape = llvm::dyn_cast<TapeStmt>(stmt)) {
    gather(function, tape->body);
  }
}

void DefaultFloats::gather(const Function &function, const Body &body) {
  for (const Stmt *stmt : body)
    gather(function, stmt);
}

/// What an expression reads that keeps a precision; null if it reads nothing.
const void *DefaultFloats::entityOf(const Expr *expr, SourceRange &made) {
  if (auto *read = llvm::dyn_cast<VariableExpr>(expr)) {
    made = read->variable->range;
    return read->variable;
  }
  if (auto *read = llvm::dyn_cast<GlobalExpr>(expr)) {
    made = read->global->range;
    return read->global;
  }
  auto *call = llvm::dyn_cast<CallExpr>(expr);
  if (call)
    made = call->callee->range;
  return call ? call->callee : nullptr;
}

/// The first thing in a tree that was rounded; null if that has no name.
const Expr *DefaultFloats::firstRounded(Expr *tree, SourceRange &made) const {
  llvm::SmallVector<Expr *> work = {tree};
  while (!work.empty()) {
    Expr *next = work.pop_back_val();
    const void *entity = entityOf(next, made);
    if (entity && hasNumbers(next->type) && next->type->scalar()->isFloat() &&
        origins.lookup(entity) == Origin::Rounded)
      return next;
    size_t at = work.size();
    if (!entity)
      forEachOperand(next, [&](Expr *&operand) { work.push_back(operand); });
    std::reverse(work.begin() + at, work.end());
  }
  return nullptr;
}

/// A value without a variable: the conversion of its first integer.
void DefaultFloats::adviseCast(DiagnosticBuilder &warning,
                               const CastExpr &cast) const {
  llvm::SmallVector<Expr *> work = {cast.operand};
  while (!work.empty()) {
    Expr *next = work.pop_back_val();
    auto *made = llvm::dyn_cast<CastExpr>(next);
    if (made && !made->isBitcast && hasNumbers(made->operand->type) &&
        !made->operand->type->scalar()->isFloat()) {
      std::string text =
          ("f64(" + sources.text(made->operand->range) + ")").str();
      warning.addNote({}, diag::Advice, "`" + text + "` keeps the precision");
      warning.addFixIt(made->operand->range, text);
      return;
    }
    size_t at = work.size();
    forEachOperand(next, [&](Expr *&operand) { work.push_back(operand); });
    std::reverse(work.begin() + at, work.end());
  }
}

void DefaultFloats::report(const CastExpr &cast) {
  Sources from = sourcesOf(cast.operand);
  Origin all = from.own;
  for (const void *each : from.of)
    all = std::max(all, origins.lookup(each));
  if (all != Origin::Rounded)
    return;
  SourceRange made;
  const Expr *rounded = firstRounded(cast.operand, made);
  const Expr *shown = rounded ? rounded : cast.operand;
  auto warning = diags.report(cast.operand->range, diag::DefaultMeetsWide,
                              sources.text(shown->range), shown->type->str());
  if (!rounded)
    return adviseCast(warning, cast);
  std::string wide = types.withScalar(rounded->type, types.f64)->str();
  std::string name = sources.text(made).str();
  if (llvm::isa<CallExpr>(rounded))
    return warning.addNote(made, diag::AnnotateResult, wide);
  llvm::StringRef text = sources.text(made.file);
  llvm::StringRef rest = text.drop_front(made.end).ltrim(' ');
  llvm::StringRef before = text.take_front(made.begin).rtrim(" \t");
  bool isPlain = rest.starts_with("=") && !rest.starts_with("==") &&
                 (before.empty() || before.back() == '\n');
  if (parameters.count({made.file, made.begin}))
    return warning.addNote(made, diag::Advice,
                           "`" + name + ": " + wide + "` keeps the precision");
  warning.addNote(made, diag::AnnotateVariable, name, wide);
  if (isPlain)
    warning.addFixIt(made, name + ": " + wide);
}

void DefaultFloats::run(llvm::ArrayRef<std::unique_ptr<Function>> functions) {
  for (const std::unique_ptr<Function> &function : functions)
    forEachExpr(function->body, [&](Expr *expr) { note(expr); });
  if (meetings.empty())
    return;
  for (const std::unique_ptr<Function> &function : functions)
    for (const Variable *parameter : function->params)
      parameters.insert({parameter->range.file, parameter->range.begin});
  for (const std::unique_ptr<Function> &function : functions)
    gather(*function, function->body);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Assignment &each : assignments) {
      Origin &to = origins[each.to];
      Origin now = std::max(to, each.from.own);
      for (const void *from : each.from.of)
        now = std::max(now, origins.lookup(from));
      changed |= now != origins[each.to];
      origins[each.to] = now;
    }
  }
  for (const CastExpr *cast : meetings)
    report(*cast);
}

void ProgramChecker::warnOfDefaultFloats() {
  if (options.defaultFloatBits == 32)
    DefaultFloats(sources, types, diags).run(program.functions);
}
