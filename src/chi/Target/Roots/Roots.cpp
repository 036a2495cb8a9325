//===- Roots.cpp - Divisors that are roots --------------------------------===//

#include "chi/Target/Roots/Roots.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using chi::target::roots::Root;

/// The operand of a root that may be approximated; null if it is none.
static Value *rootOf(Value *value) {
  Value *x = nullptr;
  if (!match(value, m_Sqrt(m_Value(x))) ||
      !cast<FPMathOperator>(value)->hasApproxFunc())
    return nullptr;
  return x;
}

Root chi::target::roots::findRoot(Value *divisor) {
  if (Value *x = rootOf(divisor))
    return {x, false, nullptr};
  Value *a = nullptr, *b = nullptr;
  if (!match(divisor, m_FMul(m_Value(a), m_Value(b))))
    return {};
  for (auto [root, other] : {std::pair(a, b), std::pair(b, a)})
    if (Value *x = rootOf(root)) {
      bool isCubed = x == other ||
                     match(other, m_FMul(m_Specific(root), m_Specific(root)));
      return {x, isCubed, isCubed ? nullptr : other};
    }
  return {};
}
