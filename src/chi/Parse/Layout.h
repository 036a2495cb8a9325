//===- Layout.h - Lexer output to lines and blocks --------------*- C++ -*-===//
#ifndef CHI_PARSE_LAYOUT_H
#define CHI_PARSE_LAYOUT_H

#include "chi/Parse/Tokens.h"

namespace chi::parse {

/// How deep brackets, and blocks, may nest: the parser recurses over both.
inline constexpr unsigned maxNesting = 256;

/// The tokens for the parser and the errors found so far.
struct Layout {
  std::vector<Token> tokens; ///< ends with EOF; empty if not usable
  bool isUsable = true;
  /// Logical lines in which an error is reported already, in their order: the
  /// parser keeps quiet about what follows from it.
  std::vector<SourceRange> brokenLines;

  /// Whether the byte offset lies in a line with an error that is reported
  /// already.
  bool isBroken(uint32_t offset) const;
};

enum class LayoutMode {
  File,       ///< lines and blocks
  Block,      ///< the same, indented as its first line
  Expression, ///< one expression, as inside brackets
};

/// Lexes a range of a file and lays it out. With `keepTrivia` comments and
/// line joins stay in the list.
Layout layOut(const SourceFiles &sources, SourceRange range, LayoutMode mode,
              bool keepTrivia, DiagnosticEngine &diags);

} // namespace chi::parse
#endif // CHI_PARSE_LAYOUT_H
