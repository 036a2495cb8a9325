//===- SourceFiles.cpp - Program texts and positions in them --------------===//
#include "chi/Source/SourceFiles.h"
#include "chi/Support/Unicode.h"
#include <algorithm>
#include <cassert>

using namespace chi;
using llvm::StringRef;

static constexpr size_t kBlock = 1024;

uint32_t SourceFiles::add(std::string name, std::string text) {
  File file{std::move(name), std::move(text), {0}, {}};
  uint32_t points = 0;
  for (size_t at = 0; at <= file.text.size(); at += kBlock) {
    file.pointsBefore.push_back(points);
    points += countCodePoints(StringRef(file.text).substr(at, kBlock));
  }
  for (size_t at = file.text.find('\n'); at != std::string::npos;
       at = file.text.find('\n', at + 1))
    file.lineStarts.push_back(static_cast<uint32_t>(at + 1));
  files.push_back(std::move(file));
  return static_cast<uint32_t>(files.size() - 1);
}

LineColumn SourceFiles::lineColumn(uint32_t file, uint32_t offset) const {
  const File &f = files[file];
  offset = std::min<uint32_t>(offset, f.text.size());
  auto after =
      std::upper_bound(f.lineStarts.begin(), f.lineStarts.end(), offset);
  unsigned line = static_cast<unsigned>(after - f.lineStarts.begin());
  auto pointsTo = [&](uint32_t end) {
    size_t block = end / kBlock;
    StringRef rest = StringRef(f.text).slice(block * kBlock, end);
    return f.pointsBefore[block] + countCodePoints(rest);
  };
  uint32_t start = f.lineStarts[line - 1];
  // A byte order mark is not a column that people see.
  if (line == 1 && StringRef(f.text).take_front(offset).starts_with(
                       "\xEF\xBB\xBF"))
    start = 3;
  return {line, pointsTo(offset) - pointsTo(start) + 1};
}

StringRef SourceFiles::line(uint32_t file, unsigned line) const {
  const File &f = files[file];
  if (line == 0 || line > f.lineStarts.size())
    return "";
  size_t end = line < f.lineStarts.size() ? f.lineStarts[line] : f.text.size();
  return StringRef(f.text).slice(f.lineStarts[line - 1], end).rtrim("\r\n");
}

uint32_t SourceFiles::lineStart(uint32_t file, unsigned line) const {
  const File &f = files[file];
  if (line == 0 || line > f.lineStarts.size())
    return static_cast<uint32_t>(f.text.size());
  return f.lineStarts[line - 1];
}
