//===- Examples.cpp - What examples in docstrings print -------------------===//
#include "chirt/failure/Failure.h"
#include "chirt/text/Output.h"

using namespace chirt;

namespace {
/// Takes the next line off `rest`, without spaces at its end.
std::string_view nextLine(std::string_view &rest) {
  size_t end = rest.find('\n');
  std::string_view line = slice(rest, 0, end);
  rest = end == rest.npos ? std::string_view() : slice(rest, end + 1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r'))
    line = slice(line, 0, line.size() - 1);
  return line;
}

/// The lines without spaces at their ends; `<BLANKLINE>` is an empty one.
Text tidied(std::string_view text) {
  Text out;
  while (!text.empty()) {
    std::string_view line = nextLine(text);
    out << (line == "<BLANKLINE>" ? std::string_view() : line) << '\n';
  }
  return out;
}

/// Whether `text` is `pattern`, in which `...` stands for any text.
bool fits(std::string_view text, std::string_view pattern) {
  size_t dots = pattern.find("...");
  if (dots == pattern.npos)
    return text == pattern;
  std::string_view head = slice(pattern, 0, dots);
  if (slice(text, 0, dots) != head)
    return false;
  text = slice(text, dots), pattern = slice(pattern, dots + 3);
  while ((dots = pattern.find("...")) != pattern.npos) {
    std::string_view part = slice(pattern, 0, dots);
    size_t at = text.find(part);
    if (at == text.npos)
      return false;
    text = slice(text, at + part.size());
    pattern = slice(pattern, dots + 3);
  }
  return text.size() >= pattern.size() &&
         slice(text, text.size() - pattern.size()) == pattern;
}

/// "`4.0`"; several lines follow, indented.
void quote(Text &out, std::string_view text) {
  size_t end = text.find('\n');
  if (text.empty())
    out << " nothing";
  else if (end + 1 == text.size())
    out << " `" << slice(text, 0, end) << '`';
  else
    while (!text.empty())
      out << "\n    " << nextLine(text);
}

bool compare(const chirt_site *site, std::string_view expected) {
  Text printed = tidied(takeCapture());
  Text wanted = tidied(expected);
  if (fits(printed, wanted))
    return true;
  Text message;
  message << "the example prints";
  quote(message, printed);
  message << (printed.view().find('\n') + 1 < printed.size() ? "\n" : ", ")
          << "not";
  quote(message, wanted);
  return failAt(site, UserFault, "%s", message.c_str());
}
} // namespace

void chirt_example_begin(void) { beginCapture(); }

void chirt_example_end(const chirt_site *site, const char *expected) {
  chirt_sync();
  if (!compare(site, expected ? expected : ""))
    leave();
}
