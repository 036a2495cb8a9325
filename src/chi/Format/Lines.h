//===- Lines.h - A program as logical lines ---------------------*- C++ -*-===//
#ifndef CHI_FORMAT_LINES_H
#define CHI_FORMAT_LINES_H

#include "chi/Parse/Tokens.h"
#include "llvm/ADT/ArrayRef.h"

namespace chi::format {

/// A statement line or a comment on a line of its own.
struct Line {
  llvm::ArrayRef<parse::Token> tokens; ///< comments and line joins included
  unsigned column = 0;      ///< where it stood
  unsigned depth = 0;       ///< of its block, from 0
  unsigned blankBefore = 0; ///< blank lines above it
  bool isComment = false;
  bool opensBlock = false; ///< an indented block follows
};

/// The column of an offset, a tab counting four.
unsigned columnOf(llvm::StringRef text, uint32_t offset);

/// Splits the tokens of a file into lines, assigns comments to the block that
/// they belong to and decides how many blank lines go where. `tokens` must
/// outlive the lines.
std::vector<Line> collectLines(llvm::StringRef text,
                               llvm::ArrayRef<parse::Token> tokens);

} // namespace chi::format
#endif // CHI_FORMAT_LINES_H
