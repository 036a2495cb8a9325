//===- FStringBuilder.cpp - Pieces of f-strings -------------------------===//
#include "chi/Parse/ExprBuilder.h"
#include "chi/Parse/Layout.h"
#include "chi/Parse/SyntaxErrors.h"

using namespace chi;
using namespace chi::ast;
using namespace chi::parse;
using llvm::SmallVectorImpl;
using llvm::StringRef;

namespace {
/// Cuts one f-string token into text and replacement fields.
class FStringBuilder : BuildPart {
public:
  FStringBuilder(BuildState &state, LiteralBuilder &literals,
                 ExprBuilder &exprs, const ListedToken &token,
                 SmallVectorImpl<FStringPart> &parts)
      : BuildPart(state), literals(literals), exprs(exprs), parts(parts) {
    StringRef quotes = token.spelling().ltrim("rRfF");
    StringRef prefix = token.spelling().drop_back(quotes.size());
    isRaw = prefix.contains_insensitive("r");
    unsigned width =
        quotes.starts_with("'''") || quotes.starts_with("\"\"\"") ? 3 : 1;
    at = token.end() - quotes.size() + width;
    end = token.end() - width;
  }

  void build();

private:
  void takeText(uint32_t to);
  void flush();
  bool buildField();
  bool findEnd(uint32_t &stop);
  bool takeTail(FStringPart &part, uint32_t fieldBegin);
  bool takeFormat(FStringPart &part);
  Expr *parseField(SourceRange range);
  bool fail(uint32_t begin, uint32_t stop, StringRef what) {
    diags.report(rangeOf(begin, stop), diag::BadFString, what).send();
    return false;
  }

  LiteralBuilder &literals;
  ExprBuilder &exprs;
  SmallVectorImpl<FStringPart> &parts;
  bool isRaw = false;
  uint32_t at = 0, end = 0;
  std::string pending;
};
} // namespace

void FStringBuilder::takeText(uint32_t to) {
  literals.appendUnescaped(at, to, isRaw, pending);
  at = to;
}

void FStringBuilder::flush() {
  if (pending.empty())
    return;
  FStringPart part;
  part.text = context.copy(StringRef(pending));
  parts.push_back(part);
  pending.clear();
}

void FStringBuilder::build() {
  while (at < end) {
    uint32_t brace = at;
    // An escape may contain no brace of a field: `\{` is an error of its own.
    while (brace < end && text[brace] != '{' && text[brace] != '}')
      ++brace;
    takeText(brace);
    if (at >= end)
      break;
    bool isDoubled = at + 1 < end && text[at + 1] == text[at];
    if (isDoubled) {
      pending += text[at];
      at += 2;
    } else if (text[at] == '}') {
      fail(at, at + 1, "a single `}`; write `}}` for a brace");
      ++at;
    } else {
      flush();
      if (!buildField())
        return; // the rest of the string cannot be found
    }
  }
  flush();
}

/// Finds the end of the expression that begins at `at`: a `}`, `:` or `!`, or
/// the `=` of `{x=}`, outside brackets and strings.
bool FStringBuilder::findEnd(uint32_t &stop) {
  int depth = 0;
  char quote = 0;
  for (uint32_t i = at; i < end; ++i) {
    char c = text[i], next = i + 1 < end ? text[i + 1] : 0;
    if (c == '\\')
      return fail(i, i + 1, "a backslash in a replacement field");
    if (quote) {
      quote = c == quote ? 0 : quote;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '#') {
      return fail(i, i + 1, "a `#` in a replacement field");
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (depth > 0 && (c == ')' || c == ']' || c == '}')) {
      --depth;
    } else if (depth == 0) {
      bool isComparison =
          next == '=' || (i > at && StringRef("=!<>").contains(text[i - 1]));
      if (c == '}' || c == ':' || (c == '!' && next != '=') ||
          (c == '=' && !isComparison)) {
        stop = i;
        return true;
      }
    }
  }
  return fail(at - 1, at, "a `{` that is not closed; write `{{` for a brace");
}

/// Builds the field whose `{` is at `at`.
bool FStringBuilder::buildField() {
  uint32_t fieldBegin = ++at;
  uint32_t stop = at;
  if (!findEnd(stop))
    return false;
  if (text.slice(at, stop).trim().empty())
    return fail(fieldBegin - 1, stop + 1, "an empty replacement field");
  FStringPart part;
  part.value = parseField(rangeOf(at, stop));
  at = stop;
  if (!takeTail(part, fieldBegin))
    return false;
  parts.push_back(part);
  return true;
}

/// Takes `=`, `!r`, `:format` and `}`.
bool FStringBuilder::takeTail(FStringPart &part, uint32_t fieldBegin) {
  auto skipSpaces = [&] {
    while (at < end && text[at] == ' ')
      ++at;
  };
  if (text[at] == '=') {
    ++at;
    skipSpaces();
    part.selfDocumenting = true;
    part.text = text.slice(fieldBegin, at);
  }
  if (at < end && text[at] == '!') {
    uint32_t begin = at++;
    while (at < end && text[at] != '}' && text[at] != ':')
      ++at;
    diags
        .report(rangeOf(begin, at), diag::NotInLanguage,
                "a conversion like `!r`",
                "values are printed as the shortest text that is read back as "
                "the same value")
        .send();
  }
  if (at < end && text[at] == ':' && !takeFormat(part))
    return false;
  if (at >= end || text[at] != '}')
    return fail(at < end ? at : end - 1, at < end ? at + 1 : end,
                "expected `}` at the end of a replacement field");
  ++at;
  return true;
}

/// A format, with values in braces: their own formats are empty.
bool FStringBuilder::takeFormat(FStringPart &part) {
  uint32_t begin = ++at, textBegin = at;
  llvm::SmallVector<FStringPart> pieces;
  bool hasValues = false;
  auto addText = [&] {
    FStringPart piece;
    piece.text = text.slice(textBegin, at);
    if (!piece.text.empty())
      pieces.push_back(piece);
  };
  while (at < end && text[at] != '}') {
    if (text[at] != '{') {
      ++at;
      continue;
    }
    addText();
    uint32_t fieldBegin = ++at, stop = at;
    if (!findEnd(stop))
      return false;
    if (text[stop] != '}' || text.slice(at, stop).trim().empty())
      return fail(fieldBegin - 1, stop + 1,
                  "a value in a format has no format of its own");
    FStringPart piece;
    piece.value = parseField(rangeOf(at, stop));
    piece.formatRange = rangeOf(at, stop);
    pieces.push_back(piece);
    hasValues = true;
    at = textBegin = stop + 1;
  }
  addText();
  part.format = text.slice(begin, at);
  part.formatRange = rangeOf(begin, at);
  if (hasValues)
    part.formatParts = keep(pieces);
  return true;
}

/// Parses the expression of a field.
Expr *FStringBuilder::parseField(SourceRange range) {
  Expr *failed = unsupportedExpr(range, "", "");
  Layout layout = layOut(state.sources, range, LayoutMode::Expression,
                         /*keepTrivia=*/false, diags);
  if (!layout.isUsable)
    return failed;
  TokenList tokens(layout, text);
  ChiParser parser(&tokens);
  parser.removeErrorListeners();
  parser.setErrorHandler(
      std::make_shared<StatementRecovery>(tokens, layout, file, diags));
  ChiParser::FieldExpressionContext *tree = parser.fieldExpression();
  if (tree->exception)
    return failed;
  return exprs.buildList(tree->expressionList());
}

void LiteralBuilder::buildFString(const ListedToken &token,
                                  SmallVectorImpl<FStringPart> &parts) {
  FStringBuilder(state, *this, exprs, token, parts).build();
}
