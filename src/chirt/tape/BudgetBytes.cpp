//===- BudgetBytes.cpp - What a tape with a budget takes ------------------===//
// The least budget is a sum of what any run of the tape finds: see `needed`. It
// must not depend on what the present budget is: the log and its turns are the
// same for each, and the saves of a turn are measured by the log.
#include "chirt/tape/Budget.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Field.h"
#include "chirt/field/Gradient.h"
#include "chirt/support/Settings.h"
#include "chirt/tape/Stack.h"
#include <algorithm>
#include <cerrno>

namespace chirt {

/// See noteStep.
static constexpr int64_t kPartOfLong = 4;
static constexpr size_t kMostSteps = 1000;
static constexpr int64_t kFieldCost =
    int64_t(sizeof(TapedField) + sizeof(BudgetedField));

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

int64_t Budget::bytesOfLog() const {
  const Patterns &patterns = tape.patterns;
  return log.numBytes() + tape.tuples.numBytes() + results + sizes.alone +
         int64_t(tape.offsets.size() * sizeof(int64_t) +
                 tape.additions.size() * sizeof(Box) +
                 tape.fields.size() * kFieldCost +
                 patterns.uses.size() * sizeof(PatternUse) +
                 patterns.ways.size() * sizeof(PatternWay) +
                 size_t(adjointUses) * sizeof(PatternAdjoint));
}

/// With the entries, which are in the list of the tape as long as they are.
int64_t Budget::bytesSaved() const {
  return saved + int64_t(tape.entries.size() * sizeof(Entry));
}

/// What is left for snapshots and saves once all else is there.
int64_t Budget::bytesForSnapshots() const {
  return budget - bytesOfLog() - sizes.adjoints -
         (last.isSpilled() ? 0 : sizes.last);
}

void Budget::expectAdjoints(const chirt_task *primal) {
  for (int k = 0; k < primal->num_arguments; ++k)
    adjointUses += primal->arguments[k].is_field &&
                   isFloatType(primal->arguments[k].dtype);
}

/// The most that a snapshot takes.
int64_t Budget::stateBytes() const { return sizes.state; }

/// The least budget with which the tape can go back through its log: behind
/// its end there are the snapshot of its beginning, what fields hold at its
/// end, and the saves of one turn.
int64_t Budget::needed() const {
  return bytesOfLog() + sizes.adjoints + (last.isSpilled() ? 0 : sizes.last) +
         stateBytes() + sizes.measured;
}

/// What the tape takes if nothing is dropped.
int64_t Budget::bytesOfAll() const {
  return savedInAll + log.numEntries() * int64_t(sizeof(Entry)) + bytesOfLog() +
         sizes.adjoints;
}

/// A turn ended. Once the saves are much more than what snapshots need, they
/// are not the least, and need not be counted.
void Budget::noteStep() {
  if (!hasSteps || sizes.first == 0)
    return;
  countFields();
  measureTurns();
  const BudgetStep step = {bytesOfAll() + sizes.first, needed()};
  hasSteps = step.held < kPartOfLong * step.needed;
  if (!hasSteps && !isSaving() && !plan.isOn) {
    countsAll = false;
    dropSaves();
  }
  if (steps.empty() || step.held > steps.back().held ||
      step.needed > steps.back().needed)
    steps.push(step);
  if (steps.size() < 2 * kMostSteps)
    return;
  heldBefore = steps[kMostSteps - 1].held;
  for (size_t k = 0; k < kMostSteps; ++k)
    steps[k] = steps[k + kMostSteps];
  while (steps.size() > kMostSteps)
    steps.pop();
}

/// The least that does for the tape, which has ended: what snapshots need, or
/// less, with which all saves fit. In a run with that, the first one at whose
/// end they do not fit beside the first snapshot must find that there are to be
/// no snapshots (leaveSaving).
int64_t Budget::least() const {
  int64_t all = bytesOfAll();
  if (!hasSteps || heldBefore > all)
    return needed();
  for (const BudgetStep &step : steps)
    if (all < step.held && all >= step.needed)
      all = step.held;
    else if (all < step.held)
      break;
  return std::min(all, needed());
}

/// If a field depends on a marked one, something else may depend on it. The
/// loss has an adjoint in any case.
void Budget::expectAdjoint(int32_t number) {
  BudgetedField &field = at(number);
  const TapedField &taped = tape.fields[size_t(number)];
  bool isExpected = taped.isActive || (isEnded && taped.field == tape.loss);
  if (!isExpected || field.isActive)
    return;
  field.isActive = true;
  sizes.adjoints += taped.field->elements * componentsOf(taped.field) *
                    scalarBytes(adjointType(taped.field->dtype));
}

/// Looks at all fields: of those that nobody else has, the tape has the memory,
/// and what they hold at its end does not matter.
void Budget::countFields() {
  sizes.alone = sizes.last = 0;
  for (size_t k = 0; k < tape.fields.size(); ++k) {
    const TapedField &taped = tape.fields[k];
    BudgetedField &field = at(int32_t(k));
    bool isAlone =
        __atomic_load_n(&taped.field->refcount, __ATOMIC_RELAXED) == 1;
    if (isAlone)
      sizes.alone += int64_t(sizeof(chirt_field)) + taped.field->bytes;
    else if (field.isWritten)
      sizes.last += taped.field->bytes + int64_t(sizeof(Content));
  }
  countedFields = tape.fields.size();
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

void Budget::refuse(const char *what, const chirt_site *at) const {
  failAt(at ? at : site, UserFault,
         isLimited() ? "%s in a tape with a memory budget is not supported"
                     : "%s in a tape: there is no plan of such tapes, which "
                       "cannot have a memory budget",
         what);
  leave();
}

void Budget::spillTo(const char *folder) {
  if (contents.spillTo(folder) && last.spillTo(folder))
    return;
  failAt(site, WorldFault,
         "cannot make a file for the snapshots of the tape in `%s`: %s", folder,
         strerror(errno));
  leave();
}

void Budget::failTooSmall() const {
  int64_t states = stateBytes() + (last.isSpilled() ? 0 : sizes.last);
  Text text;
  text << "a memory budget of ";
  text.appendBytes(uint64_t(budget));
  text.appendf(" is too small for this tape: it needs %lld bytes",
               static_cast<long long>(least()));
  if (least() == needed()) {
    text << " (";
    text.appendBytes(uint64_t(bytesOfLog()));
    text << " for its log, ";
    text.appendBytes(uint64_t(sizes.adjoints));
    text << " for adjoints, ";
    text.appendBytes(uint64_t(states));
    text << " for the states at its beginning and end, ";
    text.appendBytes(uint64_t(sizes.measured));
    text << " for the saves of a turn)";
  }
  failAt(site, UserFault, "%s", text.c_str());
  leave();
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

void Tape::planFor(const chirt_site *site, int64_t bytes) {
  limitTo(site, bytes < 0 ? INT64_MAX : bytes);
  budget->onlyPlan();
}

void Budget::onlyPlan() {
  plan.isOn = true;
  contents.onlyCount();
  last.onlyCount();
}

void Budget::notePeak() {
  int64_t now = bytesOfLog() + sizes.adjoints + contents.numBytes();
  if (isSaving())
    now += bytesSaved();
  if (isReplaying && !last.isSpilled())
    now += sizes.last;
  plan.bytes = std::max(plan.bytes, now);
  if (isReplaying)
    plan.snapshots = std::max(plan.snapshots, snapshots.size());
  plan.spilled = std::max(plan.spilled, contents.numSpilled());
}

void Budget::tellPlan() {
  finish();
  const int64_t list = log.numEntries() * int64_t(sizeof(Entry));
  chirt_tape_plan told = {};
  told.site = site;
  told.entries = log.numEntries();
  told.turns = turn;
  told.loops = plan.loops.data();
  told.num_loops = int64_t(plan.loops.size());
  told.log = bytesOfLog() + list;
  told.saves = savedInAll;
  told.adjoints = sizes.adjoints;
  told.full = told.log + told.saves + told.adjoints;
  told.least = least();
  told.budget = budget == INT64_MAX ? -1 : budget;
  told.state = stateBytes();
  told.is_too_small = plan.isTooSmall;
  told.fits = !plan.isTooSmall && mode != Mode::Snapshots;
  if (told.fits)
    told.bytes = told.full;
  if (mode == Mode::Snapshots && !plan.isTooSmall) {
    runPlan();
    told.is_too_small = plan.isTooSmall;
    told.snapshots = plan.snapshots;
    told.replays = plan.replays;
    told.bytes = plan.bytes;
    told.spilled = plan.spilled + (last.isSpilled() ? sizes.last : 0);
  }
  const chirt_tape_planner *planner = settings().tapePlanner;
  planner->take(planner->context, &told);
}

} // namespace chirt
