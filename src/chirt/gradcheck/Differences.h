//===- Differences.h - Slopes by differences --------------------*- C++ -*-===//
#ifndef CHIRT_GRADCHECK_DIFFERENCES_H
#define CHIRT_GRADCHECK_DIFFERENCES_H

namespace chirt {

/// A function of one number, which may have no value somewhere.
struct Line {
  /// Sets `value` to that at `at`; false if there is none.
  bool (*evaluate)(void *context, double at, double &value);
  void *context;
  double atZero; ///< its value at 0
};

/// What a slope is compared with.
struct Expected {
  double slope;
  double tolerance;  ///< relative
  double negligible; ///< a difference that does not count
};

enum class Verdict {
  Agrees,
  Wrong,
  Kink,   ///< the slopes of both sides differ
  Unclear ///< the differences do not converge, or there are none
};

struct Comparison {
  Verdict verdict;
  double slope, error; ///< by differences, and how far that may be off
};

/// Compares the slope at 0 with central differences, extrapolated to a step of
/// zero (Ridders, "Accurate computation of F'(x) and F'(x)F''(x)", 1982). The
/// first step is `step`; each further one is a quarter of the one before it.
/// Ends as soon as both agree, be it at the first step.
Comparison compareSlope(const Line &line, double step,
                        const Expected &expected);

} // namespace chirt
#endif // CHIRT_GRADCHECK_DIFFERENCES_H
