//===- Params.cpp - Values of params --------------------------------------===//
#include "chi/Params/Params.h"
#include "chi/Sema/Exprs/ExprCheckers.h"
#include "chi/Sema/Program/ProgramChecker.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

using namespace chi;
using namespace chi::sema;

static bool isParamType(TypeRef type) {
  return type->isScalar() || type->isVec() || type->isStr();
}

static Expr *literalOf(Builder &build, SourceRange range, TypeRef type,
                       const params::Scalar &scalar) {
  if (type->isBool())
    return build.boolLiteral(range, scalar.integer != 0);
  if (type->isFloat())
    return build.realLiteral(range, scalar.real, type);
  __int128 value = type->isSigned ? __int128(scalar.integer)
                                  : __int128(uint64_t(scalar.integer));
  return build.intLiteral(range, value, type);
}

/// A value from the text of a command line, read as the run time does. Null
/// with `problem` set if it is none.
static Expr *parseValue(Builder &build, SourceRange range, TypeRef type,
                        llvm::StringRef text, std::string &problem) {
  if (type->isStr()) {
    auto *value = build.make<StringLiteralExpr>(range, type);
    value->value = text.str();
    return value;
  }
  auto scalars = params::readValue(text, type->scalar()->str(),
                                   type->numScalars(), problem);
  if (!scalars)
    return nullptr;
  if (type->isScalar())
    return literalOf(build, range, type, scalars->front());
  std::vector<Expr *> parts;
  for (const params::Scalar &scalar : *scalars)
    parts.push_back(literalOf(build, range, type->element, scalar));
  return build.construct(range, type, std::move(parts));
}

/// Whether a literal lies in [low, high], as far as those are known.
static bool inRange(const Expr *value, const Expr *low, const Expr *high) {
  auto *x = llvm::dyn_cast_or_null<LiteralExpr>(value);
  auto *a = llvm::dyn_cast_or_null<LiteralExpr>(low);
  auto *b = llvm::dyn_cast_or_null<LiteralExpr>(high);
  if (!x || isError(x) || (!a && !b)) // a NaN lies in no range
    return true;
  auto exact = [](const LiteralExpr *literal) {
    return static_cast<const ExactLiteral *>(literal)->exact;
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (x->type->isFloat())
    return params::isWithin(x->type->str(), x->real, a ? a->real : -infinity,
                            b ? b->real : infinity);
  // The run time has bounds as floats; here integers are exact.
  return (!a || exact(x) >= exact(a)) && (!b || exact(x) <= exact(b));
}

static params::Scalar scalarOf(const LiteralExpr *literal) {
  auto exact = static_cast<const ExactLiteral *>(literal)->exact;
  return {int64_t(exact), literal->real};
}

/// Whether two constants of one type are one value.
static bool isSame(const Expr *a, const Expr *b) {
  auto *x = llvm::dyn_cast<LiteralExpr>(a), *y = llvm::dyn_cast<LiteralExpr>(b);
  if (x && y && !isError(y))
    return params::isSame(x->type->str(), scalarOf(x), scalarOf(y));
  return paramText(a) == paramText(b);
}

static bool isChoice(const Expr *value, llvm::ArrayRef<Expr *> choices) {
  if (choices.empty() || !paramText(value))
    return true;
  return llvm::any_of(choices, [&](const Expr *c) { return isSame(value, c); });
}

namespace {
/// Checks the declaration of one param.
struct ParamChecker {
  ProgramChecker &program;
  ParamDecl &decl;
  ExprCheckers checker;
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
  std::string domain() {
    Param &param = *decl.param;
    std::string low, high;
    if (param.low) {
      low = paramText(param.low).value_or("?");
      high = paramText(param.high).value_or("?");
    }
    std::vector<std::string> choices;
    for (const Expr *choice : param.choices)
      choices.push_back(paramText(choice).value_or("?"));
    return params::domainText(low, high, choices);
  }
  /// " (i32 in [1, 10], number of bodies)", as the run time says it.
  std::string facts(bool isTypeNamed) {
    std::string type = decl.param->type->str(), within = domain();
    if (isTypeNamed && within.empty() && decl.ast->doc.empty())
      return "";
    return params::factsText(type, within, decl.ast->doc);
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
    std::string problem;
    Expr *value =
        parseValue(build, param.range, param.type, found->second, problem);
    if (!value)
      return refuse(
          found->second, problem,
          /*isTypeNamed=*/!llvm::StringRef(problem).starts_with("has"));
    if (!inRange(value, param.low, param.high))
      return refuse(found->second, "is outside its range");
    if (!isChoice(value, param.choices))
      return refuse(found->second, "is not one of its choices");
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
    reportTooLarge(build, param.defaultValue);
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
