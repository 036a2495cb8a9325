//===- Interval.cpp - Closed ranges of integers ---------------------------===//
#include "chi/Analysis/Interval.h"

#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace chi::analysis;

Interval Interval::full(unsigned width) {
  if (width == 1)
    return {0, 1};
  if (width == 0 || width >= 64) // 0: a value that is no integer
    return {INT64_MIN, INT64_MAX};
  int64_t top = int64_t(1) << (width - 1);
  return {-top, top - 1};
}

bool chi::analysis::fits(Wide lo, Wide hi, unsigned width) {
  Interval all = Interval::full(width);
  return lo >= all.lo && hi <= all.hi;
}

Interval Interval::wrapping(Wide lo, Wide hi, unsigned width) {
  if (!fits(lo, hi, width))
    return full(width);
  return {static_cast<int64_t>(lo), static_cast<int64_t>(hi)};
}

Interval Interval::clamped(Wide lo, Wide hi, unsigned width) {
  Interval all = full(width);
  auto cut = [&](Wide v) {
    return static_cast<int64_t>(
        std::clamp<Wide>(v, Wide(all.lo), Wide(all.hi)));
  };
  return {cut(lo), cut(hi)};
}

Interval Interval::join(const Interval &other) const {
  return {std::min(lo, other.lo), std::max(hi, other.hi)};
}

Interval Interval::meet(const Interval &other) const {
  Interval both{std::max(lo, other.lo), std::min(hi, other.hi)};
  return both.lo <= both.hi ? both : *this;
}

Interval chi::analysis::add(Interval a, Interval b, unsigned width) {
  return Interval::wrapping(Wide(a.lo) + b.lo, Wide(a.hi) + b.hi, width);
}

Interval chi::analysis::subtract(Interval a, Interval b, unsigned width) {
  return Interval::wrapping(Wide(a.lo) - b.hi, Wide(a.hi) - b.lo, width);
}

/// The hull of f over the four pairs of ends.
template <typename F>
static Interval hullOfCorners(Interval a, Interval b, unsigned width, F f) {
  Wide corners[] = {f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo),
                    f(a.hi, b.hi)};
  auto [lo, hi] = std::minmax_element(std::begin(corners), std::end(corners));
  return Interval::wrapping(*lo, *hi, width);
}

Interval chi::analysis::multiply(Interval a, Interval b, unsigned width) {
  return hullOfCorners(a, b, width, [](Wide x, Wide y) { return x * y; });
}

static bool mayBeZero(Interval b) { return b.lo <= 0 && b.hi >= 0; }

Interval chi::analysis::floorDivide(Interval a, Interval b, unsigned width) {
  if (mayBeZero(b))
    return Interval::full(width);
  return hullOfCorners(a, b, width, [](Wide x, Wide y) {
    Wide q = x / y;
    return x % y != 0 && (x < 0) != (y < 0) ? q - 1 : q;
  });
}

Interval chi::analysis::truncDivide(Interval a, Interval b, unsigned width) {
  if (mayBeZero(b))
    return Interval::full(width);
  return hullOfCorners(a, b, width, [](Wide x, Wide y) { return x / y; });
}

Interval chi::analysis::floorModulo(Interval a, Interval b, unsigned width) {
  if (b.lo > 0) {
    if (a.lo >= 0 && a.hi < b.lo)
      return a;
    return {0, a.lo >= 0 ? std::min(a.hi, b.hi - 1) : b.hi - 1};
  }
  if (b.hi < 0)
    return {b.lo + 1, 0};
  return Interval::full(width);
}

Interval chi::analysis::truncRemainder(Interval a, Interval b,
                                       unsigned width) {
  if (mayBeZero(b) || b.lo == INT64_MIN)
    return Interval::full(width);
  int64_t most = std::max(std::abs(b.lo), std::abs(b.hi)) - 1;
  Interval r{a.lo < 0 ? -most : 0, a.hi > 0 ? most : 0};
  // The remainder is never further from zero than the dividend.
  return r.meet({std::min<int64_t>(a.lo, 0), std::max<int64_t>(a.hi, 0)});
}

Interval chi::analysis::bitAnd(Interval a, Interval b, unsigned width) {
  if (a.lo < 0 && b.lo < 0)
    return Interval::full(width);
  if (a.lo >= 0 && b.lo >= 0)
    return {0, std::min(a.hi, b.hi)};
  return {0, a.lo >= 0 ? a.hi : b.hi};
}

Interval chi::analysis::bitOr(Interval a, Interval b, unsigned width) {
  if (a.lo < 0 || b.lo < 0)
    return Interval::full(width);
  uint64_t top = std::max(a.hi, b.hi);
  uint64_t ones = top == 0 ? 0 : (~uint64_t(0) >> llvm::countl_zero(top));
  return {0, static_cast<int64_t>(ones)};
}
