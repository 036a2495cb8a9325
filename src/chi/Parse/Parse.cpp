//===- Parse.cpp - Program text to syntax tree ----------------------------===//
#include "chi/Parse/Parse.h"
#include "ChiParser.h"
#include "chi/Parse/Layout.h"
#include "chi/Parse/StmtBuilder.h"
#include "chi/Parse/SyntaxErrors.h"
#include "chi/Parse/TextChecks.h"

using namespace chi;
using namespace chi::parse;

/// After so many errors the text is no program, and more reports are of no use.
static constexpr unsigned maxErrors = 200;

/// Truncates the reports since `mark` to `maxErrors`.
static void limitErrors(SourceRange program, size_t mark,
                        DiagnosticEngine &diags) {
  if (diags.mark() - mark <= maxErrors)
    return;
  diags.discardSince(mark + maxErrors);
  diags
      .report({program.file, program.end, program.end},
              diag::TooManySyntaxErrors, maxErrors)
      .send();
}

/// Runs the generated parser and builds the tree. ANTLR throws.
static ast::Module *parseTokens(const SourceFiles &sources, uint32_t file,
                                const Layout &layout, ast::Context &context,
                                DiagnosticEngine &diags) {
  TokenList tokens(layout, sources.text(file));
  ChiParser parser(&tokens);
  parser.removeErrorListeners();
  auto recovery =
      std::make_shared<StatementRecovery>(tokens, layout, file, diags);
  parser.setErrorHandler(recovery);
  ChiParser::FileContext *tree = parser.file();
  BuildState state(sources, file, context, diags);
  return StmtBuilder(state, *recovery).buildModule(tree);
}

ast::Module *chi::parse::parseModule(const SourceFiles &sources, uint32_t file,
                                     ast::Context &context,
                                     DiagnosticEngine &diags) {
  unsigned errorsBefore = diags.errorCount();
  size_t mark = diags.mark();
  if (checkEncoding(sources, file, diags).failed())
    return nullptr;
  SourceRange program = programRange(sources, file);
  ast::Module *module = nullptr;
  try {
    Layout layout = layOut(sources, program, LayoutMode::File,
                           /*keepTrivia=*/false, diags);
    if (layout.isUsable)
      module = parseTokens(sources, file, layout, context, diags);
  } catch (const std::exception &e) {
    // The recovery lets no exception of the grammar out; this is a fault of
    // ours or memory that ran out, and the border of exceptions is here.
    diags
        .report({file, program.begin, program.begin}, diag::SyntaxError,
                std::string("the parser failed: ") + e.what())
        .send();
  }
  limitErrors(program, mark, diags);
  return diags.errorCount() == errorsBefore ? module : nullptr;
}

void chi::parse::printTokens(const SourceFiles &sources, uint32_t file,
                             llvm::raw_ostream &out, DiagnosticEngine &diags) {
  size_t mark = diags.mark();
  std::vector<Token> tokens = tokenize(sources, file, diags);
  limitErrors(programRange(sources, file), mark, diags);
  for (const Token &token : tokens) {
    LineColumn at = sources.lineColumn(file, token.begin);
    out << at.line << ':' << at.column << ' ' << tokenName(token.type);
    bool hasText = token.tokenClass != TokenClass::Newline &&
                   token.tokenClass != TokenClass::Indent &&
                   token.begin != token.end;
    if (hasText) {
      out << " '";
      out.write_escaped(sources.text(file).slice(token.begin, token.end));
      out << '\'';
    }
    out << '\n';
  }
}
