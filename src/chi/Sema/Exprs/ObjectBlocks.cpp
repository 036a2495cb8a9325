//===- ObjectBlocks.cpp - Methods that take several statements ------------===//
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"

using namespace chi;
using namespace chi::sema;

namespace {
/// An expression that begins with statements.
class Block {
public:
  Block(Builder &build, BodyState &state, SourceRange range)
      : build(build), state(state), range(range),
        made(build.make<BlockExpr>(range, nullptr)) {}

  /// A read of a new variable that is set to the value in the block.
  Expr *keep(Expr *value) {
    Variable *variable = state.freshVariable(".part", range, value->type);
    auto *assign = build.makeStmt<AssignStmt>(range);
    assign->lvalue.kind = LValue::Local;
    assign->lvalue.variable = variable;
    assign->lvalue.type = value->type;
    assign->lvalue.range = range;
    assign->value = value;
    made->body.push_back(assign);
    return build.variable(range, variable);
  }
  void add(Stmt *stmt) { made->body.push_back(stmt); }
  Expr *finish(Expr *value) {
    made->value = value;
    made->type = value->type;
    return made;
  }

private:
  Builder &build;
  BodyState &state;
  SourceRange range;
  BlockExpr *made;
};
} // namespace

/// `d.setdefault(k, v)`
Expr *ObjectChecker::setDefault(SourceRange range, Expr *dict, Expr *key,
                                Expr *value) {
  if (isError(key) || isError(value))
    return fail(range);
  Block block(build, state, range);
  dict = block.keep(dict), key = block.keep(key), value = block.keep(value);
  Expr *has = op(range, HostOp::Search, types.boolTy,
                 {build.clone(dict), build.clone(key)});
  llvm::cast<HostOpExpr>(has)->text = "chirt_dict_has";
  auto *store = build.makeStmt<ExprStmt>(range);
  store->value = put(range, build.clone(dict), build.clone(key), value);
  auto *branch = build.makeStmt<IfStmt>(range);
  branch->condition = build.unary(range, UnaryOp::Not, has);
  branch->thenBody.push_back(store);
  block.add(branch);
  return block.finish(elementAt(range, dict, key));
}

/// `d.popitem()`
Expr *ObjectChecker::popItem(SourceRange range, Expr *dict) {
  TypeRef type = dict->type;
  Block block(build, state, range);
  dict = block.keep(dict);
  Expr *keys = block.keep(run(range, "chirt_dict_last_key",
                              types.list(type->key), {build.clone(dict)}));
  Expr *key =
      block.keep(elementAt(range, keys, build.intLiteral(range, 0, types.i64)));
  Expr *value = block.keep(
      op(range, HostOp::DictPop, type->element, {dict, build.clone(key)}));
  return block.finish(build.construct(
      range, types.tuple({type->key, type->element}), {key, value}));
}

/// `xs[a:b] = ys`
void ObjectChecker::putSlice(const ast::SubscriptExpr *target, Expr *list,
                             Expr *value) {
  SourceRange range = target->range;
  auto *slice = llvm::cast<ast::SliceExpr>(target->indices[0]);
  TypeRef type = list->type;
  if (!state.hostOnly(range, "a list") || isError(value) || type->isOpen())
    return;
  Expr *given = value->type->isVec() ? value : asList(value->range, value);
  if (!given) {
    diags
        .report(value->range, diag::NotIterable,
                build.defaulted(value->type)->str())
        .send();
    return;
  }
  given = build.convert(given, type, "the slice");
  auto *cut = llvm::dyn_cast<HostOpExpr>(sliceOf(list, slice, range));
  if (!cut || isError(given))
    return;
  std::vector<Expr *> args = cut->args; // of the slice that is read
  args.push_back(given);
  for (const Expr *arg : args)
    if (isError(arg))
      return;
  state.emit<ExprStmt>(range)->value =
      run(range, "chirt_list_put_slice", types.voidTy, std::move(args));
}
