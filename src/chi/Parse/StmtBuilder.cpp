//===- StmtBuilder.cpp - Statements of the syntax tree ------------------===//
#include "chi/Parse/StmtBuilder.h"

using namespace chi;
using namespace chi::ast;
using namespace chi::parse;
using antlr4::ParserRuleContext;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

Module *StmtBuilder::buildModule(ChiParser::FileContext *tree) {
  auto *module = context.make<Module>();
  module->file = file;
  module->body = buildBody(tree);
  module->doc = takeDoc(module->body, module->docRange);
  return module;
}

Body StmtBuilder::buildBody(ChiParser::FileContext *tree) {
  SmallVector<Stmt *> statements;
  buildStatements(tree->children, statements);
  return keep(statements);
}

void StmtBuilder::buildStatements(Children children, Statements &out) {
  bool followsClause = false;
  ParserRuleContext *previous = nullptr; // the statement above
  for (antlr4::tree::ParseTree *child : children) {
    auto *statement = dynamic_cast<ChiParser::StatementContext *>(child);
    if (!statement || statement->exception || statement->children.empty()) {
      followsClause = statement != nullptr;
      continue;
    }
    auto *inner = static_cast<ParserRuleContext *>(statement->children.front());
    if (inner->getRuleIndex() == ChiParser::RuleOrphanBlock)
      buildOrphan(static_cast<ChiParser::OrphanBlockContext *>(inner),
                  followsClause, previous);
    else
      buildStatement(statement, out);
    followsClause = inner->getRuleIndex() == ChiParser::RuleStrayClause;
    previous = inner;
  }
}

/// Builds a block without a header for the errors inside it.
void StmtBuilder::buildOrphan(ChiParser::OrphanBlockContext *tree,
                              bool followsClause,
                              const ParserRuleContext *previous) {
  SourceRange indentation = rangeOf(*static_cast<ListedToken *>(tree->start));
  // After a tab the columns are a guess.
  bool followsTab = llvm::any_of(diags.pending(), [&](const Diagnostic &known) {
    return known.code == diag::TabInIndentation.code &&
           known.range.file == indentation.file &&
           known.range.begin <= indentation.begin;
  });
  bool isExcused = followsClause || followsTab ||
                   recovery.isExcused(tree->start->getTokenIndex());
  if (!isExcused) {
    DiagnosticBuilder report =
        diags.report(indentation, diag::UnexpectedIndent);
    // `def f(): f32` with a block below it.
    if (previous && previous->getRuleIndex() != ChiParser::RuleSimpleLine)
      report.addNote(headerRange(previous), diag::WholeBlockOnLine);
  }
  SmallVector<Stmt *> dropped;
  buildStatements(tree->children, dropped);
}

void StmtBuilder::buildStatement(ChiParser::StatementContext *tree,
                                 Statements &out) {
  auto *inner = static_cast<ParserRuleContext *>(tree->children.front());
  switch (inner->getRuleIndex()) {
  case ChiParser::RuleSimpleLine:
    return buildSimpleLine(static_cast<ChiParser::SimpleLineContext *>(inner),
                           out);
  case ChiParser::RuleIfStatement:
    out.push_back(buildIf(static_cast<ChiParser::IfStatementContext *>(inner)));
    return;
  case ChiParser::RuleWhileStatement:
    out.push_back(
        buildWhile(static_cast<ChiParser::WhileStatementContext *>(inner)));
    return;
  case ChiParser::RuleForStatement:
    out.push_back(
        buildFor(static_cast<ChiParser::ForStatementContext *>(inner)));
    return;
  case ChiParser::RuleWithStatement:
    out.push_back(
        buildWith(static_cast<ChiParser::WithStatementContext *>(inner)));
    return;
  case ChiParser::RuleTryStatement:
    out.push_back(
        buildTry(static_cast<ChiParser::TryStatementContext *>(inner)));
    return;
  case ChiParser::RuleMatchStatement:
    out.push_back(unsupported(headerRange(inner), "`match`", "",
                              /*isDelayed=*/true));
    return;
  case ChiParser::RuleFunctionDefinition:
    out.push_back(definitions.buildFunction(
        static_cast<ChiParser::FunctionDefinitionContext *>(inner), {}));
    return;
  case ChiParser::RuleClassDefinition:
    out.push_back(definitions.buildClass(
        static_cast<ChiParser::ClassDefinitionContext *>(inner)));
    return;
  case ChiParser::RuleDecorated:
    out.push_back(definitions.buildDecorated(
        static_cast<ChiParser::DecoratedContext *>(inner)));
    return;
  case ChiParser::RuleAsyncStatement:
    out.push_back(
        unsupported(rangeOf(*static_cast<ListedToken *>(inner->start)),
                    "`async`", "kernels run asynchronously already"));
    return;
  case ChiParser::RuleTestBlock:
    out.push_back(definitions.buildTest(
        static_cast<ChiParser::TestBlockContext *>(inner)));
    return;
  default: // a stray clause was reported by the layout
    return;
  }
}

Body StmtBuilder::buildBlock(ChiParser::BlockContext *tree) {
  SmallVector<Stmt *> statements;
  auto *first =
      dynamic_cast<ChiParser::SimpleLineContext *>(tree->children.front());
  if (first)
    buildSimpleLine(first, statements);
  else
    buildStatements(tree->children, statements);
  return keep(statements);
}

//===----------------------------------------------------------------------===//
// Simple statements
//===----------------------------------------------------------------------===//

void StmtBuilder::buildSimpleLine(ChiParser::SimpleLineContext *tree,
                                  Statements &out) {
  for (antlr4::tree::ParseTree *child : tree->children) {
    const ListedToken *token = tokenOf(child);
    if (!token)
      buildSimple(static_cast<ChiParser::SimpleStatementContext *>(child), out);
    else if (token->getType() == ChiParser::SEMICOLON)
      out.push_back(unsupported(rangeOf(*token), "`;`",
                                "write each statement on a line of its own"));
  }
}

void StmtBuilder::buildSimple(ChiParser::SimpleStatementContext *tree,
                              Statements &out) {
  auto *inner = static_cast<ParserRuleContext *>(tree->children.front());
  SourceRange range = rangeOf(inner);
  auto push = [&](Stmt *stmt) { out.push_back(stmt); };
  switch (inner->getRuleIndex()) {
  case ChiParser::RuleAssignment:
    return push(
        buildAssignment(static_cast<ChiParser::AssignmentContext *>(inner)));
  case ChiParser::RulePassStatement:
    return push(context.make<PassStmt>(range));
  case ChiParser::RuleBreakStatement:
    return push(context.make<BreakStmt>(range));
  case ChiParser::RuleContinueStatement:
    return push(context.make<ContinueStmt>(range));
  case ChiParser::RuleReturnStatement:
    return push(
        buildReturn(static_cast<ChiParser::ReturnStatementContext *>(inner)));
  case ChiParser::RuleAssertStatement:
    return push(
        buildAssert(static_cast<ChiParser::AssertStatementContext *>(inner)));
  case ChiParser::RuleConstStatement:
    return push(definitions.buildConst(
        static_cast<ChiParser::ConstStatementContext *>(inner)));
  case ChiParser::RuleParamStatement:
    return push(definitions.buildParam(
        static_cast<ChiParser::ParamStatementContext *>(inner)));
  case ChiParser::RuleTypeStatement:
    return push(definitions.buildTypeAlias(
        static_cast<ChiParser::TypeStatementContext *>(inner)));
  case ChiParser::RuleImportStatement:
    return buildImport(static_cast<ChiParser::ImportStatementContext *>(inner),
                       out);
  case ChiParser::RuleFromStatement:
    return push(
        buildFrom(static_cast<ChiParser::FromStatementContext *>(inner)));
  case ChiParser::RuleYieldExpression:
    return push(unsupported(range, "`yield`",
                            "a function returns all its values at once"));
  case ChiParser::RuleRaiseStatement:
    return push(unsupported(range, "`raise`",
                            "use `assert` to check a condition, or "
                            "`exit(code)` to end the program"));
  case ChiParser::RuleDelStatement:
    return push(
        unsupported(range, "`del`", "unused memory is freed automatically"));
  case ChiParser::RuleExportStatement:
    return push(
        buildExport(static_cast<ChiParser::ExportStatementContext *>(inner)));
  case ChiParser::RuleScopeStatement: {
    auto what = inner->getStart()->getType() == ChiParser::GLOBAL
                    ? "`global`"
                    : "`nonlocal`";
    auto *made = llvm::cast<UnsupportedStmt>(unsupported(
        range, what, "return the value, or store it in a 0-D field"));
    SmallVector<StringRef> names;
    for (antlr4::tree::ParseTree *child : inner->children)
      if (const ListedToken *token = tokenOf(child))
        if (token->getType() == ChiParser::NAME)
          names.push_back(token->spelling());
    made->names = keep(names);
    return push(made);
  }
  }
}

Expr *StmtBuilder::buildRightSide(ChiParser::RightSideContext *tree) {
  auto *inner = static_cast<ParserRuleContext *>(tree->children.front());
  if (inner->getRuleIndex() == ChiParser::RuleYieldExpression)
    return exprs.buildYield(
        static_cast<ChiParser::YieldExpressionContext *>(inner));
  return exprs.buildList(
      static_cast<ChiParser::ExpressionListContext *>(inner));
}

void StmtBuilder::checkTarget(const Expr *target, bool isUpdate) {
  ArrayRef<Expr *> elements;
  switch (target->kind) {
  case ExprKind::Name:
  case ExprKind::Attribute:
  case ExprKind::Subscript:
  case ExprKind::Unsupported: // has its own error
    return;
  case ExprKind::Tuple:
    elements = llvm::cast<TupleExpr>(target)->elements;
    break;
  case ExprKind::List:
    elements = llvm::cast<ListExpr>(target)->elements;
    break;
  default:
    break;
  }
  if (elements.empty() || isUpdate) {
    diags.report(target->range, diag::CannotAssign, describe(target)).send();
    return;
  }
  for (const Expr *element : elements)
    checkTarget(element);
}

Stmt *StmtBuilder::buildAssignment(ChiParser::AssignmentContext *tree) {
  if (tree->children.size() == 1) {
    auto *statement = context.make<ExprStmt>(rangeOf(tree));
    statement->value = exprs.buildList(
        static_cast<ChiParser::ExpressionListContext *>(tree->children[0]));
    return statement;
  }
  size_t mark = typeOf(tree->children[1]);
  if (mark == ChiParser::COLON)
    return buildAnnotated(tree);
  if (mark != ChiParser::ASSIGN)
    return buildUpdate(tree);
  auto *assign = context.make<AssignStmt>(rangeOf(tree));
  SmallVector<Expr *> sides{exprs.buildList(
      static_cast<ChiParser::ExpressionListContext *>(tree->children[0]))};
  for (size_t i = 2; i < tree->children.size(); i += 2)
    sides.push_back(buildRightSide(
        static_cast<ChiParser::RightSideContext *>(tree->children[i])));
  assign->value = sides.pop_back_val();
  for (const Expr *target : sides)
    checkTarget(target);
  assign->targets = keep(sides);
  return assign;
}

Stmt *StmtBuilder::buildAnnotated(ChiParser::AssignmentContext *tree) {
  auto *assign = context.make<AnnAssignStmt>(rangeOf(tree));
  assign->target = exprs.buildList(tree->expressionList());
  checkTarget(assign->target, /*isUpdate=*/true);
  assign->type = exprs.buildExpression(tree->expression());
  if (!tree->rightSide().empty())
    assign->value = buildRightSide(tree->rightSide(0));
  return assign;
}

static BinaryOp updateOp(size_t type) {
  switch (type) {
  case ChiParser::PLUS_ASSIGN:
    return BinaryOp::Add;
  case ChiParser::MINUS_ASSIGN:
    return BinaryOp::Sub;
  case ChiParser::STAR_ASSIGN:
    return BinaryOp::Mul;
  case ChiParser::SLASH_ASSIGN:
    return BinaryOp::Div;
  case ChiParser::DOUBLE_SLASH_ASSIGN:
    return BinaryOp::FloorDiv;
  case ChiParser::PERCENT_ASSIGN:
    return BinaryOp::Mod;
  case ChiParser::DOUBLE_STAR_ASSIGN:
    return BinaryOp::Pow;
  case ChiParser::AT_ASSIGN:
    return BinaryOp::MatMul;
  case ChiParser::AMPERSAND_ASSIGN:
    return BinaryOp::BitAnd;
  case ChiParser::BAR_ASSIGN:
    return BinaryOp::BitOr;
  case ChiParser::CARET_ASSIGN:
    return BinaryOp::BitXor;
  case ChiParser::SHIFT_LEFT_ASSIGN:
    return BinaryOp::Shl;
  default:
    return BinaryOp::Shr;
  }
}

Stmt *StmtBuilder::buildUpdate(ChiParser::AssignmentContext *tree) {
  auto *update = context.make<AugAssignStmt>(rangeOf(tree));
  const ListedToken &op = *tokenOf(tree->updateOperator()->children.front());
  update->op = updateOp(op.getType());
  update->opRange = rangeOf(op);
  update->target = exprs.buildList(tree->expressionList());
  checkTarget(update->target, /*isUpdate=*/true);
  update->value = buildRightSide(tree->rightSide(0));
  return update;
}

Stmt *StmtBuilder::buildReturn(ChiParser::ReturnStatementContext *tree) {
  auto *statement = context.make<ReturnStmt>(rangeOf(tree));
  if (auto *value = tree->expressionList())
    statement->value = exprs.buildList(value);
  return statement;
}

Stmt *StmtBuilder::buildExport(ChiParser::ExportStatementContext *tree) {
  auto *statement = context.make<ExportStmt>(rangeOf(tree));
  Expr *list = exprs.buildList(tree->expressionList());
  auto *several = llvm::dyn_cast<TupleExpr>(list);
  statement->instances = several ? several->elements : keep(SmallVector{list});
  return statement;
}

Stmt *StmtBuilder::buildAssert(ChiParser::AssertStatementContext *tree) {
  auto *statement = context.make<AssertStmt>(rangeOf(tree));
  statement->condition = exprs.buildExpression(tree->expression(0));
  if (tree->expression().size() > 1)
    statement->message = exprs.buildExpression(tree->expression(1));
  return statement;
}

void StmtBuilder::buildImport(ChiParser::ImportStatementContext *tree,
                              Statements &out) {
  for (ChiParser::ImportedModuleContext *module : tree->importedModule()) {
    auto *import = context.make<ImportStmt>(rangeOf(tree));
    import->path = context.copy(StringRef(module->dottedName()->getText()));
    import->pathRange = rangeOf(module->dottedName());
    if (module->NAME())
      import->alias = leafOf(module->NAME()).spelling();
    out.push_back(import);
  }
}

Stmt *StmtBuilder::buildFrom(ChiParser::FromStatementContext *tree) {
  if (!tree->DOT().empty() || !tree->ELLIPSIS().empty() || !tree->dottedName())
    return unsupported(
        rangeOf(tree), "a relative import",
        "modules are searched in the folder of the importing file");
  if (tree->STAR())
    return unsupported(rangeOf(tree), "`import *`",
                       "list the imported names, or import the module");
  auto *import = context.make<FromImportStmt>(rangeOf(tree));
  import->path = context.copy(StringRef(tree->dottedName()->getText()));
  import->pathRange = rangeOf(tree->dottedName());
  SmallVector<ImportedName> names;
  eachItem(tree->importedNames()->children, [&](ParserRuleContext *child) {
    const ListedToken &name = *tokenOf(child->children.front());
    const ListedToken &alias = *tokenOf(child->children.back());
    names.push_back({name.spelling(), alias.spelling(), rangeOf(child)});
  });
  import->names = keep(names);
  return import;
}

//===----------------------------------------------------------------------===//
// Compound statements
//===----------------------------------------------------------------------===//

Stmt *StmtBuilder::buildIf(ChiParser::IfStatementContext *tree) {
  // IF expression COLON block (ELIF expression COLON block)* (ELSE COLON
  // block)?; nested from the last clause on.
  const auto &children = tree->children;
  size_t elifs = children.size() / 4;
  if (elifs > maxElifs) {
    const ListedToken &first = *tokenOf(children[4 * maxElifs]);
    diags
        .report(rangeOf(first), diag::NestingTooDeep, "`elif` branches",
                maxElifs)
        .send();
    return unsupported(rangeOf(first), "", "");
  }
  Body rest;
  if (children.size() % 4 == 3)
    rest = buildBlock(static_cast<ChiParser::BlockContext *>(children.back()));
  IfStmt *statement = nullptr;
  for (size_t i = elifs; i-- > 0;) {
    SourceRange header = rangeOf(*tokenOf(children[4 * i]))
                             .to(rangeOf(*tokenOf(children[4 * i + 2])));
    statement = context.make<IfStmt>(header);
    statement->condition = exprs.buildExpression(
        static_cast<ChiParser::ExpressionContext *>(children[4 * i + 1]));
    statement->thenBody =
        buildBlock(static_cast<ChiParser::BlockContext *>(children[4 * i + 3]));
    statement->elseBody = rest;
    rest = keep(ArrayRef<Stmt *>{statement});
  }
  return statement;
}

Body StmtBuilder::buildElse(ChiParser::ElseClauseContext *tree) {
  return tree ? buildBlock(tree->block()) : Body();
}

Stmt *StmtBuilder::buildWhile(ChiParser::WhileStatementContext *tree) {
  auto *loop = context.make<WhileStmt>(headerRange(tree));
  loop->condition = exprs.buildExpression(tree->expression());
  loop->body = buildBlock(tree->block());
  loop->elseBody = buildElse(tree->elseClause());
  return loop;
}

/// Loop variables are names or tuples of them.
static void checkLoopTarget(const Expr *target, DiagnosticEngine &diags) {
  if (target->kind == ExprKind::Name)
    return;
  auto *tuple = llvm::dyn_cast<TupleExpr>(target);
  if (!tuple || tuple->elements.empty()) {
    diags.report(target->range, diag::BadLoopTarget, describe(target)).send();
    return;
  }
  for (const Expr *element : tuple->elements)
    checkLoopTarget(element, diags);
}

Stmt *StmtBuilder::buildFor(ChiParser::ForStatementContext *tree) {
  auto *loop = context.make<ForStmt>(headerRange(tree));
  loop->targets = exprs.buildTargets(tree->targets());
  for (const Expr *target : loop->targets)
    checkLoopTarget(target, diags);
  loop->iterable = exprs.buildList(tree->expressionList());
  loop->body = buildBlock(tree->block());
  loop->elseBody = buildElse(tree->elseClause());
  return loop;
}

Stmt *StmtBuilder::buildWith(ChiParser::WithStatementContext *tree) {
  Body body = buildBlock(tree->block());
  // `with A, B:` is `with A:` round `with B:`.
  std::vector<ChiParser::WithItemContext *> items = tree->withItem();
  WithStmt *statement = nullptr;
  for (size_t i = items.size(); i-- > 0;) {
    statement = context.make<WithStmt>(headerRange(tree));
    statement->context = exprs.buildExpression(items[i]->expression());
    statement->body = body;
    if (ChiParser::TargetContext *target = items[i]->target()) {
      Expr *name = exprs.buildPrimary(target->primary());
      if (auto *plain = llvm::dyn_cast<NameExpr>(name))
        statement->asName = plain->name;
      else
        diags
            .report(name->range, diag::ExpectedButFound, "a name after `as`",
                    describe(name))
            .send();
    }
    body = keep(ArrayRef<Stmt *>{statement});
  }
  return statement;
}

Stmt *StmtBuilder::buildTry(ChiParser::TryStatementContext *tree) {
  for (ChiParser::BlockContext *block : tree->block())
    (void)buildBlock(block); // for its errors
  for (ChiParser::ExceptClauseContext *clause : tree->exceptClause())
    (void)buildBlock(clause->block());
  return unsupported(
      headerRange(tree), "`try`",
      "an error ends the program; check with `if` before it happens");
}
