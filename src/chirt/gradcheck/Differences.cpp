//===- Differences.cpp ----------------------------------------------------===//
#include "chirt/gradcheck/Differences.h"

#include <cfloat>
#include <cmath>

namespace chirt {

namespace {
constexpr int mostSteps = 9;
constexpr double stepFactor = 4;

double larger(double a, double b) { return a > b ? a : b; }

/// The table of extrapolations, a row for each step.
class Slopes {
public:
  Slopes(const Line &line, const Expected &expected)
      : line(line), expected(expected) {}

  Comparison compare(double step);

private:
  bool addRow(double step);
  void extrapolate(double central, double noise, double rough);
  bool agrees() const;
  bool agreesAtOnce();
  bool isKink() const;

  const Line &line;
  const Expected &expected;
  int rows = 0;
  double table[mostSteps][mostSteps];
  double slope = 0, error = HUGE_VAL;
  /// Where the slope was found: how far apart both sides stayed, beyond
  /// rounding, as the step shrank to there.
  double roughness = 0;
  /// Of the two latest steps: the slopes of both sides, how far apart they are
  /// and what of it is rounding.
  double left = 0, right = 0, gap = 0, gapBefore = 0, noiseOfGap = 0;
};

/// The best entry is the one that differs least from its neighbours.
void Slopes::extrapolate(double central, double noise, double rough) {
  double *row = table[rows], *above = rows ? table[rows - 1] : nullptr;
  row[0] = central;
  double power = 1;
  auto consider = [&](double value, double off) {
    if (off + noise <= error)
      slope = value, error = off + noise, roughness = rough;
  };
  if (above)
    consider(row[0], std::fabs(row[0] - above[0]));
  for (int k = 1; k <= rows; ++k) {
    power *= stepFactor * stepFactor;
    row[k] = row[k - 1] + (row[k - 1] - above[k - 1]) / (power - 1);
    consider(row[k], larger(std::fabs(row[k] - row[k - 1]),
                            std::fabs(row[k] - above[k - 1])));
  }
  ++rows;
}

/// False if the function has no value at one of the sides.
bool Slopes::addRow(double step) {
  double up, down;
  if (!line.evaluate(line.context, step, up) ||
      !line.evaluate(line.context, -step, down) || !std::isfinite(up) ||
      !std::isfinite(down))
    return false;
  double size =
      larger(std::fabs(line.atZero), larger(std::fabs(up), std::fabs(down)));
  double noise = 4 * DBL_EPSILON * size / step;
  right = (up - line.atZero) / step, left = (line.atZero - down) / step;
  gapBefore = gap, gap = std::fabs(right - left), noiseOfGap = noise;
  // A quarter, where the function is smooth.
  bool isRough = rows > 0 && gap > 10 * noise && gap > 0.3 * gapBefore;
  extrapolate((up - down) / (2 * step), noise, isRough ? gap : 0);
  return true;
}

bool Slopes::agrees() const {
  double size = larger(std::fabs(slope), std::fabs(expected.slope));
  double allowed = expected.tolerance * size + expected.negligible;
  return error <= allowed && std::fabs(slope - expected.slope) <= allowed;
}

/// A difference that nothing was done to, and that is the expected slope, is so
/// by no accident.
bool Slopes::agreesAtOnce() {
  double found = table[0][0], off = std::fabs(found - expected.slope);
  double size = larger(std::fabs(found), std::fabs(expected.slope));
  if (!(off + noiseOfGap <= expected.tolerance * size + expected.negligible))
    return false;
  slope = found, error = off + noiseOfGap;
  return true;
}

/// Where a function is smooth both sides come together as the step does. What
/// is no slope of either side, nor of anything between, is wrong at a kink too.
bool Slopes::isKink() const {
  double size = larger(std::fabs(left), std::fabs(right));
  if (rows < 3 || gap < 100 * noiseOfGap || gap < 0.4 * gapBefore ||
      gap < 10 * expected.tolerance * size + expected.negligible)
    return false;
  double margin = 0.1 * gap;
  double least = left < right ? left : right, most = larger(left, right);
  return expected.slope > least - margin && expected.slope < most + margin;
}

Comparison Slopes::compare(double step) {
  for (int k = 0; k < mostSteps; ++k, step /= stepFactor) {
    // Too far off, perhaps; rows of other steps do not go with it.
    if (!addRow(step)) {
      rows = 0, error = HUGE_VAL, gap = 0;
      continue;
    }
    if (rows > 1 ? agrees() : agreesAtOnce())
      return {Verdict::Agrees, slope, error};
  }
  double size = larger(std::fabs(slope), std::fabs(expected.slope));
  double difference = std::fabs(slope - expected.slope);
  if (rows < 2)
    return {Verdict::Unclear, 0, HUGE_VAL};
  if (isKink())
    return {Verdict::Kink, slope, error};
  // Kinks may lie so near that smaller steps, which would not reach them, are
  // drowned by rounding.
  if (gap < 100 * noiseOfGap)
    error += roughness;
  // Not the other way round: a gradient of NaN is wrong.
  if (!(difference <=
        3 * error + expected.tolerance * size + expected.negligible))
    return {Verdict::Wrong, slope, error};
  // Of a gradient that is exactly 0 the size of the slopes of both sides, which
  // cancel, says what is small.
  bool isZero = expected.slope == 0 && difference <= error;
  double sides = larger(std::fabs(left), std::fabs(right));
  bool isClear = error <= 0.01 * size + expected.negligible +
                              (isZero ? expected.tolerance * sides : 0);
  return {isClear ? Verdict::Agrees : Verdict::Unclear, slope, error};
}
} // namespace

Comparison compareSlope(const Line &line, double step,
                        const Expected &expected) {
  return Slopes(line, expected).compare(step);
}

} // namespace chirt
