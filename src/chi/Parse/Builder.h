//===- Builder.h - Parse tree to syntax tree --------------------*- C++ -*-===//
#ifndef CHI_PARSE_BUILDER_H
#define CHI_PARSE_BUILDER_H

#include "ChiParser.h"
#include "chi/AST/Context.h"
#include "chi/AST/Stmt.h"
#include "chi/Parse/SyntaxErrors.h"
#include "chi/Parse/TokenList.h"
#include "llvm/ADT/SmallVector.h"

namespace chi::parse {

using grammar::ChiParser;

/// How deep a syntax tree may be: sema and code generation recurse over it.
inline constexpr unsigned maxTreeDepth = 1000;
/// How many `elif` one `if` may have: each is a level of the tree.
inline constexpr unsigned maxElifs = 500;

/// Builds the syntax tree and reports what one token of lookahead could not
/// decide. Broken statements are left out. Expressions are never null; one
/// with an error becomes an UnsupportedExpr, for the tree is thrown away.
class Builder {
public:
  Builder(const SourceFiles &sources, uint32_t file, ast::Context &context,
          DiagnosticEngine &diags)
      : sources(sources), text(sources.text(file)), file(file),
        context(context), diags(diags) {}

  /// Builds the tree of a file. Errors go to the diagnostics; `recovery` knows
  /// the blocks that belong to statements with errors.
  ast::Module *buildModule(ChiParser::FileContext *tree,
                           const StatementRecovery &recovery);

private:
  friend class OperationBuilder;
  friend class FStringBuilder;
  using Statements = llvm::SmallVectorImpl<ast::Stmt *>;
  using Children = llvm::ArrayRef<antlr4::tree::ParseTree *>;

  // BuildStmt.cpp
  void buildStatements(Children children, Statements &out);
  void buildStatement(ChiParser::StatementContext *tree, Statements &out);
  void buildOrphan(ChiParser::OrphanBlockContext *tree, bool followsClause,
                   const antlr4::ParserRuleContext *previous);
  ast::Body buildBlock(ChiParser::BlockContext *tree);
  void buildSimpleLine(ChiParser::SimpleLineContext *tree, Statements &out);
  void buildSimple(ChiParser::SimpleStatementContext *tree, Statements &out);
  ast::Stmt *buildAssignment(ChiParser::AssignmentContext *tree);
  ast::Stmt *buildAnnotated(ChiParser::AssignmentContext *tree);
  ast::Stmt *buildUpdate(ChiParser::AssignmentContext *tree);
  ast::Expr *buildRightSide(ChiParser::RightSideContext *tree);
  ast::Stmt *buildReturn(ChiParser::ReturnStatementContext *tree);
  ast::Stmt *buildAssert(ChiParser::AssertStatementContext *tree);
  void buildImport(ChiParser::ImportStatementContext *tree, Statements &out);
  ast::Stmt *buildFrom(ChiParser::FromStatementContext *tree);
  ast::Stmt *buildIf(ChiParser::IfStatementContext *tree);
  ast::Stmt *buildWhile(ChiParser::WhileStatementContext *tree);
  ast::Stmt *buildFor(ChiParser::ForStatementContext *tree);
  ast::Stmt *buildWith(ChiParser::WithStatementContext *tree);
  ast::Stmt *buildTry(ChiParser::TryStatementContext *tree);
  void buildElse(ChiParser::ElseClauseContext *tree);
  void checkTarget(const ast::Expr *target, bool isUpdate = false);
  ast::Stmt *unsupported(SourceRange range, llvm::StringRef what,
                         llvm::StringRef hint, bool isDelayed = false);

  // BuildDefinition.cpp
  ast::Stmt *buildFunction(ChiParser::FunctionDefinitionContext *tree,
                           llvm::ArrayRef<ast::Expr *> decorators);
  ast::Stmt *buildClass(ChiParser::ClassDefinitionContext *tree);
  ast::Stmt *buildDecorated(ChiParser::DecoratedContext *tree);
  ast::Stmt *buildTest(ChiParser::TestBlockContext *tree);
  ast::Stmt *buildConst(ChiParser::ConstStatementContext *tree);
  ast::Stmt *buildParam(ChiParser::ParamStatementContext *tree);
  void buildParamValue(ChiParser::ExpressionContext *tree,
                       ast::ParamStmt *param);
  void buildParamRange(ChiParser::PrimaryContext *tree, ast::ParamStmt *param);
  ast::Stmt *buildTypeAlias(ChiParser::TypeStatementContext *tree);
  llvm::ArrayRef<ast::TypeParameter>
  buildTypeParams(ChiParser::TypeParametersContext *tree);
  llvm::ArrayRef<ast::Parameter>
  buildParams(ChiParser::ParametersContext *tree);
  bool buildParameter(ChiParser::ParameterContext *tree,
                      ast::Parameter &parameter);
  llvm::StringRef takeDoc(ast::Body &body);

  // BuildExpr.cpp
  ast::Expr *buildList(ChiParser::ExpressionListContext *tree);
  ast::Expr *buildListItem(ChiParser::ListItemContext *tree);
  ast::Expr *buildExpression(ChiParser::ExpressionContext *tree);
  ast::Expr *buildChoice(ChiParser::ChoiceContext *tree);
  ast::Expr *buildConditional(ChiParser::ExpressionContext *tree,
                              ast::Expr *last);
  ast::Expr *buildPrimary(ChiParser::PrimaryContext *tree);
  ast::Expr *buildAtom(ChiParser::PrimaryContext *tree, size_t &next);
  ast::Expr *buildWord(const ListedToken &token);
  ast::Expr *buildParenthesized(ChiParser::ParenthesizedContext *tree);
  ast::Expr *buildDisplay(ChiParser::ListDisplayContext *tree);
  ast::Expr *buildBrace(ChiParser::BraceDisplayContext *tree);
  ast::Expr *buildSubscript(ast::Expr *base, SourceRange range,
                            ChiParser::SubscriptsContext *tree);
  ast::Expr *buildCall(ast::Expr *callee, SourceRange range,
                       ChiParser::ArgumentsContext *tree);
  ast::Argument buildArgument(ChiParser::ArgumentContext *tree);
  void checkArgumentOrder(llvm::ArrayRef<ast::Argument> arguments);
  ast::Expr *buildYield(ChiParser::YieldExpressionContext *tree);
  llvm::ArrayRef<ast::Expr *> buildTargets(ChiParser::TargetsContext *tree);
  ast::Expr *unsupportedExpr(SourceRange range, llvm::StringRef what,
                             llvm::StringRef hint, bool isDelayed = false);
  bool checkDepth(SourceRange range, size_t more);

  // BuildOperation.cpp
  /// Leaves out the last `dropped` operators with their right operands.
  ast::Expr *buildOperation(ChiParser::OperationContext *tree,
                            size_t dropped = 0);

  // BuildLiteral.cpp
  ast::Expr *buildInteger(const ListedToken &token);
  ast::Expr *buildFloat(const ListedToken &token);
  ast::Expr *badNumber(const ListedToken &token);
  ast::Expr *buildStrings(llvm::ArrayRef<const ListedToken *> tokens);
  /// Resolves the escapes of [begin, end) of a string.
  void appendUnescaped(uint32_t begin, uint32_t end, bool isRaw,
                       std::string &out);
  uint32_t appendEscape(uint32_t at, uint32_t end, std::string &out);
  uint32_t appendNumericEscape(uint32_t at, uint32_t end, std::string &out);

  // BuildFString.cpp
  void buildFString(const ListedToken &token,
                    llvm::SmallVectorImpl<ast::FStringPart> &parts);
  ast::Expr *parseField(SourceRange range);

  // Common ground
  SourceRange at(uint32_t begin, uint32_t end) const {
    return {file, begin, end};
  }
  SourceRange rangeOf(const ListedToken &token) const {
    return at(token.begin(), token.end());
  }
  SourceRange rangeOf(const antlr4::ParserRuleContext *tree) const {
    auto end = static_cast<ListedToken *>(tree->stop)->end();
    auto begin = static_cast<ListedToken *>(tree->start)->begin();
    return at(begin, std::max(begin, end));
  }
  llvm::StringRef textOf(SourceRange range) const {
    return text.slice(range.begin, range.end);
  }
  /// The token of a leaf, or null for the node of a rule.
  static const ListedToken *tokenOf(antlr4::tree::ParseTree *node) {
    auto *leaf = dynamic_cast<antlr4::tree::TerminalNode *>(node);
    return leaf ? static_cast<ListedToken *>(leaf->getSymbol()) : nullptr;
  }
  static const ListedToken &leafOf(antlr4::tree::TerminalNode *leaf) {
    return *static_cast<ListedToken *>(leaf->getSymbol());
  }
  static size_t typeOf(antlr4::tree::ParseTree *node) {
    const ListedToken *token = tokenOf(node);
    return token ? token->getType() : 0;
  }
  /// From the start of a node to its first `:`.
  SourceRange headerRange(const antlr4::ParserRuleContext *tree) const;
  /// Calls `visit` for each rule among `children`, which commas part; reports
  /// commas without anything between them. Returns how many commas there are.
  size_t eachItem(Children children,
                  llvm::function_ref<void(antlr4::ParserRuleContext *)> visit);
  template <typename T> llvm::ArrayRef<T> keep(llvm::ArrayRef<T> items) {
    return context.copy(items);
  }
  template <typename T>
  llvm::ArrayRef<T> keep(const llvm::SmallVectorImpl<T> &items) {
    return context.copy(llvm::ArrayRef<T>(items));
  }

  const SourceFiles &sources;
  llvm::StringRef text;
  uint32_t file;
  ast::Context &context;
  DiagnosticEngine &diags;
  const StatementRecovery *recovery = nullptr;
  unsigned depth = 0; // of the expression that is being built
};

/// How an expression is called in a message: "a call", "a number".
llvm::StringRef describe(const ast::Expr *expr);

} // namespace chi::parse
#endif // CHI_PARSE_BUILDER_H
