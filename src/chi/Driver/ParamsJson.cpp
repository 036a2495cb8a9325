//===- ParamsJson.cpp - Params for other programs -------------------------===//
#include "chi/Driver/ParamsJson.h"
#include "chi/Launch/Files.h"
#include "chi/Params/Params.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Points/Numbers.h"
#include "chi/Sweep/Points/ParamFacts.h"
#include "chi/Sweep/Workers/Command.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace chi;
using namespace chi::driver;

/// A bound or a choice of a param.
static void printValue(llvm::json::OStream &json,
                       const sema::ParamSummary &param,
                       const std::string &text) {
  std::string scalar, problem;
  int64_t count = 1;
  bool isNumber = sweep::readType(param.type, scalar, count) &&
                  scalar != "str" && scalar != "bool";
  auto read =
      isNumber ? params::readValue(text, scalar, 1, problem) : std::nullopt;
  if (!read || !std::isfinite(read->front().real))
    json.value(llvm::json::fixUTF8(text));
  else if (scalar[0] == 'f' || scalar == "bf16")
    json.rawValue(sweep::exactText(read->front().real));
  else if (scalar[0] == 'u')
    json.value(uint64_t(read->front().integer));
  else
    json.value(read->front().integer);
}

void chi::driver::printParamsJson(llvm::ArrayRef<sema::ParamSummary> params,
                                  llvm::raw_ostream &out) {
  llvm::json::OStream json(out, 2);
  json.array([&] {
    for (const sema::ParamSummary &p : params)
      json.object([&] {
        json.attribute("name", p.name);
        json.attribute("type", p.type);
        json.attribute("default", p.defaultText);
        json.attribute("doc", p.doc);
        if (!p.low.empty())
          json.attributeArray("range", [&] {
            printValue(json, p, p.low);
            printValue(json, p, p.high);
          });
        if (!p.choices.empty())
          json.attributeArray("choices", [&] {
            for (const std::string &choice : p.choices)
              printValue(json, p, choice);
          });
      });
  });
  out << "\n";
}

llvm::Expected<std::vector<sema::ParamSummary>>
chi::driver::readParamSummaries(llvm::StringRef json) {
  auto read = sweep::readParams(json);
  if (!read)
    return read.takeError();
  std::vector<sema::ParamSummary> summaries;
  for (const sweep::ParamFacts &param : *read) {
    sema::ParamSummary summary;
    summary.name = param.name;
    summary.type = param.type;
    summary.defaultText = param.defaultText;
    summary.doc = param.doc;
    summary.low = param.low;
    summary.high = param.high;
    summary.choices = param.choices;
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

bool chi::driver::isExecutable(llvm::StringRef content) {
  return content.starts_with("\x7f"
                             "ELF") ||
         content.starts_with("#!");
}

llvm::Expected<std::string>
chi::driver::paramsOfExecutable(const std::string &path) {
  std::string absolute = launch::absolutePath(path);
  auto output = sweep::outputOf({absolute, "--params-json"});
  if (!output) {
    llvm::consumeError(output.takeError());
    return sweep::failure("'" + path +
                          "' does not print its parameters with "
                          "--params-json; it was not made by this version of "
                          "chic build");
  }
  if (auto read = sweep::readParams(*output); !read)
    return sweep::failure(
        "'" + path + "' --params-json: " + llvm::toString(read.takeError()));
  return output;
}
