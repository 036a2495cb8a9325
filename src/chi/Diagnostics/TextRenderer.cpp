//===- TextRenderer.cpp - Diagnostics for people --------------------------===//
#include "chi/Diagnostics/TextRenderer.h"
#include "chi/Diagnostics/Catalogue.h"
#include "chi/Support/Unicode.h"
#include <algorithm>

using namespace chi;
using llvm::StringRef;

namespace {
/// A line laid out in terminal cells, one string a code point, so that a
/// window of it can be shown.
struct LaidOutLine {
  struct Cell {
    std::string shown;
    unsigned width = 0;
    uint32_t offset = 0; // in the line, in bytes
  };
  std::vector<Cell> cells;

  explicit LaidOutLine(StringRef text) {
    for (size_t i = 0; i < text.size();) {
      Cell cell;
      cell.offset = static_cast<uint32_t>(i);
      auto codePoint = decodeUtf8(text.substr(i));
      unsigned char byte = static_cast<unsigned char>(text[i]);
      if (!codePoint || (byte < 0x20 && byte != '\t') || byte == 0x7F) {
        cell.shown = "\xEF\xBF\xBD"; // U+FFFD for what cannot be shown
        cell.width = 1;
      } else if (byte == '\t') {
        cell.shown = "    ";
        cell.width = 4;
      } else {
        cell.shown = text.substr(i, codePoint->size).str();
        cell.width = displayWidth(codePoint->value);
      }
      i += codePoint ? codePoint->size : 1;
      cells.push_back(std::move(cell));
    }
  }

  /// The index of the first cell at or after a byte offset.
  size_t cellAt(uint32_t offset) const {
    auto at = std::partition_point(cells.begin(), cells.end(),
                                   [&](auto &c) { return c.offset < offset; });
    return static_cast<size_t>(at - cells.begin());
  }
};
} // namespace

/// Columns of a line that are shown; longer ones are cut round the range.
static constexpr size_t windowCells = 120;
static constexpr StringRef ellipsis = "...";

void TextRenderer::paint(const char *code) {
  if (color)
    out << "\x1b[" << code << 'm';
}

void TextRenderer::writeHeader(Severity severity, StringRef code,
                               SourceRange range, StringRef message) {
  paint("1");
  if (range.isValid()) {
    LineColumn at = sources.lineColumn(range.file, range.begin);
    out << sources.name(range.file) << ':' << at.line << ':' << at.column
        << ": ";
  }
  paint(severity == Severity::Error     ? "1;31"
        : severity == Severity::Warning ? "1;35"
                                        : "1;36");
  out << severityName(severity);
  if (!code.empty())
    out << '[' << code << ']';
  out << ':';
  paint("0");
  out << ' ' << message << '\n';
}

void TextRenderer::writeExcerpt(SourceRange range) {
  if (!range.isValid())
    return;
  unsigned line = sources.lineColumn(range.file, range.begin).line;
  StringRef text = sources.line(range.file, line);
  uint32_t start = sources.lineStart(range.file, line);
  if (line == 1 && text.consume_front("\xEF\xBB\xBF"))
    start += 3;
  // Far past the window nothing is shown; do not lay out a line of megabytes.
  uint32_t from = range.begin > start ? range.begin - start : 0;
  uint32_t to = std::min<uint32_t>(
      range.end > start ? range.end - start : 0, text.size());
  uint32_t skipped = 0;
  if (from > 4 * windowCells) {
    skipped = from - 4 * windowCells;
    // Do not begin in the middle of a code point.
    while (skipped < text.size() && (text[skipped] & 0xC0) == 0x80)
      ++skipped;
  }
  bool cutFront = skipped > 0;
  size_t layoutSize = from - skipped + 4 * windowCells;
  bool cutBack = layoutSize < text.size() - skipped;
  LaidOutLine cells(text.substr(skipped, layoutSize));
  size_t first = cells.cellAt(from - skipped);
  size_t last = std::max(cells.cellAt(to > skipped ? to - skipped : 0), first);

  size_t begin = 0, end = cells.cells.size();
  if (end > windowCells || cutFront) {
    begin = first > windowCells / 2 ? first - windowCells / 2 : 0;
    end = std::min(end, begin + windowCells);
  }
  cutFront |= begin > 0;
  cutBack |= end < cells.cells.size();

  out << "    " << (cutFront ? ellipsis : "");
  for (size_t i = begin; i < end; ++i)
    out << cells.cells[i].shown;
  out << (cutBack ? ellipsis : "") << '\n';

  unsigned indent = cutFront ? ellipsis.size() : 0, carets = 0;
  for (size_t i = begin; i < std::min(first, end); ++i)
    indent += cells.cells[i].width;
  for (size_t i = first; i < std::min(last, end); ++i)
    carets += cells.cells[i].width;
  out.indent(4 + indent);
  paint("1;32");
  out << std::string(std::max(carets, 1u), '^');
  paint("0");
  out << '\n';
}

void TextRenderer::writeFixIt(const FixIt &fixIt) {
  if (!fixIt.range.isValid())
    return;
  LineColumn at = sources.lineColumn(fixIt.range.file, fixIt.range.begin);
  StringRef old = sources.text(fixIt.range);
  out << "    ";
  paint("32");
  out << "fix:";
  paint("0");
  auto quoted = [](StringRef text) {
    text = text.rtrim("\r\n"); // a whole line
    size_t lineEnd = text.find_first_of("\r\n");
    std::string shown = text.substr(0, lineEnd).str();
    return "`" + shown + (lineEnd == StringRef::npos ? "`" : " ...`");
  };
  if (old.empty())
    out << " insert " << quoted(fixIt.text);
  else if (fixIt.text.empty())
    out << " remove " << quoted(old);
  else
    out << " replace " << quoted(old) << " by " << quoted(fixIt.text);
  out << " at " << at.line << ':' << at.column << '\n';
}

void TextRenderer::consume(const Diagnostic &diagnostic) {
  writeHeader(diagnostic.severity, diagnostic.code, diagnostic.range,
              diagnostic.message);
  writeExcerpt(diagnostic.range);
  for (const DiagnosticNote &note : diagnostic.notes) {
    writeHeader(Severity::Note, "", note.range, note.message);
    writeExcerpt(note.range);
  }
  for (const FixIt &fixIt : diagnostic.fixIts)
    writeFixIt(fixIt);
}
