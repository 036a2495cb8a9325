//===- LiteralRange.cpp - Float literals that their precision cannot hold -===//
// A literal may get a wider precision after its first one ([Inf.2]), so this
// looks at what a body has in the end.
#include "chi/Sema/Build/Build.h"
#include "llvm/ADT/StringExtras.h"

using namespace chi;
using namespace chi::sema;

bool sema::reportTooLarge(const Builder &build, const Expr *expr) {
  bool found = false;
  llvm::SmallVector<Expr *> work = {const_cast<Expr *>(expr)};
  while (!work.empty()) {
    Expr *next = work.pop_back_val();
    auto *literal = llvm::dyn_cast<LiteralExpr>(next);
    if (literal && static_cast<ExactLiteral *>(literal)->isTooLarge) {
      llvm::StringRef text = build.sources.text(next->range);
      bool isNumber = text.find_if_not([](char c) {
        return llvm::isHexDigit(c) || llvm::StringRef("-+._").contains(c);
      }) == text.npos &&
                      text.find_first_of("0123456789") <= 1;
      build.diags
          .report(next->range, diag::LiteralOutOfRange,
                  isNumber ? text.str() : "`" + text.str() + "`",
                  next->type->str())
          .send();
      found = true;
    }
    forEachOperand(next, [&](Expr *&operand) { work.push_back(operand); });
  }
  return found;
}

void sema::reportTooLarge(const Builder &build, const Body &body) {
  forEachExpr(body, [&](const Expr *expr) { reportTooLarge(build, expr); });
}
