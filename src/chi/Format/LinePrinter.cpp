//===- LinePrinter.cpp - The tokens of a line as text ---------------------===//
#include "chi/Format/LinePrinter.h"
#include "chi/Support/Unicode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace chi;
using namespace chi::format;
using chi::parse::Token;
using chi::parse::TokenClass;
using llvm::StringRef;

static constexpr unsigned indentWidth = 4;

void LinePrinter::print(const Line &printed) {
  line = &printed;
  column = 0;
  previous = beforeIt = nullptr;
  previousIsUnary = previousIsTight = false;
  lambdas = 0;
  brackets.clear();
  lastEnd = printed.tokens.front().begin;
  out.append(printed.blankBefore, '\n');
  pad(indentWidth * printed.depth);
  for (const Token &token : printed.tokens)
    printToken(token);
  out += '\n';
}

void LinePrinter::pad(unsigned toColumn) {
  for (; column < toColumn; ++column)
    out += ' ';
}

/// Writes a token; strings may run over several lines.
void LinePrinter::write(StringRef written) {
  for (size_t i = 0; i < written.size(); ++i)
    if (!written.substr(i).starts_with("\r\n"))
      out += written[i];
  size_t newline = written.rfind('\n');
  if (newline == StringRef::npos)
    column += countCodePoints(written);
  else
    column = countCodePoints(written.substr(newline + 1));
}

void LinePrinter::printToken(const Token &token) {
  bool isContinued = text.slice(lastEnd, token.begin).contains('\n') ||
                     (lastEnd > 0 && text[lastEnd - 1] == '\n' &&
                      token.begin != line->tokens.front().begin);
  lastEnd = token.end;
  if (isContinued)
    continueLine(token);
  if (token.tokenClass == TokenClass::Comment)
    return printComment(token, isContinued || line->isComment);
  if (token.tokenClass == TokenClass::LineJoin) {
    // Its line end is written by what follows.
    pad(column + (previous && !isContinued));
    return write("\\");
  }
  if (previous && !isContinued && isSpaced(token))
    pad(column + 1);
  write(textOf(token));
  noteState(token);
}

void LinePrinter::printComment(const Token &token, bool ownLine) {
  StringRef comment = textOf(token).rtrim();
  if (!ownLine) {
    // Comments that were lined up stay so, if the code leaves the room.
    unsigned old = columnOf(text, token.begin);
    pad(std::max(column + 2, old));
  }
  write("#");
  StringRef body = comment.drop_front();
  if (!body.empty() && llvm::isAlnum(body.front()))
    write(" ");
  write(body);
}

/// Begins the next physical line of a statement: text that was aligned with a
/// bracket stays aligned, other text moves with the statement.
void LinePrinter::continueLine(const Token &token) {
  while (!out.empty() && out.back() == ' ')
    out.pop_back();
  out += '\n';
  column = 0;
  unsigned old = columnOf(text, token.begin);
  for (auto bracket = brackets.rbegin(); bracket != brackets.rend();
       ++bracket) {
    if (old == bracket->oldColumn)
      return pad(bracket->newColumn);
    if (old + 1 == bracket->oldColumn && token.tokenClass == TokenClass::Close)
      return pad(bracket->newColumn - 1);
  }
  int moved = static_cast<int>(indentWidth * line->depth) -
              static_cast<int>(line->column);
  pad(std::max(static_cast<int>(old) + moved, 0));
}

//===----------------------------------------------------------------------===//
// Spaces
//===----------------------------------------------------------------------===//

static bool isWordOperand(StringRef word) {
  return word == "None" || word == "True" || word == "False" || word == "...";
}

/// Whether `+ - * ** ~` is a prefix operator here.
bool LinePrinter::isUnary(const Token &token) const {
  StringRef op = textOf(token);
  bool canBe = llvm::StringSwitch<bool>(op)
                   .Cases({"+", "-", "*", "**", "~"}, true)
                   .Default(false);
  if (!canBe)
    return false;
  if (!previous)
    return true;
  switch (previous->tokenClass) {
  case TokenClass::Open:
  case TokenClass::Comma:
  case TokenClass::Colon:
    return true;
  case TokenClass::Operator:
  case TokenClass::Keyword:
    return !isWordOperand(textOf(*previous));
  default:
    return false;
  }
}

/// Whether a binary operator is written without spaces: `**` always, and
/// where the author left them out, arithmetic in an index (`u[i-1, j]`) and
/// fractions (`4/9`).
bool LinePrinter::isTight(const Token &op) const {
  StringRef spelling = textOf(op);
  if (spelling == "**")
    return true;
  // Called twice: before the operator is printed and, when it is `previous`,
  // after it.
  bool isFraction = spelling == "/" && op.begin > 0 &&
                    llvm::isDigit(text[op.begin - 1]) &&
                    op.end < text.size() && llvm::isDigit(text[op.end]) &&
                    previous->tokenClass == TokenClass::Number;
  if (isFraction)
    return true;
  if (brackets.empty() || !brackets.back().isSubscript)
    return false;
  bool isArithmetic = llvm::StringSwitch<bool>(spelling)
                          .Cases({"+", "-", "*", "/", "//", "%"}, true)
                          .Default(false);
  auto isBlank = [&](size_t i) {
    return i >= text.size() || llvm::isSpace(text[i]);
  };
  return isArithmetic && op.begin > 0 && !isBlank(op.begin - 1) &&
         !isBlank(op.end);
}

/// Whether a space precedes an operator.
bool LinePrinter::isSpacedOperator(const Token &token) const {
  StringRef op = textOf(token);
  if (op == ".")
    // `1 .real`, `from .a`
    return previous->tokenClass == TokenClass::Number ||
           (previous->tokenClass == TokenClass::Keyword &&
            !isWordOperand(textOf(*previous)));
  if (op == ";")
    return false;
  if (op == "=" && (!brackets.empty() || lambdas > 0))
    return !brackets.empty() && brackets.back().isParameters &&
           brackets.back().isAnnotated && lambdas == 0;
  if (isUnary(token) || op == "...")
    return isSpacedAfter(token);
  return !isTight(token);
}

/// Whether `previous` requires a space after it.
bool LinePrinter::isSpacedAfter(const Token &token) const {
  StringRef before = textOf(*previous);
  switch (previous->tokenClass) {
  case TokenClass::Open:
    return false;
  case TokenClass::Comma:
    return true;
  case TokenClass::Colon:
    return lambdas > 0 || brackets.empty() || !brackets.back().isSubscript;
  case TokenClass::Operator:
    if (before == "...")
      return true;
    if (before == "." || previousIsUnary || previousIsTight)
      return false;
    if (before == "@" && !beforeIt)
      return false; // a decorator
    if (before == "=" && (!brackets.empty() || lambdas > 0))
      return !brackets.empty() && brackets.back().isParameters &&
             brackets.back().isAnnotated && lambdas == 0;
    return true;
  case TokenClass::Keyword:
    return !isWordOperand(before) || token.tokenClass != TokenClass::Open;
  case TokenClass::Name:
  case TokenClass::Close:
  case TokenClass::String:
  case TokenClass::Number:
    return token.tokenClass != TokenClass::Open;
  default:
    return true;
  }
}

bool LinePrinter::isSpaced(const Token &token) const {
  switch (token.tokenClass) {
  case TokenClass::Close:
  case TokenClass::Comma:
    return false;
  case TokenClass::Colon:
    return previous->tokenClass == TokenClass::Comma; // `x[1, :]`
  case TokenClass::Operator:
    if (previous->tokenClass == TokenClass::Open)
      return false;
    return isSpacedOperator(token);
  default:
    return isSpacedAfter(token);
  }
}

void LinePrinter::open(const Token &token) {
  Bracket bracket;
  bracket.open = text[token.begin];
  bracket.oldColumn = columnOf(text, token.begin) + 1;
  bracket.newColumn = column;
  bool followsOperand =
      previous && (previous->tokenClass == TokenClass::Name ||
                   previous->tokenClass == TokenClass::Close ||
                   previous->tokenClass == TokenClass::String);
  bracket.isSubscript = bracket.open == '[' && followsOperand;
  bracket.isParameters =
      bracket.open == '(' && brackets.empty() &&
      (textOf(line->tokens.front()) == "def" ||
       textOf(line->tokens.front()) == "async");
  brackets.push_back(bracket);
}

/// Records the state that the spaces of the next tokens depend on.
void LinePrinter::noteState(const Token &token) {
  previousIsUnary =
      token.tokenClass == TokenClass::Operator && isUnary(token);
  previousIsTight = token.tokenClass == TokenClass::Operator &&
                    !previousIsUnary && isTight(token);
  switch (token.tokenClass) {
  case TokenClass::Open:
    open(token);
    break;
  case TokenClass::Close:
    if (!brackets.empty())
      brackets.pop_back();
    break;
  case TokenClass::Comma:
    if (!brackets.empty())
      brackets.back().isAnnotated = false;
    break;
  case TokenClass::Colon:
    if (lambdas > 0)
      --lambdas;
    else if (!brackets.empty())
      brackets.back().isAnnotated = true;
    break;
  case TokenClass::Keyword:
    lambdas += textOf(token) == "lambda";
    break;
  default:
    break;
  }
  beforeIt = previous;
  previous = &token;
}
