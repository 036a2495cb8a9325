//===- ExprBuilder.cpp - Expressions of the syntax tree -----------------===//
#include "chi/Parse/ExprBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace chi;
using namespace chi::ast;
using namespace chi::parse;
using antlr4::ParserRuleContext;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Lists and conditional expressions
//===----------------------------------------------------------------------===//

Expr *ExprBuilder::buildList(ChiParser::ExpressionListContext *tree) {
  if (tree->children.size() == 1)
    return buildListItem(
        static_cast<ChiParser::ListItemContext *>(tree->children[0]));
  SmallVector<Expr *> elements;
  eachItem(tree->children, [&](ParserRuleContext *item) {
    elements.push_back(
        buildListItem(static_cast<ChiParser::ListItemContext *>(item)));
  });
  auto *tuple = context.make<TupleExpr>(rangeOf(tree));
  tuple->elements = keep(elements);
  return tuple;
}

Expr *ExprBuilder::buildListItem(ChiParser::ListItemContext *tree) {
  auto *expression =
      static_cast<ChiParser::ExpressionContext *>(tree->children.back());
  if (tree->children.size() == 1)
    return buildExpression(expression);
  return unsupportedExpr(rangeOf(tree), "unpacking by `*`",
                         "write the elements individually");
}

Expr *ExprBuilder::buildExpression(ChiParser::ExpressionContext *tree) {
  auto *first = static_cast<ChiParser::ChoiceContext *>(tree->children[0]);
  if (tree->children.size() == 1)
    return buildChoice(first);
  size_t levels = tree->children.size() / 4;
  if (!checkDepth(rangeOf(tree), levels))
    return unsupportedExpr(rangeOf(tree), "", "");
  state.depth += levels;
  auto *last = buildChoice(
      static_cast<ChiParser::ChoiceContext *>(tree->children.back()));
  Expr *result = buildConditional(tree, last);
  state.depth -= levels;
  return result;
}

static ChiParser::LambdaContext *lambdaIn(ChiParser::ChoiceContext *tree) {
  auto *part = static_cast<ParserRuleContext *>(tree->children[0]);
  return part->getRuleIndex() == ChiParser::RuleLambda
             ? static_cast<ChiParser::LambdaContext *>(part)
             : nullptr;
}

/// Builds `a if c else b if d else e` from the right; `last` is the value of
/// the last `else`.
Expr *ExprBuilder::buildConditional(ChiParser::ExpressionContext *tree,
                                    Expr *last) {
  auto choiceAt = [&](size_t i) {
    return buildChoice(
        static_cast<ChiParser::ChoiceContext *>(tree->children[i]));
  };
  Expr *result = last;
  // choice IF choice ELSE choice IF choice ELSE choice: each step of four
  // holds a value and its condition.
  for (size_t i = tree->children.size() - 1; i >= 4; i -= 4) {
    // The body of a `lambda` goes on behind the `if`.
    auto *lambda = lambdaIn(
        static_cast<ChiParser::ChoiceContext *>(tree->children[i - 4]));
    Expr *thenValue =
        lambda ? buildOperation(lambda->operation()) : choiceAt(i - 4);
    auto *conditional =
        context.make<ConditionalExpr>(thenValue->range.to(result->range));
    conditional->thenValue = thenValue;
    conditional->condition = choiceAt(i - 2);
    conditional->elseValue = result;
    result = lambda ? buildLambda(lambda, conditional) : conditional;
  }
  return result;
}

Expr *ExprBuilder::buildChoice(ChiParser::ChoiceContext *tree) {
  if (ChiParser::LambdaContext *lambda = lambdaIn(tree))
    return buildLambda(lambda, buildOperation(lambda->operation()));
  return buildOperation(
      static_cast<ChiParser::OperationContext *>(tree->children[0]));
}

ArrayRef<Parameter>
ExprBuilder::buildLambdaParams(ChiParser::LambdaHeadContext *tree) {
  SmallVector<Parameter> params;
  llvm::StringSet<> seen;
  for (ChiParser::LambdaParameterContext *child : tree->lambdaParameter()) {
    const ListedToken &first = *tokenOf(child->children[0]);
    Parameter parameter;
    parameter.name = first.spelling();
    parameter.nameRange = rangeOf(first);
    if (ChiParser::OperationContext *value = child->operation())
      parameter.defaultValue = buildOperation(value);
    if (!seen.insert(parameter.name).second)
      diags.report(parameter.nameRange, diag::RepeatedParameter, parameter.name)
          .send();
    params.push_back(parameter);
  }
  return keep(params);
}

Expr *ExprBuilder::buildLambda(ChiParser::LambdaContext *tree, Expr *body) {
  SourceRange range = rangeOf(tree).to(body->range);
  if (tree->lambdaHead().size() > 1)
    return unsupportedExpr(range, "a `lambda` that returns a `lambda`",
                           "a function cannot be returned");
  ChiParser::LambdaHeadContext *head = tree->lambdaHead(0);
  for (ChiParser::LambdaParameterContext *child : head->lambdaParameter())
    if (typeOf(child->children[0]) != ChiParser::NAME)
      return unsupportedExpr(range, "a `lambda` with `*` or `/`",
                             "name each parameter");
  auto *function = context.make<FunctionStmt>(range);
  function->name = "lambda";
  function->nameRange = rangeOf(leafOf(head->LAMBDA()));
  function->params = buildLambdaParams(head);
  auto *result = context.make<ReturnStmt>(body->range);
  result->value = body;
  SmallVector<Stmt *> stmts = {result};
  function->body = keep(stmts);
  auto *lambda = context.make<LambdaExpr>(range);
  lambda->function = function;
  return lambda;
}

Expr *ExprBuilder::buildYield(ChiParser::YieldExpressionContext *tree) {
  return unsupportedExpr(rangeOf(tree), "`yield`",
                         "a function returns all its values at once");
}

ArrayRef<Expr *> ExprBuilder::buildTargets(ChiParser::TargetsContext *tree) {
  SmallVector<Expr *> targets;
  eachItem(tree->children, [&](ParserRuleContext *child) {
    auto *target = static_cast<ChiParser::TargetContext *>(child);
    if (target->children.size() > 1)
      diags
          .report(rangeOf(target), diag::NotInLanguage, "unpacking by `*`",
                  "name the elements individually")
          .send();
    targets.push_back(buildPrimary(
        static_cast<ChiParser::PrimaryContext *>(target->children.back())));
  });
  return keep(targets);
}

//===----------------------------------------------------------------------===//
// Primaries: an atom and what follows it
//===----------------------------------------------------------------------===//

static bool isString(size_t type) {
  return type == ChiParser::STRING || type == ChiParser::FSTRING;
}

Expr *ExprBuilder::buildPrimary(ChiParser::PrimaryContext *tree) {
  size_t next = 0;
  size_t count = tree->children.size();
  size_t atomSize = 1;
  while (atomSize < count && isString(typeOf(tree->children[atomSize])))
    ++atomSize;
  // Each of `.name`, `(…)`, `[…]` is a level; two to four nodes represent one.
  size_t levels = (count - atomSize) / 2;
  if (!checkDepth(rangeOf(tree), levels))
    return unsupportedExpr(rangeOf(tree), "", "");
  state.depth += levels;
  Expr *expr = buildAtom(tree, next);
  while (next < count) {
    const ListedToken &mark = *tokenOf(tree->children[next]);
    if (mark.getType() == ChiParser::DOT) {
      const ListedToken &name = *tokenOf(tree->children[next + 1]);
      auto *attribute =
          context.make<AttributeExpr>(expr->range.to(rangeOf(name)));
      attribute->base = expr;
      attribute->name = name.spelling();
      attribute->nameRange = rangeOf(name);
      expr = attribute;
      next += 2;
      continue;
    }
    auto *inside =
        tokenOf(tree->children[next + 1])
            ? nullptr // `()`
            : static_cast<ParserRuleContext *>(tree->children[next + 1]);
    size_t close = next + (inside ? 2 : 1);
    SourceRange range =
        expr->range.to(rangeOf(*tokenOf(tree->children[close])));
    if (mark.getType() == ChiParser::OPEN_PAREN)
      expr = buildCall(expr, range,
                       static_cast<ChiParser::ArgumentsContext *>(inside));
    else
      expr = buildSubscript(
          expr, range, static_cast<ChiParser::SubscriptsContext *>(inside));
    next = close + 1;
  }
  state.depth -= levels;
  return expr;
}

/// Builds the atom that begins a primary; `next` becomes the child after it.
Expr *ExprBuilder::buildAtom(ChiParser::PrimaryContext *tree, size_t &next) {
  const ListedToken *token = tokenOf(tree->children[0]);
  next = 1;
  if (!token) {
    auto *inner = static_cast<ParserRuleContext *>(tree->children[0]);
    switch (inner->getRuleIndex()) {
    case ChiParser::RuleParenthesized:
      return buildParenthesized(
          static_cast<ChiParser::ParenthesizedContext *>(inner));
    case ChiParser::RuleListDisplay:
      return buildDisplay(static_cast<ChiParser::ListDisplayContext *>(inner));
    default:
      return buildBrace(static_cast<ChiParser::BraceDisplayContext *>(inner));
    }
  }
  if (!isString(token->getType()))
    return buildWord(*token);
  SmallVector<const ListedToken *> strings{token};
  for (; next < tree->children.size(); ++next) {
    token = tokenOf(tree->children[next]);
    if (!token || !isString(token->getType()))
      break;
    strings.push_back(token);
  }
  return literals.buildStrings(strings);
}

Expr *ExprBuilder::buildWord(const ListedToken &token) {
  SourceRange range = rangeOf(token);
  switch (token.getType()) {
  case ChiParser::NAME: {
    auto *name = context.make<NameExpr>(range);
    name->name = token.spelling();
    return name;
  }
  case ChiParser::TRUE:
  case ChiParser::FALSE: {
    auto *boolean = context.make<BoolExpr>(range);
    boolean->value = token.getType() == ChiParser::TRUE;
    return boolean;
  }
  case ChiParser::NONE:
    return context.make<NoneExpr>(range);
  case ChiParser::INTEGER:
    return literals.buildInteger(token);
  case ChiParser::FLOAT:
  case ChiParser::IMAGINARY:
    return literals.buildFloat(token);
  case ChiParser::ELLIPSIS:
    return unsupportedExpr(range, "`...`", "use `pass` for an empty body");
  default:
    return literals.badNumber(token);
  }
}

Expr *ExprBuilder::buildParenthesized(ChiParser::ParenthesizedContext *tree) {
  SourceRange range = rangeOf(tree);
  SmallVector<Expr *> elements;
  bool isGenerator = false;
  Expr *yielded = nullptr;
  size_t commas = eachItem(tree->children, [&](ParserRuleContext *child) {
    if (child->getRuleIndex() == ChiParser::RuleComprehension)
      isGenerator = true;
    else if (child->getRuleIndex() == ChiParser::RuleYieldExpression)
      yielded =
          buildYield(static_cast<ChiParser::YieldExpressionContext *>(child));
    else
      elements.push_back(
          buildListItem(static_cast<ChiParser::ListItemContext *>(child)));
  });
  if (isGenerator)
    return unsupportedExpr(range, "a generator",
                           "write a loop, or a list: `[… for …]`");
  if (yielded)
    return yielded;
  if (elements.size() == 1 && commas == 0) {
    // The parentheses belong to the underlined range.
    elements[0]->range = range;
    return elements[0];
  }
  auto *tuple = context.make<TupleExpr>(range);
  tuple->elements = keep(elements);
  return tuple;
}

Expr *ExprBuilder::buildDisplay(ChiParser::ListDisplayContext *tree) {
  SmallVector<Expr *> elements;
  ChiParser::ComprehensionContext *comprehension = nullptr;
  eachItem(tree->children, [&](ParserRuleContext *child) {
    if (child->getRuleIndex() == ChiParser::RuleComprehension)
      comprehension = static_cast<ChiParser::ComprehensionContext *>(child);
    else
      elements.push_back(
          buildListItem(static_cast<ChiParser::ListItemContext *>(child)));
  });
  if (comprehension)
    return buildComprehension(rangeOf(tree), ComprehensionExpr::List, nullptr,
                              elements[0], comprehension);
  auto *list = context.make<ListExpr>(rangeOf(tree));
  list->elements = keep(elements);
  return list;
}

Expr *ExprBuilder::buildBrace(ChiParser::BraceDisplayContext *tree) {
  SourceRange range = rangeOf(tree);
  SmallVector<Expr *> keys, values;
  ChiParser::ComprehensionContext *comprehension = nullptr;
  bool isUnpacked = false;
  eachItem(tree->children, [&](ParserRuleContext *child) {
    if (child->getRuleIndex() == ChiParser::RuleComprehension) {
      comprehension = static_cast<ChiParser::ComprehensionContext *>(child);
      return;
    }
    auto *item = static_cast<ChiParser::BraceItemContext *>(child);
    isUnpacked |= typeOf(item->children[0]) != 0;
    for (antlr4::tree::ParseTree *part : item->children) {
      if (auto *element = dynamic_cast<ChiParser::ListItemContext *>(part))
        keys.push_back(buildListItem(element));
      if (auto *value = dynamic_cast<ChiParser::ExpressionContext *>(part))
        values.push_back(buildExpression(value));
    }
  });
  if (isUnpacked)
    return unsupportedExpr(range, "unpacking by `**`", "use `update`");
  bool isDict = !values.empty() || keys.empty();
  if (isDict && keys.size() != values.size())
    return unsupportedExpr(range, "a mixture of keys and `key: value`",
                           "give each key a value");
  if (comprehension)
    return buildComprehension(
        range, isDict ? ComprehensionExpr::Dict : ComprehensionExpr::Set,
        isDict ? keys[0] : nullptr, isDict ? values[0] : keys[0],
        comprehension);
  if (!isDict) {
    auto *set = context.make<SetExpr>(range);
    set->elements = keep(keys);
    return set;
  }
  SmallVector<Expr *> items;
  for (auto [key, value] : llvm::zip(keys, values))
    items.append({key, value});
  auto *dict = context.make<DictExpr>(range);
  dict->items = keep(items);
  return dict;
}

/// `e for x in xs if c for …` as the statement that it means: each `for` and
/// each `if` holds what follows it.
Expr *ExprBuilder::buildComprehension(SourceRange range,
                                      ComprehensionExpr::Kind kind, Expr *key,
                                      Expr *value,
                                      ChiParser::ComprehensionContext *tree) {
  struct Clause {
    SourceRange range;
    ArrayRef<Expr *> targets; ///< none: a condition
    Expr *over = nullptr;
  };
  SmallVector<Clause> clauses;
  Clause next;
  for (antlr4::tree::ParseTree *child : tree->children) {
    if (const ListedToken *word = tokenOf(child)) {
      if (word->getType() == ChiParser::ASYNC)
        return unsupportedExpr(range, "`async`", "write a plain loop");
      if (word->getType() != ChiParser::IN)
        next = {rangeOf(*word), {}, nullptr};
    } else if (auto *targets =
                   dynamic_cast<ChiParser::TargetsContext *>(child)) {
      next.targets = buildTargets(targets);
    } else {
      next.over =
          buildOperation(static_cast<ChiParser::OperationContext *>(child));
      next.range = next.range.to(next.over->range);
      clauses.push_back(next);
    }
  }
  auto *collected = context.make<CollectedExpr>(value->range);
  collected->key = key;
  collected->value = value;
  auto *statement = context.make<ExprStmt>(value->range);
  statement->value = collected;
  Stmt *inner = statement;
  for (const Clause &clause : llvm::reverse(clauses)) {
    ArrayRef<Stmt *> body = keep(ArrayRef<Stmt *>{inner});
    if (clause.targets.empty()) {
      auto *condition = context.make<IfStmt>(clause.range);
      condition->condition = clause.over;
      condition->thenBody = body;
      inner = condition;
      continue;
    }
    auto *loop = context.make<ForStmt>(clause.range);
    loop->targets = clause.targets;
    loop->iterable = clause.over;
    loop->body = body;
    inner = loop;
  }
  auto *made = context.make<ComprehensionExpr>(range);
  made->of = kind;
  made->loop = keep(ArrayRef<Stmt *>{inner});
  return made;
}

Expr *ExprBuilder::buildSubscript(Expr *base, SourceRange range,
                                  ChiParser::SubscriptsContext *tree) {
  // `begin:end:step`: what stands in front of which colon.
  auto buildSlice = [&](ChiParser::SubscriptContext *index) {
    auto *slice = context.make<SliceExpr>(rangeOf(index));
    Expr **parts[] = {&slice->begin, &slice->end, &slice->step};
    size_t part = 0;
    for (antlr4::tree::ParseTree *child : index->children)
      if (auto *first = dynamic_cast<ChiParser::ListItemContext *>(child))
        *parts[part] = buildListItem(first);
      else if (auto *value =
                   dynamic_cast<ChiParser::ExpressionContext *>(child))
        *parts[part] = buildExpression(value);
      else
        ++part;
    return slice;
  };
  SmallVector<Expr *> indices;
  eachItem(tree->children, [&](ParserRuleContext *child) {
    auto *index = static_cast<ChiParser::SubscriptContext *>(child);
    bool isSlice = index->children.size() > 1 || typeOf(index->children[0]);
    if (isSlice)
      indices.push_back(buildSlice(index));
    else
      indices.push_back(buildListItem(
          static_cast<ChiParser::ListItemContext *>(index->children[0])));
  });
  auto *subscript = context.make<SubscriptExpr>(range);
  subscript->base = base;
  subscript->indices = keep(indices);
  return subscript;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Expr *ExprBuilder::buildCall(Expr *callee, SourceRange range,
                             ChiParser::ArgumentsContext *tree) {
  auto *call = context.make<CallExpr>(range);
  call->callee = callee;
  if (!tree)
    return call;
  SmallVector<Argument> arguments;
  eachItem(tree->children, [&](ParserRuleContext *child) {
    arguments.push_back(
        buildArgument(static_cast<ChiParser::ArgumentContext *>(child)));
  });
  checkArgumentOrder(arguments);
  call->args = keep(arguments);
  return call;
}

Argument ExprBuilder::buildArgument(ChiParser::ArgumentContext *tree) {
  Argument argument;
  if (typeOf(tree->children[0])) { // `*` or `**`
    argument.value =
        unsupportedExpr(rangeOf(tree), "unpacking by `*` in a call",
                        "write the arguments individually");
    return argument;
  }
  auto *first = static_cast<ChiParser::ExpressionContext *>(tree->children[0]);
  if (tree->children.size() == 1) {
    argument.value = buildExpression(first);
    return argument;
  }
  if (tree->children.size() == 2) { // a comprehension
    Expr *value = buildExpression(first);
    argument.value = buildComprehension(
        rangeOf(tree), ComprehensionExpr::Argument, nullptr, value,
        static_cast<ChiParser::ComprehensionContext *>(tree->children[1]));
    return argument;
  }
  Expr *keyword = buildExpression(first);
  if (auto *name = llvm::dyn_cast<NameExpr>(keyword)) {
    argument.keyword = name->name;
    argument.keywordRange = name->range;
  } else {
    diags
        .report(rangeOf(*tokenOf(tree->children[1])), diag::ExpectedButFound,
                "the name of a parameter before `=`", describe(keyword))
        .send();
  }
  argument.value = buildExpression(
      static_cast<ChiParser::ExpressionContext *>(tree->children[2]));
  return argument;
}

void ExprBuilder::checkArgumentOrder(ArrayRef<Argument> arguments) {
  llvm::StringSet<> seen;
  for (const Argument &argument : arguments) {
    if (argument.keyword.empty()) {
      // Unpacking is reported already.
      if (!seen.empty() && argument.value->kind != ExprKind::Unsupported)
        diags.report(argument.value->range, diag::PositionalAfterKeyword)
            .send();
    } else if (!seen.insert(argument.keyword).second) {
      diags
          .report(argument.keywordRange, diag::RepeatedKeyword,
                  argument.keyword)
          .send();
    }
  }
}
