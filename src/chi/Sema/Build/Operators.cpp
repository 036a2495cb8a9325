//===- Operators.cpp - Types of operators ---------------------------------===//
#include "chi/Sema/Build/Folding.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace chi;
using namespace chi::sema;

bool sema::hasNumbers(TypeRef type) {
  return type->isScalar() || type->isAggregate();
}

/// An operator as it is written: `+`, or `+=` of an update.
static llvm::StringRef written(const Builder &build, BinaryOp op,
                               SourceRange opRange) {
  llvm::StringRef text =
      opRange.isValid() ? build.sources.text(opRange) : llvm::StringRef();
  bool isUpdate = text.ends_with("=") && text.drop_back() == spelling(op);
  return isUpdate ? text : spelling(op);
}

/// Whether a text holds a name as a word of its own.
static bool namesIn(llvm::StringRef text, char name) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = text.find(name); at != llvm::StringRef::npos;
       at = text.find(name, at + 1)) {
    bool begins = at == 0 || !isWord(text[at - 1]);
    bool ends = at + 1 == text.size() || !isWord(text[at + 1]);
    if (begins && ends)
      return true;
  }
  return false;
}

/// `i, j`: names for the indices of a loop that hide none of the operands'.
static std::string indexNames(const Builder &build, unsigned count,
                              llvm::ArrayRef<Expr *> operands) {
  std::string names;
  for (char name : llvm::StringRef("ijklmnpqrstuvw")) {
    bool isTaken = build.assigned == std::string(1, name) ||
                   llvm::any_of(operands, [&](Expr *operand) {
                     return namesIn(build.sources.text(operand->range), name);
                   });
    if (isTaken || count == 0)
      continue;
    names += (names.empty() ? "" : ", ") + std::string(1, name);
    --count;
  }
  return names;
}

/// `a + b` of fields: the loop that computes it.
static void adviseElements(Builder &build, DiagnosticBuilder &report,
                           llvm::StringRef opText,
                           llvm::ArrayRef<Expr *> operands) {
  TypeRef field = nullptr;
  for (Expr *operand : operands)
    if (operand->type->isField() && operand->type->rank() > 0 && !field)
      field = operand->type;
  bool isFunction = llvm::isAlpha(opText.front()) && opText != "not";
  if (!field || opText.contains(' ') || opText.starts_with("[") ||
      (operands.size() > 2 && !isFunction))
    return;
  if (opText == "^" && field->element->scalar()->isFloat())
    opText = "**"; // what other languages write so
  std::string names = indexNames(build, field->rank(), operands);
  std::vector<std::string> elements;
  for (Expr *operand : operands) {
    elements.push_back(build.sources.text(operand->range).str());
    if (operand->type->isField())
      elements.back() += "[" + names + "]";
  }
  bool isCompared = llvm::StringSwitch<bool>(opText)
                        .Cases({"==", "!=", "<", "<=", ">", ">="}, true)
                        .Default(false);
  bool isUpdate = opText.ends_with("=") && !isCompared;
  std::string value;
  if (isFunction)
    value = opText.str() + "(" + llvm::join(elements, ", ") + ")";
  else if (elements.size() == 1)
    value = opText.str() + (opText == "not" ? " " : "") + elements[0];
  else
    value = elements[0] + " " + opText.str() + " " + elements[1];
  if (isCompared)
    return report.addNote({}, diag::ElementsCompared, value);
  std::string target = build.assigned.empty() ? "c" : build.assigned;
  if (isUpdate)
    target = build.sources.text(operands[0]->range).str();
  else
    value = target + "[" + names + "] = " + value;
  report.addNote({}, diag::ElementByElement,
                 "for " + names + " in " + target + ": " + value);
}

bool sema::reportNothing(Builder &build, llvm::ArrayRef<Expr *> operands) {
  bool isAny = false;
  for (const Expr *operand : operands)
    if (operand->type->isVoid()) {
      build.diags.report(operand->range, diag::NoValue).send();
      isAny = true;
    }
  return isAny;
}

bool Builder::unify(SourceRange range, llvm::StringRef opText,
                    llvm::MutableArrayRef<Expr *> operands) {
  TypeRef shaped = nullptr, scalar = nullptr;
  for (Expr *operand : operands)
    if (isError(operand))
      return false;
  if (reportNothing(*this, operands))
    return false;
  auto refuse = [&](Expr *a, Expr *b) {
    auto report =
        diags.report(range, diag::OperatorTypes, opText,
                     defaulted(a->type)->str(), defaulted(b->type)->str());
    for (Expr *operand : operands)
      if (operand->type->isField() && operand->type->rank() == 0) {
        report.addNote(operand->range, diag::ElementOfScalarField,
                       sources.text(operand->range));
        return false;
      }
    adviseElements(*this, report, opText, operands);
    return false;
  };
  for (Expr *operand : operands) {
    TypeRef type = operand->type;
    if (!hasNumbers(type) && operands.size() == 1) {
      auto report =
          diags.report(range, diag::UnaryType, opText, defaulted(type)->str());
      if (type->isComplex)
        report.addNote({}, diag::Advice,
                       "the module `cmath` has functions of complex numbers");
      adviseElements(*this, report, opText, operands);
      return false;
    }
    if (!hasNumbers(type))
      return refuse(operands[0], operands[1]);
    if (type->isAggregate()) {
      if (shaped &&
          (shaped->kind != type->kind || shaped->shape != type->shape))
        return refuse(operands[0], operand);
      shaped = type;
    }
    TypeRef joined =
        scalar ? joinScalars(scalar, type->scalar()) : type->scalar();
    if (!joined) {
      diags
          .report(range, diag::SignMix, opText, scalar->str(),
                  type->scalar()->str())
          .send();
      return false;
    }
    scalar = joined;
  }
  for (Expr *&operand : operands) {
    operand = promote(operand, scalar);
    if (isError(operand))
      return false;
    if (shaped && operand->type->isScalar())
      operand = splat(operand, shaped);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

Expr *Builder::unary(SourceRange range, UnaryOp op, Expr *operand) {
  if (isError(operand) || reportNothing(*this, operand))
    return error(range);
  TypeRef scalar = operand->type->scalarOrNull();
  bool isNumber = hasNumbers(operand->type);
  const char *text = op == UnaryOp::Neg   ? "-"
                     : op == UnaryOp::Not ? "not"
                                          : "~";
  bool ok = isNumber &&
            (op == UnaryOp::Neg ||
             (op == UnaryOp::Not ? scalar->isBool() : !scalar->isFloat()));
  if (!ok) {
    if (op == UnaryOp::Not && isNumber)
      diags
          .report(operand->range, diag::NotABool, "the operand of `not`",
                  defaulted(operand->type)->str())
          .send();
    else {
      auto report = diags.report(range, diag::UnaryType, text,
                                 defaulted(operand->type)->str());
      adviseElements(*this, report, text, operand);
    }
    return error(range);
  }
  if (scalar->isBool() && op == UnaryOp::Neg)
    operand = cast(operand, defaultInt());
  auto *expr = make<UnaryExpr>(range, operand->type);
  expr->op = op;
  expr->operand = operand;
  markFlexible(expr, operand);
  return foldUnary(*this, expr);
}

Expr *sema::foldUnary(Builder &build, UnaryExpr *expr) {
  if (!isConstant(expr->operand))
    return expr;
  TypeRef type = expr->type->scalar();
  auto element = [&](unsigned k) -> Expr * {
    auto *x = static_cast<ExactLiteral *>(build.component(expr->operand, k));
    if (type->isFloat()) {
      auto *result = build.realLiteral(
          expr->range,
          x->isFlexible || isUntyped(type) ? -x->exactReal : -x->real, type);
      result->isFlexible = x->isFlexible;
      noteOrigin(build, result, x, expr->range);
      return result;
    }
    if (type->isBool())
      return build.boolLiteral(expr->range, !x->exact);
    __int128 value = expr->op == UnaryOp::Neg ? -x->exact : ~x->exact;
    if (type->bits && type->isSigned && !fits(value, type))
      return nullptr;
    auto *result = build.intLiteral(expr->range, wrapTo(value, type), type);
    result->isFlexible = x->isFlexible;
    return result;
  };
  Expr *folded = mapConstant(build, expr->operand, expr->type, element);
  if (folded)
    folded->range = expr->range;
  return folded ? folded : expr;
}

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

static Expr *power(Builder &build, SourceRange range, SourceRange opRange,
                   Expr *lhs, Expr *rhs) {
  auto refuse = [&] {
    llvm::StringRef opText = written(build, BinaryOp::Pow, opRange);
    auto report = build.diags.report(range, diag::OperatorTypes, opText,
                                     build.defaulted(lhs->type)->str(),
                                     build.defaulted(rhs->type)->str());
    adviseElements(build, report, opText, {lhs, rhs});
    return build.error(range);
  };
  if (!hasNumbers(lhs->type) || !hasNumbers(rhs->type))
    return refuse();
  if (lhs->type->scalar()->isBool())
    lhs = build.cast(lhs, build.defaultInt());
  if (rhs->type->scalar()->isBool())
    rhs = build.cast(rhs, build.defaultInt());
  bool intExponent = rhs->type->scalar()->isInt();
  auto known = constantInt(rhs);
  if (intExponent && lhs->type->scalar()->isInt() && known && *known < 0) {
    if (!isUntyped(lhs->type)) {
      build.diags.report(rhs->range, diag::NegativePower).send();
      return build.error(range);
    }
    lhs = build.promote(lhs, build.types.untypedFloat);
  }
  Expr *operands[] = {lhs, rhs};
  if (intExponent && lhs->type->scalar()->isFloat()) {
    TypeRef exponent = rhs->type->scalar();
    if (isUntyped(exponent))
      operands[1] = build.withDefault(rhs);
    else if (exponent->bits < 32)
      operands[1] = build.cast(rhs, build.types.i32);
    else if (!exponent->isSigned && exponent->bits < 64)
      operands[1] = build.cast(rhs, build.types.i64);
    bool sameShape = lhs->type->shape == rhs->type->shape &&
                     lhs->type->kind == rhs->type->kind;
    if (lhs->type->isScalar() && !rhs->type->isScalar())
      operands[0] = build.splat(lhs, rhs->type);
    else if (!rhs->type->isScalar() && !sameShape)
      return refuse();
  } else if (!build.unify(range, written(build, BinaryOp::Pow, opRange),
                          operands)) {
    return build.error(range);
  }
  if (isError(operands[1]))
    return build.error(range);
  auto *expr = build.make<BinaryExpr>(range, operands[0]->type);
  expr->op = BinaryOp::Pow;
  expr->lhs = operands[0];
  expr->rhs = operands[1];
  expr->opRange = opRange;
  build.markFlexible(expr, operands[0]);
  return foldBinary(build, expr);
}

/// The amount of a shift of a value of `scalar`, in that type: one that it does
/// not hold is the width, or negative, as before.
static Expr *shiftAmount(Builder &build, Expr *amount, TypeRef scalar) {
  TypeRef from = amount->type->scalar();
  if (isUntyped(amount->type))
    return isUntyped(scalar) ? build.cast(amount, scalar)
                             : build.promote(amount, scalar);
  if (from->isInt() && !isUntyped(scalar) && from->bits > scalar->bits) {
    auto limit = [&](int64_t value) -> Expr * {
      Expr *literal = build.intLiteral(amount->range, value, from);
      return amount->type->isScalar() ? literal
                                      : build.splat(literal, amount->type);
    };
    std::vector<Expr *> args = {amount, limit(scalar->bits)};
    if (from->isSigned)
      args.insert(args.begin() + 1, limit(-1));
    amount = build.elementwise(amount->range,
                               from->isSigned ? Builtin::Clamp : Builtin::Min,
                               std::move(args), amount->type);
  }
  return build.cast(amount, scalar);
}

/// The amount of a shift may have any integer type; the value keeps its own.
static Expr *shift(Builder &build, SourceRange range, SourceRange opRange,
                   BinaryOp op, Expr *lhs, Expr *rhs) {
  bool ok = hasNumbers(lhs->type) && hasNumbers(rhs->type) &&
            !lhs->type->scalar()->isFloat() && !rhs->type->scalar()->isFloat();
  bool shapesFit = rhs->type->isScalar() || lhs->type->isScalar() ||
                   (lhs->type->kind == rhs->type->kind &&
                    lhs->type->shape == rhs->type->shape);
  if (!ok || !shapesFit) {
    llvm::StringRef opText = written(build, op, opRange);
    auto report = build.diags.report(range, diag::OperatorTypes, opText,
                                     build.defaulted(lhs->type)->str(),
                                     build.defaulted(rhs->type)->str());
    adviseElements(build, report, opText, {lhs, rhs});
    return build.error(range);
  }
  if (lhs->type->scalar()->isBool())
    lhs = build.cast(lhs, build.defaultInt());
  if (isUntyped(lhs->type) && !isConstant(rhs))
    lhs = build.promote(lhs, isUntyped(rhs->type) ? build.defaultInt()
                                                  : rhs->type->scalar());
  if (isError(lhs))
    return lhs;
  TypeRef scalar = lhs->type->scalar();
  rhs = shiftAmount(build, rhs, scalar);
  if (isError(lhs) || isError(rhs))
    return build.error(range);
  if (lhs->type->isScalar() && rhs->type->isAggregate())
    lhs = build.splat(lhs, rhs->type);
  else if (rhs->type->isScalar() && lhs->type->isAggregate())
    rhs = build.splat(rhs, lhs->type);
  auto *expr = build.make<BinaryExpr>(range, lhs->type);
  expr->op = op;
  expr->lhs = lhs;
  expr->rhs = rhs;
  expr->opRange = opRange;
  return foldBinary(build, expr);
}

/// The loop of a kernel that multiplies fields.
static void adviseProduct(Builder &build, DiagnosticBuilder &report,
                          const Expr *lhs, const Expr *rhs) {
  auto rank = [](const Expr *expr) {
    return expr->type->isField() && expr->type->element->isScalar()
               ? expr->type->rank()
               : 0;
  };
  std::string a = build.sources.text(lhs->range).str(),
              b = build.sources.text(rhs->range).str();
  std::string c = build.assigned.empty() ? "c" : build.assigned;
  unsigned left = rank(lhs), right = rank(rhs);
  std::string loop;
  if (left == 1 && right == 1)
    return report.addNote({}, diag::Advice,
                          "`" + a + ".dot(" + b +
                              ")` is the scalar product of two fields");
  if (left == 2 && right == 2)
    loop = "for i, j in " + c + ": for k in range(" + a + ".shape[1]): " + c +
           "[i, j] += " + a + "[i, k] * " + b + "[k, j]";
  else if (left == 2 && right == 1)
    loop =
        "for i, k in " + a + ": " + c + "[i] += " + a + "[i, k] * " + b + "[k]";
  else if (left == 1 && right == 2)
    loop =
        "for k, j in " + b + ": " + c + "[j] += " + a + "[k] * " + b + "[k, j]";
  else
    return;
  report.addNote({}, diag::Advice,
                 "`@` multiplies vecs and mats; fields are multiplied by the "
                 "loops of a kernel: `" +
                     loop + "`");
}

static Expr *matMul(Builder &build, SourceRange range, SourceRange opRange,
                    Expr *lhs, Expr *rhs) {
  TypeRef a = lhs->type, b = rhs->type;
  llvm::StringRef opText = written(build, BinaryOp::MatMul, opRange);
  auto refuse = [&] {
    auto report = build.diags.report(range, diag::OperatorTypes, opText,
                                     build.defaulted(a)->str(),
                                     build.defaulted(b)->str());
    adviseProduct(build, report, lhs, rhs);
    return build.error(range);
  };
  if (!a->isAggregate() || !b->isAggregate() ||
      a->shape.back() != b->shape.front())
    return refuse();
  TypeRef scalar = build.joinScalars(a->scalar(), b->scalar());
  if (!scalar) {
    build.diags
        .report(range, diag::SignMix, opText, a->scalar()->str(),
                b->scalar()->str())
        .send();
    return build.error(range);
  }
  if (scalar->isBool())
    return refuse();
  TypeRef type = scalar;
  if (a->isMat() && b->isMat())
    type = build.types.mat(a->shape[0], b->shape[1], scalar);
  else if (a->isMat())
    type = build.types.vec(a->shape[0], scalar);
  else if (b->isMat())
    type = build.types.vec(b->shape[1], scalar);
  auto *expr = build.make<BinaryExpr>(range, type);
  expr->op = BinaryOp::MatMul;
  expr->opRange = opRange;
  expr->lhs = build.promote(lhs, scalar);
  expr->rhs = build.promote(rhs, scalar);
  if (isError(expr->lhs) || isError(expr->rhs))
    return build.error(range);
  build.markFlexible(expr, {expr->lhs, expr->rhs});
  return expr;
}

Expr *Builder::binary(SourceRange range, SourceRange opRange, BinaryOp op,
                      Expr *lhs, Expr *rhs) {
  if (isError(lhs) || isError(rhs) || reportNothing(*this, {lhs, rhs}))
    return error(range);
  if (op == BinaryOp::MatMul)
    return matMul(*this, range, opRange, lhs, rhs);
  if (op == BinaryOp::Pow)
    return power(*this, range, opRange, lhs, rhs);
  if (op == BinaryOp::Shl || op == BinaryOp::Shr)
    return shift(*this, range, opRange, op, lhs, rhs);
  if (lhs->type->isStr() && rhs->type->isStr()) {
    diags.report(range, diag::NotSupportedYet, "joining of strings").send();
    return error(range);
  }
  if (lhs->type->isStr() && op == BinaryOp::Mod) {
    diags.report(range, diag::NotSupportedYet, "formatting by `%`")
        .note(lhs->range, diag::FormatText)
        .send();
    return error(range);
  }
  if (op == BinaryOp::Mul && ((lhs->type->isStr() && rhs->type->isInt()) ||
                              (lhs->type->isInt() && rhs->type->isStr()))) {
    diags.report(range, diag::NotSupportedYet, "a repeated string").send();
    return error(range);
  }
  llvm::StringRef opText = written(*this, op, opRange);
  bool isBits =
      op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor;
  Expr *operands[] = {lhs, rhs};
  bool bothBool = hasNumbers(lhs->type) && hasNumbers(rhs->type) &&
                  lhs->type->scalar()->isBool() &&
                  rhs->type->scalar()->isBool();
  if (bothBool && !isBits) {
    operands[0] = cast(lhs, defaultInt());
    operands[1] = cast(rhs, defaultInt());
  }
  if (isBits && hasNumbers(lhs->type) && hasNumbers(rhs->type) &&
      (lhs->type->scalar()->isFloat() || rhs->type->scalar()->isFloat())) {
    auto report =
        diags.report(range, diag::OperatorTypes, opText,
                     defaulted(lhs->type)->str(), defaulted(rhs->type)->str());
    if (op == BinaryOp::BitXor) {
      report.addNote(opRange, diag::PowerIsTwoStars);
      report.addFixIt(opRange, opText == "^=" ? "**=" : "**");
    }
    return error(range);
  }
  bool isProduct = op == BinaryOp::Mul && lhs->type->isAggregate() &&
                   rhs->type->isAggregate() &&
                   lhs->type->shape.back() == rhs->type->shape.front();
  if (isProduct && lhs->type->shape != rhs->type->shape) {
    diags
        .report(range, diag::OperatorTypes, opText, defaulted(lhs->type)->str(),
                defaulted(rhs->type)->str())
        .note(opRange, diag::MatrixProduct)
        .fixIt(opRange, "@")
        .send();
    return error(range);
  }
  if (!unify(range, opText, operands))
    return error(range);
  if (op == BinaryOp::Div && !operands[0]->type->scalar()->isFloat())
    for (Expr *&operand : operands)
      operand = promote(operand, types.untypedFloat);
  auto *expr = make<BinaryExpr>(range, operands[0]->type);
  expr->op = op;
  expr->lhs = operands[0];
  expr->rhs = operands[1];
  expr->opRange = opRange;
  markFlexible(expr, operands);
  return foldBinary(*this, expr);
}

Expr *sema::foldBinary(Builder &build, BinaryExpr *expr) {
  if (!isConstant(expr->lhs) || !isConstant(expr->rhs) ||
      expr->op == BinaryOp::MatMul)
    return expr;
  TypeRef type = expr->type->scalar();
  bool failed = false;
  auto element = [&](unsigned k) -> Expr * {
    ExactLiteral *a = build.literalAt(expr->lhs, k);
    ExactLiteral *b = build.literalAt(expr->rhs, k);
    if (type->isFloat()) {
      // Trees of literals alone keep their exact value for a wider context.
      bool exact = (a->isFlexible || isUntyped(a->type)) &&
                   (b->isFlexible || isUntyped(b->type));
      bool intPower = !b->type->isFloat();
      double x = exact ? a->exactReal : a->real;
      double y = intPower ? double(b->exact) : exact ? b->exactReal : b->real;
      auto value =
          foldReal(expr->op, x, y, exact ? build.types.untypedFloat : type);
      if (!value)
        return nullptr;
      auto *result = build.realLiteral(expr->range, *value, type);
      result->isFlexible = exact && !isUntyped(type);
      result->isTooLarge =
          exact ? isRoundedToInfinity(*result) : a->isTooLarge || b->isTooLarge;
      noteOrigin(build, result, {a, b}, expr->range);
      return result;
    }
    auto value = foldInt(expr->op, a->exact, b->exact, type);
    if (!value && isUntyped(type) && build.isDead)
      value = 0;
    if (!value && isUntyped(type) && !failed) {
      failed = true;
      reportNoValue(build, expr->range, expr->op, a->exact, b->exact, type);
    }
    if (!value)
      return nullptr;
    if (type->isBool())
      return build.boolLiteral(expr->range, *value != 0);
    return build.intLiteral(expr->range, *value, type);
  };
  Expr *folded = mapConstant(build, expr->lhs, expr->type, element);
  if (failed)
    return build.error(expr->range);
  if (folded)
    folded->range = expr->range;
  return folded ? folded : expr;
}

//===----------------------------------------------------------------------===//
// Elementwise functions
//===----------------------------------------------------------------------===//

Expr *Builder::elementwise(SourceRange range, Builtin op,
                           std::vector<Expr *> args, TypeRef type) {
  auto *expr = make<BuiltinExpr>(range, type);
  expr->op = op;
  expr->args = std::move(args);
  markFlexible(expr, expr->args);
  return foldBuiltin(*this, expr);
}

static std::optional<__int128> foldIntMath(Builtin op,
                                           llvm::ArrayRef<__int128> x) {
  switch (op) {
  case Builtin::Abs:
    return x[0] < 0 ? -x[0] : x[0];
  case Builtin::Sign:
    return x[0] < 0 ? -1 : x[0] > 0;
  case Builtin::Min:
    return std::min(x[0], x[1]);
  case Builtin::Max:
    return std::max(x[0], x[1]);
  case Builtin::Clamp:
    return std::min(std::max(x[0], x[1]), x[2]);
  default:
    return std::nullopt;
  }
}

Expr *sema::foldBuiltin(Builder &build, BuiltinExpr *expr) {
  if (expr->op > Builtin::StopGradient || expr->args.empty())
    return expr;
  for (Expr *arg : expr->args)
    if (!isConstant(arg))
      return expr;
  TypeRef type = expr->type->scalar();
  Expr *folded =
      mapConstant(build, expr->args[0], expr->type, [&](unsigned k) -> Expr * {
        llvm::SmallVector<double, 3> reals;
        llvm::SmallVector<__int128, 3> ints;
        llvm::SmallVector<const ExactLiteral *, 3> literals;
        bool isFloat = false;
        for (Expr *arg : expr->args) {
          ExactLiteral *x = build.literalAt(arg, k);
          isFloat = x->type->isFloat();
          reals.push_back(x->real), ints.push_back(x->exact);
          literals.push_back(x);
        }
        if (type->isBool()) {
          double x = reals[0];
          bool value = expr->op == Builtin::IsNan   ? std::isnan(x)
                       : expr->op == Builtin::IsInf ? std::isinf(x)
                                                    : std::isfinite(x);
          return build.boolLiteral(expr->range, value);
        }
        if (isFloat) {
          auto value = foldMath(expr->op, reals);
          if (!value)
            return nullptr;
          ExactLiteral *result = build.realLiteral(expr->range, *value, type);
          noteOrigin(build, result, literals, expr->range);
          return result;
        }
        auto value = foldIntMath(expr->op, ints);
        if (!value || !fits(*value, type))
          return nullptr;
        return build.intLiteral(expr->range, *value, type);
      });
  if (folded)
    folded->range = expr->range;
  return folded ? folded : expr;
}
