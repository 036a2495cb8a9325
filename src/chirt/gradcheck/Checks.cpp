//===- Checks.cpp ---------------------------------------------------------===//
#include "chirt/gradcheck/Checks.h"

#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include "chirt/gradcheck/ForwardCheck.h"
#include "chirt/tape/Tape.h"
#include <cmath>
#include <sys/mman.h>

namespace chirt {

namespace {
[[clang::no_destroy]] constinit Checks theChecks;
} // namespace

Checks &checks() { return theChecks; }

const Known *findKnown(const chirt_field *field) {
  for (const Known &known : theChecks.fields)
    if (known.field == field)
      return &known;
  return nullptr;
}

bool isStill(const Known &known) {
  const Known *now = findKnown(known.field);
  return now && now->number == known.number;
}

SiteRecord &siteRecordOf(const void *what) {
  for (SiteRecord &record : theChecks.records)
    if (record.what == what)
      return record;
  theChecks.records.push({what, 0, 0, 0});
  return theChecks.records.back();
}

Check *makeCheck(const Tape *tape) {
  void *memory = malloc(sizeof(Check));
  if (!memory)
    outOfMemory();
  auto *check = new (memory) Check();
  check->tape = tape;
  check->began = chirt_time_now();
  return check;
}

void freeCheck(Check *check) {
  dropSnapshot(check->snapshot);
  for (Input &input : check->inputs)
    free(input.before);
  if (check->shared)
    munmap(check->shared, check->sharedBytes);
  check->~Check();
  free(check);
}

void dropCheck(Array<Check *> &list, Check *check) {
  for (size_t k = 0; k < list.size(); ++k)
    if (list[k] == check) {
      list.removeAt(k);
      break;
    }
  freeCheck(check);
}

bool takeSnapshotOf(Check &check) {
  Question question;
  if (takeSnapshot(check.snapshot, question))
    return true;
  if (!question.field)
    return false;
  if (!isStill({question.field, question.number}))
    giveUp();
  theChecks.probing = question.probing;
  if (isByForwardMode(question.probing)) {
    beginTangents(question, check.site);
    return false;
  }
  auto *values = reinterpret_cast<double *>(hostCopyToUpdate(question.field));
  if (question.scalar >= 0) {
    values[question.scalar] += question.step;
    return false;
  }
  int64_t count = scalarsOf(question.field);
  for (int64_t scalar = 0; scalar < count; ++scalar)
    values[scalar] += question.step * directionAt(scalar);
  return false;
}

/// The name that is remembered of a field.
static char *&nameOf(int64_t number) {
  for (Named &named : theChecks.names)
    if (named.number == number)
      return named.name;
  theChecks.names.push({number, nullptr});
  return theChecks.names.back().name;
}

void nameInputs(Check &check) {
  for (Input &input : check.inputs) {
    char *&known = nameOf(input.number);
    Text name;
    if (input.field && check.tape->appendName(name, input.field)) {
      free(known);
      known = strdup(name.c_str());
    } else {
      name << (known ? known : "a field");
    }
    check.names.append(name.c_str(), name.size() + 1);
  }
}

/// Returns whether a kink may have to do with what came of it.
static bool compareInput(Check &check, const Input &input, const char *name,
                         Effort effort) {
  Text line;
  bool isAtKink = false;
  if (!input.field) {
    tellLeftOut(line, name, "it no longer exists");
  } else if (input.isLeftOut) {
    tellLeftOut(line, name, "it is watched");
  } else {
    Outcome outcome =
        compareGradient(check.snapshot, input, check.loss, check.seconds,
                        effort, gradCheckOptions());
    tellOutcome(line, check.site, name, input.field, outcome, theChecks.totals);
    isAtKink = outcome.numWrong + outcome.numUnclear + outcome.numKinks > 0;
  }
  tell(line);
  return isAtKink;
}

/// When the comparisons of a check end: those that the program may still come
/// to get as much time each.
static double endOfEffort() {
  const chirt_gradcheck &options = gradCheckOptions();
  if (options.effort <= 0)
    return HUGE_VAL;
  int32_t left = 1;
  if (!options.tape)
    left = options.tapes > 0 ? options.tapes * options.passes -
                                   theChecks.totals.numChecked + 1
                             : 2;
  double each = (options.effort - theChecks.compared) / (left > 1 ? left : 1);
  return chirt_time_now() + each;
}

static void compareAll(Check &check) {
  Text text;
  double until = endOfEffort(), began = chirt_time_now();
  double again = 0;
  Question question{nullptr, 0, 0, 0, check.seconds};
  bool isThere =
      check.snapshot.keeper > 0 && ask(check.snapshot, question, again);
  if (check.kernel)
    check.loss = again;
  beginCheck(text, check.kernel, check.number, check.site, check.loss);
  if (!isThere || again != check.loss) {
    tellNotRepeated(text, check.site, check.loss, again, theChecks.totals);
    return tell(text);
  }
  tell(text);
  const char *name = check.names.data();
  bool isAtKink = false;
  double probe = chirt_time_now() - began;
  auto left = double(check.inputs.size());
  for (const Input &input : check.inputs) {
    double now = chirt_time_now();
    Effort effort{probe, now + (until - now) / left--};
    isAtKink |= compareInput(check, input, name, effort);
    if (input.field && !input.isLeftOut)
      compareByForwardMode(check, input, name);
    name += strlen(name) + 1;
  }
  theChecks.compared += chirt_time_now() - began;
  if (isAtKink && !check.kernel)
    tellKinks(check.number);
}

void compareAt(SiteRecord &record, Check &check) {
  constexpr int32_t mostTries = 4;
  Totals &totals = theChecks.totals;
  // What was not clear before is forgotten.
  totals.numUnclear -= record.numUnclear;
  totals.numGradients -= record.numUnclear;
  int32_t before = totals.numUnclear;
  compareAll(check);
  record.numUnclear = totals.numUnclear - before;
  if (record.numUnclear > 0 && ++record.tries < mostTries)
    --record.count;
}

} // namespace chirt
