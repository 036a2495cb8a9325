//===- StrNumbers.cpp - Numbers that strs spell ---------------------------===//
#include "chirt/containers/Points.h"
#include "chirt/failure/Failure.h"
#include "chirt/params/Value.h"
#include "chirt/text/Element.h"
#include <cstdio>

namespace chirt {

/// Without the space around it, and without a plus.
static std::string_view trimmed(const char *text) {
  std::string_view all = viewOf(text);
  while (!all.empty() && isSpacePoint(pointOf(all)))
    all = slice(all, pointSize(all));
  while (!all.empty() && static_cast<unsigned char>(all.back()) <= 32)
    all.remove_suffix(1);
  bool hasPlus = all.size() > 1 && all[0] == '+' && all[1] != '-';
  return slice(all, hasPlus);
}

[[noreturn]] static void refuse(const chirt_site *site, const char *text,
                                const char *what) {
  failAt(site, UserFault, "cannot read `%s` as %s", text ? text : "", what);
  leave();
}

} // namespace chirt

using namespace chirt;

int64_t chirt_str_integer(const chirt_site *site, const char *text,
                          int32_t dtype) {
  ParamScalar scalar;
  if (parseScalar(trimmed(text), dtype, scalar))
    return scalar.integer;
  char what[32];
  snprintf(what, sizeof(what), "an %s", dtypeName(dtype));
  if (dtypeName(dtype)[0] == 'u')
    snprintf(what, sizeof(what), "a %s", dtypeName(dtype));
  refuse(site, text, what);
}

double chirt_str_float(const chirt_site *site, const char *text) {
  ParamScalar scalar;
  if (parseScalar(trimmed(text), CHIRT_F64, scalar))
    return scalar.real;
  refuse(site, text, "a float");
}
