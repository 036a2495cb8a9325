//===- DefinitionBuilder.cpp - Functions, classes, params ---------------===//
#include "chi/Parse/DefinitionBuilder.h"
#include "chi/Parse/StmtBuilder.h"
#include "llvm/ADT/StringSet.h"

using namespace chi;
using namespace chi::ast;
using namespace chi::parse;
using antlr4::ParserRuleContext;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

StringRef chi::parse::takeDoc(Body &body, SourceRange &range) {
  if (body.empty())
    return "";
  auto *first = llvm::dyn_cast<ExprStmt>(body.front());
  auto *doc = first ? llvm::dyn_cast<StringExpr>(first->value) : nullptr;
  if (!doc)
    return "";
  body = body.drop_front();
  range = doc->range;
  return doc->value;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Stmt *
DefinitionBuilder::buildFunction(ChiParser::FunctionDefinitionContext *tree,
                                 ArrayRef<Expr *> decorators) {
  auto *function = context.make<FunctionStmt>(headerRange(tree));
  const ListedToken &name = leafOf(tree->NAME());
  function->name = name.spelling();
  function->nameRange = rangeOf(name);
  function->decorators = keep(decorators);
  if (auto *typeParams = tree->typeParameters())
    function->typeParams = buildTypeParams(typeParams);
  if (auto *params = tree->parameters())
    function->params = buildParams(params);
  if (auto *returnType = tree->expression())
    function->returnType = exprs.buildExpression(returnType);
  function->body = stmts.buildBlock(tree->block());
  function->doc = takeDoc(function->body, function->docRange);
  return function;
}

ArrayRef<TypeParameter>
DefinitionBuilder::buildTypeParams(ChiParser::TypeParametersContext *tree) {
  SmallVector<TypeParameter> params;
  llvm::StringSet<> seen;
  eachItem(tree->children, [&](ParserRuleContext *child) {
    auto *param = static_cast<ChiParser::TypeParameterContext *>(child);
    if (param->children.size() > 1)
      diags
          .report(rangeOf(param), diag::NotSupportedYet,
                  "a bound or `*` on a type parameter")
          .send();
    const ListedToken &name = leafOf(param->NAME());
    if (!seen.insert(name.spelling()).second)
      diags.report(rangeOf(name), diag::RepeatedParameter, name.spelling())
          .send();
    params.push_back({name.spelling(), rangeOf(name)});
  });
  return keep(params);
}

/// Fills `parameter`; returns whether it is one that Chi has.
bool DefinitionBuilder::buildParameter(ChiParser::ParameterContext *tree,
                                       Parameter &parameter) {
  const ListedToken &first = *tokenOf(tree->children[0]);
  if (first.getType() != ChiParser::NAME) {
    bool isMark = tree->children.size() == 1;
    diags
        .report(
            rangeOf(tree), diag::NotInLanguage,
            isMark ? "`/` or `*` between parameters"
                   : "a parameter for any number of arguments",
            isMark ? "every parameter accepts arguments by position and by name"
                   : "name each parameter, or use a field")
        .send();
    return false;
  }
  parameter.name = first.spelling();
  parameter.nameRange = rangeOf(first);
  for (size_t i = 1; i + 1 < tree->children.size(); i += 2) {
    Expr *value = exprs.buildExpression(
        static_cast<ChiParser::ExpressionContext *>(tree->children[i + 1]));
    (typeOf(tree->children[i]) == ChiParser::COLON ? parameter.type
                                                   : parameter.defaultValue) =
        value;
  }
  return true;
}

ArrayRef<Parameter>
DefinitionBuilder::buildParams(ChiParser::ParametersContext *tree) {
  SmallVector<Parameter> params;
  llvm::StringSet<> seen;
  bool hadDefault = false;
  eachItem(tree->children, [&](ParserRuleContext *child) {
    Parameter parameter;
    if (!buildParameter(static_cast<ChiParser::ParameterContext *>(child),
                        parameter)) {
      hadDefault = false; // behind a `*` the order is free in Python
      return;
    }
    if (!seen.insert(parameter.name).second)
      diags.report(parameter.nameRange, diag::RepeatedParameter, parameter.name)
          .send();
    if (!parameter.defaultValue && hadDefault)
      diags.report(parameter.nameRange, diag::DefaultBeforeNone, parameter.name)
          .send();
    hadDefault |= parameter.defaultValue != nullptr;
    params.push_back(parameter);
  });
  return keep(params);
}

Stmt *DefinitionBuilder::buildDecorated(ChiParser::DecoratedContext *tree) {
  SmallVector<Expr *> decorators;
  for (ChiParser::DecoratorContext *decorator : tree->decorator())
    decorators.push_back(exprs.buildExpression(decorator->expression()));
  if (auto *function = tree->functionDefinition())
    return buildFunction(function, decorators);
  SourceRange range = rangeOf(tree->decorator(0)->expression());
  if (tree->classDefinition())
    return unsupported(range, "a decorator on a class",
                       "classes are value types already");
  return unsupported(range, "`async`", "kernels run asynchronously already");
}

//===----------------------------------------------------------------------===//
// Classes and tests
//===----------------------------------------------------------------------===//

Stmt *DefinitionBuilder::buildClass(ChiParser::ClassDefinitionContext *tree) {
  auto *klass = context.make<ClassStmt>(headerRange(tree));
  const ListedToken &name = leafOf(tree->NAME());
  klass->name = name.spelling();
  klass->nameRange = rangeOf(name);
  if (auto *typeParams = tree->typeParameters())
    klass->typeParams = buildTypeParams(typeParams);
  SmallVector<Expr *> bases;
  if (auto *arguments = tree->arguments())
    eachItem(arguments->children, [&](ParserRuleContext *child) {
      Argument base =
          exprs.buildArgument(static_cast<ChiParser::ArgumentContext *>(child));
      if (base.keyword.empty())
        bases.push_back(base.value);
      else
        diags
            .report(rangeOf(child), diag::NotInLanguage,
                    "a keyword in the head of a class", "remove it")
            .send();
    });
  klass->bases = keep(bases);
  klass->body = stmts.buildBlock(tree->block());
  klass->doc = takeDoc(klass->body, klass->docRange);
  return klass;
}

Stmt *DefinitionBuilder::buildTest(ChiParser::TestBlockContext *tree) {
  auto *test = context.make<TestStmt>(headerRange(tree));
  SmallVector<const ListedToken *> strings;
  for (antlr4::tree::ParseTree *child : tree->children)
    if (const ListedToken *token = tokenOf(child))
      if (token->getType() == ChiParser::STRING ||
          token->getType() == ChiParser::FSTRING)
        strings.push_back(token);
  Expr *name = exprs.buildStrings(strings);
  test->nameRange = name->range;
  if (auto *string = llvm::dyn_cast<StringExpr>(name))
    test->name = string->value;
  else
    diags
        .report(name->range, diag::ExpectedButFound,
                "a plain string as the name of the test", "an f-string")
        .send();
  test->body = stmts.buildBlock(tree->block());
  return test;
}

//===----------------------------------------------------------------------===//
// Consts, params, type names
//===----------------------------------------------------------------------===//

Stmt *DefinitionBuilder::buildConst(ChiParser::ConstStatementContext *tree) {
  auto *constant = context.make<ConstStmt>(rangeOf(tree));
  const ListedToken &name = leafOf(tree->NAME());
  constant->name = name.spelling();
  constant->nameRange = rangeOf(name);
  if (auto *type = tree->expression())
    constant->type = exprs.buildExpression(type);
  constant->value = exprs.buildList(tree->expressionList());
  return constant;
}

Stmt *DefinitionBuilder::buildTypeAlias(ChiParser::TypeStatementContext *tree) {
  if (tree->typeParameters())
    return unsupported(rangeOf(tree), "a generic `type`", "",
                       /*isDelayed=*/true);
  auto *alias = context.make<TypeAliasStmt>(rangeOf(tree));
  const ListedToken &name = leafOf(tree->NAME());
  alias->name = name.spelling();
  alias->nameRange = rangeOf(name);
  alias->value = exprs.buildExpression(tree->expression());
  return alias;
}

Stmt *DefinitionBuilder::buildParam(ChiParser::ParamStatementContext *tree) {
  auto *param = context.make<ParamStmt>(rangeOf(tree));
  const ListedToken &name = leafOf(tree->NAME());
  param->name = name.spelling();
  param->nameRange = rangeOf(name);
  param->type = exprs.buildExpression(tree->expression(0));
  buildParamValue(tree->expression(1), param);
  SmallVector<const ListedToken *> strings;
  for (antlr4::tree::TerminalNode *string : tree->STRING())
    strings.push_back(&leafOf(string));
  if (!strings.empty())
    if (auto *doc = llvm::dyn_cast<StringExpr>(exprs.buildStrings(strings)))
      param->doc = doc->value;
  return param;
}

/// Splits `value in [lo, hi]`, which the grammar takes for a comparison.
void DefinitionBuilder::buildParamValue(ChiParser::ExpressionContext *tree,
                                        ParamStmt *param) {
  auto *last = static_cast<ParserRuleContext *>(
      static_cast<ParserRuleContext *>(tree->children.back())->children[0]);
  size_t count = last->children.size();
  bool hasRange =
      last->getRuleIndex() == ChiParser::RuleOperation && count >= 3;
  if (hasRange) {
    auto *op = static_cast<ParserRuleContext *>(last->children[count - 2]);
    hasRange = op->getRuleIndex() == ChiParser::RuleBinaryOperator &&
               typeOf(op->children[0]) == ChiParser::IN;
  }
  if (!hasRange) {
    param->value = exprs.buildExpression(tree);
    return;
  }
  Expr *value =
      exprs.buildOperation(static_cast<ChiParser::OperationContext *>(last), 1);
  param->value =
      tree->children.size() > 1 ? exprs.buildConditional(tree, value) : value;
  buildParamRange(
      static_cast<ChiParser::PrimaryContext *>(last->children.back()), param);
}

void DefinitionBuilder::buildParamRange(ChiParser::PrimaryContext *tree,
                                        ParamStmt *param) {
  ParserRuleContext *display =
      tree->children.size() == 1 && !tokenOf(tree->children[0])
          ? static_cast<ParserRuleContext *>(tree->children[0])
          : nullptr;
  SmallVector<Expr *> values;
  bool isPlain = display != nullptr;
  bool isChoice =
      display && display->getRuleIndex() == ChiParser::RuleBraceDisplay;
  if (display)
    eachItem(display->children, [&](ParserRuleContext *child) {
      if (child->getRuleIndex() == ChiParser::RuleBraceItem &&
          child->children.size() == 1)
        child = static_cast<ParserRuleContext *>(child->children[0]);
      if (child->getRuleIndex() == ChiParser::RuleListItem)
        values.push_back(exprs.buildListItem(
            static_cast<ChiParser::ListItemContext *>(child)));
      else
        isPlain = false;
    });
  bool isRange =
      display && display->getRuleIndex() == ChiParser::RuleListDisplay;
  if (isPlain && isRange && values.size() == 2) {
    param->low = values[0];
    param->high = values[1];
  } else if (isPlain && isChoice && !values.empty()) {
    param->choices = keep(values);
  } else {
    diags.report(rangeOf(tree), diag::BadParamRange).send();
  }
}
