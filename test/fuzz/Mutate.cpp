//===- Mutate.cpp - Programs with something wrong -------------------------===//
#include "Random.h"
#include <algorithm>

using namespace chi::fuzz;

static std::vector<std::string> splitLines(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

static std::string joinLines(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

/// Words that a program may hold anywhere, whole or not.
static std::string token(Random &random) {
  return random.pick({"for",     "if",       "while",
                      "def",     "@kernel",  "return",
                      "break",   "continue", "else",
                      "elif",    "param",    "const",
                      "test",    "import",   "from",
                      "in",      "not",      "and",
                      "or",      "static",   "range",
                      "ndrange", "serial",   "field",
                      "vec2",    "mat2",     "i32",
                      "u8",      "f64",      "bool",
                      "str",     "None",     "True",
                      "x",       "n",        "i",
                      "0",       "1",        "-1",
                      "1e400",   "0x",       "9999999999999999999",
                      "1_0",     "1.",       "\"",
                      "f\"{",    "}\"",      "'",
                      "\"\"\"",  "(",        ")",
                      "[",       "]",        "{",
                      "}",       ":",        ",",
                      ".",       ";",        "=",
                      "==",      "+=",       "//=",
                      "**",      "@",        "->",
                      "%",       "<<",       "~",
                      "\\",      "#",        "\t",
                      "\n",      "    ",     "\r",
                      "$",       "?",        "lambda",
                      "yield",   "del",      "class",
                      "with",    "Tape",     "raise",
                      "try",     "global",   "async",
                      "é",       "𝜋"});
}

static std::string badBytes(Random &random) {
  return random.pick({"\xff", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\x01",
                      "\x7f", "\xf4\x90\x80\x80"}) +
         std::string(random.chance(20), '\0');
}

static std::string number(Random &random) {
  return random.pick({"0", "-1", "2147483647", "-2147483648", "4294967296",
                      "9223372036854775807", "1e308", "1e-45", "0.0", "255",
                      "1000000", "17"});
}

/// Where some word of `text` stands; an empty range if there is none.
static std::pair<size_t, size_t> someWord(const std::string &text,
                                          Random &random) {
  auto isWord = [](char c) {
    return std::isalnum((unsigned char)c) || c == '_';
  };
  size_t at = random.below(text.size());
  while (at < text.size() && !isWord(text[at]))
    ++at;
  while (at > 0 && at <= text.size() && isWord(text[at - 1]))
    --at;
  size_t end = at;
  while (end < text.size() && isWord(text[end]))
    ++end;
  return {at, end - at};
}

static void changeLines(std::string &text, Random &random) {
  std::vector<std::string> lines = splitLines(text);
  size_t a = random.below(lines.size()), b = random.below(lines.size());
  switch (random.below(6)) {
  case 0:
    lines.erase(lines.begin() + a);
    break;
  case 1:
    lines.insert(lines.begin() + a, std::string(lines[b]));
    break;
  case 2:
    std::swap(lines[a], lines[b]);
    break;
  case 3:
    lines[a] = random.pick({" ", "    ", "        ", "\t"}) + lines[a];
    break;
  case 4:
    lines[a].erase(0, std::min(lines[a].size(), 4 * (1 + random.below(2))));
    break;
  case 5: {
    size_t count = std::min(random.below(12), lines.size() - a);
    lines.erase(lines.begin() + a, lines.begin() + a + count);
    break;
  }
  }
  text = joinLines(lines);
}

static void changeOnce(std::string &text,
                       const std::vector<std::string> &corpus, Random &random) {
  size_t at = random.below(text.size() + 1);
  auto [word, length] = someWord(text, random);
  switch (random.below(10)) {
  case 0:
    text.insert(at, token(random));
    break;
  case 1:
    text.insert(at, " " + token(random) + " ");
    break;
  case 2:
    text.erase(at, 1 + random.below(8));
    break;
  case 3:
    text.replace(word, length, token(random));
    break;
  case 4:
    text.replace(word, length, number(random));
    break;
  case 5: { // one word for another of the program
    auto [other, size] = someWord(text, random);
    text.replace(word, length, text.substr(other, size));
    break;
  }
  case 6:
    text.insert(at, badBytes(random));
    break;
  case 7: { // a piece of another program
    const std::string &other = random.pick(corpus);
    text.insert(
        at, other.substr(random.below(other.size() + 1), random.below(200)));
    break;
  }
  default:
    changeLines(text, random);
    break;
  }
}

std::string chi::fuzz::mutate(const std::vector<std::string> &corpus,
                              Random &random) {
  std::string text = random.pick(corpus);
  for (size_t count = 1 + random.below(4); count > 0; --count)
    changeOnce(text, corpus, random);
  return text;
}
