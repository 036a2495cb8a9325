//===- TokenList.h - Laid out tokens as ANTLR reads them --------*- C++ -*-===//
#ifndef CHI_PARSE_TOKENLIST_H
#define CHI_PARSE_TOKENLIST_H

#include "antlr4-runtime.h"
#include "chi/Parse/Layout.h"
#include <algorithm>
#include <vector>

namespace chi::parse {

/// One token of a TokenList. ANTLR's own token is six times as large and
/// carries what Chi keeps elsewhere.
class ListedToken final : public antlr4::Token {
public:
  ListedToken(const parse::Token &token, size_t index, llvm::StringRef source)
      : token(token), index(index), source(source) {}

  /// Offset of the first byte in the file.
  uint32_t begin() const { return token.begin; }
  /// Offset after the last byte in the file.
  uint32_t end() const { return token.end; }
  /// The text of the token in the source.
  llvm::StringRef spelling() const {
    return source.slice(token.begin, token.end);
  }

  std::string getText() const override { return spelling().str(); }
  size_t getType() const override {
    return token.tokenClass == TokenClass::End ? EOF : token.type;
  }
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() const override { return 0; }
  size_t getChannel() const override { return DEFAULT_CHANNEL; }
  size_t getTokenIndex() const override { return index; }
  size_t getStartIndex() const override { return token.begin; }
  size_t getStopIndex() const override { return token.end - 1; }
  antlr4::TokenSource *getTokenSource() const override { return nullptr; }
  antlr4::CharStream *getInputStream() const override { return nullptr; }
  std::string toString() const override { return getText(); }

private:
  parse::Token token;
  size_t index;
  llvm::StringRef source;
};

/// The token stream of a layout that is in memory as a whole.
class TokenList final : public antlr4::TokenStream {
public:
  /// Needs a usable layout; `source` is the text of its file.
  TokenList(const Layout &layout, llvm::StringRef source) {
    tokens.reserve(layout.tokens.size());
    for (const parse::Token &token : layout.tokens)
      tokens.emplace_back(token, tokens.size(), source);
  }

  /// The token of that number, or the last token if there are fewer.
  const ListedToken &at(size_t i) const {
    return tokens[std::min(i, tokens.size() - 1)];
  }

  void consume() override { position += position + 1 < tokens.size(); }
  size_t LA(ssize_t i) override { return LT(i)->getType(); }
  antlr4::Token *LT(ssize_t k) override {
    size_t target = k > 0 ? position + k - 1 : position + k;
    if (k < 0 && position < static_cast<size_t>(-k))
      target = 0;
    return &tokens[std::min(target, tokens.size() - 1)];
  }
  antlr4::Token *get(size_t index) const override {
    return const_cast<ListedToken *>(&at(index));
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return position; }
  void seek(size_t index) override {
    position = std::min(index, tokens.size() - 1);
  }
  size_t size() override { return tokens.size(); }
  std::string getSourceName() const override { return ""; }
  antlr4::TokenSource *getTokenSource() const override { return nullptr; }

  // The text of a range is never requested.
  std::string getText(const antlr4::misc::Interval &) override { return ""; }
  std::string getText() override { return ""; }
  std::string getText(antlr4::RuleContext *) override { return ""; }
  std::string getText(antlr4::Token *, antlr4::Token *) override { return ""; }

private:
  std::vector<ListedToken> tokens;
  size_t position = 0;
};

} // namespace chi::parse
#endif // CHI_PARSE_TOKENLIST_H
