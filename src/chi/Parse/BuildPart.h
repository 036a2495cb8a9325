//===- BuildPart.h - What the builders of the syntax tree share -*- C++ -*-===//
#ifndef CHI_PARSE_BUILDPART_H
#define CHI_PARSE_BUILDPART_H

#include "ChiParser.h"
#include "chi/AST/Context.h"
#include "chi/AST/Stmt.h"
#include "chi/Diagnostics/Diagnostics.h"
#include "chi/Parse/TokenList.h"
#include "llvm/ADT/SmallVector.h"

namespace chi::parse {

using grammar::ChiParser;

/// How deep a syntax tree may be: sema and code generation recurse over it.
inline constexpr unsigned maxTreeDepth = 1000;
/// How many `elif` one `if` may have: each is a level of the tree.
inline constexpr unsigned maxElifs = 500;

/// The file whose tree is built, and where the tree and its errors go.
struct BuildState {
  BuildState(const SourceFiles &sources, uint32_t file, ast::Context &context,
             DiagnosticEngine &diags)
      : sources(sources), text(sources.text(file)), file(file),
        context(context), diags(diags) {}

  const SourceFiles &sources;
  llvm::StringRef text; ///< of the file
  uint32_t file;
  ast::Context &context;
  DiagnosticEngine &diags;
  unsigned depth = 0; ///< of the expression that is being built
};

/// The base of all builders: ranges, tokens and items of the parse tree.
class BuildPart {
protected:
  explicit BuildPart(BuildState &state)
      : state(state), text(state.text), file(state.file),
        context(state.context), diags(state.diags) {}

  using Children = llvm::ArrayRef<antlr4::tree::ParseTree *>;

  SourceRange rangeOf(uint32_t begin, uint32_t end) const {
    return {file, begin, end};
  }
  SourceRange rangeOf(const ListedToken &token) const {
    return rangeOf(token.begin(), token.end());
  }
  SourceRange rangeOf(const antlr4::ParserRuleContext *tree) const {
    auto end = static_cast<ListedToken *>(tree->stop)->end();
    auto begin = static_cast<ListedToken *>(tree->start)->begin();
    return rangeOf(begin, std::max(begin, end));
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
  /// What Chi does not have: sema reports it, unless `what` is empty, which
  /// stands for an error that was reported already.
  ast::Expr *unsupportedExpr(SourceRange range, llvm::StringRef what,
                             llvm::StringRef hint, bool isDelayed = false);
  ast::Stmt *unsupported(SourceRange range, llvm::StringRef what,
                         llvm::StringRef hint, bool isDelayed = false);
  /// Whether `more` levels below the present one fit. Reports if not.
  bool checkDepth(SourceRange range, size_t more);

  BuildState &state;
  llvm::StringRef text;
  uint32_t file;
  ast::Context &context;
  DiagnosticEngine &diags;
};

/// How an expression is called in a message: "a call", "a number".
llvm::StringRef describe(const ast::Expr *expr);

} // namespace chi::parse
#endif // CHI_PARSE_BUILDPART_H
