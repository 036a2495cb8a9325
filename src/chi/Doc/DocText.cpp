//===- DocText.cpp - Docstrings as Markdown -------------------------------===//
#include "chi/Doc/DocText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using llvm::StringRef;

/// The lines of a docstring without their shared indentation, which the first
/// line does not have.
static llvm::SmallVector<StringRef> linesOf(StringRef doc) {
  llvm::SmallVector<StringRef> lines;
  doc.split(lines, '\n');
  size_t shared = StringRef::npos;
  for (StringRef &line : llvm::MutableArrayRef(lines).drop_front()) {
    line = line.rtrim();
    if (!line.empty())
      shared = std::min(shared, line.size() - line.ltrim(' ').size());
  }
  for (StringRef &line : llvm::MutableArrayRef(lines).drop_front())
    line = line.drop_front(std::min(shared, line.size()));
  lines.front() = lines.front().trim();
  while (!lines.empty() && lines.back().empty())
    lines.pop_back();
  while (!lines.empty() && lines.front().empty())
    lines.erase(lines.begin());
  return lines;
}

static bool isExample(StringRef line) {
  return line.ltrim(' ').starts_with(">>>");
}

/// A line of prose: a `<` before a letter would begin a tag of HTML.
static std::string proseLine(StringRef line) {
  std::string text;
  bool isCode = line.starts_with("    ");
  for (size_t k = 0; k < line.size(); ++k) {
    isCode ^= line[k] == '`';
    if (line[k] == '<' && !isCode && k + 1 < line.size() &&
        (llvm::isAlpha(line[k + 1]) || line[k + 1] == '/'))
      text += '\\';
    text += line[k];
  }
  return text;
}

std::string chi::doc::markdown(StringRef doc) {
  std::string text;
  bool isInExample = false;
  size_t indent = 0;
  auto close = [&] {
    text += isInExample ? "```\n" : "";
    isInExample = false;
  };
  for (StringRef line : linesOf(doc)) {
    if (isExample(line) && !isInExample) {
      bool isAfterText = !text.empty() && !StringRef(text).ends_with("\n\n");
      text += isAfterText ? "\n```python\n" : "```python\n";
      isInExample = true;
      indent = line.size() - line.ltrim(' ').size();
    } else if (line.empty()) {
      close();
    }
    text += isInExample ? line.drop_front(std::min(indent, line.size())).str()
                        : proseLine(line);
    text += '\n';
  }
  close();
  return text;
}

std::string chi::doc::summary(StringRef doc) {
  std::string text;
  for (StringRef line : linesOf(doc)) {
    if (line.empty() || isExample(line))
      break;
    text += (text.empty() ? "" : " ") + line.trim().str();
  }
  size_t end = text.find(". ");
  return proseLine(end == std::string::npos ? text : text.substr(0, end + 1));
}
