//===- SyntaxErrors.cpp - Recovery from syntax errors ---------------------===//
#include "chi/Parse/SyntaxErrors.h"
#include <bitset>

using namespace chi;
using namespace chi::parse;
using chi::grammar::ChiParser;

void StatementRecovery::reportError(antlr4::Parser *parser,
                                    const antlr4::RecognitionException &e) {
  if (isReported)
    return;
  isReported = true;
  report(parser->getContext(), e.getExpectedTokens());
}

void StatementRecovery::report(antlr4::ParserRuleContext *context,
                               antlr4::misc::IntervalSet expected) {
  SyntaxProblem problem{context, std::move(expected), tokens, tokens.index(),
                        file};
  if (tokens.index() != quietIndex &&
      !layout.isBroken(problem.found().begin()))
    reportSyntaxProblem(problem, diags);
}

antlr4::Token *StatementRecovery::recoverInline(antlr4::Parser *parser) {
  throw antlr4::InputMismatchException(parser);
}

/// Consumes the rest of the line with its end, and marks the INDENT of the
/// block after a broken header.
void StatementRecovery::skipLine() {
  while (tokens.LA(1) != ChiParser::NEWLINE && tokens.LA(1) != ChiParser::EOF)
    tokens.consume();
  if (tokens.LA(1) == ChiParser::NEWLINE)
    tokens.consume();
  if (tokens.LA(1) == ChiParser::INDENT)
    excusedIndents.insert(tokens.index());
}

/// Whether a broken statement is a `match` whose block has begun: the only
/// block that restricts its statements.
static bool isInsideMatch(const antlr4::ParserRuleContext *statement) {
  if (statement->children.empty())
    return false;
  auto *inner = dynamic_cast<ChiParser::MatchStatementContext *>(
      statement->children.front());
  return inner && inner->INDENT();
}

void StatementRecovery::recover(antlr4::Parser *parser, std::exception_ptr e) {
  antlr4::ParserRuleContext *context = parser->getContext();
  size_t rule = context->getRuleIndex();
  if (rule == ChiParser::RuleFile || rule == ChiParser::RuleFieldExpression)
    return;
  if (rule != ChiParser::RuleStatement)
    std::rethrow_exception(e); // one frame up, until the statement is reached

  isReported = false;
  size_t last = tokens.LA(-1);
  bool isFirstToken = context->start->getTokenIndex() == tokens.index();
  if (isInsideMatch(context)) {
    for (int depth = 1; depth > 0 && tokens.LA(1) != ChiParser::EOF;) {
      depth += tokens.LA(1) == ChiParser::INDENT;
      depth -= tokens.LA(1) == ChiParser::DEDENT;
      tokens.consume();
    }
  } else if (last == ChiParser::NEWLINE && !isFirstToken) {
    // A block is missing: the next line is a statement of its own.
  } else if (tokens.LA(1) != ChiParser::DEDENT) {
    skipLine();
  }
  quietIndex = tokens.index();
}

/// The tokens by which a statement can begin, from the grammar's automaton.
static std::bitset<128> statementStarts(antlr4::Parser *parser) {
  const antlr4::atn::ATN &atn = parser->getATN();
  antlr4::misc::IntervalSet set =
      atn.nextTokens(atn.ruleToStartState[ChiParser::RuleStatement]);
  std::bitset<128> starts;
  for (ssize_t type : set.toList())
    if (type > 0)
      starts.set(type);
  return starts;
}

void StatementRecovery::sync(antlr4::Parser *parser) {
  size_t rule = parser->getContext()->getRuleIndex();
  if (rule != ChiParser::RuleFile && rule != ChiParser::RuleBlock &&
      rule != ChiParser::RuleOrphanBlock)
    return;
  size_t last = tokens.index() == 0 ? ChiParser::NEWLINE : tokens.LA(-1);
  if (last != ChiParser::NEWLINE && last != ChiParser::INDENT &&
      last != ChiParser::DEDENT)
    return;
  static const std::bitset<128> starts = statementStarts(parser);
  while (true) {
    size_t next = tokens.LA(1);
    if (next == ChiParser::EOF || next == ChiParser::DEDENT || starts[next])
      return;
    // A clause below a broken header belongs to it.
    bool isClause = next == ChiParser::ELSE || next == ChiParser::ELIF ||
                    next == ChiParser::EXCEPT || next == ChiParser::FINALLY;
    if (!isClause)
      report(parser->getContext(), {});
    skipLine();
    quietIndex = tokens.index();
    if (tokens.LA(1) == ChiParser::INDENT)
      return;
  }
}
