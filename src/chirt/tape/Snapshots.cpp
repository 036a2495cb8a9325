//===- Snapshots.cpp - A tape keeps to its budget while it records --------===//
#include "chirt/tape/Budget.h"

#include "chirt/budget/Binomial.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Field.h"
#include "chirt/field/Gradient.h"
#include "chirt/tape/Stack.h"
#include <algorithm>
#include <cerrno>

namespace chirt {

/// A turn whose saves take more than this part of the budget is cut.
static constexpr int64_t kPartOfTurn = 16;
/// But not if it has fewer entries.
static constexpr int64_t kLeastEntries = 4;
static constexpr int64_t kMostTurns = int64_t(1) << 40;
static constexpr int64_t kMostSnapshots = int64_t(1) << 16;
static constexpr int64_t kFieldCost =
    int64_t(sizeof(TapedField) + sizeof(BudgetedField));

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
  if (mode == Mode::Saving && log.numOpen() >= kLeastEntries &&
      bytesSaved() - savedBefore > budget / kPartOfTurn)
    mostEntries = std::min(mostEntries, log.numOpen());
  if (log.numOpen() >= mostEntries)
    endTurn();
}

void Budget::readByTask(const chirt_task *task, const int64_t *words,
                        const chirt_domain *domain) {
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
  if (isEmpty(box, rank))
    return;
  if (field.readIn < 0)
    assign(field.read, box, rank);
  else
    widen(field.read, box, rank);
  field.readIn = turn;
  if (taped.isActive && !field.isActive) {
    field.isActive = true;
    sizes.adjoints += taped.field->elements * componentsOf(taped.field) *
                      scalarBytes(adjointType(taped.field->dtype));
  }
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
      sizes.state += written->bytes + int64_t(sizeof(Content)) + 16;
    }
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
                 patterns.adjoints.size() * sizeof(PatternAdjoint));
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
    if (taped.isActive && !field.isActive) {
      field.isActive = true;
      sizes.adjoints += taped.field->elements * componentsOf(taped.field) *
                        scalarBytes(adjointType(taped.field->dtype));
    }
  }
  countedFields = tape.fields.size();
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

void Budget::beginLoop(int64_t count) {
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

void Budget::beginTurn() {
  if (isReplaying)
    return;
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
    if (mode == Mode::TooSmall)
      dropSaves();
    else if (!fits(contents.numBytes()))
      leaveSaving();
    return;
  }
  tape.entries.clear();
  log.forgetEntries();
  placeSnapshot();
}

/// Does it fit as long as nothing is run again?
bool Budget::fits(int64_t bytesOfSnapshots) const {
  return bytesSaved() + bytesOfSnapshots + bytesOfLog() + sizes.adjoints <=
         budget;
}

/// What is saved does not fit: from now on there are snapshots.
void Budget::leaveSaving() {
  countFields();
  if (mode == Mode::Plain || !chooseUnit()) {
    contents.clear();
    if (!fits(/*bytesOfSnapshots=*/0))
      return giveUp();
    mode = Mode::Plain;
    return;
  }
  dropSaves();
  mode = Mode::Snapshots;
  base = turn;
  planKnown();
  placeSnapshot();
}

/// How many turns are to be saved at once so that the fewest are run again.
/// False: there is no way.
bool Budget::chooseUnit() {
  int64_t free = bytesForSnapshots();
  int64_t state = contents.isSpilled() ? 0 : std::max(sizes.state, int64_t(1));
  int64_t one = std::max(sizes.turn, int64_t(1));
  int64_t steps = expected > turn ? expected : 4 * turn + 64;
  int64_t best = INT64_MAX;
  for (int64_t turns = 1; turns * one + state <= free; turns *= 2) {
    int64_t most = state ? (free - turns * one) / state : kMostSnapshots;
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
  return best != INT64_MAX;
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
  if (contents.isSpilled())
    return kMostSnapshots;
  int64_t free = bytesForSnapshots() - unit * sizes.turn;
  return std::clamp(free / std::max(sizes.state, int64_t(1)), int64_t(0),
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
  if (bytesForSnapshots() <
      sizes.turn + (contents.isSpilled() ? 0 : sizes.state))
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
  tape.dropSaves();
  log.forgetEntries();
  saved = savedBefore = 0;
  tapesOfThread().bufferPool.keepAtMost(
      std::max(int64_t(0), mode == Mode::Snapshots ? unit * sizes.turn : 0));
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

void Budget::refuse(const char *what, const chirt_site *at) const {
  failAt(at ? at : site, UserFault,
         "%s in a tape with a memory budget is not supported", what);
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
  int64_t states = contents.isSpilled() ? 0 : sizes.state + sizes.last;
  // Host code's stores are fewer entries while nothing is saved.
  int64_t least = bytesOfLog() + bytesOfLog() / 8 + 1024 + sizes.adjoints +
                  states + sizes.turn;
  // Rounded up, so that what is said does.
  int64_t grain = 1;
  while (least / grain >= 1000)
    grain *= 10;
  Text text, need;
  text << "a memory budget of ";
  text.appendBytes(uint64_t(budget));
  need.appendf("%lld", static_cast<long long>((least / grain + 1) * grain));
  text << " is too small for this tape: it needs " << need.view() << " bytes (";
  text.appendBytes(uint64_t(bytesOfLog()));
  text << " for its log, ";
  text.appendBytes(uint64_t(sizes.adjoints));
  text << " for adjoints, ";
  text.appendBytes(uint64_t(states));
  text << " for the states at its beginning and end, ";
  text.appendBytes(uint64_t(sizes.turn));
  text << " for the saves of a turn)";
  failAt(site, UserFault, "%s", text.c_str());
  leave();
}

} // namespace chirt
