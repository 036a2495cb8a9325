//===- TypeExprChecker.cpp - Types as they are written --------------------===//
#include "chi/Sema/Exprs/TypeExprChecker.h"
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Advice/ForeignNames.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Exprs/BuiltinChecker.h"
#include "chi/Sema/Exprs/CallChecker.h"
#include "chi/Sema/Exprs/ExprChecker.h"
#include "chi/Sema/Exprs/ObjectChecker.h"
#include "chi/Sema/Names/NameChecker.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace chi;
using namespace chi::sema;

TypeRef TypeExprChecker::typeOfMeaning(const Meaning &meaning,
                                       SourceRange range) {
  if (meaning.kind == Meaning::Type)
    return meaning.type;
  if (meaning.kind == Meaning::Alias)
    return program.aliasType(*meaning.alias, range);
  if (meaning.kind != Meaning::Class)
    return nullptr;
  ClassDecl &decl = *meaning.klass;
  if (!decl.isGeneric())
    return program.classType(decl, {}, range);
  diags
      .report(range, diag::TypeArguments, decl.ast->name,
              decl.ast->typeParams.size(), size_t(0))
      .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
      .send();
  return types.error;
}

/// `Ring[f32, 8]`
TypeRef TypeExprChecker::instanceType(ClassDecl &decl,
                                      const ast::SubscriptExpr *expr) {
  llvm::ArrayRef<ast::TypeParameter> parameters = decl.ast->typeParams;
  if (parameters.size() != expr->indices.size()) {
    diags
        .report(expr->range, diag::TypeArguments, decl.ast->name,
                parameters.size(), expr->indices.size())
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .send();
    return types.error;
  }
  TypeNames typeNames;
  for (auto [parameter, given] : llvm::zip(parameters, expr->indices)) {
    Meaning &meaning = typeNames[parameter.name.str()];
    if (isTypeExpr(given)) {
      meaning.kind = Meaning::Type;
      meaning.type = checkType(given);
      if (meaning.type->isError())
        return types.error;
      continue;
    }
    Expr *value = ctx.exprs.checkConstant(
        given, ("`" + parameter.name + "` of `" + decl.ast->name + "`").str());
    if (!value)
      return types.error;
    if (!constantInt(value)) {
      ctx.advice.reportNotInt(diag::ShapeNotInt, given, value->type);
      return types.error;
    }
    meaning.kind = Meaning::Constant;
    meaning.constant =
        build.intLiteral(given->range, *constantInt(value), types.untypedInt);
  }
  return program.classType(decl, typeNames, expr->range);
}

bool TypeExprChecker::isTypeExpr(const ast::Expr *expr) {
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(expr)) {
    Meaning callee = ctx.names.resolve(call->callee);
    return callee.kind == Meaning::Builtin &&
           (callee.builtin == BuiltinName::VecOf ||
            callee.builtin == BuiltinName::MatOf);
  }
  if (auto *instance = llvm::dyn_cast<ast::SubscriptExpr>(expr))
    return ctx.names.resolve(instance->base).kind == Meaning::Class;
  Meaning meaning = ctx.names.resolve(expr);
  return meaning.kind == Meaning::Type || meaning.kind == Meaning::Alias ||
         meaning.kind == Meaning::Class;
}

TypeRef TypeExprChecker::checkType(const ast::Expr *expr) {
  if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(expr)) {
    std::vector<TypeRef> members;
    for (const ast::Expr *element : tuple->elements)
      members.push_back(checkType(element));
    for (TypeRef member : members)
      if (member->isError())
        return types.error;
    return types.tuple(members);
  }
  if (ctx.foreign.reportForeignType(expr))
    return types.error;
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(expr))
    return typeCall(call);
  if (auto *unsupported = llvm::dyn_cast<ast::UnsupportedExpr>(expr)) {
    ctx.exprs.checkExpr(unsupported);
    return types.error;
  }
  if (auto *subscript = llvm::dyn_cast<ast::SubscriptExpr>(expr)) {
    Meaning base = ctx.names.resolve(subscript->base);
    if (base.kind == Meaning::Builtin &&
        (base.builtin == BuiltinName::List ||
         base.builtin == BuiltinName::Dict || base.builtin == BuiltinName::Set))
      return objectType(subscript, base.builtin);
    if (base.kind == Meaning::Builtin) {
      reportLater(diags, expr->range,
                  ("`" + builtinText(base.builtin) + "`").str());
      return types.error;
    }
    if (base.kind == Meaning::Broken)
      return types.error;
    if (base.kind == Meaning::Class)
      return instanceType(*base.klass, subscript);
  }
  Meaning meaning = ctx.names.resolve(expr);
  if (TypeRef type = typeOfMeaning(meaning, expr->range))
    return type;
  if (meaning.kind == Meaning::Broken)
    return types.error;
  if (auto *name = llvm::dyn_cast<ast::NameExpr>(expr)) {
    if (meaning.kind == Meaning::Nothing) {
      ctx.names.reportUnknown(name->name, expr->range);
      return types.error;
    }
    if (meaning.kind == Meaning::Builtin && isLater(meaning.builtin)) {
      reportLater(diags, expr->range,
                  ("`" + builtinText(meaning.builtin) + "`").str());
      return types.error;
    }
  }
  diags.report(expr->range, diag::NotAType, program.sources.text(expr->range))
      .send();
  return types.error;
}

/// `list[T]`, `set[T]`, `dict[K, V]`.
TypeRef TypeExprChecker::objectType(const ast::SubscriptExpr *expr,
                                    BuiltinName builtin) {
  bool isDict = builtin == BuiltinName::Dict;
  size_t wanted = isDict ? 2 : 1;
  if (expr->indices.size() != wanted) {
    diags
        .report(expr->range, diag::ArgCountMismatch, builtinText(builtin),
                wanted, expr->indices.size())
        .send();
    return types.error;
  }
  std::vector<TypeRef> parts;
  for (const ast::Expr *each : expr->indices) {
    TypeRef type = checkType(each);
    bool isKey = isDict ? parts.empty() : builtin == BuiltinName::Set;
    if (type->isError() ||
        !ctx.objects.mayHold(each->range,
                             isDict  ? "a dict"
                             : isKey ? "a set"
                                     : "a list",
                             type) ||
        (isKey && !mayBeKey(diags, each->range, type)))
      return types.error;
    parts.push_back(type);
  }
  return isDict                        ? types.dict(parts[0], parts[1])
         : builtin == BuiltinName::Set ? types.set(parts[0])
                                       : types.list(parts[0]);
}

std::optional<int64_t> TypeExprChecker::extentOf(const ast::Expr *expr,
                                                 llvm::StringRef what,
                                                 int64_t most) {
  Expr *value = ctx.exprs.checkConstant(expr, what);
  if (!value)
    return std::nullopt;
  auto n = constantInt(value);
  if (!n) {
    ctx.advice.reportNotInt(diag::ShapeNotInt, expr, value->type);
    return std::nullopt;
  }
  if (*n < 1 || *n > most) {
    diags.report(expr->range, diag::ExtentOutOfRange, what, *n, most).send();
    return std::nullopt;
  }
  return n;
}

TypeRef TypeExprChecker::typeCall(const ast::CallExpr *expr) {
  Meaning callee = ctx.names.resolve(expr->callee);
  auto scalarOf = [&](const ast::Expr *written) -> TypeRef {
    TypeRef type = checkType(written);
    if (type->isError() || type->isScalar())
      return type;
    diags.report(written->range, diag::NotAScalarType, type->str()).send();
    return types.error;
  };
  if (callee.kind == Meaning::Broken)
    return types.error;
  if (callee.kind != Meaning::Builtin) {
    diags.report(expr->range, diag::NotAType, program.sources.text(expr->range))
        .send();
    return types.error;
  }
  switch (callee.builtin) {
  case BuiltinName::VecOf: {
    if (!ctx.builtins.onlyPositional(expr, 2, 2))
      return types.error;
    auto n = extentOf(expr->args[0].value, "the size of a vec", kMaxEntries);
    TypeRef element = scalarOf(expr->args[1].value);
    return n && !element->isError() ? types.vec(*n, element) : types.error;
  }
  case BuiltinName::MatOf: {
    if (!ctx.builtins.onlyPositional(expr, 3, 3))
      return types.error;
    auto n = extentOf(expr->args[0].value, "the rows of a mat", 256);
    auto m = extentOf(expr->args[1].value, "the columns of a mat", 256);
    TypeRef element = scalarOf(expr->args[2].value);
    return n && m && !element->isError() ? types.mat(*n, *m, element)
                                         : types.error;
  }
  case BuiltinName::ArrayOf:
    return ctx.builtins.onlyPositional(expr, 2, 2) ? arrayType(expr)
                                                   : types.error;
  case BuiltinName::Field:
    return ctx.builtins.onlyPositional(expr, 1, 2) ? fieldType(expr)
                                                   : types.error;
  default:
    diags.report(expr->range, diag::NotAType, program.sources.text(expr->range))
        .send();
    return types.error;
  }
}

/// Of the numbers in an `array`: it is a local, and zeroed each time.
static constexpr int64_t kMaxNumbers = 1 << 20;

TypeRef TypeExprChecker::arrayType(const ast::CallExpr *expr) {
  TypeRef element = checkType(expr->args[0].value);
  const ast::Expr *written = expr->args[1].value;
  std::vector<const ast::Expr *> extents = {written};
  if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(written))
    extents.assign(tuple->elements.begin(), tuple->elements.end());
  std::vector<int64_t> shape;
  for (const ast::Expr *extent : extents) {
    auto n = extentOf(extent, "the shape of an array", kMaxNumbers);
    if (!n)
      return types.error;
    shape.push_back(*n);
  }
  if (element->isError())
    return element;
  if (!element->isScalar() && !element->isAggregate()) {
    diags
        .report(expr->args[0].value->range, diag::BadElement, "an array",
                element->str())
        .send();
    return types.error;
  }
  int64_t numbers = element->numScalars();
  for (int64_t n : shape)
    if (llvm::MulOverflow(numbers, n, numbers))
      numbers = INT64_MAX;
  if (numbers > kMaxNumbers) {
    diags
        .report(expr->args[1].value->range, diag::ExtentOutOfRange,
                "the count of numbers in an array", numbers, kMaxNumbers)
        .send();
    return types.error;
  }
  return types.array(element, shape);
}

TypeRef TypeExprChecker::fieldType(const ast::CallExpr *expr) {
  TypeRef element = checkType(expr->args[0].value);
  int64_t rank = 0;
  if (expr->args.size() == 2) {
    const ast::Expr *written = expr->args[1].value;
    Expr *value = ctx.exprs.checkConstant(written, "the rank of a field");
    auto n = value ? constantInt(value) : std::nullopt;
    if (value && (!n || *n < 0 || *n > kMaxRank))
      diags.report(written->range, diag::BadRank, kMaxRank).send();
    if (!n || *n < 0 || *n > kMaxRank)
      return types.error;
    rank = *n;
  }
  if (element->isError())
    return element;
  bool isElement = element->isScalar() || element->isAggregate() ||
                   (element->isStruct() && !element->holds(TypeKind::Tuple));
  if (!isElement) {
    diags
        .report(expr->args[0].value->range, diag::BadElement, "a field",
                element->str())
        .send();
    return types.error;
  }
  return types.field(element, std::vector<int64_t>(rank, -1), Layout::AoS, {});
}

//===----------------------------------------------------------------------===//
// Type parameters
//===----------------------------------------------------------------------===//

/// Whether it is the class of the complex numbers.
static bool isComplexClass(const ClassDecl &decl) {
  return llvm::any_of(decl.instances, [](auto &each) {
    return each.second.type && each.second.type->isComplex;
  });
}

/// Whether `Complex[T]` is given a real number, which becomes complex.
static bool isComplexOfReal(const Meaning &of, const ast::SubscriptExpr &expr,
                            TypeRef type) {
  return of.kind == Meaning::Class && type->isScalar() &&
         expr.indices.size() == 1 && isComplexClass(*of.klass);
}

/// Finds type parameters: `T` in `x: T`, `vec(n, T)`, `field(T, 2)`,
/// `Ring[T, n]`.
bool CallChecker::inferTypes(const ast::Expr *pattern, TypeRef type,
                             llvm::ArrayRef<ast::TypeParameter> typeParams,
                             NameChecker &names, TypeNames &typeNames) {
  auto isTypeParam = [&](const ast::Expr *expr) -> llvm::StringRef {
    auto *name = llvm::dyn_cast<ast::NameExpr>(expr);
    if (name)
      for (const ast::TypeParameter &parameter : typeParams)
        if (parameter.name == name->name)
          return name->name;
    return "";
  };
  if (llvm::StringRef name = isTypeParam(pattern); !name.empty()) {
    Meaning &meaning = typeNames[name.str()];
    if (meaning.kind == Meaning::Nothing) {
      meaning.kind = Meaning::Type;
      meaning.type = type;
    }
    return true;
  }
  if (auto *instance = llvm::dyn_cast<ast::SubscriptExpr>(pattern)) {
    Meaning of = names.resolve(instance->base);
    if (isComplexOfReal(of, *instance, type))
      return inferTypes(instance->indices[0],
                        type->isFloat() ? type : build.defaultFloat(),
                        typeParams, names, typeNames);
    if (of.kind != Meaning::Class || !type->isOfClass() ||
        classOf(type).decl != of.klass)
      return false;
    for (auto [parameter, index] :
         llvm::zip(of.klass->ast->typeParams, instance->indices)) {
      const Meaning &known =
          classOf(type).typeNames.find(parameter.name)->second;
      if (known.kind == Meaning::Type)
        inferTypes(index, known.type, typeParams, names, typeNames);
      else if (llvm::StringRef name = isTypeParam(index); !name.empty())
        typeNames.try_emplace(name.str(), known);
    }
    return false;
  }
  auto *call = llvm::dyn_cast<ast::CallExpr>(pattern);
  auto *callee = call ? llvm::dyn_cast<ast::NameExpr>(call->callee) : nullptr;
  Meaning maker = callee ? names.lookup(callee->name) : Meaning();
  if (maker.kind != Meaning::Builtin)
    return false;
  auto number = [&](const ast::Expr *expr, int64_t value) {
    if (llvm::StringRef name = isTypeParam(expr); !name.empty())
      typeNames.try_emplace(name.str(), [&] {
        Meaning meaning;
        meaning.kind = Meaning::Constant;
        meaning.constant =
            build.intLiteral(expr->range, value, types.untypedInt);
        return meaning;
      }());
  };
  llvm::ArrayRef<ast::Argument> args = call->args;
  auto element = [&](size_t k) {
    inferTypes(args[k].value, type->element, typeParams, names, typeNames);
  };
  if (maker.builtin == BuiltinName::VecOf && type->isVec() &&
      args.size() == 2) {
    number(args[0].value, type->shape[0]);
    element(1);
  } else if (maker.builtin == BuiltinName::MatOf && type->isMat() &&
             args.size() == 3) {
    number(args[0].value, type->shape[0]);
    number(args[1].value, type->shape[1]);
    element(2);
  } else if (maker.builtin == BuiltinName::Field && type->isField() &&
             !args.empty()) {
    element(0);
    if (args.size() > 1)
      number(args[1].value, type->rank());
  } else if (maker.builtin == BuiltinName::ArrayOf && type->isArray() &&
             args.size() == 2) {
    element(0);
    number(args[1].value, type->shape[0]);
  }
  return false;
}
