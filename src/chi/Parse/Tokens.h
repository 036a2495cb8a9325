//===- Tokens.h - The tokens of a file --------------------------*- C++ -*-===//
#ifndef CHI_PARSE_TOKENS_H
#define CHI_PARSE_TOKENS_H

#include "chi/Diagnostics/Diagnostics.h"
#include "chi/Source/SourceFiles.h"
#include <cstdint>
#include <vector>

namespace chi::parse {

/// The class of a token, for code outside of the parser.
enum class TokenClass : uint8_t {
  Name, Keyword, Number, String, Operator, Open, Close, Comma, Colon, Newline,
  Indent, Dedent, Comment, LineJoin, Unknown, End,
};

/// A token after the layout; [begin, end) are bytes of the file.
struct Token {
  uint16_t type = 0; ///< its number in the grammar
  TokenClass tokenClass = TokenClass::Unknown;
  uint32_t begin = 0, end = 0;
};

/// The tokens of a file in their order, comments and line joins among them.
/// What is wrong with the layout is reported to `diags`; the list is usable
/// all the same unless the text is no program at all (a NUL byte, not UTF-8,
/// nesting too deep), when it is empty.
std::vector<Token> tokenize(const SourceFiles &sources, uint32_t file,
                            DiagnosticEngine &diags);

/// The name of a token in the grammar: "NAME", "DOUBLE_STAR".
std::string tokenName(uint16_t type);

} // namespace chi::parse
#endif // CHI_PARSE_TOKENS_H
