//===- Flags.cpp - Params as flags ----------------------------------------===//
#include "chirt/params/Flags.h"

#include "chirt/params/Value.h"

namespace chirt {

namespace {
/// A dash in a flag stands for an underscore in a name.
bool isSame(char a, char b) {
  return (a == '-' ? '_' : a) == (b == '-' ? '_' : b);
}
} // namespace

bool flagEquals(std::string_view flag, std::string_view name) {
  if (flag.size() != name.size())
    return false;
  for (size_t i = 0; i < flag.size(); ++i)
    if (!isSame(flag[i], name[i]))
      return false;
  return true;
}

int editDistance(std::string_view a, std::string_view b) {
  constexpr size_t most = 64;
  if (a.size() > most || b.size() > most)
    return int(most);
  int row[most + 1];
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = int(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = int(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      int changed = diagonal + !isSame(a[i - 1], b[j - 1]);
      diagonal = row[j];
      int other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      row[j] = changed < other ? changed : other;
    }
  }
  return row[b.size()];
}

namespace {
struct LaterFlag {
  const char *name, *instead;
};
constexpr LaterFlag laterFlags[] = {
    {"deterministic", "`chic build --deterministic` makes such a program"},
    {"tape-memory", "`chic run` and `memory=` of a tape take it"},
};
} // namespace

const char *laterFlag(std::string_view name) {
  for (const LaterFlag &flag : laterFlags)
    if (flagEquals(name, flag.name))
      return flag.instead;
  return nullptr;
}

namespace {
bool startsWith(std::string_view text, std::string_view start) {
  return slice(text, 0, start.size()) == start;
}

/// Whether an argument is a flag and not a negative number.
bool looksLikeFlag(const char *text) {
  return text[0] == '-' && text[1] == '-' && text[2] != '\0';
}
} // namespace

const ParamFacts *ParamFlags::find(std::string_view name) const {
  for (size_t k = 0; k < count; ++k)
    if (flagEquals(name, params[k].name))
      return &params[k];
  return nullptr;
}

namespace {
/// "n-grid" for n_grid.
Text &appendFlag(Text &out, std::string_view name) {
  for (char c : name)
    out << (c == '_' ? '-' : c);
  return out;
}
} // namespace

bool ParamFlags::failUnknown(std::string_view name) {
  if (const char *instead = laterFlag(name)) {
    error << "`--" << name << "` is not an option here: " << instead;
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
  for (size_t k = 0; k < count; ++k)
    consider(params[k].name);
  for (const char *const *flag = others; flag && *flag; ++flag)
    consider(*flag);
  if (least == 0) // the verb or the executable does not take it
    error << "; a flag of `chic run` has that name";
  else if (!best.empty())
    appendFlag(error << "; did you mean `--", best) << "`?";
  else if (count == 0)
    error << "; this program has none";
  else
    error << "; `--help` lists them";
  return false;
}

void appendFacts(Text &out, const ParamFacts &param) {
  out << " (" << param.type;
  if (!param.domain.empty())
    out << " in " << param.domain;
  if (!param.doc.empty())
    out << ", " << param.doc;
  out << ')';
}

/// The param of a flag without its dashes; null if there is none.
const ParamFacts *ParamFlags::findFlag(std::string_view flag,
                                       bool &isNegated) const {
  size_t equals = flag.find('=');
  std::string_view name = slice(flag, 0, equals);
  const ParamFacts *param = find(name);
  isNegated = false;
  if (!param && (startsWith(name, "no-") || startsWith(name, "no_"))) {
    param = find(slice(name, 3));
    isNegated = param && param->isBool() && equals == flag.npos;
    param = isNegated ? param : nullptr;
  }
  return param;
}

bool ParamFlags::readFlag(std::string_view flag, const char *const *argv,
                          int argc, int &at) {
  size_t equals = flag.find('=');
  bool isNegated = false;
  const ParamFacts *param = findFlag(flag, isNegated);
  if (!param)
    return failUnknown(slice(flag, 0, equals));
  std::string_view &value = values[size_t(param - params)];
  if (equals != flag.npos) {
    value = slice(flag, equals + 1);
  } else if (param->isBool()) {
    ParamScalar next;
    value = isNegated ? "false" : "true";
    if (!isNegated && at + 1 < argc && !looksLikeFlag(argv[at + 1]) &&
        parseScalar(argv[at + 1], CHIRT_BOOL, next))
      value = argv[++at];
  } else if (at + 1 < argc && !looksLikeFlag(argv[at + 1])) {
    value = argv[++at];
  } else {
    error << "parameter `" << param->name << "` needs a value";
    appendFacts(error, *param);
    return false;
  }
  return true;
}

bool ParamFlags::read(int argc, const char *const *argv, bool takesHelp) {
  bool isBehind = false; // the word `--`
  argumentsBegin = argc;
  for (int at = 0; at < argc; ++at) {
    std::string_view word = argv[at];
    bool isNegated = false;
    if (isBehind &&
        (!looksLikeFlag(argv[at]) || !findFlag(slice(word, 2), isNegated))) {
      argumentsBegin = at + (word == "--");
      return true;
    }
    if (word == "--") {
      isBehind = true;
      continue;
    }
    if (takesHelp && (word == "--help" || word == "-h")) {
      isHelpWanted = true;
      continue;
    }
    if (!looksLikeFlag(argv[at])) {
      error << "`" << word
            << "` is not a parameter; write parameters as --name value";
      return false;
    }
    if (!readFlag(slice(word, 2), argv, argc, at))
      return false;
  }
  return true;
}

void appendParamHelp(Text &out, const ParamFacts *params, size_t count) {
  if (count == 0)
    return;
  out << "parameters:\n";
  for (const ParamFacts *param = params; param != params + count; ++param) {
    Text flag;
    appendFlag(flag << "  --", param->name);
    if (param->isBool())
      appendFlag(flag << ", --no-", param->name);
    else
      flag << ' ' << param->type;
    out << flag;
    out.fill(' ', flag.size() < 28 ? 28 - flag.size() : 1);
    if (!param->doc.empty())
      out << param->doc << ' ';
    if (!param->domain.empty())
      out << "in " << param->domain << ' ';
    if (param->fixed.data())
      out << "(fixed: " << param->fixed << ")\n";
    else
      out << "(default: " << param->defaultText << ")\n";
  }
}

} // namespace chirt
