//===- Repair.cpp - Texts that can be parsed while one types --------------===//
#include "chi/LSP/Server/Repair.h"
#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::lsp;
using llvm::StringRef;

std::set<size_t> lsp::wrongLines(llvm::ArrayRef<Diagnostic> errors,
                                 uint32_t file, const Text &text) {
  std::set<size_t> lines;
  auto add = [&](SourceRange range) {
    if (range.isValid() && range.file == file)
      lines.insert(text.lineOf(range.begin));
  };
  for (const Diagnostic &error : errors) {
    if (error.severity != Severity::Error)
      continue;
    add(error.range);
    for (const DiagnosticNote &note : error.notes) // "opened here"
      add(note.range);
  }
  return lines;
}

static StringRef lineOf(const Text &text, size_t line) {
  return StringRef(text.str()).slice(text.lineBegin(line), text.lineEnd(line));
}

static size_t indentOf(StringRef line) {
  return line.size() - line.ltrim(' ').size();
}

static bool isBlank(StringRef line) {
  line = line.trim();
  return line.empty() || line.starts_with("#");
}

/// Whether the lines below are further in: then the line has to open a block.
static bool opensBlock(const Text &text, size_t line) {
  for (size_t next = line + 1; next < text.numLines(); ++next) {
    StringRef below = lineOf(text, next);
    if (!isBlank(below))
      return indentOf(below) > indentOf(lineOf(text, line));
  }
  return false;
}

/// Whether the line is the only one of a clause such as `else:`.
static bool isClause(StringRef line) {
  line = line.trim();
  return line.starts_with("else") || line.starts_with("elif");
}

std::string lsp::withoutLines(const Text &text, const std::set<size_t> &lines) {
  std::string result = text.str();
  for (size_t line : lines) {
    StringRef written = lineOf(text, line);
    size_t indent = std::min(indentOf(written), written.size());
    size_t room = written.size() - indent;
    bool opens = opensBlock(text, line);
    StringRef with = opens ? (isClause(written) && room >= 5 ? "else:"
                              : room >= 8                    ? "if True:"
                              : room >= 5                    ? "if 1:"
                                                             : "")
                           : (room >= 4   ? "pass"
                              : room >= 1 ? "0"
                                          : "");
    std::string filled = with.str() + std::string(room - with.size(), ' ');
    result.replace(text.lineBegin(line) + indent, room, filled);
  }
  return result;
}

Probe lsp::probeLine(const Text &text, size_t line, StringRef expr) {
  Probe probe;
  StringRef written = lineOf(text, line);
  std::string indent(indentOf(written), ' ');
  bool opens = opensBlock(text, line);
  StringRef before = opens ? "if " : "", behind = opens ? ":" : "";
  probe.text = text.str().substr(0, text.lineBegin(line)) + indent;
  probe.text += before;
  probe.begin = uint32_t(probe.text.size());
  probe.text += expr;
  probe.end = uint32_t(probe.text.size());
  probe.text += behind;
  probe.text += text.str().substr(text.lineEnd(line));
  return probe;
}

/// The bracket that the one at `at` closes; `begin` if there is none.
static size_t openingOf(StringRef text, size_t begin, size_t at) {
  int depth = 0;
  for (size_t k = at + 1; k-- > begin;) {
    if (StringRef(")]}").contains(text[k]))
      ++depth;
    else if (StringRef("([{").contains(text[k]) && --depth == 0)
      return k;
  }
  return StringRef::npos;
}

/// Where the string that ends with the quote at `at` begins.
static size_t quoteOf(StringRef text, size_t begin, size_t at) {
  for (size_t k = at; k-- > begin;)
    if (text[k] == text[at])
      return k;
  return StringRef::npos;
}

StringRef lsp::exprBefore(const Text &text, uint32_t end) {
  StringRef all = text.str();
  size_t begin = text.lineBegin(text.lineOf(end));
  size_t at = end;
  while (at > begin) {
    char last = all[at - 1];
    bool isCloser = last == ')' || last == ']' || last == '}';
    bool isQuote = last == '"' || last == '\'';
    if (isCloser || isQuote) {
      size_t opener =
          isQuote ? quoteOf(all, begin, at - 1) : openingOf(all, begin, at - 1);
      if (opener == StringRef::npos)
        break;
      at = opener;
      // A call or subscript goes on with what is called; a list does not.
      bool goesOn =
          at > begin && !isQuote &&
          (isOfName(all[at - 1]) || all[at - 1] == ')' || all[at - 1] == ']');
      if (goesOn)
        continue;
      break;
    }
    if (!isOfName(last))
      break;
    while (at > begin && isOfName(all[at - 1]))
      --at;
    if (at == begin || all[at - 1] != '.')
      break;
    --at; // the dot, and what is before it
  }
  return all.slice(at, end);
}
