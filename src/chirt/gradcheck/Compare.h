//===- Compare.h - One gradient against differences -------------*- C++ -*-===//
#ifndef CHIRT_GRADCHECK_COMPARE_H
#define CHIRT_GRADCHECK_COMPARE_H

#include "chirt/gradcheck/Differences.h"
#include "chirt/gradcheck/Snapshot.h"
#include "chirt/host.h"
#include "chirt/text/Text.h"

namespace chirt {

/// A marked field as a tape found it.
struct Input {
  chirt_field *field; ///< null: it is gone
  int64_t number;
  double size;    ///< of its scalars, as a root of the mean square; never 0
  double *before; ///< what its gradient held, of tapes that add to it; or null
  bool isLeftOut; ///< its gradient is not by what it held at the beginning
};

/// One scalar, or a direction (place -1), and what came of it.
struct Sample {
  int64_t scalar;
  double gradient;
  Comparison found;
};

/// How long comparisons may take.
struct Effort {
  double probe; ///< seconds of one probe
  double until; ///< behind this time, by chirt_time_now(), nothing more begins
};

/// What came of one field.
struct Outcome {
  int numLeftOut = 0; ///< samples for which there was no time
  int numSamples = 0, numWrong = 0, numUnclear = 0, numKinks = 0;
  Sample worst = {};
  Sample firstUnclear = {};
  bool hasDirection = false;

  /// Not where most are at a kink: many conditions may lie on their edges there
  /// at once, and a gradient need be no slope of either side.
  bool isWrong() const { return numWrong > 0 && 2 * numKinks <= numSamples; }
  /// Is there too little that could be compared?
  bool isUnclear() const { return 2 * (numUnclear + numKinks) > numSamples; }
};

/// The number of scalars of a field.
int64_t scalarsOf(const chirt_field *field);
/// The root of the mean square of its scalars; 1 if all are zero.
double sizeOf(const chirt_field *field);
/// The scalars of a field of f64, or null after a failure of memory.
double *copyOf(const chirt_field *field);
/// The component of the direction by which all of a field is changed: 1 or -1.
double directionAt(int64_t scalar);

/// The slope in the direction by an input's gradient; `size`: the sum of the
/// sizes of what is added up.
double slopeAlong(const Input &input, double &size);

/// Compares some elements of an input's gradient, and a direction through all,
/// with what the snapshot answers: at least one of them. `loss`: without a
/// change.
Outcome compareGradient(Snapshot &snapshot, const Input &input, double loss,
                        uint32_t seconds, Effort effort,
                        const chirt_gradcheck &options);

/// "[3, 4]", "[None].1": where a scalar is.
void appendElement(Text &out, const chirt_field *field, int64_t scalar);

} // namespace chirt
#endif // CHIRT_GRADCHECK_COMPARE_H
