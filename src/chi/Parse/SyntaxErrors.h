//===- SyntaxErrors.h - Recovery and words for syntax errors ----*- C++ -*-===//
#ifndef CHI_PARSE_SYNTAXERRORS_H
#define CHI_PARSE_SYNTAXERRORS_H

#include "ChiParser.h"
#include "chi/Parse/TokenList.h"
#include "llvm/ADT/DenseSet.h"

namespace chi::parse {

/// Where the parser stood when a token did not fit.
struct SyntaxProblem {
  antlr4::ParserRuleContext *context; ///< the rule that failed
  antlr4::misc::IntervalSet expected; ///< token types that would have fit
  const TokenList &tokens;
  size_t index; ///< of the token that did not fit
  uint32_t file;

  /// Whether a token of this type would have been accepted.
  bool expects(size_t type) const { return expected.contains(type); }
  /// The unexpected token.
  const ListedToken &found() const { return tokens.at(index); }
  /// The token before the unexpected one; at the start of the file the same
  /// one.
  const ListedToken &previous() const {
    return tokens.at(index == 0 ? 0 : index - 1);
  }
};

/// Reports a problem in the user's words: what was expected, what was found
/// and, where a habit from another language shows, what to write.
void reportSyntaxProblem(const SyntaxProblem &problem,
                         DiagnosticEngine &diags);

/// ANTLR's handler for a token that does not fit. One error for each statement:
/// the rest of its line is skipped, and the parser continues with the next
/// line, also inside the block of a broken header.
class StatementRecovery final : public antlr4::ANTLRErrorStrategy {
public:
  StatementRecovery(TokenList &tokens, const Layout &layout, uint32_t file,
                    DiagnosticEngine &diags)
      : tokens(tokens), layout(layout), file(file), diags(diags) {}

  /// Whether an INDENT follows a header that was reported already.
  bool isExcused(size_t indentIndex) const {
    return excusedIndents.contains(indentIndex);
  }

  void reset(antlr4::Parser *) override {}
  bool inErrorRecoveryMode(antlr4::Parser *) override { return false; }
  void reportMatch(antlr4::Parser *) override {}
  void reportError(antlr4::Parser *parser,
                   const antlr4::RecognitionException &e) override;
  antlr4::Token *recoverInline(antlr4::Parser *parser) override;
  void recover(antlr4::Parser *parser, std::exception_ptr e) override;
  void sync(antlr4::Parser *parser) override;

private:
  void report(antlr4::ParserRuleContext *context,
              antlr4::misc::IntervalSet expected);
  void skipLine();

  TokenList &tokens;
  const Layout &layout;
  uint32_t file;
  DiagnosticEngine &diags;
  llvm::DenseSet<size_t> excusedIndents;
  bool isReported = false; // the error that travels up to its statement
  size_t quietIndex = ~size_t(0); // an error here follows from one reported
};

} // namespace chi::parse
#endif // CHI_PARSE_SYNTAXERRORS_H
