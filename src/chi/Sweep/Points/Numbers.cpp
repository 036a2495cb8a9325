//===- Numbers.cpp - Numbers as texts of values ---------------------------===//
#include "chi/Sweep/Points/Numbers.h"
#include "chi/Params/Params.h"
#include <charconv>

using namespace chi;

std::optional<double> sweep::readNumber(llvm::StringRef text) {
  std::string problem;
  auto scalars = params::readValue(text.trim(), "f64", 1, problem);
  if (!scalars)
    return std::nullopt;
  return scalars->front().real;
}

std::string sweep::exactText(double value) {
  char text[64];
  char *end = std::to_chars(text, text + sizeof(text), value).ptr;
  return std::string(text, end);
}

std::string sweep::roundedText(double value) {
  char text[64];
  char *end = std::to_chars(text, text + sizeof(text), value,
                            std::chars_format::general, /*precision=*/12)
                  .ptr;
  double rounded = value;
  std::from_chars(text, end, rounded);
  return exactText(rounded == 0 ? 0 : rounded); // without the sign of a zero
}

std::vector<std::string> sweep::splitList(llvm::StringRef text) {
  std::vector<std::string> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    char c = at < text.size() ? text[at] : ',';
    depth += c == '[' || c == '(';
    depth -= c == ']' || c == ')';
    if (c != ',' || (depth > 0 && at < text.size()))
      continue;
    parts.push_back(text.slice(begin, at).trim().str());
    begin = at + 1;
  }
  return parts;
}
