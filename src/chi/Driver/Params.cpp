//===- Params.cpp - The program's own command line ------------------------===//
// The same words as in the run time (chirt/core/Params.cpp), which binds the
// parameters of what is compiled already.
//
#include "chi/Driver/Frontend.h"
#include "chirt/host.h"
#include <algorithm>

using namespace chi;
using namespace chi::driver;

/// "n-grid" as the program writes it: "n_grid".
static std::string paramName(llvm::StringRef flag) {
  std::string name = flag.str();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

static std::string flagName(llvm::StringRef param) {
  std::string flag = param.str();
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

static std::string rangeText(const sema::ParamSummary &param) {
  if (!param.low.empty())
    return "in [" + param.low + ", " + param.high + "]";
  std::string text;
  for (const std::string &choice : param.choices)
    text += (text.empty() ? "in {" : ", ") + choice;
  return text.empty() ? "" : text + "}";
}

/// " (i32 in [1, 10], number of bodies)"
static std::string facts(const sema::ParamSummary &param) {
  std::string text = " (" + param.type;
  if (std::string range = rangeText(param); !range.empty())
    text += " " + range;
  if (!param.doc.empty())
    text += ", " + param.doc;
  return text + ")";
}

namespace {
/// Sorts the words of a command line.
class Binder {
public:
  Binder(llvm::ArrayRef<sema::ParamSummary> params,
         const char *const *otherFlags,
         std::map<std::string, std::string> &values)
      : params(params), otherFlags(otherFlags), values(values) {}

  bool read(llvm::ArrayRef<std::string> args);
  std::string error;

private:
  const sema::ParamSummary *find(llvm::StringRef name) const;
  bool failUnknown(llvm::StringRef name);
  bool readFlag(llvm::ArrayRef<std::string> args, size_t &at);

  llvm::ArrayRef<sema::ParamSummary> params;
  const char *const *otherFlags;
  std::map<std::string, std::string> &values;
};
} // namespace

const sema::ParamSummary *Binder::find(llvm::StringRef name) const {
  for (const sema::ParamSummary &param : params)
    if (param.name == name)
      return &param;
  return nullptr;
}

bool Binder::failUnknown(llvm::StringRef name) {
  if (const char *instead = chirt_later_flag(name.str().c_str())) {
    error = "`--" + name.str() + "` is not supported yet: " + instead;
    return false;
  }
  error = "there is no parameter `--" + name.str() + "`";
  std::string nearest;
  unsigned best = name.size() <= 3 ? 2 : 4;
  auto consider = [&](const std::string &flag) {
    if (unsigned d = name.edit_distance(flag, true, best); d < best) {
      best = d;
      nearest = flag;
    }
  };
  for (const sema::ParamSummary &param : params)
    consider(flagName(param.name));
  for (const char *const *flag = otherFlags; flag && *flag; ++flag)
    consider(*flag);
  if (!nearest.empty())
    error += "; did you mean `--" + nearest + "`?";
  else
    error +=
        params.empty() ? "; this program has none" : "; `--help` lists them";
  return false;
}

static bool looksLikeFlag(llvm::StringRef word) {
  return word.starts_with("--");
}

bool Binder::readFlag(llvm::ArrayRef<std::string> args, size_t &at) {
  llvm::StringRef word = llvm::StringRef(args[at]).drop_front(2);
  auto [flag, text] = word.split('=');
  std::string name = paramName(flag);
  const sema::ParamSummary *param = find(name);
  bool isNegated = false;
  if (!param && llvm::StringRef(name).starts_with("no_")) {
    param = find(name.substr(3));
    isNegated = param && param->type == "bool";
    if (!isNegated)
      param = nullptr;
  }
  if (!param)
    return failUnknown(flag);
  std::string &value = values[param->name];
  bool isFollowed = at + 1 < args.size() && !looksLikeFlag(args[at + 1]);
  if (word.contains('=')) {
    value = text.str();
  } else if (param->type == "bool") {
    value = isNegated ? "false" : "true";
    if (!isNegated && isFollowed)
      value = args[++at];
  } else if (isFollowed) {
    value = args[++at];
  } else {
    error = "parameter `" + param->name + "` needs a value" + facts(*param);
    return false;
  }
  return true;
}

bool Binder::read(llvm::ArrayRef<std::string> args) {
  for (size_t at = 0; at < args.size(); ++at) {
    if (!looksLikeFlag(args[at])) {
      error =
          "`" + args[at] + "` is no parameter; they are given as --name value";
      return false;
    }
    if (!readFlag(args, at))
      return false;
  }
  return true;
}

bool chi::driver::bindParams(llvm::StringRef file,
                             llvm::ArrayRef<std::string> args,
                             llvm::ArrayRef<sema::ParamSummary> params,
                             std::map<std::string, std::string> &values,
                             llvm::raw_ostream &err,
                             const char *const *otherFlags) {
  Binder binder(params, otherFlags, values);
  if (binder.read(args))
    return true;
  err << displayName(file) << ": error: " << binder.error << "\n";
  return false;
}

void chi::driver::printParams(llvm::ArrayRef<sema::ParamSummary> params,
                              llvm::raw_ostream &out) {
  if (params.empty()) {
    out << "The program has no parameters.\n";
    return;
  }
  out << "parameters:\n";
  for (const sema::ParamSummary &param : params) {
    std::string name = flagName(param.name);
    std::string flag = "  --" + name;
    flag += param.type == "bool" ? ", --no-" + name : " " + param.type;
    out << flag;
    out.indent(flag.size() < 28 ? 28 - flag.size() : 1);
    if (!param.doc.empty())
      out << param.doc << " ";
    if (std::string range = rangeText(param); !range.empty())
      out << range << " ";
    out << "(default: " << param.defaultText << ")\n";
  }
}
