//===- Params.cpp ---------------------------------------------------------===//
#include "chirt/core/Params.h"

#include "chirt/core/Element.h"
#include "chirt/core/Format.h"
#include "chirt/core/ParamValue.h"
#include "chirt/host.h"

namespace chirt {

bool flagEquals(std::string_view flag, std::string_view name) {
  if (flag.size() != name.size())
    return false;
  for (size_t i = 0; i < flag.size(); ++i)
    if ((flag[i] == '-' ? '_' : flag[i]) != (name[i] == '-' ? '_' : name[i]))
      return false;
  return true;
}

namespace {
/// A bound of a range, as a user writes it.
void appendNumber(Text &out, double value, int32_t dtype) {
  bool isWhole = !isFloatType(dtype) && value >= -9e18 && value <= 9e18;
  if (isWhole)
    out << static_cast<long long>(value);
  else
    formatFloat(out, value, CHIRT_F64, FormatSpec());
}

void appendRange(Text &out, const chirt_param &param) {
  if (param.has_range) {
    out << '[';
    appendNumber(out, param.low, param.dtype);
    out << ", ";
    appendNumber(out, param.high, param.dtype);
    out << ']';
  } else if (param.choices) {
    out << '{';
    for (int k = 0; param.choices[k]; ++k)
      out << (k ? ", " : "") << param.choices[k];
    out << '}';
  }
}

bool startsWith(std::string_view text, std::string_view start) {
  return slice(text, 0, start.size()) == start;
}

/// Whether an argument is a flag and not a negative number.
bool looksLikeFlag(const char *text) {
  return text[0] == '-' && text[1] == '-' && text[2] != '\0';
}

/// Within [low, high], where a bound may round to the param's own precision.
bool isWithin(const chirt_param &param, double value) {
  if (param.dtype == CHIRT_F32)
    return float(value) >= float(param.low) &&
           float(value) <= float(param.high);
  return value >= param.low && value <= param.high;
}
} // namespace

ParamBinder::ParamBinder(const chirt_program *program) : program(program) {
  values.resize(size_t(program->num_params));
}

const chirt_param *ParamBinder::find(std::string_view name) const {
  for (int k = 0; k < program->num_params; ++k)
    if (flagEquals(name, program->params[k].name))
      return &program->params[k];
  return nullptr;
}

namespace {
struct LaterFlag {
  const char *name, *instead;
};
constexpr LaterFlag laterFlags[] = {
    {"deterministic", "sums over whole loops are the same in every run "
                      "already; `--threads=1` makes all others so"},
    {"math", "Chi's own elementary functions are always used; "
             "`--float=strict` keeps the rest as written"},
    {"device", "there is one, the cpu; `--threads` says how much of it"},
    {"tape-memory", "it comes with differentiation"},
};
} // namespace

bool ParamBinder::failUnknown(std::string_view name, const char *const *known) {
  for (const LaterFlag &flag : laterFlags)
    if (flagEquals(name, flag.name)) {
      error << "`--" << flag.name << "` is not supported yet: " << flag.instead;
      return false;
    }
  error << "there is no parameter `--" << name << '`';
  std::string_view best;
  int least = name.size() <= 3 ? 2 : 4;
  auto consider = [&](std::string_view candidate) {
    int distance = editDistance(name, candidate);
    if (distance < least)
      least = distance, best = candidate;
  };
  for (int k = 0; k < program->num_params; ++k)
    consider(program->params[k].name);
  for (; known && *known; ++known)
    consider(*known);
  if (!best.empty())
    error << "; did you mean `--" << best << "`?";
  else if (program->num_params == 0)
    error << "; this program has none";
  else
    error << "; `--help` lists them";
  return false;
}

/// " (i32 in [1, 10], number of bodies)"
void ParamBinder::appendFacts(const chirt_param &param) {
  error << " (";
  appendParamType(error, param);
  if (param.has_range || param.choices) {
    error << " in ";
    appendRange(error, param);
  }
  if (param.doc && *param.doc)
    error << ", " << param.doc;
  error << ')';
}

bool ParamBinder::failValue(const chirt_param &param, std::string_view value,
                            const char *before) {
  error << "parameter `" << param.name << "`: `" << value << "` " << before;
  // "is no u8 (u8)" would say it twice.
  bool namesType =
      startsWith(before, "is no ") || startsWith(before, "does not fit in ");
  bool hasMore = param.has_range || param.choices || (param.doc && *param.doc);
  if (hasMore || !namesType)
    appendFacts(param);
  return false;
}

bool ParamBinder::readFlag(std::string_view flag, const char *const *argv,
                           int argc, int &at, const char *const *known) {
  size_t equals = flag.find('=');
  std::string_view name = slice(flag, 0, equals);
  const chirt_param *param = find(name);
  bool isNegated = false;
  if (!param && (startsWith(name, "no-") || startsWith(name, "no_"))) {
    param = find(slice(name, 3));
    isNegated = param && param->dtype == CHIRT_BOOL && equals == flag.npos;
    param = isNegated ? param : nullptr;
  }
  if (!param)
    return failUnknown(name, known);
  std::string_view &value = values[size_t(param - program->params)];
  if (equals != flag.npos) {
    value = slice(flag, equals + 1);
  } else if (param->dtype == CHIRT_BOOL) {
    ParamScalar next;
    value = isNegated ? "false" : "true";
    if (!isNegated && at + 1 < argc && !looksLikeFlag(argv[at + 1]) &&
        parseScalar(argv[at + 1], CHIRT_BOOL, next))
      value = argv[++at];
  } else if (at + 1 < argc && !looksLikeFlag(argv[at + 1])) {
    value = argv[++at];
  } else {
    error << "parameter `" << param->name << "` needs a value";
    appendFacts(*param);
    return false;
  }
  return true;
}

bool ParamBinder::read(int argc, const char *const *argv,
                       const char *const *known) {
  for (int at = 0; at < argc; ++at) {
    std::string_view word = argv[at];
    if (word == "--help" || word == "-h") {
      isHelpWanted = true;
      continue;
    }
    if (!looksLikeFlag(argv[at])) {
      error << "`" << word
            << "` is no parameter; they are given as --name value";
      return false;
    }
    if (!readFlag(slice(word, 2), argv, argc, at, known))
      return false;
  }
  return true;
}

namespace {
/// A whole number, of any size.
bool isWhole(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  if (!text.empty() && (text.front() == '-' || text.front() == '+'))
    text.remove_prefix(1);
  for (char c : text)
    if ((c < '0' || c > '9') && c != '_' && c != ' ')
      return false;
  return !text.empty();
}
} // namespace

bool ParamBinder::assign(const chirt_param &param, std::string_view value) {
  Array<std::string_view> parts;
  parts.resize(size_t(param.components));
  int given = 1;
  if (param.components == 1)
    parts[0] = value;
  else
    given = splitComponents(value, parts.data(), param.components);
  if (given != param.components) {
    Text words;
    words << "has " << given << " component" << (given == 1 ? "" : "s")
          << ", not " << param.components;
    return failValue(param, value, words.c_str());
  }
  for (int c = 0; c < param.components; ++c) {
    ParamScalar scalar;
    if (!parseScalar(parts[size_t(c)], param.dtype, scalar)) {
      bool isTooLarge = !isFloatType(param.dtype) &&
                        param.dtype != CHIRT_BOOL && isWhole(parts[size_t(c)]);
      Text words;
      words << (isTooLarge ? "does not fit in " : "is no ")
            << dtypeName(param.dtype);
      return failValue(param, value, words.c_str());
    }
    // Of the value as written: a float may round to a bound.
    if (param.has_range && !isWithin(param, scalar.real))
      return failValue(param, value, "is outside its range");
    storeScalar(scalar, param.dtype, param.storage[c]);
  }
  return true;
}

bool ParamBinder::isChoice(const chirt_param &param) const {
  ParamScalar value = readScalar(param.dtype, param.storage[0]);
  for (int k = 0; param.choices[k]; ++k) {
    ParamScalar choice;
    if (!parseScalar(param.choices[k], param.dtype, choice))
      continue;
    if (param.dtype == CHIRT_STR   ? choice.text == value.text
        : isFloatType(param.dtype) ? float(choice.real) == float(value.real)
                                   : choice.integer == value.integer)
      return true;
  }
  return false;
}

/// Checks what the param holds now.
bool ParamBinder::check(const chirt_param &param, bool isGiven) {
  Text shown;
  bool isFine = true;
  for (int c = 0; c < param.components; ++c) {
    ParamScalar value = readScalar(param.dtype, param.storage[c]);
    shown << (c ? "," : "");
    formatScalar(shown, param.dtype, param.storage[c], FormatSpec());
    isFine &= !param.has_range || isWithin(param, value.real);
  }
  if (!isFine)
    return failValue(param, shown,
                     isGiven ? "is outside its range"
                             : "is its default and outside its range");
  if (param.choices && param.components == 1 && !isChoice(param))
    return failValue(param, shown,
                     isGiven ? "is none of its choices"
                             : "is its default and none of its choices");
  return true;
}

namespace {
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
        !parseScalar(right[c], param.dtype, y) || x.integer != y.integer ||
        x.real != y.real)
      return false;
  }
  return true;
}
} // namespace

bool ParamBinder::store() {
  for (int k = 0; k < program->num_params; ++k) {
    const chirt_param &param = program->params[k];
    std::string_view value = values[size_t(k)];
    bool isGiven = value.data() != nullptr;
    if (param.fixed_text) {
      if (isGiven && !meansTheSame(param, value, param.fixed_text)) {
        error << "parameter `" << param.name << "` was fixed to "
              << param.fixed_text << " when this program was built";
        return false;
      }
      value = param.fixed_text;
    }
    if (value.data()) {
      if (!assign(param, value))
        return false;
    } else if (param.set_default) {
      param.set_default();
    }
    if (!check(param, isGiven))
      return false;
  }
  return true;
}

void appendParamHelp(Text &out, const chirt_program *program) {
  if (program->num_params == 0)
    return;
  out << "parameters:\n";
  for (int k = 0; k < program->num_params; ++k) {
    const chirt_param &param = program->params[k];
    Text name, flag;
    for (const char *c = param.name; *c; ++c)
      name << (*c == '_' ? '-' : *c);
    flag << "  --" << name;
    if (param.dtype == CHIRT_BOOL) {
      flag << ", --no-" << name;
    } else {
      flag << ' ';
      appendParamType(flag, param);
    }
    out << flag;
    out.fill(' ', flag.size() < 28 ? 28 - flag.size() : 1);
    if (param.doc && *param.doc)
      out << param.doc << ' ';
    if (param.has_range || param.choices) {
      out << "in ";
      appendRange(out, param);
      out << ' ';
    }
    if (param.fixed_text)
      out << "(fixed: " << param.fixed_text << ")\n";
    else
      out << "(default: " << (param.default_text ? param.default_text : "?")
          << ")\n";
  }
}

} // namespace chirt

const char *const chirt_run_flags[] = {
    "arch",     "threads",   "seed",         "profile",     "specialize",
    "no-cache", "time",      "strict-types", "default-int", "default-float",
    "float",    "unchecked", "check",        "color",       "diagnostics",
    "help",     nullptr};

const char *chirt_later_flag(const char *name) {
  for (const chirt::LaterFlag &flag : chirt::laterFlags)
    if (chirt::flagEquals(name, flag.name))
      return flag.instead;
  return nullptr;
}
