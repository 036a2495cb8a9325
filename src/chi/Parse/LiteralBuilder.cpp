//===- LiteralBuilder.cpp - Numbers and strings -------------------------===//
#include "chi/Parse/LiteralBuilder.h"
#include "chi/Support/Unicode.h"
#include "llvm/ADT/StringExtras.h"
#include <charconv>
#include <cmath>
#include <cstdlib>

using namespace chi;
using namespace chi::ast;
using namespace chi::parse;
using llvm::SmallVector;
using llvm::StringRef;

static std::string withoutUnderscores(StringRef text) {
  std::string digits;
  for (char c : text)
    if (c != '_')
      digits += c;
  return digits;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Expr *LiteralBuilder::buildInteger(const ListedToken &token) {
  auto *integer = context.make<IntExpr>(rangeOf(token));
  std::string digits = withoutUnderscores(token.spelling());
  StringRef rest = digits;
  unsigned radix = 10;
  if (rest.size() > 2 && rest[0] == '0') {
    char base = llvm::toLower(rest[1]);
    radix = base == 'x' ? 16 : base == 'o' ? 8 : base == 'b' ? 2 : 10;
    if (radix != 10)
      rest = rest.drop_front(2);
  }
  if (rest.getAsInteger(radix, integer->value)) {
    StringRef shown = token.spelling();
    std::string cut =
        (shown.take_front(40) + (shown.size() > 40 ? "..." : "")).str();
    diags.report(integer->range, diag::IntegerTooLarge, cut).send();
  }
  return integer;
}

Expr *LiteralBuilder::buildFloat(const ListedToken &token) {
  auto *number = context.make<FloatExpr>(rangeOf(token));
  std::string digits = withoutUnderscores(token.spelling());
  number->isImaginary = llvm::toLower(digits.back()) == 'j';
  if (number->isImaginary)
    digits.pop_back();
  auto read = std::from_chars(digits.data(), digits.data() + digits.size(),
                              number->value);
  // from_chars does not report on which side a number is out of range.
  if (read.ec != std::errc())
    number->value = std::strtod(digits.c_str(), nullptr);
  if (std::isinf(number->value)) {
    StringRef shown = token.spelling();
    std::string cut =
        (shown.take_front(40) + (shown.size() > 40 ? "..." : "")).str();
    diags.report(number->range, diag::FloatTooLarge, cut).send();
  }
  return number;
}

/// The error for a token that begins like a number.
static StringRef numberAdvice(StringRef text) {
  StringRef lower = text;
  if (lower.starts_with_insensitive("0x"))
    return "hexadecimal digits are 0-9 and a-f";
  if (lower.starts_with_insensitive("0b"))
    return "binary digits are 0 and 1";
  if (lower.starts_with_insensitive("0o"))
    return "octal digits are 0-7";
  if (llvm::all_of(text, [](char c) { return llvm::isDigit(c) || c == '_'; }))
    return text.starts_with("0") && !text.contains("_")
               ? "numbers have no leading zeros (write `0o17` for octal)"
               : "`_` is only allowed between two digits";
  char last = text.back();
  if ((last == 'e' || last == 'E') &&
      llvm::all_of(text.drop_back(), [](char c) {
        return llvm::isDigit(c) || c == '.' || c == '_';
      }))
    return "an exponent needs digits: `1e-3`";
  StringRef head = text.drop_back();
  bool isSuffixed =
      llvm::all_of(head, [](char c) { return llvm::isDigit(c) || c == '.'; });
  if (isSuffixed && (last == 'f' || last == 'F' || last == 'u' || last == 'U' ||
                     last == 'l' || last == 'L'))
    return "numbers have no suffix; their type is inferred from their use, or "
           "write `f32(1.5)`";
  if (text.ends_with("_"))
    return "`_` is only allowed between two digits";
  return "a product needs `*`, and a name cannot begin with a digit";
}

Expr *LiteralBuilder::badNumber(const ListedToken &token) {
  StringRef shown = token.spelling();
  std::string cut =
      (shown.take_front(40) + (shown.size() > 40 ? "..." : "")).str();
  diags
      .report(rangeOf(token), diag::BadNumber, cut,
              numberAdvice(token.spelling()))
      .send();
  return unsupportedExpr(rangeOf(token), "", "");
}

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

Expr *LiteralBuilder::buildStrings(llvm::ArrayRef<const ListedToken *> tokens) {
  SourceRange range = rangeOf(*tokens.front()).to(rangeOf(*tokens.back()));
  SmallVector<FStringPart> parts;
  bool isFormatted = false;
  std::string joined;
  auto flush = [&] {
    if (joined.empty())
      return;
    FStringPart part;
    part.text = context.copy(StringRef(joined));
    parts.push_back(part);
    joined.clear();
  };
  for (const ListedToken *token : tokens) {
    StringRef spelling = token->spelling();
    StringRef quotes = spelling.ltrim("rRbBuUfF");
    StringRef prefix = spelling.drop_back(quotes.size());
    if (prefix.contains_insensitive("b"))
      return unsupportedExpr(rangeOf(*token), "a bytes literal",
                             "write a string or a list of numbers");
    if (token->getType() == ChiParser::FSTRING) {
      flush();
      isFormatted = true;
      buildFString(*token, parts);
      continue;
    }
    unsigned width =
        quotes.starts_with("'''") || quotes.starts_with("\"\"\"") ? 3 : 1;
    uint32_t begin = token->end() - quotes.size() + width;
    // An unterminated string was reported; it has no closing quotes.
    uint32_t end =
        std::max(begin, token->end() - std::min(width, token->end()));
    appendUnescaped(begin, end, prefix.contains_insensitive("r"), joined);
  }
  if (!isFormatted) {
    auto *string = context.make<StringExpr>(range);
    string->value = context.copy(StringRef(joined));
    return string;
  }
  flush();
  auto *string = context.make<FStringExpr>(range);
  string->parts = keep(parts);
  return string;
}

void LiteralBuilder::appendUnescaped(uint32_t begin, uint32_t end, bool isRaw,
                                     std::string &out) {
  for (uint32_t at = begin; at < end;) {
    char c = text[at];
    if (c == '\\' && !isRaw && at + 1 < end) {
      at = appendEscape(at, end, out);
    } else if (c == '\r' && at + 1 < end && text[at + 1] == '\n') {
      ++at; // line ends are one character in a program
    } else {
      out += c;
      ++at;
    }
  }
}

/// Appends the character of the escape at `at`; returns the offset after it.
uint32_t LiteralBuilder::appendEscape(uint32_t at, uint32_t end,
                                      std::string &out) {
  static constexpr StringRef letters = "abfnrtv\\'\"";
  static constexpr StringRef meanings = "\a\b\f\n\r\t\v\\'\"";
  char c = text[at + 1];
  size_t known = letters.find(c);
  if (known != StringRef::npos) {
    out += meanings[known];
    return at + 2;
  }
  if (c == '\n')
    return at + 2; // the line continues
  if (c == '\r' && at + 2 < end && text[at + 2] == '\n')
    return at + 3;
  if (c == 'x' || c == 'u' || c == 'U' || (c >= '0' && c <= '7'))
    return appendNumericEscape(at, end, out);
  CodePoint codePoint =
      decodeUtf8(text.substr(at + 1)).value_or(CodePoint{0, 1});
  SourceRange range{file, at, at + 1 + codePoint.size};
  diags
      .report(range, diag::BadEscape, textOf(range),
              c == 'N' ? "write the character itself"
                       : "write `\\\\` for a backslash")
      .fixIt(SourceRange{file, at, at + 1}, "\\\\")
      .send();
  return range.end;
}

/// `\x41`, `\u00e9`, `\U0001f600`, `\101`.
uint32_t LiteralBuilder::appendNumericEscape(uint32_t at, uint32_t end,
                                             std::string &out) {
  char c = text[at + 1];
  bool isOctal = c >= '0' && c <= '7';
  uint32_t first = isOctal ? at + 1 : at + 2;
  unsigned wanted = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 3;
  uint32_t last = first;
  while (last < end && last < first + wanted &&
         (isOctal ? text[last] >= '0' && text[last] <= '7'
                  : llvm::isHexDigit(text[last])))
    ++last;
  uint32_t value = 0;
  bool isBad = text.slice(first, last).getAsInteger(isOctal ? 8 : 16, value);
  isBad |= !isOctal && last != first + wanted;
  if (isBad || !appendUtf8(out, value)) {
    SourceRange range{file, at, last};
    // All octal escapes name a character.
    StringRef advice = !isBad     ? "it names no character"
                       : c == 'x' ? "`\\x` takes two hexadecimal digits"
                       : c == 'u' ? "`\\u` takes four hexadecimal digits"
                                  : "`\\U` takes eight hexadecimal digits";
    diags.report(range, diag::BadEscape, textOf(range), advice).send();
  }
  return last;
}
