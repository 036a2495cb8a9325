//===- ForwardCheck.cpp ---------------------------------------------------===//
#include "chirt/gradcheck/ForwardCheck.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Dual.h"
#include "chirt/field/Field.h"
#include "chirt/tangent/Forward.h"
#include <cmath>

namespace chirt {

void beginTangents(const Question &question, const chirt_site *site) {
  if (isInForwardMode())
    giveUp("the tape is in a `with Forward()`");
  beginForwardMode(site);
  chirt_field *dual = dualOf(site, question.field);
  if (!dual)
    leave();
  auto *values = reinterpret_cast<double *>(hostCopyToUpdate(dual));
  int64_t count = scalarsOf(question.field);
  for (int64_t scalar = 0; scalar < count; ++scalar)
    values[scalar] = directionAt(scalar);
}

double valueOf(const chirt_field *loss) {
  double value;
  castScalars(loss->dtype, hostCopy(loss), CHIRT_F64, &value, 1);
  return value;
}

double tangentOf(chirt_field *loss) {
  const chirt_field *dual = knownDual(loss);
  return dual ? valueOf(dual) : 0;
}

/// Between 0.5 and 1.5, so that little cancels.
static double weightAt(int64_t scalar) {
  return 1 + 0.25 * (directionAt(3 * scalar + 1) + directionAt(5 * scalar + 2));
}

double weightedGradients(const Check &check) {
  double sum = 0;
  for (const Input &input : check.inputs) {
    chirt_field *held = input.field ? input.field->grad : nullptr;
    if (held && checks().probing == Probing::Curvature)
      held = knownDual(held);
    if (!held)
      continue;
    auto *values = reinterpret_cast<const double *>(hostCopy(held));
    int64_t count = scalarsOf(held);
    for (int64_t scalar = 0; scalar < count; ++scalar)
      sum += weightAt(scalar) * values[scalar];
  }
  return sum;
}

/// Both are exact except for rounding, which is far below what differences
/// give.
static void compareTangent(Check &check, const Input &input, const char *name) {
  Totals &totals = checks().totals;
  Text line, why;
  Question question{input.field, input.number,  -1,
                    1,           check.seconds, Probing::Tangent};
  double tangent, size;
  if (!ask(check.snapshot, question, tangent, &why)) {
    tellNoForward(line, name, why, /*isSecond=*/false, totals);
    return tell(line);
  }
  double slope = slopeAlong(input, size);
  double allowed = 1e-3 * gradCheckOptions().tolerance * size +
                   1e-10 * std::fabs(check.loss) / input.size;
  // Not the other way round: a gradient of NaN is wrong.
  bool agrees = std::fabs(slope - tangent) <= allowed;
  Verdict verdict = agrees ? Verdict::Agrees : Verdict::Wrong;
  tellForward(line, check.site, name, {-1, slope, {verdict, tangent, allowed}},
              /*isSecond=*/false, totals);
  tell(line);
}

namespace {
struct Asked {
  Check &check;
  const Input &input;
};
} // namespace

/// The weighted gradients after a step in the direction.
static bool evaluate(void *context, double step, double &value) {
  auto &[check, input] = *static_cast<Asked *>(context);
  Question question{input.field, input.number,  -1,
                    step,        check.seconds, Probing::Gradient};
  return ask(check.snapshot, question, value);
}

static void compareCurvature(Check &check, const Input &input,
                             const char *name) {
  Totals &totals = checks().totals;
  Text line, why;
  Question question{input.field, input.number,  -1,
                    1,           check.seconds, Probing::Curvature};
  double product;
  if (!ask(check.snapshot, question, product, &why)) {
    tellNoForward(line, name, why, /*isSecond=*/true, totals);
    return tell(line);
  }
  Asked asked{check, input};
  Line along{evaluate, &asked, weightedGradients(check)};
  double negligible = 1e-10 * std::fabs(along.atZero) / input.size;
  Expected expected{product, gradCheckOptions().tolerance, negligible};
  Comparison found = compareSlope(along, 1e-3 * input.size, expected);
  tellForward(line, check.site, name, {-1, product, found}, /*isSecond=*/true,
              totals);
  tell(line);
}

void compareByForwardMode(Check &check, const Input &input, const char *name) {
  if (gradCheckOptions().orders & 1)
    compareTangent(check, input, name);
  if (gradCheckOptions().orders & 2 && !check.kernel)
    compareCurvature(check, input, name);
}

} // namespace chirt
