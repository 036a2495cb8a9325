//===- Objects.cpp - Lists, dicts and sets as they are written ------------===//
// A literal of an object is a MakeObject whose parts keep their own types until
// the context has decided those of the elements: `[[1], []]` is a list of lists
// of f64 where one is asked for.
#include "chi/Sema/Build/Objects.h"

using namespace chi;
using namespace chi::sema;

Expr *sema::makeObject(Builder &build, SourceRange range, TypeRef type,
                       std::vector<Expr *> parts) {
  auto *made = build.make<HostOpExpr>(range, type);
  made->op = HostOp::MakeObject;
  made->args = std::move(parts);
  return made;
}

/// The numbers of a bracket that was taken for a vec or mat, as elements of a
/// list; nothing if it is no bracket.
static std::optional<std::vector<Expr *>> elementsOf(Builder &build,
                                                     Expr *expr) {
  auto *construct = llvm::dyn_cast<ConstructExpr>(expr);
  TypeRef type = expr->type;
  if (!construct || !type->isAggregate())
    return std::nullopt;
  if (type->isVec()) {
    for (Expr *part : construct->parts)
      if (!part->type->isScalar())
        return std::nullopt;
    return construct->parts;
  }
  std::vector<Expr *> rows;
  bool isFlat = construct->parts.front()->type->isScalar();
  if (!isFlat)
    return construct->parts;
  int64_t columns = type->shape[1];
  for (int64_t row = 0; row < type->shape[0]; ++row) {
    auto first = construct->parts.begin() + row * columns;
    rows.push_back(
        build.construct(expr->range, build.types.vec(columns, type->element),
                        std::vector<Expr *>(first, first + columns)));
  }
  return rows;
}

/// The type of the next part of a literal.
static TypeRef partType(TypeRef type, size_t number) {
  return type->isDict() && number % 2 == 0 ? type->key : type->element;
}

/// Gives a comprehension and the variable that it fills another type.
static void retype(BlockExpr &block, TypeRef type) {
  auto *made = llvm::cast<VariableExpr>(block.value);
  made->variable->type = type;
  made->type = block.type = block.keeps->args[0]->type = type;
  auto *assign = llvm::cast<AssignStmt>(block.body.front());
  assign->lvalue.type = assign->value->type = type;
}

Expr *sema::convertObject(Builder &build, Expr *expr, TypeRef type,
                          llvm::StringRef what) {
  auto refuse = [&]() -> Expr * {
    auto [wanted, found] = distinctNames(type, build.defaulted(expr->type));
    build.diags.report(expr->range, diag::TypeMismatch, what, wanted, found)
        .send();
    return build.error(expr->range);
  };
  if (auto *block = llvm::dyn_cast<BlockExpr>(expr);
      block && block->keeps && block->type->kind == type->kind) {
    auto &args = block->keeps->args;
    for (size_t k = 1; k < args.size(); ++k) {
      args[k] = build.convert(args[k], partType(type, k - 1 + !type->isDict()),
                              "the element");
      if (isError(args[k]))
        return build.error(expr->range);
    }
    retype(*block, type);
    return block;
  }
  std::vector<Expr *> parts;
  auto *literal = llvm::dyn_cast<HostOpExpr>(expr);
  if (literal && literal->op == HostOp::MakeObject &&
      literal->type->kind == type->kind) {
    parts = literal->args;
  } else if (type->isList() && expr->type->isAggregate()) {
    auto elements = elementsOf(build, expr);
    if (!elements)
      return refuse();
    parts = *elements;
  } else {
    return refuse();
  }
  for (auto [k, part] : llvm::enumerate(parts)) {
    part = build.convert(part, partType(type, k + (!type->isDict())),
                         "the element");
    if (isError(part))
      return build.error(expr->range);
  }
  return makeObject(build, expr->range, type, std::move(parts));
}

TypeRef sema::joinObjects(const Builder &build, TypeRef a, TypeRef b) {
  TypeContext &types = build.types;
  if (a->kind != b->kind)
    return nullptr;
  if (a->isOpen() || b->isOpen())
    return a->isOpen() ? b : a;
  // An object is a reference: of two types of elements neither is wider.
  bool areLiterals = isUntyped(a) || isUntyped(b);
  if (!areLiterals)
    return nullptr;
  TypeRef element = build.joinTypes(a->element, b->element);
  TypeRef key = a->isDict() ? build.joinTypes(a->key, b->key) : nullptr;
  if (!element || (a->isDict() && !key))
    return nullptr;
  return a->isList()  ? types.list(element)
         : a->isSet() ? types.set(element)
                      : types.dict(key, element);
}

TypeRef sema::defaultedObject(const Builder &build, TypeRef type) {
  TypeContext &types = build.types;
  if (type->isOpen() || type->isFile())
    return type;
  TypeRef element = build.defaulted(type->element);
  return type->isList()  ? types.list(element)
         : type->isSet() ? types.set(element)
                         : types.dict(build.defaulted(type->key), element);
}
