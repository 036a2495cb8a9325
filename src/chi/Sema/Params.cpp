//===- Params.cpp - Values of params --------------------------------------===//
#include "chi/Sema/BodyCheck.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace chi;
using namespace chi::sema;

static bool isParamType(TypeRef type) {
  return type->isScalar() || type->isVec() || type->isStr();
}

/// A scalar from the text of a command line, read as the run time does.
static Expr *parseScalar(Builder &build, SourceRange range, TypeRef type,
                         llvm::StringRef text) {
  text = text.trim();
  if (type->isBool()) {
    if (text == "true" || text == "1" || text == "True")
      return build.boolLiteral(range, true);
    if (text == "false" || text == "0" || text == "False")
      return build.boolLiteral(range, false);
    return nullptr;
  }
  std::string digits;
  for (char letter : text)
    if (letter != '_')
      digits += letter;
  if (type->isInt()) {
    llvm::StringRef rest = digits;
    bool isNegative = rest.consume_front("-");
    if (!isNegative)
      rest.consume_front("+");
    unsigned radix = rest.consume_front_insensitive("0x")   ? 16
                     : rest.consume_front_insensitive("0o") ? 8
                     : rest.consume_front_insensitive("0b") ? 2
                                                            : 10;
    uint64_t magnitude = 0;
    if (rest.empty() || rest.getAsInteger(radix, magnitude))
      return nullptr;
    __int128 value = isNegative ? -__int128(magnitude) : __int128(magnitude);
    if (!fits(value, type))
      return nullptr;
    return build.intLiteral(range, value, type);
  }
  double value = 0;
  if (digits.empty() ||
      llvm::StringRef(digits).getAsDouble(value, /*AllowInexact=*/true))
    return nullptr;
  return build.realLiteral(range, value, type);
}

static Expr *parseValue(Builder &build, SourceRange range, TypeRef type,
                        llvm::StringRef text) {
  if (type->isStr()) {
    auto *value = build.make<StringLiteralExpr>(range, type);
    value->value = text.str();
    return value;
  }
  if (type->isScalar())
    return parseScalar(build, range, type, text);
  llvm::SmallVector<llvm::StringRef> pieces;
  text.trim().split(pieces, ',');
  if (int64_t(pieces.size()) != type->shape[0])
    return nullptr;
  std::vector<Expr *> parts;
  for (llvm::StringRef piece : pieces) {
    Expr *part = parseScalar(build, range, type->element, piece);
    if (!part)
      return nullptr;
    parts.push_back(part);
  }
  return build.construct(range, type, std::move(parts));
}

std::optional<std::string> sema::paramText(const Expr *value) {
  if (auto *text = llvm::dyn_cast<StringLiteralExpr>(value))
    return text->value;
  if (auto *splat = llvm::dyn_cast<SplatExpr>(value)) {
    std::string all;
    auto one = paramText(splat->operand);
    for (int64_t k = 0; one && k < value->type->numScalars(); ++k)
      all += (k ? "," : "") + *one;
    return one ? std::optional(all) : std::nullopt;
  }
  if (auto *construct = llvm::dyn_cast<ConstructExpr>(value)) {
    std::string all;
    for (const Expr *part : construct->parts) {
      auto text = paramText(part);
      if (!text)
        return std::nullopt;
      all += (all.empty() ? "" : ",") + *text;
    }
    return all;
  }
  auto *literal = llvm::dyn_cast<LiteralExpr>(value);
  if (!literal || isError(value))
    return std::nullopt;
  if (value->type->isBool())
    return literal->integer ? "true" : "false";
  if (value->type->isInt())
    return intText(static_cast<const ExactLiteral *>(literal)->exact);
  std::string text;
  llvm::raw_string_ostream out(text);
  out << llvm::format("%.17g", literal->real);
  return text;
}

/// Whether a literal lies in [low, high], as far as those are known.
static bool inRange(const Expr *value, const Expr *low, const Expr *high) {
  auto *x = llvm::dyn_cast_or_null<LiteralExpr>(value);
  auto *a = llvm::dyn_cast_or_null<LiteralExpr>(low);
  auto *b = llvm::dyn_cast_or_null<LiteralExpr>(high);
  if (!x || isError(x))
    return true;
  auto exact = [](const LiteralExpr *literal) {
    return static_cast<const ExactLiteral *>(literal)->exact;
  };
  if (x->type->isFloat())
    return (!a || x->real >= a->real) && (!b || x->real <= b->real);
  return (!a || exact(x) >= exact(a)) && (!b || exact(x) <= exact(b));
}

static bool isChoice(const Expr *value, llvm::ArrayRef<Expr *> choices) {
  auto text = paramText(value);
  if (choices.empty() || !text)
    return true;
  for (const Expr *choice : choices)
    if (paramText(choice) == text)
      return true;
  return false;
}

/// A whole number, of any size.
static bool isWhole(llvm::StringRef text) {
  text = text.trim();
  if (!text.consume_front("-"))
    text.consume_front("+");
  return !text.empty() && llvm::all_of(text, [](char c) {
    return llvm::isDigit(c) || c == '_';
  });
}

namespace {
/// Checks the declaration of one param.
struct ParamChecker {
  ProgramChecker &program;
  ParamDecl &decl;
  BodyChecker checker;
  Builder &build;

  ParamChecker(ProgramChecker &program, ParamDecl &decl)
      : program(program), decl(decl),
        checker(program, *decl.module, Where::Constant, nullptr),
        build(program.build) {}

  Expr *part(const ast::Expr *written, TypeRef type) {
    if (!written)
      return nullptr;
    Expr *value = checker.checkExpr(written);
    return build.pin(
        build.convert(value, type, ("`" + decl.ast->name + "`").str()));
  }
  /// " (i32 in [1, 10], number of bodies)", as the run time says it.
  std::string facts(bool isTypeNamed) {
    Param &param = *decl.param;
    bool hasMore =
        param.low || !param.choices.empty() || !decl.ast->doc.empty();
    if (isTypeNamed && !hasMore)
      return "";
    std::string text = " (" + param.type->str();
    if (param.low)
      text += " in [" + paramText(param.low).value_or("?") + ", " +
              paramText(param.high).value_or("?") + "]";
    for (const Expr *choice : param.choices)
      text += (choice == param.choices.front() ? " in {" : ", ") +
              paramText(choice).value_or("?");
    if (!param.choices.empty())
      text += "}";
    if (!decl.ast->doc.empty())
      text += ", " + decl.ast->doc.str();
    return text + ")";
  }
  /// Refuses the value of the command line.
  Expr *refuse(llvm::StringRef value, const std::string &problem,
               bool isTypeNamed = false) {
    Param &param = *decl.param;
    program.diags
        .report(param.range, diag::ParamRefused, param.name, value,
                problem + facts(isTypeNamed))
        .send();
    return build.error(param.range);
  }
  void reportRange(SourceRange range, llvm::StringRef text) {
    Param &param = *decl.param;
    if (!param.choices.empty()) {
      std::string all;
      for (const Expr *choice : param.choices)
        all += (all.empty() ? "" : ", ") + paramText(choice).value_or("?");
      program.diags.report(range, diag::ParamChoice, text, param.name, all)
          .send();
      return;
    }
    program.diags
        .report(range, diag::ParamRange, text, param.name,
                paramText(param.low).value_or("?"),
                paramText(param.high).value_or("?"))
        .send();
  }
  /// The value that the command line gives, or null.
  Expr *given() {
    Param &param = *decl.param;
    auto found = program.options.paramValues.find(param.name);
    if (found == program.options.paramValues.end())
      return nullptr;
    Expr *value = parseValue(build, param.range, param.type, found->second);
    if (!value)
      return refuse(found->second,
                    (isWhole(found->second) && param.type->isInt()
                         ? "does not fit in "
                         : "is no ") +
                        param.type->str(),
                    /*isTypeNamed=*/true);
    if (!inRange(value, param.low, param.high))
      return refuse(found->second, "is outside its range");
    if (!isChoice(value, param.choices))
      return refuse(found->second, "is none of its choices");
    return value;
  }
  Expr *check();
};
} // namespace

Expr *ParamChecker::check() {
  Param &param = *decl.param;
  const ast::ParamStmt &stmt = *decl.ast;
  SourceRange range = stmt.nameRange;
  param.type = checker.checkType(stmt.type);
  if (!param.type->isError() && !isParamType(param.type)) {
    program.diags
        .report(stmt.type->range, diag::BadElement, "a param",
                param.type->str())
        .send();
    param.type = program.types.error;
  }
  if (param.type->isError())
    return build.error(range);
  param.defaultValue = part(stmt.value, param.type);
  if (param.defaultValue && !isError(param.defaultValue))
    program.reportTooLarge(param.defaultValue);
  if (stmt.low && (param.type->isStr() || param.type->isBool())) {
    program.diags
        .report(stmt.low->range.to(stmt.high->range), diag::ParamNoRange,
                param.name, param.type->str())
        .send();
    return build.error(range);
  }
  param.low = part(stmt.low, param.type);
  param.high = part(stmt.high, param.type);
  for (const ast::Expr *choice : stmt.choices)
    param.choices.push_back(part(choice, param.type));
  for (Expr *bound : {param.low, param.high})
    if (bound && !isError(bound) && !isConstant(bound)) {
      program.diags
          .report(bound->range, diag::NotConstant, "a bound of a param")
          .send();
      return build.error(range);
    }
  Expr *value = given();
  if (!value) {
    value = param.defaultValue;
    if (!value || isError(value))
      return build.error(range);
    if (isConstant(value) && (!inRange(value, param.low, param.high) ||
                              !isChoice(value, param.choices)))
      reportRange(stmt.value->range, program.sources.text(stmt.value->range));
  }
  if (isError(value))
    return value;
  if (decl.isSpecialized) {
    if (!isConstant(value)) {
      if (!build.reportUndefined(value))
        program.diags
            .report(stmt.value->range, diag::NotConstant,
                    ("`" + param.name + "`, which is compiled in,"))
            .send();
      return build.error(range);
    }
    param.isFixed = true;
    param.fixedText = paramText(value).value_or("");
    return value;
  }
  auto *read = build.make<ParamExpr>(range, param.type);
  read->index = decl.index;
  return read;
}

Expr *ProgramChecker::paramValue(ParamDecl &decl, SourceRange use) {
  if (!decl.isDone && decl.isBusy) {
    diags.report(use, diag::ConstantCycle, decl.ast->name)
        .note(decl.ast->nameRange, diag::DeclaredHere, decl.ast->name)
        .send();
    return build.error(use);
  }
  if (!decl.isDone) {
    decl.isBusy = true;
    decl.value = ParamChecker(*this, decl).check();
    decl.isDone = true;
  }
  Expr *copy = build.clone(decl.value);
  copy->range = use;
  return copy;
}

void ProgramChecker::chooseSpecialized() {
  const ast::Module &main = *modules.front()->ast;
  std::set<std::string> needed;
  if (options.specialize == Specialize::Needed)
    needed = specializedParams(main);
  for (ParamDecl &decl : params) {
    bool isGiven = options.paramValues.count(decl.param->name);
    decl.isSpecialized = options.specialize == Specialize::All ||
                         (options.specialize == Specialize::None && isGiven) ||
                         needed.count(decl.param->name);
  }
}

void ProgramChecker::checkParams() {
  chooseSpecialized();
  for (ParamDecl &decl : params)
    paramValue(decl, decl.ast->nameRange);
  std::vector<llvm::StringRef> names;
  for (ParamDecl &decl : params)
    names.push_back(decl.param->name);
  for (auto &[name, text] : options.paramValues) {
    if (llvm::is_contained(names, name))
      continue;
    std::string best = nearest(name, names);
    SourceRange start{modules.front()->ast->file, 0, 0};
    if (best.empty())
      diags.report(start, diag::UnknownParam, name).send();
    else
      diags.report(start, diag::UnknownParamNear, name, best).send();
  }
}

std::vector<ParamSummary> sema::summarizeParams(const SourceFiles &sources,
                                                const ast::Module &main,
                                                ModuleLoader &loader) {
  std::set<std::string> specialized = specializedParams(main);
  std::vector<ParamSummary> summaries;
  auto text = [&](const ast::Expr *expr) {
    return expr ? sources.text(expr->range).str() : std::string();
  };
  for (const ast::Stmt *stmt : main.body) {
    auto *param = llvm::dyn_cast<ast::ParamStmt>(stmt);
    if (!param)
      continue;
    ParamSummary summary;
    summary.name = param->name.str();
    summary.type = text(param->type);
    summary.defaultText = text(param->value);
    if (auto *value = llvm::dyn_cast_or_null<ast::StringExpr>(param->value))
      summary.defaultText = value->value.str();
    summary.doc = param->doc.str();
    summary.low = text(param->low);
    summary.high = text(param->high);
    for (const ast::Expr *choice : param->choices) {
      auto *value = llvm::dyn_cast<ast::StringExpr>(choice);
      summary.choices.push_back(value ? value->value.str() : text(choice));
    }
    summary.range = param->nameRange;
    summary.isSpecialized = specialized.count(summary.name);
    summaries.push_back(std::move(summary));
  }
  return summaries;
}
