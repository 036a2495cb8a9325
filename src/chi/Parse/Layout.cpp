//===- Layout.cpp - Lexer output to lines and blocks ----------------------===//
#include "chi/Parse/Layout.h"
#include "ChiLexer.h"
#include "chi/Parse/ByteStream.h"
#include "chi/Parse/TextChecks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace chi;
using namespace chi::parse;
using chi::grammar::ChiLexer;
using llvm::StringRef;

bool Layout::isBroken(uint32_t offset) const {
  auto after = llvm::partition_point(
      brokenLines, [&](SourceRange line) { return line.begin <= offset; });
  return after != brokenLines.begin() && offset <= std::prev(after)->end;
}

static TokenClass classOf(size_t type) {
  if (type >= ChiLexer::AND && type <= ChiLexer::YIELD)
    return TokenClass::Keyword;
  if (type >= ChiLexer::CASE && type <= ChiLexer::STRAY_CLAUSE)
    return TokenClass::Keyword;
  switch (type) {
  case ChiLexer::OPEN_PAREN:
  case ChiLexer::OPEN_BRACKET:
  case ChiLexer::OPEN_BRACE:
    return TokenClass::Open;
  case ChiLexer::CLOSE_PAREN:
  case ChiLexer::CLOSE_BRACKET:
  case ChiLexer::CLOSE_BRACE:
    return TokenClass::Close;
  case ChiLexer::COMMA:
    return TokenClass::Comma;
  case ChiLexer::COLON:
    return TokenClass::Colon;
  case ChiLexer::INTEGER:
  case ChiLexer::FLOAT:
  case ChiLexer::IMAGINARY:
  case ChiLexer::BAD_NUMBER:
    return TokenClass::Number;
  case ChiLexer::STRING:
  case ChiLexer::FSTRING:
  case ChiLexer::UNTERMINATED_STRING:
    return TokenClass::String;
  case ChiLexer::NAME:
    return TokenClass::Name;
  case ChiLexer::NEWLINE:
    return TokenClass::Newline;
  case ChiLexer::INDENT:
    return TokenClass::Indent;
  case ChiLexer::DEDENT:
    return TokenClass::Dedent;
  case ChiLexer::COMMENT:
    return TokenClass::Comment;
  case ChiLexer::LINE_JOIN:
    return TokenClass::LineJoin;
  case ChiLexer::UNKNOWN:
    return TokenClass::Unknown;
  default:
    return TokenClass::Operator;
  }
}

/// EOF is -1 in ANTLR; in a Token it is the largest number.
static constexpr uint16_t endOfText = 0xFFFF;

namespace {
/// Reads raw tokens and writes laid out ones.
class LayoutBuilder {
public:
  LayoutBuilder(const SourceFiles &sources, SourceRange range, LayoutMode mode,
                bool keepTrivia, DiagnosticEngine &diags)
      : text(sources.text(range.file)), range(range), mode(mode),
        keepTrivia(keepTrivia), diags(diags) {}

  Layout build();

private:
  struct Bracket {
    size_t type;
    SourceRange range;
  };
  /// A block: its column, the keyword of its last statement, and whether it
  /// is the body of a `match`.
  struct Block {
    unsigned column = 0;
    uint32_t begin = 0;
    size_t lastKeyword = 0;
    bool isMatchBody = false;
    bool wantsBlock = false; // its last line ended in `:`
  };

  void lex();
  void takeNewline(const Token &token);
  void take(size_t i);
  bool takeDoubled(const Token &token);
  void beginLine(const Token &token);
  unsigned columnOf(const Token &token, uint32_t &lineStart);
  void indentTo(unsigned column, uint32_t lineStart, const Token &token);
  void beginStatement(size_t i, Token &token);
  void checkClause(Token &token);
  size_t softKeyword(size_t i) const;
  bool hasBlock(size_t i, bool mayBeOnLine) const;
  void takeOpen(const Token &token);
  bool takeClose(Token &token);
  bool closesEarly(const Token &token);
  bool endsHeader() const;
  void reportUnclosed(uint32_t end);
  void endLine(uint32_t at, uint32_t end);
  void finish();
  void reportUnterminated(const Token &token);

  SourceRange at(uint32_t begin, uint32_t end) const {
    return {range.file, begin, end};
  }
  SourceRange rangeOf(const Token &t) const { return at(t.begin, t.end); }
  StringRef textOf(const Token &t) const { return text.slice(t.begin, t.end); }
  void emit(size_t type, uint32_t begin, uint32_t end) {
    layout.tokens.push_back(
        {static_cast<uint16_t>(type), classOf(type), begin, end});
  }
  /// Marks the logical line that is being read as having an error.
  void markBroken() { lineIsBroken = true; }
  void giveUp() {
    layout.isUsable = false;
    layout.tokens.clear();
  }

  StringRef text;
  SourceRange range;
  LayoutMode mode;
  bool keepTrivia;
  DiagnosticEngine &diags;

  std::vector<Token> raw;
  Layout layout;
  std::vector<Bracket> brackets;
  std::vector<Block> blocks{Block{}};
  bool atLineStart = true;
  bool hasTab = false; ///< reported: columns are a guess from there on
  bool lineIsBroken = false;
  bool stringIsCut = false;    // on the line; its text is not missed
  bool hasBraceBlock = false;  // `{` stood for `:`, so `}` will follow
  uint32_t lineBegin = 0;      // of the logical line
  unsigned lineColumn = 0;     // its indentation
  bool newPhysicalLine = true; // no token since the last line end
};
} // namespace

void LayoutBuilder::lex() {
  ByteStream stream(text, range.begin, range.end);
  ChiLexer lexer(&stream);
  lexer.removeErrorListeners();
  raw.reserve((range.end - range.begin) / 4 + 8);
  while (true) {
    std::unique_ptr<antlr4::Token> token = lexer.nextToken();
    if (token->getType() == antlr4::Token::EOF)
      break;
    size_t type = token->getType();
    raw.push_back({static_cast<uint16_t>(type), classOf(type),
                   static_cast<uint32_t>(token->getStartIndex()),
                   static_cast<uint32_t>(token->getStopIndex() + 1)});
  }
}

Layout LayoutBuilder::build() {
  if (mode == LayoutMode::Expression)
    atLineStart = newPhysicalLine = false;
  lineBegin = range.begin;
  lex();
  for (size_t i = 0; i < raw.size() && layout.isUsable; ++i) {
    if (raw[i].type == ChiLexer::NEWLINE)
      takeNewline(raw[i]);
    else if (raw[i].tokenClass != TokenClass::Comment &&
             raw[i].tokenClass != TokenClass::LineJoin)
      take(i);
    else if (keepTrivia)
      layout.tokens.push_back(raw[i]);
  }
  if (layout.isUsable)
    finish();
  return std::move(layout);
}

void LayoutBuilder::takeNewline(const Token &token) {
  newPhysicalLine = true;
  if (atLineStart || mode == LayoutMode::Expression)
    return;
  if (!brackets.empty()) {
    if (!endsHeader())
      return;
    reportUnclosed(token.begin);
  }
  endLine(token.begin, token.end);
}

/// Ends the logical line; the NEWLINE is put at [at, end).
void LayoutBuilder::endLine(uint32_t begin, uint32_t end) {
  blocks.back().wantsBlock =
      !layout.tokens.empty() && layout.tokens.back().type == ChiLexer::COLON;
  emit(ChiLexer::NEWLINE, begin, end);
  atLineStart = true;
  if (lineIsBroken)
    layout.brokenLines.push_back(at(lineBegin, begin));
  lineIsBroken = stringIsCut = false;
}

void LayoutBuilder::take(size_t i) {
  Token token = raw[i];
  if (newPhysicalLine && !brackets.empty() && closesEarly(token)) {
    uint32_t end = raw[i - 1].begin;
    reportUnclosed(end);
    endLine(end, end);
  }
  newPhysicalLine = false;
  if (atLineStart) {
    beginLine(token);
    if (!layout.isUsable)
      return;
    beginStatement(i, token);
  }
  switch (token.tokenClass) {
  case TokenClass::Open:
    takeOpen(token);
    break;
  case TokenClass::Close:
    if (!takeClose(token))
      return;
    break;
  case TokenClass::Unknown:
    reportUnknownCharacter(text, range.file, token.begin, diags);
    return markBroken();
  case TokenClass::String:
    if (token.type == ChiLexer::UNTERMINATED_STRING) {
      reportUnterminated(token);
      markBroken();
      stringIsCut = true;
      token.type = ChiLexer::STRING;
    }
    break;
  case TokenClass::Name:
    if (checkName(text, rangeOf(token), diags).failed())
      markBroken();
    break;
  default:
    if (takeDoubled(token))
      return;
    break;
  }
  if (layout.isUsable)
    layout.tokens.push_back(token);
}

/// `&&` and `||` are two tokens; the second one makes the keyword of the first.
bool LayoutBuilder::takeDoubled(const Token &token) {
  bool isAnd = token.type == ChiLexer::AMPERSAND;
  if ((!isAnd && token.type != ChiLexer::BAR) || layout.tokens.empty())
    return false;
  Token &first = layout.tokens.back();
  if (first.type != token.type || first.end != token.begin)
    return false;
  first.type = isAnd ? ChiLexer::AND : ChiLexer::OR;
  first.tokenClass = TokenClass::Keyword;
  first.end = token.end;
  std::string keyword = isAnd ? "and" : "or";
  std::string hint = "; write `" + keyword + "`";
  if (first.begin > range.begin && !llvm::isSpace(text[first.begin - 1]))
    keyword = " " + keyword;
  if (first.end < range.end && !llvm::isSpace(text[first.end]))
    keyword += " ";
  diags
      .report(rangeOf(first), diag::UnknownCharacter, isAnd ? "`&&`" : "`||`",
              hint)
      .fixIt(rangeOf(first), keyword)
      .send();
  markBroken();
  return true;
}

void LayoutBuilder::reportUnterminated(const Token &token) {
  StringRef quotes = textOf(token).ltrim("rRbBuUfF");
  char quote = quotes.front();
  bool isLong = quotes.starts_with(std::string(3, quote));
  // The opening quotes are marked; the rest may be pages.
  uint32_t begin = token.begin;
  uint32_t end = token.end - quotes.size() + (isLong ? 3 : 1);
  diags
      .report(at(begin, end), diag::UnterminatedString,
              isLong ? "file" : "line", std::string(isLong ? 3 : 1, quote))
      .send();
}

//===----------------------------------------------------------------------===//
// Lines and blocks
//===----------------------------------------------------------------------===//

/// The column of a token, and where its line starts. Reports a tab before it.
unsigned LayoutBuilder::columnOf(const Token &token, uint32_t &lineStart) {
  size_t newline = text.rfind('\n', token.begin);
  lineStart = newline == StringRef::npos || newline < range.begin
                  ? range.begin
                  : static_cast<uint32_t>(newline + 1);
  StringRef indentation = text.slice(lineStart, token.begin);
  size_t tab = indentation.find('\t');
  if (tab != StringRef::npos) {
    hasTab = true;
    size_t tabs = indentation.substr(tab)
                      .take_while([](char c) { return c == '\t'; })
                      .size();
    diags
        .report(at(lineStart + tab, lineStart + tab + tabs),
                diag::TabInIndentation)
        .fixIt(at(lineStart + tab, lineStart + tab + tabs),
               std::string(4 * tabs, ' '))
        .send();
  }
  unsigned column = 0;
  for (char c : indentation)
    column = c == '\t' ? column + 4 : c == '\f' ? 0 : column + 1;
  return column;
}

void LayoutBuilder::beginLine(const Token &token) {
  atLineStart = false;
  lineBegin = token.begin;
  uint32_t lineStart;
  lineColumn = columnOf(token, lineStart);
  if (mode == LayoutMode::Block && layout.tokens.empty())
    blocks.back().column = lineColumn;
  indentTo(lineColumn, lineStart, token);
}

void LayoutBuilder::indentTo(unsigned column, uint32_t lineStart,
                             const Token &token) {
  if (column > blocks.back().column) {
    if (blocks.size() > maxNesting) {
      diags.report(rangeOf(token), diag::NestingTooDeep, "blocks", maxNesting)
          .send();
      return giveUp();
    }
    emit(ChiLexer::INDENT, lineStart, token.begin);
    blocks.back().wantsBlock = false;
    Block block;
    block.column = column;
    block.begin = token.begin;
    block.isMatchBody = blocks.back().lastKeyword == ChiLexer::MATCH;
    blocks.push_back(block);
    return;
  }
  while (blocks.size() > 1 && column < blocks.back().column) {
    Block popped = blocks.back();
    if (column > blocks[blocks.size() - 2].column) {
      if (!hasTab)
        diags
            .report(at(lineStart, token.begin), diag::InconsistentDedent,
                    column)
            .note(at(popped.begin, popped.begin), diag::BlockIndentedBy,
                  popped.column)
            .send();
      // Further lines at this column belong to the block without more ado.
      blocks.back().column = column;
      return;
    }
    blocks.pop_back();
    emit(ChiLexer::DEDENT, token.begin, token.begin);
  }
}

/// Determines the kind of a statement from its first token.
void LayoutBuilder::beginStatement(size_t i, Token &token) {
  if (size_t soft = softKeyword(i)) {
    token.type = static_cast<uint16_t>(soft);
    token.tokenClass = TokenClass::Keyword;
  }
  checkClause(token);
  // A header whose block is missing still owns the clauses that follow.
  if (token.tokenClass == TokenClass::Keyword)
    blocks.back().lastKeyword = token.type;
  else if (!blocks.back().wantsBlock)
    blocks.back().lastKeyword = 0;
}

/// The keyword that a name is at the start of a statement, or 0.
size_t LayoutBuilder::softKeyword(size_t i) const {
  if (raw[i].type != ChiLexer::NAME || i + 1 >= raw.size())
    return 0;
  const Token &next = raw[i + 1];
  auto name = llvm::StringSwitch<size_t>(textOf(raw[i]))
                  .Case("const", ChiLexer::CONST)
                  .Case("export", ChiLexer::EXPORT)
                  .Case("param", ChiLexer::PARAM)
                  .Case("type", ChiLexer::TYPE)
                  .Case("test", ChiLexer::TEST)
                  .Case("match", ChiLexer::MATCH)
                  .Case("case", ChiLexer::CASE)
                  .Default(0);
  switch (name) {
  case ChiLexer::CONST:
  case ChiLexer::EXPORT:
  case ChiLexer::PARAM:
  case ChiLexer::TYPE:
    return next.type == ChiLexer::NAME ? name : 0;
  case ChiLexer::TEST:
    return next.tokenClass == TokenClass::String ? name : 0;
  case ChiLexer::CASE:
    if (!blocks.back().isMatchBody)
      return 0;
    [[fallthrough]];
  case ChiLexer::MATCH: {
    bool beginsOperand =
        next.tokenClass == TokenClass::Name ||
        next.tokenClass == TokenClass::Number ||
        next.tokenClass == TokenClass::String ||
        next.tokenClass == TokenClass::Open || next.type == ChiLexer::MINUS ||
        next.type == ChiLexer::NONE || next.type == ChiLexer::TRUE ||
        next.type == ChiLexer::FALSE;
    bool isClause = name == ChiLexer::CASE; // `case 1: pass` is whole
    beginsOperand |= isClause && next.type == ChiLexer::STAR;
    return beginsOperand && hasBlock(i, isClause) ? name : 0;
  }
  default:
    return 0;
  }
}

/// Whether the logical line of a token ends in `:`, or at least holds one
/// outside brackets.
bool LayoutBuilder::hasBlock(size_t i, bool mayBeOnLine) const {
  size_t last = 0;
  int depth = 0;
  for (; i < raw.size(); ++i) {
    const Token &token = raw[i];
    if (token.type == ChiLexer::NEWLINE && depth <= 0)
      break;
    depth += token.tokenClass == TokenClass::Open;
    depth -= token.tokenClass == TokenClass::Close;
    if (mayBeOnLine && depth == 0 && token.type == ChiLexer::COLON)
      return true;
    if (token.tokenClass != TokenClass::Comment &&
        token.type != ChiLexer::NEWLINE)
      last = token.type;
  }
  return last == ChiLexer::COLON;
}

/// Makes `else` and other clauses STRAY_CLAUSE where no statement above takes
/// them.
void LayoutBuilder::checkClause(Token &token) {
  size_t last = blocks.back().lastKeyword;
  auto lastIs = [&](std::initializer_list<size_t> keywords) {
    return llvm::is_contained(keywords, last);
  };
  bool fits;
  StringRef owner;
  switch (token.type) {
  case ChiLexer::ELIF:
    fits = lastIs({ChiLexer::IF, ChiLexer::ELIF});
    owner = "an `if` or `elif`";
    break;
  case ChiLexer::ELSE:
    fits = lastIs({ChiLexer::IF, ChiLexer::ELIF, ChiLexer::FOR, ChiLexer::WHILE,
                   ChiLexer::EXCEPT, ChiLexer::ASYNC});
    owner = "an `if` or `elif`";
    break;
  case ChiLexer::EXCEPT:
    fits = lastIs({ChiLexer::TRY, ChiLexer::EXCEPT});
    owner = "a `try`";
    break;
  case ChiLexer::FINALLY:
    fits = lastIs({ChiLexer::TRY, ChiLexer::EXCEPT, ChiLexer::ELSE});
    owner = "a `try`";
    break;
  default:
    return;
  }
  if (fits)
    return;
  diags.report(rangeOf(token), diag::StrayClause, textOf(token), owner).send();
  markBroken();
  token.type = ChiLexer::STRAY_CLAUSE;
}

//===----------------------------------------------------------------------===//
// Brackets
//===----------------------------------------------------------------------===//

void LayoutBuilder::takeOpen(const Token &token) {
  brackets.push_back({token.type, rangeOf(token)});
  if (brackets.size() <= maxNesting)
    return;
  diags.report(rangeOf(token), diag::NestingTooDeep, "brackets", maxNesting)
      .send();
  giveUp();
}

/// Matches a closing bracket. Returns whether the token is to be kept.
bool LayoutBuilder::takeClose(Token &token) {
  // Opening brackets and their closing ones are neighbours in the grammar.
  size_t opening = token.type - 1;
  if (brackets.empty()) {
    if (!hasBraceBlock || token.type != ChiLexer::CLOSE_BRACE)
      diags.report(rangeOf(token), diag::UnopenedBracket, textOf(token)).send();
    markBroken();
    return false;
  }
  Bracket top = brackets.back();
  if (top.type == opening) {
    brackets.pop_back();
    return true;
  }
  bool closesOuter = llvm::any_of(
      brackets, [&](const Bracket &b) { return b.type == opening; });
  auto topText = text.slice(top.range.begin, top.range.end);
  diags.report(rangeOf(token), diag::MismatchedBracket, textOf(token), topText)
      .note(top.range, diag::OpenedHere, topText)
      .send();
  markBroken();
  if (closesOuter)
    while (brackets.back().type != opening)
      brackets.pop_back();
  brackets.pop_back();
  return true;
}

/// Whether a `:` before a line end inside brackets ends the header of a block
/// all the same, because a bracket was forgotten: `def f(:`.
bool LayoutBuilder::endsHeader() const {
  switch (blocks.back().lastKeyword) {
  case ChiLexer::CLASS:
  case ChiLexer::DEF:
  case ChiLexer::ELIF:
  case ChiLexer::FOR:
  case ChiLexer::IF:
  case ChiLexer::WHILE:
  case ChiLexer::WITH:
    return brackets.back().type != ChiLexer::OPEN_BRACE &&
           layout.tokens.back().type == ChiLexer::COLON;
  default:
    return false;
  }
}

static bool endsOperand(const Token &token) {
  return token.tokenClass == TokenClass::Name ||
         token.tokenClass == TokenClass::Number ||
         token.tokenClass == TokenClass::String ||
         token.tokenClass == TokenClass::Close;
}

/// Whether a token that begins a line inside brackets shows that a bracket
/// is missing: a keyword that only begins statements, or a token that is
/// indented no further than the statement and cannot continue it.
bool LayoutBuilder::closesEarly(const Token &token) {
  if (mode == LayoutMode::Expression)
    return false;
  size_t newline = text.rfind('\n', token.begin);
  size_t start = newline == StringRef::npos ? 0 : newline + 1;
  bool isFarOut = token.begin - start <= lineColumn;
  switch (token.type) {
  case ChiLexer::ASSERT:
  case ChiLexer::BREAK:
  case ChiLexer::CLASS:
  case ChiLexer::CONTINUE:
  case ChiLexer::DEF:
  case ChiLexer::DEL:
  case ChiLexer::ELIF:
  case ChiLexer::GLOBAL:
  case ChiLexer::IMPORT:
  case ChiLexer::PASS:
  case ChiLexer::RAISE:
  case ChiLexer::RETURN:
  case ChiLexer::TRY:
  case ChiLexer::WHILE:
  case ChiLexer::WITH:
    return true;
  case ChiLexer::AT:
  case ChiLexer::ELSE:
  case ChiLexer::FOR:
  case ChiLexer::FROM:
  case ChiLexer::IF:
    return isFarOut;
  case ChiLexer::NAME: // `x = [1, 2` and below it `y = 3`
    return isFarOut && endsOperand(layout.tokens.back());
  default:
    return false;
  }
}

void LayoutBuilder::reportUnclosed(uint32_t end) {
  Bracket open = brackets.back();
  auto report = [&] {
    return diags.report(open.range, diag::UnclosedBracket,
                        text.slice(open.range.begin, open.range.end));
  };
  bool isBlock = open.type == ChiLexer::OPEN_BRACE &&
                 layout.tokens.back().begin == open.range.begin;
  if (isBlock)
    report()
        .note(SourceRange(), diag::SyntaxHint,
              "begin a block with `:` and indent it, without braces")
        .send();
  else if (!stringIsCut)
    report().send();
  hasBraceBlock |= isBlock;
  brackets.clear();
  markBroken();
}

void LayoutBuilder::finish() {
  if (!brackets.empty())
    reportUnclosed(range.end);
  if (mode != LayoutMode::Expression) {
    if (!atLineStart)
      endLine(range.end, range.end);
    for (; blocks.size() > 1; blocks.pop_back())
      emit(ChiLexer::DEDENT, range.end, range.end);
  } else if (lineIsBroken) {
    layout.brokenLines.push_back(range);
  }
  layout.tokens.push_back({endOfText, TokenClass::End, range.end, range.end});
}

Layout chi::parse::layOut(const SourceFiles &sources, SourceRange range,
                          LayoutMode mode, bool keepTrivia,
                          DiagnosticEngine &diags) {
  return LayoutBuilder(sources, range, mode, keepTrivia, diags).build();
}

std::vector<Token> chi::parse::tokenize(const SourceFiles &sources,
                                        uint32_t file,
                                        DiagnosticEngine &diags) {
  if (checkEncoding(sources, file, diags).failed())
    return {};
  return layOut(sources, programRange(sources, file), LayoutMode::File,
                /*keepTrivia=*/true, diags)
      .tokens;
}

std::string chi::parse::tokenName(uint16_t type) {
  if (type == endOfText)
    return "EOF";
  static const ChiLexer lexer(nullptr);
  return lexer.getVocabulary().getSymbolicName(type);
}
