//===- Records.cpp - Texts that tasks leave to the host -------------------===//
#include "chirt/failure/Failure.h"
#include "chirt/failure/Gather.h"
#include "chirt/text/Element.h"
#include "chirt/text/Format.h"
#include "chirt/text/Output.h"

namespace chirt {

namespace {
/// A raw word as the scalar that it was in memory.
void storeWord(int64_t word, int32_t dtype, char *to) {
  if (!isFloatType(dtype)) {
    memcpy(to, &word, size_t(scalarBytes(dtype)));
    return;
  }
  double value;
  memcpy(&value, &word, sizeof(value));
  castScalars(CHIRT_F64, &value, dtype, to, 1);
}

/// One value; returns what follows its words.
const int64_t *gatherValue(const chirt_format_part &part,
                           const int64_t *words) {
  if (part.choices) {
    bool isKnown = uint64_t(*words) < uint64_t(part.num_choices);
    chirt_fmt_str(part.choices[isKnown ? *words : 0], part.text);
    return words + 1;
  }
  if (part.dtype == CHIRT_STR) {
    chirt_fmt_str(reinterpret_cast<const char *>(*words), part.text);
    return words + 1;
  }
  int count = part.rows * part.columns, bytes = scalarBytes(part.dtype);
  Array<char> memory;
  memory.resize(size_t(count) * size_t(bytes));
  for (int k = 0; k < count; ++k)
    storeWord(words[k], part.dtype, memory.data() + k * bytes);
  chirt_fmt_value(part.dtype, part.rank, part.rows, part.columns, memory.data(),
                  part.text);
  return words + count;
}

void gatherFormat(const chirt_format &format, const int64_t *words) {
  for (int k = 0; k < format.num_parts; ++k) {
    const chirt_format_part &part = format.parts[k];
    if (part.dtype < 0)
      gatheredText() << std::string_view(part.text, size_t(part.rows));
    else
      words = gatherValue(part, words);
  }
}
} // namespace

void appendFormat(Text &out, const chirt_format &format, const int64_t *words) {
  // What the thread is gathering meanwhile goes on afterwards.
  size_t before = gatheredText().size();
  gatherFormat(format, words);
  out << slice(gatheredText(), before);
  gatheredText().truncate(before);
}

} // namespace chirt

using namespace chirt;

void chirt_print_record(const chirt_unit *unit, int32_t format,
                        const int64_t *words) {
  Text out;
  appendFormat(out, unit->formats[format], words);
  writeOut(out);
}
