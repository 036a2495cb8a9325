//===- Params.cpp - The program's own command line ------------------------===//
// The run time's own functions (chirt/params) parse the arguments, before
// anything is compiled.
//===----------------------------------------------------------------------===//
#include "chi/Params/Params.h"
#include "chi/Driver/Compile/Frontend.h"
#include "chirt/params/Flags.h"

using namespace chi;
using namespace chi::driver;

namespace {
/// The declarations, in the form that is shared with the run time.
struct Facts {
  explicit Facts(llvm::ArrayRef<sema::ParamSummary> summaries) {
    for (const sema::ParamSummary &param : summaries)
      domains.push_back(
          params::domainText(param.low, param.high, param.choices));
    for (auto [param, domain] : llvm::zip(summaries, domains)) {
      chirt::ParamFacts one;
      one.name = param.name;
      one.type = param.type;
      one.domain = domain;
      one.doc = param.doc;
      one.defaultText = param.defaultText;
      all.push_back(one);
    }
  }

  std::vector<std::string> domains;
  std::vector<chirt::ParamFacts> all;
};
} // namespace

bool chi::driver::bindParams(llvm::StringRef file,
                             llvm::ArrayRef<std::string> args,
                             llvm::ArrayRef<sema::ParamSummary> params,
                             std::map<std::string, std::string> &values,
                             llvm::raw_ostream &err,
                             const char *const *otherFlags) {
  Facts facts(params);
  chirt::ParamFlags flags(facts.all.data(), facts.all.size(), otherFlags);
  std::vector<const char *> words;
  for (const std::string &arg : args)
    words.push_back(arg.c_str());
  if (!flags.read(int(words.size()), words.data(), /*takesHelp=*/false)) {
    err << displayName(file) << ": error: " << flags.message() << "\n";
    return false;
  }
  for (size_t k = 0; k < params.size(); ++k)
    if (std::string_view value = flags.value(k); value.data())
      values[params[k].name] = std::string(value);
  return true;
}

void chi::driver::printParams(llvm::ArrayRef<sema::ParamSummary> params,
                              llvm::raw_ostream &out) {
  if (params.empty()) {
    out << "The program has no parameters.\n";
    return;
  }
  Facts facts(params);
  chirt::Text text;
  chirt::appendParamHelp(text, facts.all.data(), facts.all.size());
  out << text.view();
}
