//===- Linear.cpp - Sums of symbols with integer factors ------------------===//
#include "chi/Analysis/Linear.h"

#include "llvm/Support/MathExtras.h"

using namespace chi::analysis;

/// More terms than an index of a program has; longer sums cost time only.
static constexpr size_t kMaxTerms = 8;

int64_t Linear::factorOf(Symbol symbol) const {
  for (const Term &term : terms)
    if (term.symbol == symbol)
      return term.factor;
  return 0;
}

/// a + factor · b, or nothing.
static std::optional<int64_t> addScaled(int64_t a, int64_t b, int64_t factor) {
  int64_t product, sum;
  if (llvm::MulOverflow(b, factor, product) ||
      llvm::AddOverflow(a, product, sum))
    return std::nullopt;
  return sum;
}

std::optional<Linear> Linear::plus(const Linear &other, int64_t factor) const {
  Linear sum;
  auto c = addScaled(constant, other.constant, factor);
  if (!c)
    return std::nullopt;
  sum.constant = *c;
  auto a = terms.begin(), b = other.terms.begin();
  while (a != terms.end() || b != other.terms.end()) {
    bool fromA = b == other.terms.end() ||
                 (a != terms.end() && !(b->symbol < a->symbol));
    bool fromB = a == terms.end() ||
                 (b != other.terms.end() && !(a->symbol < b->symbol));
    auto f = addScaled(fromA ? a->factor : 0, fromB ? b->factor : 0, factor);
    // The number without a negative is left out: users take absolute values.
    if (!f || *f == INT64_MIN)
      return std::nullopt;
    if (*f != 0)
      sum.terms.push_back({fromA ? a->symbol : b->symbol, *f});
    if (fromA)
      ++a;
    if (fromB)
      ++b;
  }
  if (sum.terms.size() > kMaxTerms)
    return std::nullopt;
  return sum;
}

std::optional<Linear> Linear::substitute(Symbol symbol,
                                         const Linear &by) const {
  int64_t factor = factorOf(symbol);
  if (factor == 0)
    return *this;
  auto without = plus(Linear(symbol), -factor);
  if (!without)
    return std::nullopt;
  return without->plus(by, factor);
}
