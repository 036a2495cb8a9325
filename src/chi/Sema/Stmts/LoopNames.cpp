//===- LoopNames.cpp - The names of a loop over ranges --------------------===//
#include "chi/Sema/Exprs/IterableChecker.h"
#include "chi/Sema/Exprs/SubscriptChecker.h"
#include "chi/Sema/Stmts/AssignChecker.h"
#include "chi/Sema/Stmts/LoopChecker.h"

using namespace chi;
using namespace chi::sema;

/// Names of a `for` without the brackets round them.
llvm::SmallVector<const ast::NameExpr *>
sema::flatNames(llvm::ArrayRef<ast::Expr *> targets) {
  llvm::SmallVector<const ast::NameExpr *> names;
  for (const ast::Expr *target : targets) {
    if (auto *name = llvm::dyn_cast<ast::NameExpr>(target))
      names.push_back(name);
    else if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target))
      llvm::append_range(names, flatNames(tuple->elements));
  }
  return names;
}

/// How many names a loop has.
unsigned Iteration::numNames() const {
  unsigned values = isGrouped        ? 1
                    : zipped.empty() ? numAxes()
                                     : unsigned(zipped.size());
  return values + isEnumerated;
}

/// Extents of the axes, for the number of an iteration of several.
std::vector<Expr *> LoopChecker::axisExtents(const Iteration &iteration,
                                             SourceRange range) {
  std::vector<Expr *> extents;
  if (iteration.field) {
    Expr *shape = ctx.subscripts.member(build.clone(iteration.field), "shape",
                                        range, range);
    for (unsigned axis = 0; axis < iteration.numAxes(); ++axis)
      extents.push_back(ctx.iterables.pinned(build.tupleMember(shape, axis)));
    return extents;
  }
  for (const Iteration::Range &axis : iteration.ranges)
    extents.push_back(ctx.iterables.pinned(
        build.binary(range, range, BinaryOp::Sub, build.clone(axis.end),
                     build.clone(axis.begin))));
  return extents;
}

namespace {
/// The values of a loop's names, from the variables of its axes.
struct NameValues {
  Builder &build;
  const Iteration &iteration;
  SourceRange range;
  llvm::ArrayRef<Variable *> axes;

  Expr *op(BinaryOp kind, Expr *a, Expr *b) const {
    return build.binary(range, range, kind, a, b);
  }
  Expr *axis(unsigned k) const { return build.variable(range, axes[k]); }

  /// A number of a range as its name has it.
  Expr *named(Expr *number, const Iteration::Range &range) const {
    if (range.type)
      number = build.cast(number, range.type);
    return range.base ? op(BinaryOp::Add, build.clone(range.base), number)
                      : number;
  }
  /// Of each name but the count.
  std::vector<Expr *> values(TypeContext &types) const {
    std::vector<Expr *> values;
    if (!iteration.zipped.empty()) {
      for (const Iteration::Range &one : iteration.zipped) {
        Expr *number = build.cast(axis(0), one.begin->type);
        if (one.step)
          number = op(BinaryOp::Mul, number, build.clone(one.step));
        number = op(BinaryOp::Add, build.clone(one.begin), number);
        values.push_back(named(number, one));
      }
      return values;
    }
    TypeRef scalar = types.i32;
    for (unsigned k = 0; k < axes.size(); ++k) {
      values.push_back(iteration.field ? axis(k)
                                       : named(axis(k), iteration.ranges[k]));
      if (values.back()->type->bits > scalar->bits)
        scalar = values.back()->type;
    }
    if (iteration.isPoint)
      values.clear();
    if (!iteration.isGrouped)
      return values;
    for (Expr *&part : values)
      part = build.cast(part, scalar);
    return {build.construct(range, types.vec(values.size(), scalar), values)};
  }

  /// The number of the iteration, the last axis running fastest.
  Expr *count(llvm::ArrayRef<Expr *> extents) const {
    Expr *number = nullptr;
    for (unsigned k = 0; k < axes.size(); ++k) {
      Expr *position = axis(k);
      if (!iteration.field) {
        const Iteration::Range &one = iteration.ranges[k];
        position = op(BinaryOp::Sub, position, build.clone(one.begin));
        if (one.step)
          position = op(BinaryOp::FloorDiv, position, build.clone(one.step));
      }
      number = number ? op(BinaryOp::Add,
                           op(BinaryOp::Mul, number, build.clone(extents[k])),
                           position)
                      : position;
    }
    return op(BinaryOp::Add, number,
              build.intLiteral(range, iteration.enumerateFrom,
                               build.types.untypedInt));
  }
};
} // namespace

/// Declares the loop's names and, where one is not the variable of an axis, or
/// the body assigns it, the statement that makes it.
void LoopChecker::bindLoopNames(const ast::ForStmt *stmt,
                                const Iteration &iteration,
                                llvm::ArrayRef<Expr *> extents, ForStmt *loop) {
  llvm::SmallVector<const ast::NameExpr *> names = flatNames(stmt->targets);
  llvm::ArrayRef<const ast::NameExpr *> valueNames =
      llvm::ArrayRef(names).drop_front(iteration.isEnumerated);
  bool isPlain = iteration.zipped.empty() && !iteration.isGrouped;
  for (unsigned k = 0; k < iteration.numAxes(); ++k) {
    TypeRef type = iteration.field
                       ? ctx.subscripts.axisType(iteration.field->type, k)
                       : iteration.ranges[k].begin->type;
    const ast::NameExpr *name = isPlain ? valueNames[k] : valueNames[0];
    bool isNamed = isPlain && isLoopsOwn(stmt, name, iteration, k);
    // Messages about an iteration show the names without the dot.
    std::string text = (isNamed ? "" : ".") + name->name.str();
    if (iteration.isGrouped && !iteration.isPoint)
      text += "[" + std::to_string(k) + "]";
    else if (!isPlain)
      text = ".iteration";
    loop->variables.push_back(state.freshVariable(text, name->range, type));
  }
  NameValues made{build, iteration, names[0]->range, loop->variables};
  auto copyTo = [&](const ast::NameExpr *name, Expr *value) {
    LocalVariable &local = state.declareLocal(name->name, name->range);
    ctx.assigns.assignLocal(local, value, name->range);
  };
  if (iteration.isEnumerated)
    copyTo(names[0], made.count(extents));
  std::vector<Expr *> values = made.values(types);
  std::string element =
      iteration.field && isPlain ? elementText(stmt, valueNames) : "";
  auto noteElement = [&](const ast::NameExpr *name) {
    Meaning meaning = state.lookupLocal(name->name);
    if (element.empty() || meaning.kind != Meaning::Local)
      return;
    meaning.local->element = element;
    meaning.local->elementType = iteration.field->type->element;
  };
  for (auto [k, name] : llvm::enumerate(valueNames)) {
    if (!isPlain || !isLoopsOwn(stmt, name, iteration, k)) {
      copyTo(name, values[k]);
      noteElement(name);
      continue;
    }
    Variable *variable = loop->variables[k];
    LocalVariable &local =
        state.declareTyped(name->name, name->range, variable->type);
    local.variable = variable;
    local.isLoopVariable = true;
    noteElement(name);
    state.assigned.insert(&local);
  }
}

/// Whether the variable of axis `k` can itself bear the name: the body does not
/// assign it, and it has the name's type.
bool LoopChecker::isLoopsOwn(const ast::ForStmt *stmt,
                             const ast::NameExpr *name,
                             const Iteration &iteration, unsigned k) {
  const AssignCounts &counts = program.countsOf(stmt->body);
  return !counts.all.count(name->name) && !counts.parts.count(name->name) &&
         (iteration.field || !iteration.ranges[k].type);
}
