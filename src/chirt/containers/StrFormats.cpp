//===- StrFormats.cpp - Values by formats of the run time -----------------===//
#include "chirt/containers/Points.h"
#include "chirt/failure/Failure.h"
#include "chirt/text/Format.h"
#include "chirt/text/Str.h"

namespace chirt {

/// Raises if the text is no format, or none for such values: `types` are the
/// letters of those that it may have.
static FormatSpec specOf(const chirt_site *site, const char *text,
                         std::string_view types) {
  FormatSpec spec;
  bool isOne = parseFormatSpec(text ? text : "", spec) &&
               (spec.type == 0 || types.find(spec.type) != types.npos);
  if (isOne)
    return spec;
  failAt(site, UserFault, "`%s` is no format of this value", text ? text : "");
  leave();
}

} // namespace chirt

using namespace chirt;

const char *chirt_format_float(const chirt_site *site, double value,
                               int32_t dtype, const char *text) {
  FormatSpec spec = specOf(site, text, "eEfFgG%");
  Text out;
  formatFloat(out, value, dtype, spec);
  return makeStr(out);
}

const char *chirt_format_integer(const chirt_site *site, int64_t value,
                                 int32_t dtype, const char *text) {
  FormatSpec spec = specOf(site, text, "bdoxXneEfFgG%");
  Text out;
  formatScalar(out, dtype, &value, spec);
  return makeStr(out);
}

const char *chirt_format_str(const chirt_site *site, const char *text,
                             const char *format) {
  FormatSpec spec = specOf(site, format, "s");
  Text out;
  formatText(out, viewOf(text), spec);
  return makeStr(out);
}
