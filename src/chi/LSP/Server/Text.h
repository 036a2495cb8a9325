//===- Text.h - A text with the positions of the protocol -------*- C++ -*-===//
#ifndef CHI_LSP_SERVER_TEXT_H
#define CHI_LSP_SERVER_TEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"
#include <string>
#include <vector>

namespace chi::lsp {

namespace protocol = llvm::lsp;

/// A text in which places are bytes, for us, and lines and columns from 0, for
/// the protocol; its columns count units of UTF-16. Any text is accepted: a
/// byte that is no UTF-8 counts as one unit.
class Text {
public:
  Text() : Text(std::string()) {}
  explicit Text(std::string text);

  /// All of it.
  const std::string &str() const { return text; }
  /// The byte at a position. Beyond the end of a line it is the end of the
  /// line, beyond the last line the end of the text.
  uint32_t offset(protocol::Position position) const;
  /// The position of a byte; beyond the end, that of the end.
  protocol::Position position(uint32_t offset) const;
  /// The positions of the bytes [begin, end).
  protocol::Range range(uint32_t begin, uint32_t end) const {
    return {position(begin), position(end)};
  }
  /// The number of the line that has the byte, from 0.
  size_t lineOf(uint32_t offset) const;
  /// The first byte of a line, and that behind its last one; the line break is
  /// not part of it.
  uint32_t lineBegin(size_t line) const { return starts[line]; }
  uint32_t lineEnd(size_t line) const;
  /// The number of lines; 1 of an empty text.
  size_t numLines() const { return starts.size(); }
  /// The name, as far as it is one, that the byte stands in or behind; its
  /// first byte in `begin`.
  llvm::StringRef wordAt(uint32_t offset, uint32_t &begin) const;

  /// Replaces a range by `with`.
  void replace(protocol::Range range, llvm::StringRef with);

private:
  std::string text;
  std::vector<uint32_t> starts; ///< of the lines
};

/// Whether a byte may be part of a name.
bool isOfName(char c);

} // namespace chi::lsp
#endif // CHI_LSP_SERVER_TEXT_H
