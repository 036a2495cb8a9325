//===- Advice.cpp - What to write instead ---------------------------------===//
// Messages about habits from other languages: names, members, operators that
// mean something elsewhere.
#include "chi/Sema/BodyCheck.h"
#include "chi/Sema/Foreign.h"
#include <cmath>

using namespace chi;
using namespace chi::sema;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Text round a place
//===----------------------------------------------------------------------===//

/// The empty parentheses behind a place, or the place itself if there are none.
static SourceRange withEmptyCall(const SourceFiles &sources,
                                 SourceRange range) {
  StringRef rest = sources.text(range.file).drop_front(range.end);
  StringRef open = rest.ltrim(' ');
  if (!open.consume_front("("))
    return range;
  open = open.ltrim(' ');
  if (!open.consume_front(")"))
    return range;
  range.end += rest.size() - open.size();
  return range;
}

bool BodyChecker::isCalled(SourceRange name) const {
  return program.sources.text(name.file)
      .drop_front(name.end)
      .ltrim(' ')
      .starts_with("(");
}

/// The annotation of a parameter with its `:`; just the type elsewhere.
static SourceRange annotationOf(const SourceFiles &sources, SourceRange type) {
  StringRef before = sources.text(type.file).take_front(type.begin).rtrim(' ');
  if (!before.ends_with(":"))
    return type;
  before = before.drop_back().rtrim(' ');
  return {type.file, uint32_t(before.size()), type.end};
}

/// `advice` with the text of a value for each `$`.
static std::string filledIn(StringRef advice, StringRef value) {
  std::string text;
  for (char c : advice) {
    if (c == '$')
      text += value;
    else
      text += c;
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// A type, or a function of the same arguments, that another language calls so;
/// empty if there is none.
std::string BodyChecker::ownName(StringRef name) {
  if (typeNamed(name))
    return name.str();
  if (StringRef type = foreignType(name); !type.empty())
    return type.str();
  if (StringRef own = foreignFunction(name).own; !own.empty())
    return own.str();
  auto word = findWord(name);
  if (word && !isLater(*word) && !name.contains('.') && !name.starts_with("__"))
    return name.str();
  // `sqrtf`, `powf` of C.
  StringRef stem = name;
  if (stem.consume_back("f"))
    if (auto function = findWord(stem);
        function && (mathFunction(*function) || *function == Word::Pow))
      return stem.str();
  return "";
}

/// What another language, or a module, calls so.
bool BodyChecker::reportForeign(StringRef name, SourceRange range) {
  static constexpr std::pair<StringRef, StringRef> kOther[] = {
      {"true", "True"}, {"false", "False"}, {"none", "None"},
      {"null", "None"}, {"NULL", "None"},   {"nullptr", "None"}};
  for (auto [foreign, own] : kOther)
    if (name == foreign) {
      diags.report(range, diag::UnknownNameNear, name, own)
          .fixIt(range, own)
          .send();
      return true;
    }
  if (name == "math" || name == "time" || name == "_" || name == "__name__") {
    auto report = diags.report(range, diag::UnknownName, name);
    if (name == "_")
      report.addNote(range, diag::KeepsNothing);
    else if (name == "__name__")
      report.addNote({}, diag::MainRuns);
    else
      report.addNote(range, diag::TryImport, name);
    return true;
  }
  StringRef rest =
      program.sources.text(range.file).drop_front(range.end).ltrim(' ');
  if (!isCalled(range))
    return rest.starts_with(".") && isForeignAlias(name) &&
           reportForeignModule(name, range);
  if (StringRef method = foreignMethod(name); !method.empty()) {
    diags.report(range, diag::UnknownName, name)
        .note({}, diag::IsMethod, name, method)
        .send();
    return true;
  }
  ForeignWord word = foreignFunction(name);
  std::string own = ownName(name);
  if (own.empty() && word.advice.empty())
    return false;
  auto report = own.empty()
                    ? diags.report(range, diag::UnknownName, name)
                    : diags.report(range, diag::UnknownNameNear, name, own);
  if (!own.empty())
    report.addFixIt(range, own);
  else
    report.addNote({}, diag::Advice, word.advice);
  // Of `rand()` alone the meaning is clear.
  if (name == "rand" && withEmptyCall(program.sources, range).end != range.end)
    report.addFixIt(range, "random");
  return true;
}

/// `np` where nothing is called so: once for all its members.
bool BodyChecker::reportForeignModule(StringRef name, SourceRange range) {
  if (!reportedEarly.insert(name).second)
    return true;
  auto report = diags.report(range, diag::UnknownName, name);
  StringRef advice = foreignModule(name);
  report.addNote({}, diag::Advice,
                 advice.empty() ? "fields and functions are built in" : advice);
  return true;
}

/// `np.float32`, `ti.sin(x)`, `random.random()`: a member of a module that is
/// not imported. True after a report.
bool BodyChecker::reportForeignMember(const ast::AttributeExpr *expr,
                                      StringRef base) {
  StringRef first = base.split('.').first;
  Meaning meaning = lookup(first);
  bool isRandom = base == "random" && meaning.kind == Meaning::Word;
  if (!isRandom &&
      (meaning.kind != Meaning::Nothing || !isForeignAlias(first)))
    return false;
  const ast::Expr *root = expr;
  while (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(root))
    root = attribute->base;
  StringRef whole = program.sources.text(expr->range);
  std::string own = ownName(expr->name);
  ForeignWord word = foreignFunction(expr->name);
  if (!own.empty())
    diags.report(expr->range, diag::UnknownNameNear, whole, own)
        .fixIt(expr->range, own)
        .send();
  else if (findWord(("math." + expr->name).str()))
    diags.report(expr->range, diag::UnknownName, whole)
        .note({}, diag::IsOfModule, "math", expr->name)
        .send();
  else if (!word.advice.empty())
    diags.report(expr->range, diag::UnknownName, whole)
        .note({}, diag::Advice, word.advice)
        .send();
  else
    reportForeignModule(
        llvm::cast<ast::NameExpr>(root)->name, root->range);
  return true;
}

/// `norm(v)`, `double(x)`: a call of a name that nothing declares. True after a
/// report; the arguments are checked by the caller.
bool BodyChecker::reportForeignCall(const ast::CallExpr *expr) {
  auto *name = llvm::dyn_cast<ast::NameExpr>(expr->callee);
  if (!name || expr->args.empty())
    return false;
  StringRef method = foreignMethod(name->name);
  if (method.empty() || isAssignedSomewhere(name->name))
    return false;
  const ast::Expr *first = expr->args[0].value;
  Expr *value = checkExpr(first);
  bool isFieldDot = value->type->isField() && method == "dot";
  if (!isError(value) && !value->type->isAggregate() && !isFieldDot)
    return false;
  std::string own = program.sources.text(first->range).str();
  if (!llvm::isa<ast::NameExpr, ast::AttributeExpr, ast::SubscriptExpr,
                 ast::CallExpr>(first))
    own = "(" + own + ")";
  own += "." + method.str() + "(";
  for (const ast::Argument &arg : expr->args.drop_front()) {
    own += own.back() == '(' ? "" : ", ";
    SourceRange text = arg.keyword.empty()
                           ? arg.value->range
                           : arg.keywordRange.to(arg.value->range);
    own += program.sources.text(text);
  }
  own += ")";
  diags.report(name->range, diag::UnknownNameNear, name->name, own)
      .fixIt(expr->range, own)
      .send();
  return true;
}

/// Whether an open scope, or the module, makes a name of its own so.
bool BodyChecker::isAssignedSomewhere(StringRef name) {
  SourceRange ignored;
  return lookup(name).kind != Meaning::Nothing ||
         isAssignedLater(name, &ignored);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// `double`, `"float32"`, `template()`; false if it is no such.
bool BodyChecker::reportForeignType(const ast::Expr *expr) {
  auto *call = llvm::dyn_cast<ast::CallExpr>(expr);
  auto *name = llvm::dyn_cast<ast::NameExpr>(call ? call->callee : expr);
  auto *string = llvm::dyn_cast<ast::StringExpr>(expr);
  if (!name && !string)
    return false;
  StringRef text = name ? name->name : string->value;
  bool isString = string != nullptr;
  if (name) {
    Meaning::Kind kind = lookup(text).kind;
    if (kind != Meaning::Nothing && (call || kind != Meaning::Word))
      return false;
  }
  StringRef own = foreignType(text);
  if (isString && own.empty() && typeNamed(text))
    own = text;
  StringRef written = program.sources.text(expr->range);
  if (!own.empty() && !call) {
    (isString ? diags.report(expr->range, diag::NotATypeNear, written, own)
              : diags.report(expr->range, diag::UnknownNameNear, text, own))
        .fixIt(expr->range, own)
        .send();
    return true;
  }
  if (text == "Vector" || text == "Matrix" || text == "ndarray_t") {
    diags.report(expr->range, diag::NotAType, written)
        .note({}, diag::Advice, text == "Vector" ? "write `vec(3, f32)`, `vec3`"
                                                 : "write `mat(3, 3, f32)`, "
                                                   "`mat3`")
        .send();
    return true;
  }
  SourceRange annotation = annotationOf(program.sources, expr->range);
  bool isWhole = annotation.begin != expr->range.begin;
  if (!isForeignAnnotation(text) || !isWhole)
    return false;
  diags.report(expr->range, diag::NotAType, written)
      .note({}, diag::NoAnnotation)
      .fixIt(annotation, "")
      .send();
  return true;
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

/// A member that a type does not have, with the nearest or equivalent one.
void BodyChecker::reportNoMember(TypeRef type, SourceRange base, StringRef name,
                                 SourceRange nameRange) {
  type = build.defaulted(type);
  std::string value;
  bool isPlaced = base.isValid() && base.file == nameRange.file &&
                  base.end <= nameRange.begin;
  if (isPlaced)
    value = program.sources.text(base).str();
  SourceRange whole = withEmptyCall(program.sources, nameRange);
  ForeignWord word = foreignMember(type, name);
  bool isKnown = word || methodTakes(type, name) ||
                 !nearest(name, membersOf(type)).empty();
  if (!isKnown) // `lenght`
    word = foreignMember(type, nearest(name, foreignMembers(type)));
  std::string own = word.own.str();
  if (!own.empty() && StringRef(own).contains('$')) {
    if (!isPlaced || (isCalled(nameRange) && whole == nameRange))
      own.clear();
    own = filledIn(own, value);
    if (!own.empty()) {
      whole.begin = base.begin;
      diags.report(nameRange, diag::NoMemberNear, type->str(), name, own)
          .fixIt(whole, own)
          .send();
      return;
    }
  }
  if (type->isField() && name == "size" && type->rank() == 1)
    own = "shape[0]";
  bool isExact = methodTakes(type, name).has_value() && !isCalled(nameRange);
  if (own.empty() && word.advice.empty())
    own = isExact ? name.str() : nearest(name, membersOf(type));
  if (!own.empty()) {
    auto takes = methodTakes(type, own);
    if (takes && !isCalled(nameRange))
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
    advice = "its elements have it: `" + value +
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
bool BodyChecker::isMadeOfIntegers(const ast::Expr *expr) {
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
  Meaning meaning = resolve(expr);
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
bool BodyChecker::adviseFloorDivision(DiagnosticBuilder &report,
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

/// An index or an extent that is no integer.
void BodyChecker::reportNotInt(const DiagnosticKind<StringRef> &kind,
                               const ast::Expr *expr, TypeRef type) {
  auto report =
      diags.report(expr->range, kind, build.defaulted(type)->str());
  adviseFloorDivision(report, expr);
}

/// A bound of a range that is a float: `call` is what holds it.
void BodyChecker::reportFloatBound(const ast::Expr *call, const Expr *bound,
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
  if (!isConstant(bound) && !isStep)
    return report.addFixIt(bound->range, ("i32(" + text + ")").str());
  auto real = [](const Expr *expr) -> std::optional<double> {
    auto *literal = llvm::dyn_cast_or_null<LiteralExpr>(expr);
    if (!literal)
      return std::nullopt;
    return literal->type->isFloat() ? literal->real : double(literal->integer);
  };
  double value = real(bound).value_or(0.5); // 0.5: not known
  if (value == std::floor(value) && std::abs(value) < 1e9)
    return report.addFixIt(bound->range, std::to_string(int64_t(value)));
  auto begin = real(axis.begin), end = real(axis.end), step = real(axis.step);
  double count =
      begin && end && step && *step != 0 ? (*end - *begin) / *step : 0;
  bool isCounted = count >= 0.5 && count < 1e9;
  if (!isStep || (isConstant(bound) && !isCounted))
    return report.addNote({}, diag::Advice, "a range counts in integers");
  StringRef start = program.sources.text(axis.begin->range);
  std::string sum = (begin == 0.0 ? "" : start.str() + " + ") + "k * " +
                    text.str();
  report.addNote({}, diag::CountThenScale,
                 isCounted ? std::to_string(int64_t(std::ceil(count - 1e-6)))
                           : "n",
                 sum);
}

//===----------------------------------------------------------------------===//
// Assignments and calls
//===----------------------------------------------------------------------===//

/// How a function or kernel may give a top-level variable a value.
void BodyChecker::adviseKeeping(DiagnosticBuilder &report, StringRef name,
                                const TopLevelVariable &variable) {
  TypeRef type = variable.type ? variable.type : variable.hint;
  if (!type || type->isError() || (!type->isScalar() && !type->isAggregate()))
    return;
  report.addNote({}, diag::KeepInField, name, build.defaulted(type)->str());
}

/// A function or a kernel that assigns a top-level variable.
void BodyChecker::refuseTopLevel(const ast::NameExpr *name,
                                 const Meaning &meaning) {
  auto report = diags.report(name->range, diag::AssignsTopLevel, name->name,
                             inKernel() ? "a kernel" : "a function");
  report.addNote(meaning.range, diag::AssignedHere, name->name);
  adviseKeeping(report, name->name, *meaning.topLevel);
}

/// A call of what is no function: perhaps of a variable that hides one.
void BodyChecker::reportNotCallable(const ast::Expr *callee, TypeRef type) {
  auto report = diags.report(callee->range, diag::NotCallable,
                             build.defaulted(type)->str());
  auto *name = llvm::dyn_cast<ast::NameExpr>(callee);
  Meaning meaning = name ? lookup(name->name) : Meaning();
  if (!name || !meaning.range.isValid())
    return;
  bool hides = findWord(name->name) || typeNamed(name->name);
  if (hides)
    report.addNote(meaning.range, diag::HidesFunction, name->name);
  else
    report.addNote(meaning.range, diag::DeclaredHere, name->name);
}
