//===- ByteStream.h - A text as ANTLR reads it ------------------*- C++ -*-===//
#ifndef CHI_PARSE_BYTESTREAM_H
#define CHI_PARSE_BYTESTREAM_H

#include "antlr4-runtime.h"
#include "llvm/ADT/StringRef.h"

namespace chi::parse {

/// Feeds the bytes of a text to the lexer, one symbol each. ANTLR's own
/// stream copies the text to UTF-32, and its positions would have to be
/// mapped back to bytes. The grammar takes any byte past ASCII as a letter.
class ByteStream final : public antlr4::CharStream {
public:
  /// Reads bytes [begin, end) of `text`; positions are offsets in `text`.
  ByteStream(llvm::StringRef text, size_t begin, size_t end)
      : text(text), begin(begin), at(begin), end(end) {}

  void consume() override {
    if (at < end)
      ++at;
  }
  size_t LA(ssize_t i) override {
    if (i > 0 && at + i - 1 < end)
      return static_cast<unsigned char>(text[at + i - 1]);
    if (i < 0 && at >= begin + static_cast<size_t>(-i))
      return static_cast<unsigned char>(text[at + i]);
    return i == 0 ? 0 : IntStream::EOF;
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return at; }
  void seek(size_t index) override { at = index < end ? index : end; }
  size_t size() override { return end; }
  std::string getSourceName() const override { return ""; }
  std::string getText(const antlr4::misc::Interval &interval) override {
    if (interval.a < 0 || interval.b < interval.a)
      return "";
    return text.slice(interval.a, interval.b + 1).str();
  }
  std::string toString() const override { return text.slice(begin, end).str(); }

private:
  llvm::StringRef text;
  size_t begin, at, end;
};

} // namespace chi::parse
#endif // CHI_PARSE_BYTESTREAM_H
