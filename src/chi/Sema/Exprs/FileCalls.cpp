//===- FileCalls.cpp - Calls that read and write files --------------------===//
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/ClassChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/HostCallChecker.h"
#include "chi/Sema/Exprs/TypeExprChecker.h"

using namespace chi;
using namespace chi::sema;

/// A text that `function` takes as `what`; null after an error.
Expr *HostCallChecker::textArgument(const ast::Expr *expr,
                                    llvm::StringRef function,
                                    llvm::StringRef what) {
  Expr *text = ctx.exprs.checkExpr(expr);
  if (isError(text))
    return nullptr;
  if (text->type->isStr())
    return text;
  diags
      .report(expr->range, diag::BadArgument, function, what,
              build.defaulted(text->type)->str())
      .send();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// load
//===----------------------------------------------------------------------===//

/// `load(path, type, cast=True)`, `load(path, name, type, cast=True)`; false
/// after an error.
bool HostCallChecker::loadArguments(const ast::CallExpr *expr,
                                    std::vector<const ast::Expr *> &given,
                                    bool &isCast) {
  for (const ast::Argument &arg : expr->args) {
    if (arg.keyword.empty()) {
      given.push_back(arg.value);
      continue;
    }
    if (arg.keyword != "cast") {
      diags.report(arg.keywordRange, diag::UnknownKeyword, "load", arg.keyword)
          .send();
      return false;
    }
    Expr *flag = ctx.exprs.checkConstant(arg.value, "`cast`");
    if (!flag)
      return false;
    flag = build.convert(flag, types.boolTy, "`cast`");
    auto *literal = llvm::dyn_cast<LiteralExpr>(flag);
    if (isError(flag) || !literal)
      return false;
    isCast = literal->integer != 0;
  }
  if (given.size() == 2 || given.size() == 3)
    return true;
  diags
      .report(expr->range, diag::ArgCountRange, "load", size_t(2), size_t(3),
              given.size())
      .send();
  return false;
}

Expr *HostCallChecker::callLoad(const ast::CallExpr *expr) {
  bool isCast = false;
  std::vector<const ast::Expr *> given;
  if (!state.hostOnly(expr->range, "`load`") ||
      !loadArguments(expr, given, isCast))
    return fail(expr->range);
  Expr *path = textArgument(given[0], "load", "a file name");
  bool isNamed = given.size() == 3;
  Expr *name =
      isNamed ? textArgument(given[1], "load", "a name in the file") : nullptr;
  TypeRef type = ctx.typeExprs.checkType(given.back());
  if (!path || (isNamed && !name) || type->isError())
    return fail(expr->range);
  bool isValue = type->isScalar() || type->isAggregate() || type->isStr();
  if (!type->isField() && !(isNamed && isValue)) {
    diags
        .report(given.back()->range, diag::BadArgument, "load",
                isNamed ? "the type of a field, number, vec, mat or str"
                        : "a type such as `field(f32, 2)`",
                type->str())
        .send();
    return fail(expr->range);
  }
  // What a file holds may need more than 31 bits ([Loop.4]).
  TypeRef made = isValue && isNamed
                     ? type
                     : types.field(type->element, type->shape, type->layout,
                                   type->order, (1u << type->rank()) - 1);
  if (!made->isFieldOfClass())
    return loadOne(expr->range, made, path, name, isCast);
  auto *stem = llvm::dyn_cast_or_null<StringLiteralExpr>(name);
  if (!stem) {
    diags
        .report(expr->range, diag::NeedsNames, "load",
                "load(\"a.npz\", \"p\", field(P, 1))")
        .send();
    return fail(expr->range);
  }
  std::vector<LetExpr *> lets;
  path = build.reusable(path, lets);
  return build.closeLets(
      loadMembers(expr->range, made, path, stem->value, isCast), lets);
}

/// One array of a file; `name` is null if the file holds one only.
Expr *HostCallChecker::loadOne(SourceRange range, TypeRef type, Expr *path,
                               Expr *name, bool isCast) {
  HostOpExpr *op = hostOp(range, HostOp::LoadFile, type, {path});
  if (name)
    op->args.push_back(name);
  op->text = isCast ? "cast" : "";
  return op;
}

/// A field of a class, whose members have names such as "p.x" in the file.
Expr *HostCallChecker::loadMembers(SourceRange range, TypeRef type, Expr *path,
                                   const std::string &name, bool isCast) {
  if (!type->isFieldOfClass()) {
    auto *text = build.make<StringLiteralExpr>(range, types.str);
    text->value = name;
    return loadOne(range, type, build.clone(path), text, isCast);
  }
  std::vector<Expr *> parts;
  for (auto [member, own] : llvm::zip(type->members, type->memberNames))
    parts.push_back(loadMembers(range, member, path, name + "." + own, isCast));
  return build.construct(range, type, std::move(parts));
}

//===----------------------------------------------------------------------===//
// save
//===----------------------------------------------------------------------===//

/// `save(path, x, axes="xy")`; false after an error.
bool HostCallChecker::saveArguments(const ast::CallExpr *expr,
                                    std::vector<Expr *> &args, bool &isXY) {
  for (const ast::Argument &arg : expr->args) {
    if (arg.keyword == "axes") {
      auto *axes = llvm::dyn_cast<ast::StringExpr>(arg.value);
      if (!axes || (axes->value != "xy" && axes->value != "ij")) {
        diags.report(arg.value->range, diag::BadAxes).send();
        return false;
      }
      isXY = axes->value == "xy";
      continue;
    }
    if (!arg.keyword.empty()) {
      diags.report(arg.keywordRange, diag::UnknownKeyword, "save", arg.keyword)
          .send();
      return false;
    }
    args.push_back(ctx.exprs.checkExpr(arg.value));
    if (isError(args.back()))
      return false;
  }
  if (args.size() == 2)
    return true;
  diags
      .report(expr->range, diag::ArgCountMismatch, "save", size_t(2),
              args.size())
      .send();
  return false;
}

/// Reports that `args` are no file name and field.
void HostCallChecker::refuseSave(SourceRange range,
                                 llvm::ArrayRef<Expr *> args) {
  bool isPath = args[0]->type->isStr();
  TypeRef wrong = build.defaulted(args[isPath ? 1 : 0]->type);
  if (args[0]->type->isField() && args[1]->type->isStr()) {
    std::string right = ("save(" + program.sources.text(args[1]->range) + ", " +
                         program.sources.text(args[0]->range) + ")")
                            .str();
    diags
        .report(args[0]->range, diag::BadArgument, "save",
                "a file name as its first argument", args[0]->type->str())
        .fixIt(range, right)
        .send();
    return;
  }
  if (isPath && (wrong->isScalar() || wrong->isAggregate() || wrong->isStr())) {
    diags
        .report(args[1]->range, diag::NeedsNames, "save",
                "save(\"a.npz\", x=x)")
        .send();
    return;
  }
  diags
      .report(args[isPath ? 1 : 0]->range, diag::BadArgument, "save",
              isPath ? "a field" : "a file name", wrong->str())
      .send();
}

Expr *HostCallChecker::callSave(const ast::CallExpr *expr) {
  SourceRange range = expr->range;
  if (!state.hostOnly(range, "`save`"))
    return fail(range);
  size_t positional =
      llvm::count_if(expr->args, [](auto &arg) { return arg.keyword.empty(); });
  if (positional == 1 && expr->args.size() > 1)
    return callNamed(expr, HostOp::SaveNamed);
  std::vector<Expr *> args;
  bool isXY = false;
  if (!saveArguments(expr, args, isXY))
    return fail(range);
  if (args[0]->type->isStr() && args[1]->type->isFieldOfClass()) {
    diags
        .report(args[1]->range, diag::NeedsNames, "save",
                "save(\"a.npz\", p=p)")
        .send();
    return fail(range);
  }
  if (!args[0]->type->isStr() || !args[1]->type->isField()) {
    refuseSave(range, args);
    return fail(range);
  }
  HostOpExpr *op = hostOp(range, HostOp::SaveFile, types.voidTy, args);
  op->text = isXY ? "axes=xy" : "";
  return op;
}

//===----------------------------------------------------------------------===//
// Named values
//===----------------------------------------------------------------------===//

namespace {
/// What a call with named values takes.
struct NamedCall {
  llvm::StringRef name, example, values;
  bool hasPath;
};
NamedCall namedCall(HostOp op) {
  switch (op) {
  case HostOp::SaveNamed:
    return {"save", "save(\"a.npz\", x=x)",
            "a field, a number, a vec, a mat or a str", true};
  case HostOp::AppendRow:
    return {"append", "append(\"t.csv\", loss=l)", "a number or a str", true};
  default:
    return {"report", "report(loss=l)", "a number, a vec or a str", false};
  }
}
bool takes(HostOp op, TypeRef type) {
  return type->isScalar() || type->isStr() ||
         (op != HostOp::AppendRow && type->isAggregate()) ||
         (op == HostOp::SaveNamed && type->isField());
}
} // namespace

/// Adds an argument with its name to a call; false after an error.
bool HostCallChecker::addNamed(const ast::Argument &arg, HostOpExpr *op) {
  NamedCall call = namedCall(op->op);
  if (arg.keyword.empty()) {
    diags.report(arg.value->range, diag::NeedsNames, call.name, call.example)
        .send();
    return false;
  }
  Expr *value = ctx.exprs.checkTyped(arg.value);
  if (isError(value))
    return false;
  if (!takes(op->op, value->type)) {
    diags
        .report(arg.value->range, diag::BadArgument, call.name, call.values,
                value->type->str())
        .send();
    return false;
  }
  if (value->type->isFieldOfClass() &&
      !llvm::isa<VariableExpr, GlobalExpr>(value))
    value = state.store(value);
  addMembers(value, arg.keyword.str(), op);
  return true;
}

/// A value by its name; a field of a class by the names of its members.
void HostCallChecker::addMembers(Expr *value, const std::string &name,
                                 HostOpExpr *op) {
  if (!value->type->isFieldOfClass()) {
    op->args.push_back(value);
    op->names.push_back(name);
    return;
  }
  for (auto [k, own] : llvm::enumerate(value->type->memberNames))
    addMembers(ctx.classes.fieldOfMember(build.clone(value), k, value->range),
               name + "." + own, op);
}

Expr *HostCallChecker::callNamed(const ast::CallExpr *expr, HostOp kind) {
  NamedCall call = namedCall(kind);
  if (!state.hostOnly(expr->range, ("`" + call.name + "`").str()))
    return fail(expr->range);
  HostOpExpr *op = hostOp(expr->range, kind, types.voidTy, {});
  llvm::ArrayRef<ast::Argument> args = expr->args;
  bool ok = true;
  if (call.hasPath) {
    if (args.size() < 2 || !args[0].keyword.empty()) {
      diags.report(expr->range, diag::NeedsNames, call.name, call.example)
          .send();
      return fail(expr->range);
    }
    Expr *path = textArgument(args[0].value, call.name, "a file name");
    op->args.push_back(path);
    ok = path != nullptr;
    args = args.drop_front();
  }
  for (const ast::Argument &arg : args)
    ok &= addNamed(arg, op);
  return ok ? op : fail(expr->range);
}

//===----------------------------------------------------------------------===//
// What lies around a program
//===----------------------------------------------------------------------===//

Expr *HostCallChecker::callExists(const ast::CallExpr *expr) {
  if (!state.hostOnly(expr->range, "`exists`") ||
      !ctx.builtins.onlyPositional(expr, 1, 1))
    return fail(expr->range);
  Expr *path = textArgument(expr->args[0].value, "exists", "a file name");
  if (!path)
    return fail(expr->range);
  return hostOp(expr->range, HostOp::FileExists, types.boolTy, {path});
}

Expr *HostCallChecker::callEnv(const ast::CallExpr *expr) {
  if (!state.hostOnly(expr->range, "`env`") ||
      !ctx.builtins.onlyPositional(expr, 2, 2))
    return fail(expr->range);
  Expr *name = textArgument(expr->args[0].value, "env",
                            "the name of a variable of the environment");
  Expr *fallback = ctx.exprs.checkTyped(expr->args[1].value);
  if (!name || isError(fallback))
    return fail(expr->range);
  if (!fallback->type->isScalar() && !fallback->type->isStr()) {
    diags
        .report(fallback->range, diag::BadArgument, "env",
                "a number, a bool or a str for a variable that is not set",
                fallback->type->str())
        .send();
    return fail(expr->range);
  }
  return hostOp(expr->range, HostOp::EnvValue, fallback->type,
                {name, fallback});
}
