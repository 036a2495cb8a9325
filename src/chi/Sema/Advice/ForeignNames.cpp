//===- ForeignNames.cpp - Names and types of other languages --------------===//
// `np.float32`, `double`, `norm(v)`, `template()`: what stands for them here. A
// fix-it is offered only where it leaves a program that does what was meant.
#include "chi/Sema/Advice/ForeignNames.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Names/NameChecker.h"
#include "llvm/ADT/StringExtras.h"

using namespace chi;
using namespace chi::sema;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Whether `first` of `first.x` is a module of another language: one that is
/// not imported, or one whose import failed; or a name from such an import.
bool ForeignNames::isForeignRoot(StringRef first) {
  Meaning meaning = names.lookup(first);
  if (meaning.kind == Meaning::Nothing)
    return isForeignAlias(first);
  if (meaning.kind != Meaning::Broken || !state.module->ast)
    return false;
  return llvm::any_of(state.module->ast->body, [&](const ast::Stmt *stmt) {
    auto *from = llvm::dyn_cast<ast::FromImportStmt>(stmt);
    if (from && !foreignModule(from->path).empty())
      return llvm::any_of(from->names, [&](const ast::ImportedName &each) {
        return (each.alias.empty() ? each.name : each.alias) == first;
      });
    auto *import = llvm::dyn_cast<ast::ImportStmt>(stmt);
    if (!import || foreignModule(import->path).empty())
      return false;
    return (import->alias.empty() ? import->path.split('.').first
                                  : import->alias) == first;
  });
}

/// Whether a line is the head of a `for` up to here: what is called stands
/// where a range may stand.
static bool standsInFor(const SourceFiles &sources, SourceRange range) {
  StringRef before = sources.text(range.file).take_front(range.begin);
  StringRef line = before.substr(before.rfind('\n') + 1).ltrim();
  return line.starts_with("for ") && line.contains(" in ") &&
         !line.contains(':');
}

/// Words that are called alike but take other arguments; "" of all others.
static StringRef otherArguments(StringRef name) {
  if (name == "array")
    return "numbers in brackets are a vec: `[1.0, 2.0]`; use a field for many "
           "numbers: `x = field(f32, shape=n)`";
  if (name == "load")
    return "`load(\"a.npy\", field(f32, 2))` reads a field of two axes";
  return "";
}

/// The function that draws what a function of another language draws when it
/// is called without arguments.
static StringRef drawsAlike(StringRef name) {
  if (name == "rand" || name == "uniform" || name == "random")
    return "random";
  if (name == "normal" || name == "gauss" || name == "randn" ||
      name == "standard_normal")
    return "randn";
  return "";
}

/// A function of another language that is written `shown`; false if nothing is
/// known of it.
bool ForeignNames::reportForeignFunction(StringRef shown, StringRef name,
                                         SourceRange range) {
  std::string own = ownName(name);
  StringRef advice = foreignFunction(name).advice;
  if (shown != name && !otherArguments(name).empty())
    own.clear(), advice = otherArguments(name);
  bool isDraw = shown != name && (name == "random" || name == "randn") &&
                shown.ends_with("random." + name.str());
  if (isDraw) {
    own.clear();
    advice = name == "random"
                 ? "fill a field in a loop: `for i in x: x[i] = random()`"
                 : "fill a field in a loop: `for i in x: x[i] = randn()`";
  }
  auto word = findBuiltin(own);
  bool isRange = word == BuiltinName::Range || word == BuiltinName::NdRange;
  if (isRange && !standsInFor(program.sources, range)) {
    own.clear();
    advice = "a range is only allowed in a `for`; fill a field in a loop: `for "
             "i in x: x[i] = i`";
  }
  StringRef args =
      program.sources.text(range.file)
          .drop_front(range.end)
          .take_until([](char c) { return c == ')' || c == '\n'; });
  if (isRange && args.contains('.') && !own.empty()) {
    own.clear();
    advice = "a range consists of integers: use `for k in range(n):` with `x = "
             "a + k * h`";
  }
  // Without arguments the meaning is clear.
  StringRef draw = drawsAlike(name);
  if (own.empty() && !draw.empty() && withEmptyCall(range).end != range.end)
    own = draw;
  if (own.empty() && advice.empty())
    return false;
  auto report = own.empty()
                    ? diags.report(range, diag::UnknownName, shown)
                    : diags.report(range, diag::UnknownNameNear, shown, own);
  if (!advice.empty())
    report.addNote({}, diag::Advice, advice);
  if (!own.empty())
    report.addFixIt(range, own);
  return true;
}

/// A type, or a function of the same arguments, that another language calls so;
/// empty if there is none.
std::string ForeignNames::ownName(StringRef name) {
  if (names.typeNamed(name))
    return name.str();
  if (StringRef type = foreignType(name); !type.empty())
    return type.str();
  if (StringRef own = foreignFunction(name).own; !own.empty())
    return own.str();
  auto word = findBuiltin(name);
  if (word && !isLater(*word) && !name.contains('.') && !name.starts_with("__"))
    return name.str();
  // `sqrtf`, `powf` of C.
  StringRef stem = name;
  if (stem.consume_back("f"))
    if (auto function = findBuiltin(stem);
        function && (mathFunction(*function) || *function == BuiltinName::Pow))
      return stem.str();
  return "";
}

bool ForeignNames::reportForeign(StringRef name, SourceRange range) {
  static constexpr std::pair<StringRef, StringRef> kOther[] = {
      {"true", "True"}, {"false", "False"},  {"none", "None"}, {"null", "None"},
      {"NULL", "None"}, {"nullptr", "None"}, {"nil", "None"}};
  for (auto [foreign, own] : kOther)
    if (name == foreign) {
      // `None` is an index only: `x[None]`.
      StringRef before =
          program.sources.text(range.file).take_front(range.begin).rtrim(' ');
      bool stands = StringRef(own) != "None" || before.ends_with("[");
      if (stands)
        diags.report(range, diag::UnknownNameNear, name, own)
            .fixIt(range, own)
            .send();
      else
        diags.report(range, diag::UnknownName, name)
            .note({}, diag::Advice,
                  "every variable has a value of its type; a `bool` beside it "
                  "can say whether it counts")
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
  return reportForeignFunction(name, name, range);
}

/// `np` where nothing is called so: once for all its members.
bool ForeignNames::reportForeignModule(StringRef name, SourceRange range) {
  if (!state.reportedEarly.insert(name).second)
    return true;
  auto report = diags.report(range, diag::UnknownName, name);
  StringRef advice = foreignModule(name);
  report.addNote({}, diag::Advice,
                 advice.empty() ? "fields and functions are built in" : advice);
  return true;
}

bool ForeignNames::reportForeignMember(const ast::AttributeExpr *expr,
                                       StringRef base) {
  StringRef first = base.split('.').first;
  Meaning meaning = names.lookup(first);
  bool isRandom = base == "random" && meaning.kind == Meaning::Builtin;
  if (!isRandom && (meaning.kind != Meaning::Nothing || !isForeignAlias(first)))
    return false;
  const ast::Expr *root = expr;
  while (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(root))
    root = attribute->base;
  StringRef whole = program.sources.text(expr->range);
  if (reportForeignFunction(whole, expr->name, expr->range))
    return true;
  StringRef method = foreignMethod(expr->name);
  if (!method.empty())
    diags.report(expr->range, diag::UnknownName, whole)
        .note({}, diag::IsMethod, expr->name, method)
        .send();
  else if (findBuiltin(("math." + expr->name).str()))
    diags.report(expr->range, diag::UnknownName, whole)
        .note({}, diag::IsOfModule, "math", expr->name)
        .send();
  else
    reportForeignModule(llvm::cast<ast::NameExpr>(root)->name, root->range);
  return true;
}

/// The last name of a type written by its module: `float32` of `np.float32`;
/// of other syntax its text.
static StringRef lastName(const SourceFiles &sources, const ast::Expr *expr) {
  if (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(expr))
    return attribute->name;
  if (auto *string = llvm::dyn_cast<ast::StringExpr>(expr))
    return string->value;
  return sources.text(expr->range);
}

bool ForeignNames::isForeignTypeExpr(const ast::Expr *expr) {
  const ast::Expr *root = expr;
  while (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(root))
    root = attribute->base;
  auto *name = llvm::dyn_cast<ast::NameExpr>(root);
  if (!name)
    return false;
  StringRef last = lastName(program.sources, expr);
  if (root == expr)
    return !foreignType(last).empty() &&
           names.lookup(last).kind == Meaning::Nothing;
  return (names.typeNamed(last) || !foreignType(last).empty()) &&
         isForeignRoot(name->name);
}

std::string ForeignNames::ownType(const ast::Expr *expr) {
  StringRef name = lastName(program.sources, expr);
  StringRef own = foreignType(name);
  if (!own.empty())
    return own.str();
  bool isKnown = names.typeNamed(name) && !llvm::isa<ast::CallExpr>(expr);
  return (isKnown ? name : program.sources.text(expr->range)).str();
}

bool ForeignNames::reportForeignField(const ast::CallExpr *expr, Check check) {
  auto *callee = llvm::dyn_cast<ast::AttributeExpr>(expr->callee);
  if (!callee || callee->name != "field")
    return false;
  auto *kind = llvm::dyn_cast<ast::AttributeExpr>(callee->base);
  auto *root = llvm::dyn_cast<ast::NameExpr>(kind ? kind->base : callee->base);
  bool isMat = kind && kind->name == "Matrix";
  bool isVec = kind && kind->name == "Vector";
  if (!root || (kind && !isMat && !isVec) ||
      names.lookup(root->name).kind != Meaning::Nothing ||
      !isForeignAlias(root->name))
    return false;
  size_t numSizes = isMat ? 2 : isVec ? 1 : 0;
  std::vector<std::string> sizes;
  std::string element, shape;
  bool isClear = true;
  for (const ast::Argument &arg : expr->args) {
    std::string text = program.sources.text(arg.value->range).str();
    bool isSize = arg.keyword == "n" || arg.keyword == "m" ||
                  (arg.keyword.empty() && sizes.size() < numSizes);
    bool isElement = arg.keyword == "dtype" || arg.keyword == "dt" ||
                     (arg.keyword.empty() && !isSize && element.empty());
    if (isSize)
      sizes.push_back(text);
    else if (isElement)
      element = ownType(arg.value);
    else if (arg.keyword == "shape" || arg.keyword.empty())
      shape = ", shape=" + text, check(arg.value);
    else
      isClear = false;
  }
  StringRef whole = program.sources.text(callee->range);
  isClear &= sizes.size() == numSizes && names.typeNamed(element);
  if (!isClear) {
    diags.report(callee->range, diag::UnknownName, whole)
        .note(
            {}, diag::Advice,
            isMat ? "write `field(mat(2, 3, f32), shape=n)` for a field of mats"
            : isVec ? "write `field(vec(3, f32), shape=n)` for a field of vecs"
                    : "write `field(f32, shape=n)` to create a field")
        .send();
    return true;
  }
  if (numSizes)
    element = (isMat ? "mat(" : "vec(") + llvm::join(sizes, ", ") + ", " +
              element + ")";
  std::string own = "field(" + element + shape + ")";
  diags.report(callee->range, diag::UnknownNameNear, whole, own)
      .fixIt(expr->range, own)
      .send();
  return true;
}

bool ForeignNames::reportForeignCall(const ast::CallExpr *expr, Check check) {
  auto *name = llvm::dyn_cast<ast::NameExpr>(expr->callee);
  if (!name || expr->args.empty())
    return false;
  StringRef method = foreignMethod(name->name);
  if (method.empty() || isAssignedSomewhere(name->name))
    return false;
  const ast::Expr *first = expr->args[0].value;
  Expr *value = check(first);
  bool isFieldDot = value->type->isField() && method == "dot";
  if (value->type->isField() && !isFieldDot) {
    ForeignMeaning word = foreignMember(value->type, name->name);
    std::string field = program.sources.text(first->range).str();
    auto report = diags.report(name->range, diag::UnknownName, name->name);
    if (!word.own.empty())
      report.addNote({}, diag::Advice,
                     "of a field it is `" + filledIn(word.own, field) + "`");
    else if (!word.advice.empty())
      report.addNote({}, diag::Advice, filledIn(word.advice, field));
    return true;
  }
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
bool ForeignNames::isAssignedSomewhere(StringRef name) {
  SourceRange ignored;
  return names.lookup(name).kind != Meaning::Nothing ||
         names.isAssignedLater(name, &ignored);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The annotation of a parameter with its `:`; just the type elsewhere.
static SourceRange annotationOf(const SourceFiles &sources, SourceRange type) {
  StringRef before = sources.text(type.file).take_front(type.begin).rtrim(' ');
  if (!before.ends_with(":"))
    return type;
  before = before.drop_back().rtrim(' ');
  return {type.file, uint32_t(before.size()), type.end};
}

bool ForeignNames::reportForeignType(const ast::Expr *expr) {
  auto *call = llvm::dyn_cast<ast::CallExpr>(expr);
  const ast::Expr *base = call ? call->callee : expr;
  auto *name = llvm::dyn_cast<ast::NameExpr>(base);
  auto *member = llvm::dyn_cast<ast::AttributeExpr>(base);
  auto *string = llvm::dyn_cast<ast::StringExpr>(expr);
  if (!name && !string && !member)
    return false;
  const ast::Expr *root = base;
  while (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(root))
    root = attribute->base;
  if (member && (!llvm::isa<ast::NameExpr>(root) ||
                 !isForeignRoot(llvm::cast<ast::NameExpr>(root)->name)))
    return false;
  StringRef text = lastName(program.sources, base);
  bool isString = string != nullptr;
  if (name) {
    Meaning::Kind kind = names.lookup(text).kind;
    bool isImported = kind == Meaning::Broken && isForeignRoot(text);
    if (kind != Meaning::Nothing && !isImported &&
        (call || kind != Meaning::Builtin))
      return false;
  }
  StringRef own = foreignType(text);
  if (!name && own.empty() && names.typeNamed(text))
    own = text;
  StringRef written = program.sources.text(expr->range);
  if (!own.empty() && !call) {
    (isString ? diags.report(expr->range, diag::NotATypeNear, written, own)
              : diags.report(expr->range, diag::UnknownNameNear, written, own))
        .fixIt(expr->range, own)
        .send();
    return true;
  }
  bool isVec = text == "Vector" || (member && text == "vector");
  bool isMat = text == "Matrix" || (member && text == "matrix");
  if (isVec || isMat) {
    diags.report(expr->range, diag::NotAType, written)
        .note({}, diag::Advice,
              isVec ? "write `vec(3, f32)`, `vec3`"
                    : "write `mat(3, 3, f32)`, `mat3`")
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
// Text round a place
//===----------------------------------------------------------------------===//

SourceRange ForeignNames::withEmptyCall(SourceRange range) const {
  StringRef rest = program.sources.text(range.file).drop_front(range.end);
  StringRef open = rest.ltrim(' ');
  if (!open.consume_front("("))
    return range;
  open = open.ltrim(' ');
  if (!open.consume_front(")"))
    return range;
  range.end += rest.size() - open.size();
  return range;
}

bool ForeignNames::isCalled(SourceRange name) const {
  return program.sources.text(name.file)
      .drop_front(name.end)
      .ltrim(' ')
      .starts_with("(");
}
