//===- TapePlan.cpp - The loops that a tape met ---------------------------===//
#include "chirt/budget/TapePlan.h"

namespace chirt {

/// Marks of one loop have sites of their own in the interpreter.
static bool areSame(const chirt_site *a, const chirt_site *b) {
  return a == b || (a && b && a->line == b->line && a->column == b->column &&
                    !strcmp(a->file, b->file));
}

size_t TapePlan::find(const chirt_site *site) {
  if (latest < loops.size() && areSame(loops[latest].site, site))
    return latest;
  for (latest = 0; latest < loops.size(); ++latest)
    if (areSame(loops[latest].site, site))
      return latest;
  loops.push({site, 0, 0});
  return latest;
}

} // namespace chirt
