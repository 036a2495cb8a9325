//===- LiteralBuilder.h - Numbers and strings of the syntax tree *- C++ -*-===//
#ifndef CHI_PARSE_LITERALBUILDER_H
#define CHI_PARSE_LITERALBUILDER_H

#include "chi/Parse/BuildPart.h"

namespace chi::parse {

class ExprBuilder;

/// Builds numbers, strings and f-strings.
class LiteralBuilder : BuildPart {
public:
  /// `exprs` builds the expressions inside f-strings.
  LiteralBuilder(BuildState &state, ExprBuilder &exprs)
      : BuildPart(state), exprs(exprs) {}

  /// A decimal, hexadecimal, octal or binary integer without its `_`. Reports
  /// one that does not fit in 64 bits unsigned; its value is unspecified then.
  ast::Expr *buildInteger(const ListedToken &token);
  /// A decimal float, correctly rounded to f64; one too small becomes 0 or
  /// subnormal. Reports one that rounds to infinity.
  ast::Expr *buildFloat(const ListedToken &token);
  /// Reports a token that begins like a number and is none.
  ast::Expr *badNumber(const ListedToken &token);
  /// Strings side by side are one; it is an f-string if one of them is.
  ast::Expr *buildStrings(llvm::ArrayRef<const ListedToken *> tokens);
  /// Resolves the escapes of [begin, end) of a string.
  void appendUnescaped(uint32_t begin, uint32_t end, bool isRaw,
                       std::string &out);

private:
  uint32_t appendEscape(uint32_t at, uint32_t end, std::string &out);
  uint32_t appendNumericEscape(uint32_t at, uint32_t end, std::string &out);
  // FStringBuilder.cpp
  void buildFString(const ListedToken &token,
                    llvm::SmallVectorImpl<ast::FStringPart> &parts);

  ExprBuilder &exprs;
};

} // namespace chi::parse
#endif // CHI_PARSE_LITERALBUILDER_H
