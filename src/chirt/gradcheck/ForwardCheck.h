//===- ForwardCheck.h - Gradients against forward mode ----------*- C++ -*-===//
// Forward mode gives J v of the loss, a tape Jᵀ w: <J v, w> = <v, Jᵀ w> except
// for rounding. Forward mode over a tape gives the product of the Hessian with
// v, which is compared with differences of the gradients.
#ifndef CHIRT_GRADCHECK_FORWARDCHECK_H
#define CHIRT_GRADCHECK_FORWARDCHECK_H

#include "chirt/gradcheck/Checks.h"

namespace chirt {

/// Is a probe in forward mode?
inline bool isByForwardMode(Probing probing) {
  return probing == Probing::Tangent || probing == Probing::Curvature;
}
/// Does a probe run the tape backward, too?
inline bool isOfGradients(Probing probing) {
  return probing == Probing::Gradient || probing == Probing::Curvature;
}

/// Compares what chirt_gradcheck::orders asks for in one direction over all
/// elements of an input, and prints the result.
void compareByForwardMode(Check &check, const Input &input, const char *name);

// In a probe.
/// Begins forward mode in the direction of a question.
void beginTangents(const Question &question, const chirt_site *site);
/// The loss of a tape.
double valueOf(const chirt_field *loss);
/// Its tangent.
double tangentOf(chirt_field *loss);
/// The sum of all gradients of a check's inputs, or of their tangents, with
/// weights.
double weightedGradients(const Check &check);

} // namespace chirt
#endif // CHIRT_GRADCHECK_FORWARDCHECK_H
