//===- Snapshots.cpp - A tape keeps to its budget while it records --------===//
#include "chirt/tape/Budget.h"

#include "chirt/budget/Binomial.h"
#include "chirt/field/Field.h"
#include "chirt/tape/Stack.h"
#include <algorithm>

namespace chirt {

/// A turn with so many entries is cut: what runs without a loop. This does not
/// depend on the budget, so any run can say what the least budget is.
static constexpr int64_t kMostEntries = 64;
static constexpr int64_t kMostTurns = int64_t(1) << 40;
static constexpr int64_t kMostSnapshots = int64_t(1) << 16;

BudgetedField &Budget::at(int32_t number) {
  while (known.size() <= size_t(number))
    known.push({});
  return known[size_t(number)];
}

//===----------------------------------------------------------------------===//
// What is read and written
//===----------------------------------------------------------------------===//

void Budget::beforeEntry(int32_t stored) {
  if (isReplaying)
    return;
  // Host code reports all components of an element before it stores them.
  if (stored >= 0 && mayGoOn()) {
    const Entry &before = tape.entries.back();
    if ((before.kind == EntryKind::Store ||
         before.kind == EntryKind::Addition) &&
        before.to == stored)
      return;
  }
  log.settle();
  if (log.numOpen() >= kMostEntries)
    endTurn();
}

void Budget::readByTask(const chirt_task *task, const int64_t *words,
                        const chirt_domain *domain) {
  if (isMeasuring)
    return;
  for (int k = 0; k < task->num_arguments; ++k) {
    const chirt_argument &argument = task->arguments[k];
    auto *field = reinterpret_cast<chirt_field *>(words[k]);
    if (argument.is_field && field && (argument.uses & CHIRT_USE_READ))
      read(tape.meet(field), touched(task, k, CHIRT_USE_READ, words, domain));
  }
}

void Budget::read(int32_t number, const Box &box) {
  const TapedField &taped = tape.fields[size_t(number)];
  int rank = taped.field->rank;
  BudgetedField &field = at(number);
  if (isMeasuring || isEmpty(box, rank))
    return;
  field.wasRead = true;
  if (field.readIn < 0)
    assign(field.read, box, rank);
  else
    widen(field.read, box, rank);
  field.readIn = turn;
  expectAdjoint(number);
}

/// Is there a snapshot of a turn in [from, to] without what the field holds?
bool Budget::needsCopy(int32_t number, int64_t from, int64_t to) const {
  if (!isReplaying)
    return snapshots.hasIn(from, to);
  for (int64_t k = snapshots.size(); k-- > 0 && snapshots[k] >= from;)
    if (snapshots[k] <= to && !contents.has(number, snapshots[k]))
      return true;
  return false;
}

void Budget::write(int32_t number, const Box &box, bool isOverwritten) {
  chirt_field *written = tape.fields[size_t(number)].field;
  int rank = written->rank;
  BudgetedField &field = at(number);
  if (isMeasuring)
    return;
  if (isOverwritten)
    field.wasRead = false;
  if (!field.isWritten) {
    field.isWritten = true;
    sizes.last += written->bytes;
  }
  // What was not read since the snapshots is not what they are asked for.
  Box both;
  bool isRead = field.readIn >= 0;
  if (isRead && !isOverwritten) {
    intersect(both, field.read, box, rank);
    isRead = !isEmpty(both, rank);
  }
  // A part that stays is asked for by later snapshots, too.
  int64_t to = isOverwritten ? field.readIn : turn;
  if (isRead && to > field.behind) {
    if (!field.isState) {
      field.isState = true;
      sizes.state += contents.costOf(written->bytes);
    }
    if (field.behind < 0)
      sizes.first += contents.costOf(written->bytes);
    if (hasSnapshots() && needsCopy(number, field.behind + 1, to))
      contents.keep(site, number, written, field.behind, to);
  }
  if (isRead || isOverwritten) {
    field.behind = turn;
    field.readIn = -1;
  }
}

void Budget::noteCopy(int32_t number) {
  BudgetedField &field = at(number);
  if (!field.isCopied)
    sizes.adjoints += tape.fields[size_t(number)].field->bytes;
  field.isCopied = true;
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

void Budget::beginLoop(const chirt_site *loop, int64_t count) {
  if (plan.isOn)
    plan.noteLoop(loop);
  // A loop of which no turn had a task was no loop over time.
  if (idle > 0 && idle >= announced) {
    expected = -1;
    announced = 0;
  }
  // One that begins where another one began multiplies its turns.
  bool isInner = announced > 0 && announcedAt == turn;
  bool fits = count > 0 && (!isInner || announced <= kMostTurns / count);
  announced = !fits ? 0 : isInner ? announced * count : count;
  announcedAt = turn;
  idle = 0;
  if (announced > 0 && turn + announced > expected)
    expected = turn + announced;
}

void Budget::beginTurn(const chirt_site *loop) {
  if (isReplaying)
    return;
  if (plan.isOn)
    plan.noteTurn(loop);
  if (!log.hasOpenTask()) {
    ++idle;
    return;
  }
  log.settle();
  endTurn();
}

void Budget::endTurn() {
  log.closeTurn();
  ++turn;
  if (tape.fields.size() > countedFields + countedFields / 4 + 8)
    countFields();
  if (isSaving()) {
    int64_t all = bytesSaved();
    sizes.turn = std::max(sizes.turn, all - savedBefore);
    savedBefore = all;
    if (!fits(contents.numBytes()))
      leaveSaving();
  } else {
    tape.entries.clear();
    log.forgetEntries();
    if (mode == Mode::Snapshots)
      placeSnapshot();
  }
  noteStep();
  if (plan.isOn)
    notePeak();
}

/// Does it fit as long as nothing is run again?
bool Budget::fits(int64_t bytesOfSnapshots) const {
  return bytesSaved() + bytesOfSnapshots + bytesOfLog() + sizes.adjoints <=
         budget;
}

/// What is saved does not fit: from now on there are snapshots, if the budget
/// would do with the turns that there were so far.
void Budget::leaveSaving() {
  countFields();
  measureTurns();
  if (mode == Mode::Plain || budget < needed()) {
    contents.clear();
    if (!fits(/*bytesOfSnapshots=*/0))
      return giveUp();
    mode = Mode::Plain;
    return;
  }
  chooseUnit();
  countsAll = plan.isOn || hasSteps;
  dropSaves();
  mode = Mode::Snapshots;
  base = turn;
  planKnown();
  placeSnapshot();
}

/// How many turns are to be saved at once so that the fewest are run again.
void Budget::chooseUnit() {
  int64_t free = bytesForSnapshots();
  int64_t state = std::max(stateBytes(), int64_t(1));
  int64_t one = std::max(sizes.turn, int64_t(1));
  int64_t steps = expected > turn ? expected : 4 * turn + 64;
  int64_t best = INT64_MAX;
  for (int64_t turns = 1; turns * one + state <= free; turns *= 2) {
    int64_t most = (free - turns * one) / state;
    int64_t units = (steps + turns - 1) / turns;
    int64_t runs =
        numAdvances(units, std::clamp(most, int64_t(1), kMostSnapshots)) *
        turns;
    if (runs <= best) {
      best = runs;
      unit = turns;
    }
    if (turns >= steps)
      break;
  }
}

/// Of a loop whose turns are known, the best turns for snapshots.
void Budget::planKnown() {
  if (expected <= turn)
    return;
  int64_t most = mostSnapshots() - 1; // besides that of turn 0
  int64_t units = (expected - turn + unit - 1) / unit, at = turn;
  Array<int64_t> found;
  for (; most > 0; --most) {
    found.push(at);
    if (units < 2 || most < 2)
      break;
    int64_t split = firstSplit(units, most);
    at += split * unit;
    units -= split;
  }
  while (!found.empty()) {
    planned.push(found.back());
    found.pop();
  }
}

int64_t Budget::mostSnapshots() const {
  int64_t free = bytesForSnapshots() - unit * sizes.turn;
  return std::clamp(free / std::max(stateBytes(), int64_t(1)), int64_t(0),
                    kMostSnapshots);
}

/// Drops snapshots until there are no more than these, and what they hold fits.
void Budget::makeRoom(int64_t most) {
  while (snapshots.size() > most ||
         contents.numBytes() > bytesForSnapshots() - sizes.turn) {
    int64_t dropped = snapshots.drop();
    if (dropped < 0)
      return;
    contents.dropUnused(dropped, snapshots);
  }
}

/// The present turn may be one of a snapshot.
void Budget::placeSnapshot() {
  // What later turns save is measured at the end.
  if (bytesForSnapshots() < stateBytes())
    return giveUp();
  if ((turn - base) % unit != 0)
    return;
  int64_t most = mostSnapshots();
  makeRoom(most);
  if (turn < expected && !planned.empty()) {
    if (planned.back() == turn) {
      planned.pop();
      if (snapshots.size() < most)
        snapshots.push(turn);
    }
    return;
  }
  if (turn < expected && base < expected && snapshots.size() > 1)
    return; // all that were planned are made
  int64_t dropped = snapshots.add(turn, std::max(most, int64_t(1)));
  if (dropped >= 0 && dropped != turn)
    contents.dropUnused(dropped, snapshots);
}

/// The budget is too small. How much would do is known at the end.
void Budget::giveUp() {
  mode = Mode::TooSmall;
  dropSaves();
  while (snapshots.drop() >= 0) {
  }
  contents.clear();
}

/// Clears the tape's list of entries and what it saved for them.
void Budget::dropSaves() {
  tape.dropSaves(/*keepsNeeds=*/!isReplaying && countsAll);
  log.forgetEntries();
  saved = savedBefore = 0;
  if (!plan.isOn)
    tapesOfThread().bufferPool.keepAtMost(
        mode == Mode::Snapshots ? unit * sizes.turn : 0);
}

} // namespace chirt
