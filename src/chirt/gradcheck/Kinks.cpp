//===- Kinks.cpp ----------------------------------------------------------===//
#include "chirt/gradcheck/Kinks.h"

namespace chirt {

namespace {
/// What was recorded for one place of the source. Texts are copies: the program
/// is unloaded when they are read.
struct Kink {
  int32_t tape, line;
  int64_t count;
  char *what, *file;
};

[[clang::no_destroy]] constinit Array<Kink> theKinks;

/// More places of a tape are not listed.
constexpr int mostListed = 6;
} // namespace

static const char *textOf(const char *text) { return text ? text : ""; }

void forgetKinks() {
  for (Kink &kink : theKinks)
    free(kink.what), free(kink.file);
  theKinks.clear();
}

void noteKink(const chirt_site *site, int32_t tape) {
  for (Kink &kink : theKinks)
    if (kink.tape == tape && kink.line == site->line &&
        strcmp(kink.what, textOf(site->what)) == 0 &&
        strcmp(kink.file, textOf(site->file)) == 0) {
      ++kink.count;
      return;
    }
  theKinks.push({tape, site->line, 1, strdup(textOf(site->what)),
                 strdup(textOf(site->file))});
}

static void appendKink(Text &out, const Kink &kink) {
  bool isWord = strchr(kink.what, ' ') != nullptr;
  out << (isWord ? "" : "`") << kink.what << (isWord ? "" : "`") << " at "
      << kink.file << ':' << kink.line;
  if (kink.count > 1)
    out << " (" << kink.count << " times)";
}

bool appendKinks(Text &out, int32_t tape) {
  int listed = 0, left = 0;
  for (const Kink &kink : theKinks) {
    if (kink.tape != tape)
      continue;
    if (listed == mostListed) {
      ++left;
      continue;
    }
    out << (listed++ ? ", " : "");
    appendKink(out, kink);
  }
  if (left)
    out << ", and " << left << " more";
  return listed > 0;
}

} // namespace chirt
