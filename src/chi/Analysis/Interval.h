//===- Interval.h - Closed ranges of integers -------------------*- C++ -*-===//
#ifndef CHI_ANALYSIS_INTERVAL_H
#define CHI_ANALYSIS_INTERVAL_H

#include <cstdint>
#include <optional>

namespace chi::analysis {

/// Wide enough for the sum and the product of any two 64-bit integers.
using Wide = __int128;

/// All integers from `lo` to `hi`, read as signed. Never empty: code that can
/// not be reached may have any interval.
struct Interval {
  int64_t lo = INT64_MIN;
  int64_t hi = INT64_MAX;

  /// Every signed value of `width` bits; 0 and 1 if `width` is 1, since an i1
  /// is a truth value.
  static Interval full(unsigned width);
  /// The interval of a single value.
  static Interval point(int64_t value) { return {value, value}; }
  /// `lo … hi` if this fits into `width` bits, else full: arithmetic wraps.
  static Interval wrapping(Wide lo, Wide hi, unsigned width);
  /// `lo … hi` cut off at what `width` bits hold, for what cannot wrap.
  static Interval clamped(Wide lo, Wide hi, unsigned width);

  /// Whether the interval contains exactly one value.
  bool isPoint() const { return lo == hi; }
  /// Whether `other` is a subset of this interval.
  bool contains(const Interval &other) const {
    return lo <= other.lo && other.hi <= hi;
  }
  /// The smallest interval that holds both.
  Interval join(const Interval &other) const;
  /// The intersection; this interval if it is empty.
  Interval meet(const Interval &other) const;
  bool operator==(const Interval &other) const = default;
};

/// The sum in `width` bits; full if it may wrap.
Interval add(Interval a, Interval b, unsigned width);
/// The difference in `width` bits; full if it may wrap.
Interval subtract(Interval a, Interval b, unsigned width);
/// The product in `width` bits; full if it may wrap.
Interval multiply(Interval a, Interval b, unsigned width);
/// Rounds down, as Python's `//`. Full if `b` may be zero.
Interval floorDivide(Interval a, Interval b, unsigned width);
/// Rounds to zero. Full if `b` may be zero.
Interval truncDivide(Interval a, Interval b, unsigned width);
/// Python's `%`: the sign of the result is that of `b`.
Interval floorModulo(Interval a, Interval b, unsigned width);
/// The sign of the result is that of `a`.
Interval truncRemainder(Interval a, Interval b, unsigned width);
/// Bitwise; precise only where no sign bit is set.
Interval bitAnd(Interval a, Interval b, unsigned width);
/// Bitwise; precise only where no sign bit is set.
Interval bitOr(Interval a, Interval b, unsigned width);

/// Do all values of `lo … hi` fit into `width` bits?
bool fits(Wide lo, Wide hi, unsigned width);

} // namespace chi::analysis
#endif // CHI_ANALYSIS_INTERVAL_H
