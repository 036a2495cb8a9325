//===- Advice.cpp - What to write instead ---------------------------------===//
// Messages about habits from other languages: members and operators that mean
// something elsewhere. Names and types: ForeignNames.cpp.
#include "chi/Sema/Advice/Advice.h"
#include "chi/Sema/Advice/ForeignNames.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Builtins/Members.h"
#include "chi/Sema/Names/NameChecker.h"
#include <cmath>

using namespace chi;
using namespace chi::sema;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Text round a place
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

/// Whether an assignment operator (`=`, `+=`) follows a name.
bool Advice::isAssignedTo(SourceRange name) const {
  StringRef rest =
      program.sources.text(name.file).drop_front(name.end).ltrim(' ');
  for (StringRef op :
       {"**", "//", "<<", ">>", "+", "-", "*", "/", "%", "@", "&", "|", "^"})
    if (rest.consume_front(op))
      break;
  return rest.starts_with("=") && !rest.starts_with("==");
}

/// `for v in p: v.x = 3`: `v` is an index, and the element has the member. True
/// after a report.
bool Advice::adviseElement(TypeRef type, SourceRange base, StringRef name,
                           SourceRange nameRange) {
  if (!base.isValid() || !type->isScalar())
    return false;
  StringRef index = program.sources.text(base);
  Meaning meaning = names.lookup(index);
  if (meaning.kind != Meaning::Local || meaning.local->element.empty())
    return false;
  TypeRef element = meaning.local->elementType;
  bool hasIt = methodTakes(element, name) ||
               (element->isVec() && !swizzle(name, element->shape[0]).empty());
  if (!hasIt)
    return false;
  const std::string &text = meaning.local->element;
  diags.report(nameRange, diag::NoMember, type->str(), name)
      .note(
          {}, diag::Advice,
          ("`" + index + "` is an index; the element is `" + text + "`").str())
      .fixIt(base, text)
      .send();
  return true;
}

void Advice::reportNoMember(TypeRef type, SourceRange base, StringRef name,
                            SourceRange nameRange) {
  type = build.defaulted(type);
  if (adviseElement(type, base, name, nameRange))
    return;
  std::string value;
  bool isPlaced = base.isValid() && base.file == nameRange.file &&
                  base.end <= nameRange.begin;
  if (isPlaced)
    value = program.sources.text(base).str();
  // What is computed takes no value.
  bool isTarget = isAssignedTo(nameRange);
  SourceRange whole = foreign.withEmptyCall(nameRange);
  ForeignMeaning word = foreignMember(type, name);
  bool isKnown = word || methodTakes(type, name) ||
                 !nearest(name, membersOf(type)).empty();
  if (!isKnown) // `lenght`
    word = foreignMember(type, nearest(name, foreignMembers(type)));
  std::string own = isTarget ? "" : word.own.str();
  if (!own.empty() && StringRef(own).contains('$')) {
    if (!isPlaced || (foreign.isCalled(nameRange) && whole == nameRange))
      own.clear();
    own = filledIn(own, value);
    if (!own.empty()) {
      // What a call does is not done twice.
      bool isRepeated =
          word.own.count('$') > 1 && StringRef(value).contains('(');
      whole.begin = base.begin;
      auto report =
          diags.report(nameRange, diag::NoMemberNear, type->str(), name, own);
      if (!isRepeated)
        report.addFixIt(whole, own);
      return;
    }
  }
  if (type->isField() && name == "size" && type->rank() == 1 && !isTarget)
    own = "shape[0]";
  bool isExact =
      methodTakes(type, name).has_value() && !foreign.isCalled(nameRange);
  if (own.empty() && word.advice.empty() && !isTarget)
    own = isExact ? name.str() : nearest(name, membersOf(type));
  if (!own.empty()) {
    auto takes = methodTakes(type, own);
    if (takes && !foreign.isCalled(nameRange))
      own += *takes ? "(…)" : "()";
    bool wasCalled = !takes && whole.end != nameRange.end;
    auto report =
        diags.report(nameRange, diag::NoMemberNear, type->str(), name, own);
    if (!StringRef(own).ends_with("(…)"))
      report.addFixIt(wasCalled ? whole : nameRange, own);
    return;
  }
  auto report = diags.report(nameRange, diag::NoMember, type->str(), name);
  std::string advice = filledIn(word.advice, value);
  if (type->isField() && advice.empty() && type->element->isVec() &&
      !swizzle(name, type->element->shape[0]).empty())
    advice = "its elements have this member: `" + value +
             (type->rank() == 0 ? "[None]" : "[i]") + "." + name.str() + "`";
  if (type->isField() && name == "dtype")
    advice = "its elements are `" + type->element->str() + "`";
  if (type->isField() && (name == "size" || name == "numel"))
    advice = "the number of elements is the product of `" + value + ".shape`";
  if (!advice.empty())
    report.addNote({}, diag::Advice, advice);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// Whether arithmetic is made of integers alone, as far as syntax and the types
/// of its names tell.
bool Advice::isMadeOfIntegers(const ast::Expr *expr) {
  if (auto *binary = llvm::dyn_cast<ast::BinaryExpr>(expr))
    return isMadeOfIntegers(binary->lhs) && isMadeOfIntegers(binary->rhs);
  if (auto *unary = llvm::dyn_cast<ast::UnaryExpr>(expr))
    return isMadeOfIntegers(unary->operand);
  if (llvm::isa<ast::IntExpr>(expr))
    return true;
  if (auto *subscript = llvm::dyn_cast<ast::SubscriptExpr>(expr)) {
    auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(subscript->base);
    return attribute && attribute->name == "shape";
  }
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(expr)) {
    auto *callee = llvm::dyn_cast<ast::NameExpr>(call->callee);
    return callee && (callee->name == "len" || callee->name == "i32" ||
                      callee->name == "int" || callee->name == "i64");
  }
  if (!llvm::isa<ast::NameExpr, ast::AttributeExpr>(expr))
    return false;
  Meaning meaning = names.resolve(expr);
  TypeRef type = nullptr;
  if (meaning.kind == Meaning::Local)
    type = meaning.local->type;
  else if (meaning.kind == Meaning::Constant)
    type = meaning.constant->type;
  else if (meaning.kind == Meaning::TopLevel)
    type = meaning.topLevel->type;
  else if (meaning.kind == Meaning::Const)
    type = program.constantValue(*meaning.constDecl, expr->range)->type;
  else if (meaning.kind == Meaning::Param)
    type = program.paramValue(*meaning.param, expr->range)->type;
  return type && type->isInt();
}

/// `n / 2` where an integer is needed: `//` is meant. True if it is so.
bool Advice::adviseFloorDivision(DiagnosticBuilder &report,
                                 const ast::Expr *expr) {
  if (!expr || !isMadeOfIntegers(expr))
    return false;
  bool isFirst = true;
  walkExpr(expr, [&](const ast::Expr *part) {
    auto *binary = llvm::dyn_cast<ast::BinaryExpr>(part);
    if (!binary || binary->op != ast::BinaryOp::Div)
      return;
    if (std::exchange(isFirst, false))
      report.addNote(binary->opRange, diag::TrueDivision);
    report.addFixIt(binary->opRange, "//");
  });
  return !isFirst;
}

DiagnosticBuilder Advice::reportRank(SourceRange range, TypeRef type,
                                     size_t wanted, size_t given) {
  std::string takes =
      std::to_string(wanted) + (wanted == 1 ? " index" : " indices");
  std::string has = std::to_string(given) + (given == 1 ? " is" : " are");
  return diags.report(range, diag::WrongRank, build.defaulted(type)->str(),
                      takes, has);
}

void Advice::reportNotInt(const DiagnosticKind<StringRef> &kind,
                          const ast::Expr *expr, TypeRef type) {
  auto report = diags.report(expr->range, kind, build.defaulted(type)->str());
  adviseFloorDivision(report, expr);
}

/// `2.0`, `-2.0`: a number as it is written.
static bool isWrittenNumber(const ast::Expr *expr) {
  while (auto *unary = llvm::dyn_cast_or_null<ast::UnaryExpr>(expr))
    expr = unary->operand;
  return llvm::isa_and_nonnull<ast::IntExpr, ast::FloatExpr>(expr);
}

void Advice::reportFloatBound(const ast::Expr *call, const Expr *bound,
                              const Iteration::Range &axis) {
  const ast::Expr *written = nullptr;
  walkExpr(call, [&](const ast::Expr *part) {
    if (part->range == bound->range)
      written = part;
  });
  auto report = diags.report(bound->range, diag::FloatToInt,
                             build.defaulted(bound->type)->str(), "i32");
  if (adviseFloorDivision(report, written))
    return;
  StringRef text = program.sources.text(bound->range);
  bool isStep = bound == axis.step;
  // What is computed stays computed, though its value is known now.
  bool isLiteral = isWrittenNumber(written);
  if (!isLiteral && !isStep)
    return report.addFixIt(bound->range, ("i32(" + text + ")").str());
  auto real = [](const Expr *expr) -> std::optional<double> {
    auto *literal = llvm::dyn_cast_or_null<LiteralExpr>(expr);
    if (!literal)
      return std::nullopt;
    return literal->type->isFloat() ? literal->real : double(literal->integer);
  };
  double value = real(bound).value_or(0.5); // 0.5: not known
  if (isLiteral && value == std::floor(value) && std::abs(value) < 1e9)
    return report.addFixIt(bound->range, std::to_string(int64_t(value)));
  auto begin = real(axis.begin), end = real(axis.end), step = real(axis.step);
  double count =
      begin && end && step && *step != 0 ? (*end - *begin) / *step : 0;
  bool isCounted = count >= 0.5 && count < 1e9;
  if (!isStep || (isConstant(bound) && !isCounted))
    return report.addNote({}, diag::Advice, "a range counts in integers");
  StringRef start = program.sources.text(axis.begin->range);
  std::string sum =
      (begin == 0.0 ? "" : start.str() + " + ") + "k * " + text.str();
  report.addNote(
      {}, diag::CountThenScale,
      isCounted ? std::to_string(int64_t(std::ceil(count - 1e-6))) : "n", sum);
}

//===----------------------------------------------------------------------===//
// Assignments and calls
//===----------------------------------------------------------------------===//

void Advice::refuseTopLevel(const ast::NameExpr *name, const Meaning &meaning) {
  auto report = diags.report(name->range, diag::AssignsTopLevel, name->name,
                             state.inKernel() ? "a kernel" : "a function");
  report.addNote(meaning.range, diag::AssignedHere, name->name);
  names.adviseKeeping(report, name->name, *meaning.topLevel);
}

void Advice::reportNotCallable(const ast::Expr *callee, TypeRef type) {
  auto report = diags.report(callee->range, diag::NotCallable,
                             build.defaulted(type)->str());
  auto *name = llvm::dyn_cast<ast::NameExpr>(callee);
  Meaning meaning = name ? names.lookup(name->name) : Meaning();
  if (!name || !meaning.range.isValid())
    return;
  bool hides = findBuiltin(name->name) || names.typeNamed(name->name);
  if (hides)
    report.addNote(meaning.range, diag::HidesFunction, name->name);
  else
    report.addNote(meaning.range, diag::DeclaredHere, name->name);
}
