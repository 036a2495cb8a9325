//===- Params.cpp - Binding params to flags -------------------------------===//
#include "chirt/program/Params.h"

#include "chirt/host.h"
#include "chirt/params/Domain.h"
#include "chirt/text/Element.h"
#include "chirt/text/Format.h"
#include "chirt/text/Str.h"

namespace chirt {

namespace {
/// A bound of a range, as a user writes it.
void appendNumber(Text &out, double value, int32_t dtype) {
  bool isWhole = !isFloatType(dtype) && value >= -9e18 && value <= 9e18;
  if (isWhole)
    out << static_cast<long long>(value);
  else
    formatFloat(out, value, CHIRT_F64, FormatSpec());
}

void appendDomainOf(Text &out, const chirt_param &param) {
  Text low, high;
  if (param.has_range) {
    appendNumber(low, param.low, param.dtype);
    appendNumber(high, param.high, param.dtype);
  }
  appendDomain(out, low, high, param.choices);
}

bool isInRange(const chirt_param &param, double value) {
  return !param.has_range ||
         isWithin(param.dtype, value, param.low, param.high);
}

void appendType(Text &out, const chirt_param &param) {
  if (param.components == 1)
    out << dtypeName(param.dtype);
  else
    out << "vec(" << param.components << ", " << dtypeName(param.dtype) << ')';
}

/// Stores it where a param of that type lives.
void storeScalar(const ParamScalar &scalar, int32_t dtype, void *storage) {
  if (dtype == CHIRT_STR) {
    const char *old, *text = makeStr(scalar.text);
    memcpy(&old, storage, sizeof(old));
    memcpy(storage, &text, sizeof(text));
    chirt_str_release(old); // of an earlier run of a library's program
    return;
  }
  withType(dtype, [&](auto value) {
    using T = decltype(value);
    if constexpr (isShortFloat<T>)
      value = shortFloat<T>(float(scalar.real));
    else if constexpr (std::is_floating_point_v<T>)
      value = T(scalar.real);
    else
      value = T(scalar.integer);
    memcpy(storage, &value, sizeof(value));
  });
}

/// Reads back what a param holds.
ParamScalar readScalar(int32_t dtype, const void *storage) {
  ParamScalar scalar;
  if (dtype == CHIRT_STR) {
    const char *text;
    memcpy(&text, storage, sizeof(text));
    scalar.text = text ? text : "";
    return scalar;
  }
  scalar.real = scalarAsDouble(dtype, storage);
  withType(dtype, [&](auto value) {
    memcpy(&value, storage, sizeof(value));
    scalar.integer = int64_t(number(value));
  });
  return scalar;
}

bool isChoice(const chirt_param &param) {
  ParamScalar value = readScalar(param.dtype, param.storage[0]);
  for (int k = 0; param.choices[k]; ++k) {
    ParamScalar choice;
    if (parseScalar(param.choices[k], param.dtype, choice) &&
        isSameScalar(param.dtype, choice, value))
      return true;
  }
  return false;
}

/// Whether two texts mean the same value of the param's type.
bool meansTheSame(const chirt_param &param, std::string_view a,
                  std::string_view b) {
  constexpr int most = 16;
  std::string_view left[most] = {a}, right[most] = {b};
  if (a == b)
    return true;
  int count = param.components;
  if (count > most)
    return false;
  if (count > 1 && (splitComponents(a, left, most) != count ||
                    splitComponents(b, right, most) != count))
    return false;
  for (int c = 0; c < count; ++c) {
    ParamScalar x, y;
    if (param.dtype == CHIRT_STR || !parseScalar(left[c], param.dtype, x) ||
        !parseScalar(right[c], param.dtype, y) ||
        !isSameScalar(param.dtype, x, y))
      return false;
  }
  return true;
}
} // namespace

ParamTable::ParamTable(const chirt_program *program) {
  Array<size_t> ends; // of types and domains, one behind the other
  for (int k = 0; k < program->num_params; ++k) {
    appendType(texts, program->params[k]);
    ends.push(texts.size());
    appendDomainOf(texts, program->params[k]);
    ends.push(texts.size());
  }
  size_t from = 0;
  for (int k = 0; k < program->num_params; ++k) {
    const chirt_param &param = program->params[k];
    size_t type = ends[size_t(2 * k)], domain = ends[size_t(2 * k + 1)];
    ParamFacts one;
    one.name = param.name;
    one.type = slice(texts, from, type - from);
    one.domain = slice(texts, type, domain - type);
    one.doc = param.doc ? param.doc : "";
    one.defaultText = param.default_text ? param.default_text : "?";
    if (param.fixed_text)
      one.fixed = param.fixed_text;
    facts.push(one);
    from = domain;
  }
}

bool ParamBinder::failValue(size_t number, std::string_view value,
                            const char *problem, bool namesType) {
  const ParamFacts &param = table.data()[number];
  error << "parameter `" << param.name << "`: `" << value << "` " << problem;
  // "is no u8 (u8)" would say it twice.
  if (!param.domain.empty() || !param.doc.empty() || !namesType)
    appendFacts(error, param);
  return false;
}

bool ParamBinder::read(int argc, const char *const *argv) {
  return flags.read(argc, argv, /*takesHelp=*/true);
}

/// A nan or inf is rarely meant, and often a slip far from where it shows. Of
/// the value as it is stored: 1e39 is an inf in f32.
void ParamBinder::warnOfNumber(size_t number, std::string_view value,
                               int32_t component) {
  const chirt_param &param = program->params[number];
  if (param.has_range || param.choices || !isFloatType(param.dtype))
    return;
  const void *stored = param.storage[component];
  double real = scalarAsDouble(param.dtype, stored);
  if (real - real == 0)
    return;
  Text shown;
  formatScalar(shown, param.dtype, stored, FormatSpec());
  oddities << "parameter `" << param.name << "`: ";
  if (value != shown.view())
    oddities << '`' << value << "` is " << shown << " in "
             << dtypeName(param.dtype);
  else
    oddities << "it is " << shown;
  oddities << ", and it has no range that refuses that\n";
}

bool ParamBinder::assign(size_t number, std::string_view value, bool isGiven) {
  const chirt_param &param = program->params[number];
  Array<ParamScalar> scalars;
  scalars.resize(size_t(param.components));
  if (ValueProblem problem =
          parseValue(value, param.dtype, param.components, scalars.data())) {
    Text words;
    appendProblem(words, problem, param.dtype, param.components);
    return failValue(number, value, words.c_str(),
                     problem.kind != ValueProblem::WrongCount);
  }
  for (int c = 0; c < param.components; ++c) {
    const ParamScalar &scalar = scalars[size_t(c)];
    // Of the value as written: a float may round to a bound.
    if (!isInRange(param, scalar.real))
      return failValue(number, value, "is outside its range", false);
    double before = readScalar(param.dtype, param.storage[c]).real;
    storeScalar(scalar, param.dtype, param.storage[c]);
    // What the program has as its default is meant, also if it is compiled in;
    // where that is inf or nan such values are.
    if (isGiven && before - before == 0)
      warnOfNumber(number, scalar.text, c);
  }
  return true;
}

/// Checks what the param holds now.
bool ParamBinder::check(size_t number, bool isGiven) {
  const chirt_param &param = program->params[number];
  Text shown;
  bool isFine = true;
  for (int c = 0; c < param.components; ++c) {
    ParamScalar value = readScalar(param.dtype, param.storage[c]);
    shown << (c ? "," : "");
    formatScalar(shown, param.dtype, param.storage[c], FormatSpec());
    isFine &= isInRange(param, value.real);
  }
  if (!isFine)
    return failValue(number, shown,
                     isGiven ? "is outside its range"
                             : "is its default and outside its range",
                     false);
  if (param.choices && param.components == 1 && !isChoice(param))
    return failValue(number, shown,
                     isGiven ? "is not one of its choices"
                             : "is its default and not one of its choices",
                     false);
  return true;
}

bool ParamBinder::store() {
  for (size_t k = 0; k < table.size(); ++k) {
    const chirt_param &param = program->params[k];
    std::string_view value = flags.value(k);
    bool isGiven = value.data() != nullptr;
    if (param.fixed_text) {
      if (isGiven && !meansTheSame(param, value, param.fixed_text)) {
        error << "parameter `" << param.name << "` was fixed to "
              << param.fixed_text << " when this program was built";
        return false;
      }
      if (!isGiven)
        value = param.fixed_text;
    }
    if (value.data()) {
      if (!assign(k, value, isGiven))
        return false;
    } else if (param.set_default) {
      param.set_default();
    }
    if (!check(k, isGiven))
      return false;
  }
  return true;
}

} // namespace chirt

const char *const chirt_run_flags[] = {
    "arch",          "threads",      "seed",        "profile",
    "specialize",    "no-cache",     "time",        "time-limit",
    "progress",      "strict-types", "default-int", "default-float",
    "float",         "math",         "unchecked",   "check",
    "deterministic", "color",        "diagnostics", "compile-only",
    "help",          "checkpoint",   "every",       "resume",
    "resume-anyway", "allow-change", "provenance",  "tape-memory",
    nullptr};

const char *chirt_later_flag(const char *name) {
  return chirt::laterFlag(name);
}
