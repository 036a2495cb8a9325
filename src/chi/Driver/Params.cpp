//===- Params.cpp - The program's own command line
//--------------------------===//
#include "chi/Driver/Frontend.h"
#include <algorithm>

using namespace chi;
using namespace chi::driver;

/// "--n-grid" as the program writes it: "n_grid".
static std::string paramName(llvm::StringRef flag) {
  std::string name = flag.str();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

static std::string flagName(llvm::StringRef param) {
  std::string flag = "--" + param.str();
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

static void reportUnknown(llvm::StringRef arg, llvm::StringRef name,
                          llvm::ArrayRef<sema::ParamSummary> params,
                          llvm::raw_ostream &err) {
  err << "chic: the program has no parameter '" << arg << "'";
  const sema::ParamSummary *nearest = nullptr;
  unsigned best = 3; // more than two letters off is another word
  for (const sema::ParamSummary &p : params)
    if (unsigned d = name.edit_distance(p.name, true, best); d < best) {
      best = d;
      nearest = &p;
    }
  if (nearest)
    err << "; did you mean '" << flagName(nearest->name) << "'?";
  else if (params.empty())
    err << "; it has none";
  err << "\n";
}

bool chi::driver::bindParams(llvm::ArrayRef<std::string> args,
                             llvm::ArrayRef<sema::ParamSummary> params,
                             std::map<std::string, std::string> &values,
                             llvm::raw_ostream &err) {
  auto find = [&](const std::string &name) -> const sema::ParamSummary * {
    for (const sema::ParamSummary &p : params)
      if (p.name == name)
        return &p;
    return nullptr;
  };
  for (size_t i = 0; i < args.size(); ++i) {
    llvm::StringRef arg = args[i];
    if (!arg.consume_front("--")) {
      err << "chic: unexpected argument '" << arg
          << "'; parameters are given as --name VALUE\n";
      return false;
    }
    auto [flag, text] = arg.split('=');
    bool hasText = arg.contains('=');
    std::string name = paramName(flag);
    const sema::ParamSummary *param = find(name);
    if (!param && llvm::StringRef(name).starts_with("no_"))
      if ((param = find(name.substr(3))) && param->type == "bool" && !hasText) {
        values[param->name] = "false";
        continue;
      }
    if (!param || (param->type != "bool" && name != param->name)) {
      reportUnknown(args[i], name, params, err);
      return false;
    }
    if (hasText) {
      values[name] = text.str();
    } else if (param->type == "bool") {
      values[name] = "true";
    } else if (i + 1 < args.size()) {
      values[name] = args[++i];
    } else {
      err << "chic: parameter '" << args[i] << "' (" << param->type
          << ") needs a value\n";
      return false;
    }
  }
  return true;
}

void chi::driver::printParams(llvm::ArrayRef<sema::ParamSummary> params,
                              llvm::raw_ostream &out) {
  if (params.empty()) {
    out << "The program has no parameters.\n";
    return;
  }
  for (const sema::ParamSummary &p : params) {
    std::string left = "  " + flagName(p.name) + " " + p.type;
    out << left;
    out.indent(left.size() < 26 ? 26 - left.size() : 2);
    out << p.doc << (p.doc.empty() ? "" : "; ");
    out << "default " << p.defaultText;
    if (!p.low.empty())
      out << ", in [" << p.low << ", " << p.high << "]";
    if (!p.choices.empty()) {
      out << ", one of";
      for (const std::string &choice : p.choices)
        out << " " << choice;
    }
    out << "\n";
  }
}
