//===- FormatCheck.cpp ----------------------------------------------------===//
#include "FormatCheck.h"
#include "chi/AST/Context.h"
#include "chi/Format/Format.h"
#include "chi/Parse/Parse.h"
#include "chi/Parse/Tokens.h"
#include <algorithm>

using namespace chi;
using parse::TokenClass;

/// Of a comment its letters, of a string its text without carriage returns.
static std::string wordOf(const parse::Token &token, std::string text) {
  std::erase(text, '\r');
  if (token.tokenClass == TokenClass::Comment)
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  return text;
}

/// The tokens that are not layout, in their order, comments at the end.
static std::vector<std::string> wordsOf(const std::string &text) {
  SourceFiles sources;
  DiagnosticEngine diags;
  uint32_t file = sources.add("a.chi", text);
  std::vector<std::string> words, comments;
  for (const parse::Token &token : parse::tokenize(sources, file, diags)) {
    switch (token.tokenClass) {
    case TokenClass::Newline:
    case TokenClass::Indent:
    case TokenClass::Dedent:
    case TokenClass::LineJoin:
    case TokenClass::End:
      continue;
    default:
      break;
    }
    std::string word =
        wordOf(token, sources.text(file).slice(token.begin, token.end).str());
    (token.tokenClass == TokenClass::Comment ? comments : words)
        .push_back(std::move(word));
  }
  words.insert(words.end(), comments.begin(), comments.end());
  return words;
}

static std::optional<std::string> formatted(const std::string &text) {
  SourceFiles sources;
  DiagnosticEngine diags;
  return format::formatSource(sources, sources.add("a.chi", text), diags);
}

bool chi::fuzz::keepsFormat(const std::string &text) {
  SourceFiles sources;
  DiagnosticEngine diags;
  ast::Context context;
  if (!parse::parseModule(sources, sources.add("a.chi", text), context, diags))
    return !formatted(text);
  auto once = formatted(text);
  return once && wordsOf(*once) == wordsOf(text) && formatted(*once) == once;
}
