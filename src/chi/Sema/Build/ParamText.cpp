//===- ParamText.cpp - Values as command lines give them ------------------===//
#include "chi/Sema/Build/Build.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <cstdlib>

using namespace chi;
using namespace chi::sema;

/// The shortest text that reads back as the number, in its precision.
static std::string shortestText(double value, bool isSingle) {
  std::string text;
  for (int digits = 1; digits <= 17; ++digits) {
    text.clear();
    llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, value);
    double read = std::strtod(text.c_str(), nullptr);
    if (read == value || (isSingle && float(read) == float(value)))
      break;
  }
  return text;
}

std::optional<std::string> sema::paramText(const Expr *value) {
  if (auto *text = llvm::dyn_cast<StringLiteralExpr>(value))
    return text->value;
  if (auto *splat = llvm::dyn_cast<SplatExpr>(value)) {
    std::string all;
    auto one = paramText(splat->operand);
    for (int64_t k = 0; one && k < value->type->numScalars(); ++k)
      all += (k ? "," : "") + *one;
    return one ? std::optional(all) : std::nullopt;
  }
  if (auto *construct = llvm::dyn_cast<ConstructExpr>(value)) {
    std::string all;
    for (const Expr *part : construct->parts) {
      auto text = paramText(part);
      if (!text)
        return std::nullopt;
      all += (all.empty() ? "" : ",") + *text;
    }
    return all;
  }
  auto *literal = llvm::dyn_cast<LiteralExpr>(value);
  if (!literal || isError(value))
    return std::nullopt;
  if (value->type->isBool())
    return literal->integer ? "true" : "false";
  if (value->type->isInt())
    return intText(static_cast<const ExactLiteral *>(literal)->exact);
  return shortestText(literal->real, value->type->bits == 32);
}
