//===- LinePrinter.h - The tokens of a line as text -------------*- C++ -*-===//
#ifndef CHI_FORMAT_LINEPRINTER_H
#define CHI_FORMAT_LINEPRINTER_H

#include "chi/Format/Lines.h"
#include <string>

namespace chi::format {

/// Writes one line after the other with canonical spaces.
class LinePrinter {
public:
  LinePrinter(llvm::StringRef text, std::string &out) : text(text), out(out) {}

  /// Appends the line to `out`, with a line break.
  void print(const Line &line);

private:
  /// An open bracket of the line that is printed.
  struct Bracket {
    char open;
    bool isSubscript = false, isParameters = false;
    bool isAnnotated = false;              // the current parameter has a type
    unsigned oldColumn = 0, newColumn = 0; // right after the bracket
  };

  void printToken(const parse::Token &token);
  void printComment(const parse::Token &token, bool ownLine);
  void continueLine(const parse::Token &token);
  void write(llvm::StringRef written);
  void pad(unsigned toColumn);
  bool isSpaced(const parse::Token &token) const;
  bool isSpacedOperator(const parse::Token &token) const;
  bool isSpacedAfter(const parse::Token &token) const;
  bool isUnary(const parse::Token &token) const;
  bool isTight(const parse::Token &op) const;
  void open(const parse::Token &token);
  void noteState(const parse::Token &token);

  llvm::StringRef textOf(const parse::Token &token) const {
    return text.slice(token.begin, token.end);
  }

  llvm::StringRef text;
  std::string &out;
  const Line *line = nullptr;
  unsigned column = 0;                    // in `out`
  const parse::Token *previous = nullptr; // but comments and line joins
  const parse::Token *beforeIt = nullptr; // the one before `previous`
  bool previousIsUnary = false;
  bool previousIsTight = false;
  uint32_t lastEnd = 0; // of whatever was printed last
  unsigned lambdas = 0; // heads of `lambda` that are open
  std::vector<Bracket> brackets;
};

} // namespace chi::format
#endif // CHI_FORMAT_LINEPRINTER_H
