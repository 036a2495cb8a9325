//===- Linear.cpp - Sums of symbols with integer factors ------------------===//
#include "chi/Analysis/Linear.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
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
  Linear sum = *this;
  auto c = addScaled(constant, other.constant, factor);
  if (!c)
    return std::nullopt;
  sum.constant = *c;
  for (const Term &term : other.terms) {
    Term *known = llvm::find_if(
        sum.terms, [&](const Term &t) { return t.symbol == term.symbol; });
    bool isNew = known == sum.terms.end();
    auto f = addScaled(isNew ? 0 : known->factor, term.factor, factor);
    // The number without a negative is left out: users take absolute values.
    if (!f || *f == INT64_MIN)
      return std::nullopt;
    if (isNew && *f != 0)
      sum.terms.push_back({term.symbol, *f});
    else if (!isNew && *f != 0)
      known->factor = *f;
    else if (!isNew)
      sum.terms.erase(known);
  }
  if (sum.terms.size() > kMaxTerms)
    return std::nullopt;
  return sum;
}

bool Linear::operator==(const Linear &other) const {
  return constant == other.constant && terms.size() == other.terms.size() &&
         llvm::all_of(terms, [&](const Term &term) {
           return other.factorOf(term.symbol) == term.factor;
         });
}

uint64_t Linear::hash() const {
  uint64_t sum = llvm::hash_value(constant);
  for (const Term &term : terms)
    sum += llvm::hash_combine(term.factor, term.symbol.axis,
                              term.symbol.value.getAsOpaquePointer());
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
