//===- KernelCheck.cpp - The adjoints of calls of kernels -----------------===//
// `k.grad()` makes of the gradients g of all fields Jᵀ g, J being the
// derivative of what the call left in the fields by what it found. So it gives
// the gradient of <g, what the call left>, and that is what probes answer.
#include "chirt/gradcheck/KernelCheck.h"

#include "chirt/field/Copies.h"
#include "chirt/field/Dual.h"
#include "chirt/field/Field.h"
#include "chirt/gradcheck/Checks.h"
#include "chirt/tape/Tape.h"
#include <sys/mman.h>

namespace chirt {

static bool isCompared(const chirt_field *field) {
  return field->dtype == CHIRT_F64 && field->elements > 0;
}

/// Room for the adjoints of all fields there are. Probes have it where it is.
static void mapWeights(Check &check) {
  size_t count = 0;
  for (const Known &known : checks().fields)
    if (isCompared(known.field))
      count += size_t(scalarsOf(known.field));
  check.sharedBytes = (count + 1) * sizeof(double);
  void *memory = mmap(nullptr, check.sharedBytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    outOfMemory();
  check.shared = memory;
  auto *next = static_cast<double *>(memory);
  for (const Known &known : checks().fields)
    if (isCompared(known.field)) {
      check.weighed.push({known, next});
      next += scalarsOf(known.field);
    }
}

/// The check of a kernel's latest call; null if it has none.
static Check *checkOf(const char *kernel) {
  for (Check *check : checks().calls)
    if (strcmp(check->kernel, kernel) == 0)
      return check;
  return nullptr;
}

void checkCall(Tape &record) {
  if (int32_t races = gradCheckOptions().races) {
    record.looksForRaces = siteRecordOf(record.kernel).count++ < races;
    return;
  }
  if (isProbe() ||
      siteRecordOf(record.kernel).count >= gradCheckOptions().passes ||
      gradCheckOptions().tape)
    return;
  if (Check *before = checkOf(record.kernel))
    dropCheck(checks().calls, before);
  Check *check = makeCheck(&record);
  check->kernel = record.kernel;
  mapWeights(*check);
  for (const Weighed &weighed : check->weighed)
    if (weighed.known.field->has_grad)
      check->inputs.push({weighed.known.field, weighed.known.number,
                          sizeOf(weighed.known.field), nullptr, false});
  checks().calls.push(check);
  if (!takeSnapshotOf(*check))
    record.isEnding = true; // it is not run backward
}

void checkCallEnd(const Tape &record) {
  Check *check = checkOf(record.kernel);
  if (!check || check->tape != &record)
    return;
  check->seconds = uint32_t(10 + 20 * (chirt_time_now() - check->began));
  if (!isProbe())
    return;
  bool isTangent = checks().probing == Probing::Tangent;
  double sum = 0;
  for (const Weighed &weighed : check->weighed) {
    if (!isStill(weighed.known))
      continue;
    const chirt_field *held =
        isTangent ? knownDual(weighed.known.field) : weighed.known.field;
    if (!held)
      continue;
    auto *values = reinterpret_cast<const double *>(hostCopy(held));
    int64_t count = scalarsOf(weighed.known.field);
    for (int64_t scalar = 0; scalar < count; ++scalar)
      sum += weighed.weights[scalar] * values[scalar];
  }
  answer(sum);
}

void checkCallGrad(const Tape &record, const chirt_site *site) {
  Check *check = checkOf(record.kernel);
  if (!check || isProbe())
    return;
  check->site = site;
  nameInputs(*check);
  for (const Weighed &weighed : check->weighed) {
    if (!isStill(weighed.known) || !weighed.known.field->grad)
      continue;
    const chirt_field *field = weighed.known.field;
    memcpy(weighed.weights, hostCopy(field->grad),
           size_t(scalarsOf(field)) * sizeof(double));
  }
  for (Input &input : check->inputs)
    if (!isStill({input.field, input.number}))
      input.field = nullptr;
}

void checkCallGradients(const char *kernel) {
  Check *check = checkOf(kernel);
  if (!check || isProbe())
    return;
  SiteRecord &record = siteRecordOf(kernel);
  ++record.count;
  ++checks().totals.numCalls;
  compareAt(record, *check);
  dropCheck(checks().calls, check);
}

} // namespace chirt
