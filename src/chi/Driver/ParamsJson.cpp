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

/// A default as its type has it: a number, a bool, an array of the numbers of a
/// vec. What is written otherwise, as an expression, is text.
static void printDefault(llvm::json::OStream &json,
                         const sema::ParamSummary &param) {
  std::string scalar;
  int64_t count = 1;
  llvm::StringRef text = llvm::StringRef(param.defaultText).trim();
  bool isKnown = sweep::readType(param.type, scalar, count);
  if (!isKnown || scalar == "str")
    return json.value(llvm::json::fixUTF8(text));
  if (scalar == "bool" && (text == "True" || text == "False"))
    return json.value(text == "True");
  // Numbers, and vecs of them, are written as JSON has them.
  if (auto read = llvm::json::parse(text)) {
    bool isNumber = read->getAsNumber().has_value();
    auto *array = read->getAsArray();
    bool isVec = array && int64_t(array->size()) == count &&
                 llvm::all_of(*array, [](const llvm::json::Value &each) {
                   return each.getAsNumber().has_value();
                 });
    if (isNumber || isVec)
      return json.rawValue(text);
  } else {
    llvm::consumeError(read.takeError());
  }
  printValue(json, param, param.defaultText);
}

void chi::driver::printParamsJson(llvm::ArrayRef<sema::ParamSummary> params,
                                  llvm::raw_ostream &out) {
  llvm::json::OStream json(out, 2);
  json.array([&] {
    for (const sema::ParamSummary &p : params)
      json.object([&] {
        json.attribute("name", p.name);
        json.attribute("type", p.type);
        json.attributeBegin("default");
        printDefault(json, p);
        json.attributeEnd();
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
