//===- Lines.cpp - A program as logical lines -----------------------------===//
#include "chi/Format/Lines.h"
#include "chi/Support/Unicode.h"

using namespace chi;
using namespace chi::format;
using chi::parse::Token;
using chi::parse::TokenClass;
using llvm::ArrayRef;
using llvm::StringRef;

unsigned chi::format::columnOf(StringRef text, uint32_t offset) {
  size_t newline = text.take_front(offset).rfind('\n');
  StringRef before =
      text.slice(newline == StringRef::npos ? 0 : newline + 1, offset);
  before.consume_front("\xEF\xBB\xBF");
  return countCodePoints(before) + 3 * before.count('\t');
}

namespace {
class LineCollector {
public:
  LineCollector(StringRef text, ArrayRef<Token> tokens)
      : text(text), tokens(tokens) {}

  std::vector<Line> collect();

private:
  void endStatement(size_t end);
  void addComment(size_t i);
  void placeComments(ArrayRef<unsigned> columns, unsigned nextDepth);
  unsigned blankLinesBefore(uint32_t offset) const;
  void spaceDefinitions();
  bool beginsDefinition(const Line &line) const;
  StringRef textOf(const Token &token) const {
    return text.slice(token.begin, token.end);
  }

  StringRef text;
  ArrayRef<Token> tokens;
  std::vector<Line> lines;
  std::vector<unsigned> blocks{0}; // their columns
  size_t first = 0;                // token of the statement that is collected
  bool inStatement = false;
  size_t firstPending = 0; // comment lines whose block is not known yet
};
} // namespace

/// Counts line ends between the token before `offset` and `offset`.
unsigned LineCollector::blankLinesBefore(uint32_t offset) const {
  unsigned ends = 0;
  for (uint32_t i = offset; i > 0; --i) {
    char c = text[i - 1];
    if (c == '\n')
      ++ends;
    else if (c != ' ' && c != '\t' && c != '\r' && c != '\f')
      break;
  }
  return ends > 0 ? ends - 1 : 0;
}

void LineCollector::addComment(size_t i) {
  Line line;
  line.tokens = tokens.slice(i, 1);
  line.column = columnOf(text, tokens[i].begin);
  line.blankBefore = blankLinesBefore(tokens[i].begin);
  line.isComment = true;
  lines.push_back(line);
}

/// Gives the pending comments the deepest block whose column they reach, but
/// none further out than the statement that follows.
void LineCollector::placeComments(ArrayRef<unsigned> columns,
                                  unsigned nextDepth) {
  for (; firstPending < lines.size(); ++firstPending) {
    Line &comment = lines[firstPending];
    unsigned depth = columns.size() - 1;
    while (depth > nextDepth && columns[depth] > comment.column)
      --depth;
    comment.depth = depth;
  }
}

void LineCollector::endStatement(size_t end) {
  Line line;
  line.tokens = tokens.slice(first, end - first);
  line.column = columnOf(text, tokens[first].begin);
  line.depth = blocks.size() - 1;
  line.blankBefore = blankLinesBefore(tokens[first].begin);
  lines.push_back(line);
  firstPending = lines.size();
  inStatement = false;
}

std::vector<Line> LineCollector::collect() {
  std::vector<unsigned> before = blocks; // the blocks above pending comments
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token &token = tokens[i];
    switch (token.tokenClass) {
    case TokenClass::Newline:
      endStatement(i);
      before = blocks;
      break;
    case TokenClass::Indent: {
      // The header is the last line that is no comment.
      for (size_t j = lines.size(); j-- > 0;)
        if (!lines[j].isComment) {
          lines[j].opensBlock = true;
          break;
        }
      blocks.push_back(columnOf(text, token.end));
      before = blocks;
      break;
    }
    case TokenClass::Dedent:
      blocks.pop_back();
      break;
    case TokenClass::Comment:
      if (!inStatement) {
        addComment(i);
        break;
      }
      [[fallthrough]];
    default:
      // A `\` before the first token of a statement joins nothing.
      if (inStatement || token.tokenClass == TokenClass::LineJoin)
        break;
      placeComments(before, blocks.size() - 1);
      if (token.tokenClass == TokenClass::End)
        break;
      inStatement = true;
      first = i;
    }
  }
  spaceDefinitions();
  return std::move(lines);
}

bool LineCollector::beginsDefinition(const Line &line) const {
  StringRef word = textOf(line.tokens.front());
  bool isTest = word == "test" &&
                line.tokens.front().tokenClass == TokenClass::Keyword;
  return word == "def" || word == "class" || word == "@" || isTest;
}

/// Sets the blank lines: one round top-level definitions with a block, at
/// most two elsewhere at top level and one inside blocks.
void LineCollector::spaceDefinitions() {
  bool afterBlock = false, afterDecorator = false;
  size_t previous = ~size_t(0); // the statement above
  for (size_t i = 0; i < lines.size(); ++i) {
    Line &line = lines[i];
    line.blankBefore = std::min(line.blankBefore, line.depth == 0 ? 2u : 1u);
    bool isFirstInBlock = i > 0 && lines[i - 1].opensBlock;
    if (i == 0 || isFirstInBlock)
      line.blankBefore = 0;
    if (line.isComment)
      continue;
    if (line.depth == 0) {
      bool isDefinition = beginsDefinition(line);
      bool isDecorator = textOf(line.tokens.front()) == "@";
      bool hasBlock = line.opensBlock || isDecorator;
      bool wantsBlank = previous != ~size_t(0) && !afterDecorator &&
                        (afterBlock || (isDefinition && hasBlock));
      if (wantsBlank) {
        // Comments right above belong to the definition.
        size_t top = i;
        while (top > previous + 1 && lines[top].blankBefore == 0 &&
               lines[top - 1].isComment && lines[top - 1].depth == 0)
          --top;
        lines[top].blankBefore = std::max(lines[top].blankBefore, 1u);
      }
      afterBlock = isDefinition && line.opensBlock;
      afterDecorator = isDecorator;
    }
    previous = i;
  }
}

std::vector<Line> chi::format::collectLines(StringRef text,
                                            ArrayRef<Token> tokens) {
  return LineCollector(text, tokens).collect();
}
