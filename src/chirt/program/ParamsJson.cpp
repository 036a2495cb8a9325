//===- ParamsJson.cpp - Params for programs that run this one -------------===//
// What `EXE --params-json` prints: an array of objects with the same members as
// `chic params --json` of the source.
//===----------------------------------------------------------------------===//
#include "chirt/params/Value.h"
#include "chirt/program/Params.h"
#include "chirt/text/Element.h"
#include "chirt/text/Format.h"

namespace chirt {

namespace {
/// A text of UTF-8 in quotes.
void appendQuoted(Text &out, std::string_view text) {
  out << '"';
  for (char c : text) {
    if (c == '"' || c == '\\')
      out << '\\' << c;
    else if (c == '\n')
      out << "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      out.appendf("\\u%04x", c);
    else
      out << c;
  }
  out << '"';
}

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
    appendQuoted(out, choice);
}

void appendMember(Text &out, const char *name, std::string_view text) {
  out << "    \"" << name << "\": ";
  appendQuoted(out, text);
}

/// Whether a text is a number as JSON has it.
bool isJsonNumber(std::string_view text) {
  auto digits = [&] {
    size_t count = 0;
    for (; count < text.size() && text[count] >= '0' && text[count] <= '9';)
      ++count;
    bool startsAtZero = count > 1 && text[0] == '0';
    text.remove_prefix(count);
    return startsAtZero ? 0 : count;
  };
  auto take = [&](std::string_view letters) {
    bool isThere = !text.empty() && letters.find(text[0]) != letters.npos;
    text.remove_prefix(isThere);
    return isThere;
  };
  take("-");
  if (!digits())
    return false;
  auto someDigits = [&] {
    size_t before = text.size();
    while (!text.empty() && text[0] >= '0' && text[0] <= '9')
      text.remove_prefix(1);
    return text.size() < before;
  };
  if (take(".") && !someDigits())
    return false;
  if (take("eE")) {
    take("+-");
    if (!someDigits())
      return false;
  }
  return text.empty();
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

/// Whether a text is a vec of such numbers in brackets.
bool isJsonVec(std::string_view text, int32_t components) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']')
    return false;
  text = text.substr(1, text.size() - 2);
  int32_t count = 1;
  for (size_t comma; (comma = text.find(',')) != text.npos; ++count) {
    if (!isJsonNumber(trimmed(text.substr(0, comma))))
      return false;
    text.remove_prefix(comma + 1);
  }
  return isJsonNumber(trimmed(text)) && count == components;
}

/// A default as its type has it; what is written as an expression is text.
void appendDefault(Text &out, const chirt_param &param, std::string_view text) {
  std::string_view value = trimmed(text);
  out << ",\n    \"default\": ";
  bool isBool = param.dtype == CHIRT_BOOL;
  if (isBool && (value == "True" || value == "False"))
    out << (value == "True" ? "true" : "false");
  else if (param.dtype != CHIRT_STR && !isBool &&
           (isJsonNumber(value) || isJsonVec(value, param.components)))
    out << value;
  else if (param.dtype != CHIRT_STR && !isBool && param.components == 1 &&
           param.default_text)
    appendChoice(out, param, param.default_text);
  else
    appendQuoted(out, text);
}

void appendParam(Text &out, const chirt_param &param, const ParamFacts &facts) {
  out << "  {\n";
  appendMember(out, "name", facts.name);
  appendMember(out << ",\n", "type", facts.type);
  appendDefault(out, param, facts.defaultText);
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
