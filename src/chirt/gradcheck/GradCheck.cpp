//===- GradCheck.cpp - The tapes of a run ---------------------------------===//
#include "chirt/gradcheck/GradCheck.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Changes.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include "chirt/gradcheck/Checks.h"
#include "chirt/gradcheck/ForwardCheck.h"
#include "chirt/gradcheck/KernelCheck.h"
#include "chirt/gradcheck/Kinks.h"
#include "chirt/races/Races.h"
#include "chirt/tape/Observer.h"
#include "chirt/tape/Record.h"
#include "chirt/tape/Tape.h"
#include "chirt/text/Output.h"

namespace chirt {

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static void noteNew(chirt_field *field) {
  checks().fields.push({field, ++checks().numMade});
}

static void noteLost(chirt_field *field) {
  Array<Known> &fields = checks().fields;
  for (size_t k = fields.size(); k-- > 0;)
    if (fields[k].field == field) {
      fields.removeAt(k);
      break;
    }
  for (Check *check : checks().open)
    for (Input &input : check->inputs)
      if (input.field == field)
        input.field = nullptr;
}

static void noteInputs(Check &check) {
  for (const Known &known : checks().fields) {
    chirt_field *field = known.field;
    if (!field->has_grad || field == check.tape->loss ||
        field->dtype != CHIRT_F64 || field->elements == 0)
      continue;
    bool isAdded = (check.tape->flags & CHIRT_TAPE_ACCUMULATE) && field->grad;
    check.inputs.push({field, known.number, sizeOf(field),
                       isAdded ? copyOf(field->grad) : nullptr, false});
  }
}

//===----------------------------------------------------------------------===//
// The steps of a tape
//===----------------------------------------------------------------------===//

static bool isWanted(const chirt_site *site) {
  const chirt_gradcheck &options = gradCheckOptions();
  if (options.tape)
    return checks().totals.numTapes == options.tape;
  return ++siteRecordOf(site).count <=
         (options.races ? options.races : options.passes);
}

static void checkBegin(Tape &tape, const chirt_site *site) {
  if (isProbe())
    return;
  ++checks().totals.numTapes;
  if (!isWanted(site))
    return;
  if (gradCheckOptions().races) {
    tape.looksForRaces = true;
    return;
  }
  Check *check = makeCheck(&tape);
  check->site = site;
  check->number = checks().totals.numTapes;
  noteInputs(*check);
  checks().open.push(check);
  if (!takeSnapshotOf(*check))
    tape.isEnding = !isOfGradients(checks().probing); // it is not run backward
}

/// The check of a tape; null if it has none.
static Check *checkOf(const Tape *tape) {
  for (Check *check : checks().open)
    if (check->tape == tape)
      return check;
  return nullptr;
}

static void checkEnd(const Tape &tape) {
  Check *check = checkOf(&tape);
  if (!check)
    return;
  // Tapes that began later are not open here.
  if (isProbe()) {
    if (isOfGradients(checks().probing))
      return;
    answer(checks().probing == Probing::Tangent ? tangentOf(tape.loss)
                                                : valueOf(tape.loss));
  }
  check->loss = valueOf(tape.loss);
  check->seconds = uint32_t(10 + 20 * (chirt_time_now() - check->began));
  for (Input &input : check->inputs)
    input.isLeftOut = input.field && tape.isWatchedLater(input.field);
  nameInputs(*check);
}

/// Is there no tape left to be watched, or to be compared?
static bool isDone() {
  const chirt_gradcheck &options = gradCheckOptions();
  if (options.tape)
    return checks().totals.numTapes >= options.tape;
  int32_t done = 0;
  for (const SiteRecord &record : checks().records)
    done += record.count >= (options.races ? options.races : options.passes);
  return options.tapes > 0 && done >= options.tapes;
}

static void checkGradients(const Tape *tape) {
  Check *check = checkOf(tape);
  if (isProbe()) {
    if (check)
      answer(weightedGradients(*check));
    return;
  }
  if (check) {
    ++checks().totals.numChecked;
    compareAt(siteRecordOf(check->site), *check);
    dropCheck(checks().open, check);
  }
  // Nothing that is still to come would be looked at.
  if (numTapes() == 0 && isDone())
    chirt_exit(0);
}

/// Of a run that looks for races: after a while each loop is watched only once,
/// and after as long a while again the run ends.
static bool isWatched(const chirt_task *task) {
  if (!areRacesLookedFor())
    return false;
  Checks &all = checks();
  double effort = gradCheckOptions().effort;
  if (all.watchUntil == 0)
    all.watchUntil = chirt_time_now() + effort;
  bool isKnown = false;
  for (const chirt_task *known : all.watched)
    isKnown |= known == task;
  if (!isKnown)
    all.watched.push(task);
  double late = effort > 0 ? chirt_time_now() - all.watchUntil : -1;
  // No observer has begun yet.
  if (late > effort) {
    all.totals.isCut = true;
    chirt_exit(0);
  }
  bool isWanted = !isKnown || late < 0;
  all.totals.numLaunches += 1;
  all.totals.numWatched += isWanted;
  return isWanted;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

static constexpr FieldObserver fieldChecks = {.made = noteNew,
                                              .gone = noteLost};
static constexpr TapeObserver tapeChecks = {.begin = checkBegin,
                                            .end = checkEnd,
                                            .gradients = checkGradients,
                                            .beginCall = checkCall,
                                            .endCall = checkCallEnd,
                                            .beginGrad = checkCallGrad,
                                            .endGrad = checkCallGradients};

static void subscribe(const chirt_gradcheck *options) {
  settings().gradCheck = options;
  observeFields(options ? &fieldChecks : nullptr);
  observeTapes(options ? &tapeChecks : nullptr);
  // Of some tapes alone.
  watchRacesWhere(options ? isWatched : nullptr);
}

void beginGradCheck(const chirt_gradcheck *options) {
  subscribe(options);
  if (!options)
    return;
  checks().totals = Totals();
  checks().watchUntil = checks().compared = 0;
  checks().watched.clear();
  checks().records.clear();
  if (options->races)
    forgetKinks();
  // Of programs that ran before.
  checks().fields.clear();
  for (Named &named : checks().names)
    free(named.name);
  checks().names.clear();
  muteOutput(/*results=*/true, /*errors=*/false);
}

static void freeAll(Array<Check *> &list) {
  for (Check *check : list)
    freeCheck(check);
  list.clear();
}

int32_t endGradCheck(int32_t status) {
  if (isProbe())
    giveUp(lastFailure());
  freeAll(checks().open);
  freeAll(checks().calls);
  if (status == 0 && gradCheckOptions().races)
    tellWatched(checks().totals);
  else if (status == 0)
    status = tellTotals(checks().totals);
  muteOutput(false, false);
  subscribe(nullptr);
  return status;
}

} // namespace chirt

using namespace chirt;

/// Only while a tape is open that the first run of a check watches: what the
/// program does elsewhere has no gradient.
void chirt_note_kink(const chirt_site *site) {
  const chirt_gradcheck *options = settings().gradCheck;
  if (options && options->races && numTapes() > 0)
    noteKink(site, checks().totals.numTapes);
}
