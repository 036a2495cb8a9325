//===- Tell.h - What a check of gradients prints ----------------*- C++ -*-===//
#ifndef CHIRT_GRADCHECK_TELL_H
#define CHIRT_GRADCHECK_TELL_H

#include "chirt/gradcheck/Compare.h"

namespace chirt {

/// What came of a run.
struct Totals {
  int32_t numTapes = 0, numChecked = 0;
  int32_t numCalls = 0; ///< of kernels with `k.grad()`
  int32_t numGradients = 0, numWrong = 0;
  int32_t numUnclear = 0; ///< gradients and tapes that could not be compared
  /// Elements and directions: all, those at a kink, those whose differences do
  /// not converge.
  int64_t numSamples = 0, numKinks = 0, numRough = 0;
  int64_t numLeftOut = 0; ///< elements for which there was no time
  /// Directions of forward mode that agree, and products of Hessians.
  int32_t numTangents = 0, numProducts = 0;
  /// Launches in tapes that are looked at for races, and those watched.
  int64_t numLaunches = 0, numWatched = 0;
  bool isCut = false; ///< the run that looks for them ended early
};

/// Prints to standard output, which is mute for the program.
void tell(const Text &text);

/// `kernel`: of a call whose adjoint was asked for; null: of a tape.
void beginCheck(Text &out, const char *kernel, int32_t number,
                const chirt_site *site, double loss);
/// The tape's body gives another loss when it runs again.
void tellNotRepeated(Text &out, const chirt_site *site, double loss,
                     double again, Totals &totals);
/// A gradient that is not compared.
void tellLeftOut(Text &out, const char *name, const char *why);
/// A line of `out`, and an error if the gradient is wrong.
void tellOutcome(Text &out, const chirt_site *site, const char *name,
                 const chirt_field *field, const Outcome &outcome,
                 Totals &totals);
/// What came of a direction by forward mode; an error if it is wrong.
/// `isSecond`: it is the product of a Hessian.
void tellForward(Text &out, const chirt_site *site, const char *name,
                 const Sample &sample, bool isSecond, Totals &totals);
/// The same where there is nothing to compare.
void tellNoForward(Text &out, const char *name, const Text &why, bool isSecond,
                   Totals &totals);
/// Of a run that looks for races: how much it left out, if anything.
void tellWatched(const Totals &totals);
/// The operations that lie on a kink in the tape.
void tellKinks(int32_t tape);
/// Returns the exit status.
int32_t tellTotals(const Totals &totals);

} // namespace chirt
#endif // CHIRT_GRADCHECK_TELL_H
