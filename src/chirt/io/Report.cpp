//===- Report.cpp - report(): name = value lines --------------------------===//
#include "chirt/chirt.h"
#include "chirt/failure/Gather.h"
#include "chirt/text/Output.h"

using namespace chirt;

namespace {
/// Takes the text up to the next line end off `text`.
std::string_view takeLine(std::string_view &text) {
  size_t end = text.find('\n');
  std::string_view line = slice(text, 0, end);
  text = end == text.npos ? std::string_view() : slice(text, end + 1);
  return line;
}
} // namespace

void chirt_report(const char *names) {
  chirt_sync();
  Text out;
  std::string_view left = names, values = gatheredText();
  while (!left.empty()) {
    out << takeLine(left) << " = ";
    out << takeLine(values) << '\n';
  }
  writeOut(out);
  gatheredText().clear();
}
