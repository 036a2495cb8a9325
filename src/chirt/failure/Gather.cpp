//===- Gather.cpp - Text gathered piece by piece --------------------------===//
#include "chirt/failure/Gather.h"

#include "chirt/support/ThreadEnd.h"
#include "chirt/text/Element.h"
#include "chirt/text/Format.h"
#include "chirt/text/Output.h"
#include "chirt/text/Str.h"

namespace chirt {

namespace {
/// The buffer of a thread, made at its first use; it goes with the thread.
thread_local constinit Text *gathered = nullptr;

void dropGathered(void *) {
  gathered->~Text();
  free(gathered);
  gathered = nullptr;
}
} // namespace

Text &gatheredText() {
  if (!gathered) [[unlikely]] {
    void *memory = malloc(sizeof(Text));
    if (!memory)
      outOfMemory();
    gathered = new (memory) Text();
    atThreadEnd(dropGathered, nullptr);
  }
  return *gathered;
}

} // namespace chirt

using namespace chirt;

namespace {
/// The compiler checks constant specs; a wrong one means the default.
FormatSpec specOf(const char *text) {
  FormatSpec spec;
  if (text && *text && !parseFormatSpec(text, spec))
    return FormatSpec();
  return spec;
}
} // namespace

void chirt_fmt_text(const char *text, int64_t length) {
  gatheredText() << std::string_view(text, size_t(length));
}

void chirt_fmt_value(int32_t dtype, int32_t rank, int32_t rows, int32_t columns,
                     const void *values, const char *spec) {
  formatValue(gatheredText(), dtype, rank, rows, columns, values, specOf(spec));
}

void chirt_fmt_str(const char *text, const char *spec) {
  formatText(gatheredText(), text ? text : "", specOf(spec));
}

void chirt_fmt_print(void) {
  chirt_sync(); // earlier failures are reported first
  writeOut(gatheredText());
  gatheredText().clear();
}

const char *chirt_fmt_take(void) {
  const char *text = makeStr(gatheredText());
  gatheredText().clear();
  return text;
}

int32_t chirt_str_equal(const char *a, const char *b) {
  return a == b || strcmp(a ? a : "", b ? b : "") == 0;
}

int32_t chirt_str_compare(const char *a, const char *b) {
  int order = strcmp(a ? a : "", b ? b : "");
  return (order > 0) - (order < 0);
}
