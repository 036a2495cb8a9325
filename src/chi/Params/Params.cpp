//===- Params.cpp - Params as the run time reads them ---------------------===//
#include "chi/Params/Params.h"

#include "chirt/params/Domain.h"
#include "chirt/params/Flags.h"
#include "chirt/text/Element.h"

using namespace chi;

static chirt::ParamScalar scalarOf(const params::Scalar &scalar) {
  chirt::ParamScalar made;
  made.integer = scalar.integer;
  made.real = scalar.real;
  return made;
}

std::optional<std::vector<params::Scalar>>
params::readValue(llvm::StringRef text, llvm::StringRef type, int64_t count,
                  std::string &problem) {
  std::vector<chirt::ParamScalar> read(static_cast<size_t>(count));
  int32_t dtype = chirt::dtypeOfName(type);
  if (chirt::ValueProblem found =
          chirt::parseValue(text, dtype, int32_t(count), read.data())) {
    chirt::Text words;
    chirt::appendProblem(words, found, dtype, int32_t(count));
    problem = words.c_str();
    return std::nullopt;
  }
  std::vector<Scalar> scalars;
  for (const chirt::ParamScalar &scalar : read)
    scalars.push_back({scalar.integer, scalar.real});
  return scalars;
}

bool params::isWithin(llvm::StringRef type, double value, double low,
                      double high) {
  return chirt::isWithin(chirt::dtypeOfName(type), value, low, high);
}

bool params::isSame(llvm::StringRef type, const Scalar &a, const Scalar &b) {
  return chirt::isSameScalar(chirt::dtypeOfName(type), scalarOf(a),
                             scalarOf(b));
}

std::string params::domainText(llvm::StringRef low, llvm::StringRef high,
                               llvm::ArrayRef<std::string> choices) {
  std::vector<const char *> texts;
  for (const std::string &choice : choices)
    texts.push_back(choice.c_str());
  texts.push_back(nullptr);
  chirt::Text out;
  chirt::appendDomain(out, low, high, texts.data());
  return std::string(out.view());
}

std::string params::factsText(llvm::StringRef type, llvm::StringRef domain,
                              llvm::StringRef doc) {
  chirt::ParamFacts facts;
  facts.type = type;
  facts.domain = domain;
  facts.doc = doc;
  chirt::Text out;
  chirt::appendFacts(out, facts);
  return std::string(out.view());
}
