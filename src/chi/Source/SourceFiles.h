//===- SourceFiles.h - Program texts and positions in them ------*- C++ -*-===//
#ifndef CHI_SOURCE_SOURCEFILES_H
#define CHI_SOURCE_SOURCEFILES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace chi {

/// A half-open range of bytes [begin, end) of one file of a `SourceFiles`.
struct SourceRange {
  uint32_t file = ~0u;
  uint32_t begin = 0;
  uint32_t end = 0;

  /// Whether the range belongs to a file.
  bool isValid() const { return file != ~0u; }
  /// The smallest range that holds both; `other` must be of the same file.
  SourceRange to(SourceRange other) const {
    return {file, begin, other.end > end ? other.end : end};
  }
  bool operator==(const SourceRange &) const = default;
};

/// A place as people count: line and column from 1, the column in code points.
struct LineColumn {
  unsigned line = 0;
  unsigned column = 0;
};

/// Owns the texts of all files of a compilation; ids are dense from 0.
class SourceFiles {
public:
  /// Takes a text under the name that messages show. Returns its id.
  uint32_t add(std::string name, std::string text);

  /// The name of a file as messages print it. `file` must be an id of `add`.
  llvm::StringRef name(uint32_t file) const { return files[file].name; }
  /// The whole text of a file. `file` must be an id of `add`.
  llvm::StringRef text(uint32_t file) const { return files[file].text; }
  /// The text of a range, which must be valid.
  llvm::StringRef text(SourceRange range) const {
    return text(range.file).slice(range.begin, range.end);
  }
  /// The number of files.
  size_t size() const { return files.size(); }

  /// Line and column, from 1, of a byte offset in a file; the column counts
  /// code points.
  LineColumn lineColumn(uint32_t file, uint32_t offset) const;
  /// The text of a line (from 1) without its line break.
  llvm::StringRef line(uint32_t file, unsigned line) const;
  /// The offset of the first byte of a line (from 1).
  uint32_t lineStart(uint32_t file, unsigned line) const;

private:
  struct File {
    std::string name, text;
    std::vector<uint32_t> lineStarts;
    /// Code points before each block of the text: lines may be megabytes long.
    std::vector<uint32_t> pointsBefore;
  };
  std::deque<File> files;
};

} // namespace chi
#endif // CHI_SOURCE_SOURCEFILES_H
