//===- ParamsJson.cpp - Params for programs that run this one -------------===//
// What `EXE --params-json` prints: an array of objects with the same members as
// `chic params --json` of the source.
//===----------------------------------------------------------------------===//
#include "chirt/params/Value.h"
#include "chirt/program/Params.h"
#include "chirt/text/Element.h"
#include "chirt/text/Format.h"
#include "chirt/text/Json.h"

namespace chirt {

namespace {
/// A number as its type has it; JSON has neither NaN nor infinities.
void appendNumber(Text &out, double value, int32_t dtype) {
  if (value - value != 0)
    out << (value != value ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"");
  else if (!isFloatType(dtype) && value >= -9e18 && value <= 9e18)
    out << static_cast<long long>(value);
  else
    formatFloat(out, value, CHIRT_F64, FormatSpec());
}

void appendChoice(Text &out, const chirt_param &param, const char *choice) {
  ParamScalar scalar;
  bool isNumber = param.dtype != CHIRT_STR && param.dtype != CHIRT_BOOL &&
                  parseScalar(choice, param.dtype, scalar);
  if (isNumber)
    appendNumber(
        out, isFloatType(param.dtype) ? scalar.real : double(scalar.integer),
        param.dtype);
  else
    appendJsonText(out, choice);
}

void appendMember(Text &out, const char *name, std::string_view text) {
  out << "    \"" << name << "\": ";
  appendJsonText(out, text);
}

void appendParam(Text &out, const chirt_param &param, const ParamFacts &facts) {
  out << "  {\n";
  appendMember(out, "name", facts.name);
  appendMember(out << ",\n", "type", facts.type);
  appendMember(out << ",\n", "default", facts.defaultText);
  appendMember(out << ",\n", "doc", facts.doc);
  if (facts.fixed.data())
    appendMember(out << ",\n", "fixed", facts.fixed);
  if (param.has_range) {
    appendNumber(out << ",\n    \"range\": [\n      ", param.low, param.dtype);
    appendNumber(out << ",\n      ", param.high, param.dtype);
    out << "\n    ]";
  }
  if (param.choices && param.choices[0]) {
    out << ",\n    \"choices\": [\n      ";
    for (int k = 0; param.choices[k]; ++k) {
      out << (k ? ",\n      " : "");
      appendChoice(out, param, param.choices[k]);
    }
    out << "\n    ]";
  }
  out << "\n  }";
}
} // namespace

void appendParamsJson(Text &out, const chirt_program *program) {
  ParamTable table(program);
  out << '[';
  for (size_t k = 0; k < table.size(); ++k) {
    out << (k ? ",\n" : "\n");
    appendParam(out, program->params[k], table.data()[k]);
  }
  out << (table.size() ? "\n" : "") << "]\n";
}

} // namespace chirt
