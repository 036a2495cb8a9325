//===- Replay.cpp - A tape with a budget goes back ------------------------===//
// The fields of the program are used for it: what they hold when the tape ends
// is kept before and put back afterwards.
#include "chirt/tape/Budget.h"

#include "chirt/budget/Binomial.h"
#include "chirt/cpu/FieldOps.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include "chirt/launch/Launch.h"
#include "chirt/tape/Parts.h"
#include "chirt/tape/Stack.h"
#include <algorithm>

namespace chirt {

/// Runs entries of the log again. It owns nothing.
class Replay {
public:
  explicit Replay(Budget &budget) : budget(budget), tape(budget.tape) {}
  /// See Budget::nextSegment.
  bool next();
  /// Instead of the adjoints of what `next` left in the tape's list.
  void skip();
  /// Finds out what the turns save that were not measured yet.
  void measure();

private:
  /// Does anything run? It does not for a plan.
  bool runs() const { return !budget.plan.isOn && !budget.isMeasuring; }
  void measureTurn(Turns::Numbers turn);
  void dropNeedsOf(const Entry &entry);
  void leaveSegment();
  void approach();
  void restore(int64_t turn);
  void runTo(int64_t turn);
  bool fill();
  void rewind();
  template <typename F> void forEachWrite(const Entry &entry, F &&each);

  void run(const Entry &entry);
  void runLaunch(const Entry &entry);
  void runPart(const Entry &entry);
  void noteStored(const Entry &entry);
  void runStored(const Entry &entry);
  void fillWith(const Entry &entry, chirt_field *field);
  void putScalars(const Entry &entry);
  Box boxOf(const Entry &store) const;
  void read(int32_t number) { budget.read(number, wholeOf(fieldAt(number))); }
  /// What comes before each write, as in the forward pass.
  void write(int32_t number, const Box &box, bool isOverwritten = false) {
    if (budget.isMeasuring || budget.isSaving())
      tape.beforeWrite(0, number, box, isOverwritten);
    else
      budget.write(number, box, isOverwritten);
  }
  chirt_field *fieldAt(int32_t number) const {
    return tape.fields[size_t(number)].field;
  }
  int64_t bytesForSaves() const;

  Budget &budget;
  Tape &tape;
};

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

void Replay::runLaunch(const Entry &entry) {
  const chirt_task *task = entry.task;
  const int64_t *words = tape.tuples.at(entry.at);
  chirt_domain domain = domainOf(words, task);
  tape.recording = task;
  budget.readByTask(task, words, &domain);
  if (entry.isActive)
    tape.noteNeeds(tape.patterns.ways[size_t(entry.count)].needs, words,
                   &domain);
  PatternRun writes = tape.patterns[entry.to].writes;
  for (int32_t k = writes.from; k < writes.to; ++k) {
    const PatternUse use = tape.patterns.uses[size_t(k)];
    write(use.field, tape.boxOf(use, CHIRT_USE_WRITE, words, &domain),
          use.isOverwritten);
  }
  tape.recording = nullptr;
  if (!runs())
    return;
  if (entry.image >= 0)
    budget.log.putPieces(entry);
  else
    launchUnheard(task, words, &domain);
}

/// All elements get the value that a fill had.
void Replay::fillWith(const Entry &entry, chirt_field *field) {
  const int64_t bytes = scalarBytes(field->dtype);
  const int count = componentsOf(field);
  auto *value = static_cast<char *>(chirt_scratch_push(count * bytes));
  for (int c = 0; c < count; ++c)
    budget.log.putWords(entry, c, value + c * bytes, bytes);
  fillField(field, value);
  chirt_scratch_pop(value);
}

void Replay::runPart(const Entry &entry) {
  bool isGather = entry.kind == EntryKind::Gather;
  chirt_field *part =
      tape.chunkOf(entry, fieldAt(isGather ? entry.from : entry.to));
  if (isGather) {
    read(entry.from);
    write(entry.to, wholeOf(fieldAt(entry.to)), /*isOverwritten=*/true);
    if (runs())
      copyField(fieldAt(entry.to), part);
  } else {
    if (entry.from >= 0)
      read(entry.from);
    write(entry.to, hullOf(part));
    if (runs() && entry.from >= 0)
      copyField(part, fieldAt(entry.from));
    else if (runs())
      fillWith(entry, part);
  }
  chirt_field_release(part);
}

/// Where host code stored scalars.
Box Replay::boxOf(const Entry &store) const {
  const chirt_field *field = fieldAt(store.to);
  const int64_t *offsets = tape.offsets.data() + store.at;
  Box hull = {};
  for (int64_t k = 0; k < store.count; ++k) {
    int64_t indices[CHIRT_MAX_RANK] = {};
    indicesOfScalar(field, offsets[k], indices);
    Box box = elementAt(field, indices);
    if (k == 0)
      assign(hull, box, field->rank);
    else
      widen(hull, box, field->rank);
  }
  return hull;
}

void Replay::putScalars(const Entry &entry) {
  chirt_field *field = fieldAt(entry.to);
  const int64_t bytes = scalarBytes(field->dtype);
  char *data = hostCopyToUpdate(field);
  for (int64_t k = 0; k < entry.count; ++k)
    budget.log.putWords(
        entry, k, data + tape.offsets[size_t(entry.at + k)] * bytes, bytes);
}

void Replay::noteStored(const Entry &entry) {
  Box whole = wholeOf(fieldAt(entry.to));
  switch (entry.kind) {
  case EntryKind::Fill:
    return write(entry.to, whole, /*isOverwritten=*/true);
  case EntryKind::Copy:
    read(entry.from);
    return write(entry.to, whole, /*isOverwritten=*/true);
  case EntryKind::Add:
    read(entry.from);
    read(entry.to);
    return write(entry.to, whole);
  case EntryKind::Store:
    return write(entry.to, boxOf(entry));
  default: // an addition
    return write(entry.to, tape.additions[size_t(entry.at)]);
  }
}

void Replay::runStored(const Entry &entry) {
  noteStored(entry);
  if (!runs())
    return;
  chirt_field *to = fieldAt(entry.to);
  switch (entry.kind) {
  case EntryKind::Fill:
    return fillWith(entry, to);
  case EntryKind::Copy:
    return copyField(to, fieldAt(entry.from));
  case EntryKind::Add:
    return addField(to, fieldAt(entry.from));
  case EntryKind::Store:
    return putScalars(entry);
  default: // an addition
    return budget.log.putPieces(entry);
  }
}

void Replay::run(const Entry &entry) {
  if (entry.kind == EntryKind::Launch)
    runLaunch(entry);
  else if (entry.kind == EntryKind::Gather || entry.kind == EntryKind::Scatter)
    runPart(entry);
  else
    runStored(entry);
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

/// Fields hold what they held where a turn began that has a snapshot.
void Replay::restore(int64_t turn) {
  for (const Content &content : budget.contents.all())
    if (content.behind < turn && turn <= content.to)
      budget.contents.putBack(budget.site, content, fieldAt(content.field));
  budget.position = budget.turn = turn;
  for (BudgetedField &field : budget.known) {
    field.behind = turn;
    field.readIn = -1;
  }
}

/// Runs the turns before this one.
void Replay::runTo(int64_t turn) {
  for (; budget.position < turn; ++budget.position) {
    budget.turn = budget.position;
    for (int32_t number : budget.log.at(budget.position))
      run(budget.log.entry(number));
    tape.count(CHIRT_TAPE_REPLAYS);
    if (budget.plan.isOn) {
      ++budget.plan.replays;
      budget.notePeak();
    }
  }
  budget.turn = turn;
}

/// Goes to where the last turns can be saved, and leaves snapshots on the way.
void Replay::approach() {
  for (;;) {
    int64_t from = budget.snapshots.last(), left = budget.end - from;
    if (budget.position != from)
      restore(from);
    if (left <= budget.unit)
      return;
    int64_t units = (left + budget.unit - 1) / budget.unit;
    int64_t free = budget.mostSnapshots() - budget.snapshots.size();
    if (free <= 0 || units < 2)
      return runTo(budget.end - budget.unit);
    int64_t step = firstSplit(units, free + 1) * budget.unit;
    runTo(std::min(from + step, budget.end - 1));
    budget.snapshots.push(budget.position);
  }
}

template <typename F> void Replay::forEachWrite(const Entry &entry, F &&each) {
  if (entry.kind != EntryKind::Launch)
    return each(entry.to);
  PatternRun writes = tape.patterns[entry.to].writes;
  for (int32_t k = writes.from; k < writes.to; ++k)
    each(tape.patterns.uses[size_t(k)].field);
}

/// Puts the turns from the present one to the end into the tape's list. Fields
/// have the versions of their beginning then.
void Replay::rewind() {
  tape.entries.clear();
  for (int64_t turn = budget.position; turn < budget.end; ++turn)
    for (int32_t number : budget.log.at(turn))
      tape.entries.push(budget.log.entry(number));
  for (const Entry &entry : tape.entries)
    forEachWrite(
        entry, [&](int32_t number) { --tape.fields[size_t(number)].version; });
}

int64_t Replay::bytesForSaves() const {
  return budget.bytesForSnapshots() - budget.contents.numBytes();
}

/// Runs the turns up to the end, and saves what their adjoints need. False: it
/// is too much for so many turns.
bool Replay::fill() {
  budget.segment = budget.position;
  rewind();
  budget.mode = Budget::Mode::Saving;
  size_t next = 0;
  bool fits = true;
  while (budget.position < budget.end && fits) {
    size_t before = next;
    next += size_t(budget.log.at(budget.position).count);
    int64_t saved = budget.bytesSaved();
    runTo(budget.position + 1);
    int64_t own =
        budget.bytesSaved() - saved + int64_t((next - before) * sizeof(Entry));
    budget.sizes.turn = std::max(budget.sizes.turn, own);
    fits = budget.bytesSaved() <= bytesForSaves();
  }
  budget.mode = Budget::Mode::Snapshots;
  if (fits)
    return true;
  for (; next < tape.entries.size(); ++next)
    forEachWrite(tape.entries[next], [&](int32_t number) {
      ++tape.fields[size_t(number)].version;
    });
  return false;
}

/// The adjoints of the turns in the tape's list have run.
void Replay::leaveSegment() {
  budget.dropSaves();
  budget.end = budget.segment;
  budget.segment = budget.position = -1;
  while (budget.snapshots.size() > 1 && budget.snapshots.last() >= budget.end) {
    int64_t dropped = budget.snapshots.last();
    budget.snapshots.pop();
    budget.contents.dropUnused(dropped, budget.snapshots);
  }
}

bool Replay::next() {
  if (budget.segment >= 0)
    leaveSegment();
  if (budget.end == 0)
    return false;
  budget.isReplaying = true;
  for (;;) {
    approach();
    if (fill())
      return true;
    int64_t turns = budget.end - budget.segment;
    budget.dropSaves();
    budget.segment = budget.position = -1;
    if (turns == 1 && budget.plan.isOn) {
      budget.plan.isTooSmall = true;
      return false;
    }
    if (turns == 1)
      budget.failTooSmall();
    budget.unit = std::max(int64_t(1), turns / 2);
  }
}

void Replay::skip() {
  for (const Entry &entry : tape.entries)
    forEachWrite(
        entry, [&](int32_t number) { --tape.fields[size_t(number)].version; });
}

//===----------------------------------------------------------------------===//
// What turns save
//===----------------------------------------------------------------------===//

/// Nothing is needed any more of what the entry's adjoint reads.
void Replay::dropNeedsOf(const Entry &entry) {
  if (entry.kind != EntryKind::Launch || !entry.isActive)
    return;
  PatternRun needs = tape.patterns.ways[size_t(entry.count)].needs;
  for (int32_t k = needs.from; k < needs.to; ++k)
    tape.dropAllNeeds(tape.patterns.uses[size_t(k)].field);
}

void Replay::measureTurn(Turns::Numbers turn) {
  budget.saved = 0;
  for (int32_t number : turn)
    run(budget.log.entry(number));
  int64_t list = turn.count * int64_t(sizeof(Entry));
  budget.sizes.measured = std::max(budget.sizes.measured, budget.saved + list);
  for (int32_t number : turn) {
    const Entry &entry = budget.log.entry(number);
    dropNeedsOf(entry);
    forEachWrite(entry,
                 [&](int32_t field) { --tape.fields[size_t(field)].version; });
  }
}

/// What is needed now is put aside meanwhile.
void Replay::measure() {
  Array<Need> needs;
  Array<int32_t> first;
  needs.swap(tape.needs);
  int32_t freeNeed = std::exchange(tape.freeNeed, -1);
  for (TapedField &field : tape.fields) {
    first.push(std::exchange(field.need, -1));
    ++field.drops;
  }
  int64_t saved = budget.saved;
  bool isReplaying = std::exchange(budget.isReplaying, true);
  budget.isMeasuring = true;
  for (; budget.numMeasured < budget.log.numDistinct(); ++budget.numMeasured)
    measureTurn(budget.log.distinctAt(budget.numMeasured));
  budget.isMeasuring = false;
  budget.isReplaying = isReplaying;
  budget.saved = saved;
  needs.swap(tape.needs);
  tape.freeNeed = freeNeed;
  for (size_t k = 0; k < tape.fields.size(); ++k) {
    tape.fields[k].need = first[k];
    ++tape.fields[k].drops;
  }
}

//===----------------------------------------------------------------------===//
// What a tape asks for
//===----------------------------------------------------------------------===//

void Budget::measureTurns() { Replay(*this).measure(); }

void Budget::runPlan() {
  for (Replay replay(*this); replay.next();)
    replay.skip();
}

/// Will the tape be run backward from what it saved?
bool Budget::keepsAll() {
  if (isSaving() && !fits(/*bytesOfSnapshots=*/0))
    leaveSaving();
  return isSaving();
}

void Budget::finish() {
  log.settle();
  if (log.numOpen() > 0)
    log.closeTurn();
  turn = log.numTurns();
  isEnded = true;
  // The tape may not have met it.
  tape.meet(tape.loss);
  countFields();
  for (int32_t k = 0; k < int32_t(tape.fields.size()); ++k)
    expectAdjoint(k);
  sizes.turn = std::max(sizes.turn, bytesSaved() - savedBefore);
  bool isKept = keepsAll();
  if (!isKept || plan.isOn)
    measureTurns();
  if (isKept)
    return contents.clear();
  isReplaying = true;
  dropSaves();
  if (mode == Mode::TooSmall || budget < needed()) {
    if (!plan.isOn)
      failTooSmall();
    plan.isTooSmall = true;
    return;
  }
  prepareReplay();
}

/// The budget does; now it is known what a turn takes at least.
void Budget::prepareReplay() {
  sizes.turn = std::max(sizes.turn, sizes.measured);
  if (bytesForSnapshots() < stateBytes() + sizes.turn)
    sizes.turn = sizes.measured;
  while (unit > 1 && bytesForSnapshots() < stateBytes() + unit * sizes.turn)
    unit /= 2;
  end = turn;
  makeRoom(mostSnapshots());
  if (snapshots.last() == end && end > 0)
    snapshots.pop();
  for (int32_t k = 0; k < int32_t(known.size()); ++k) {
    chirt_field *field = tape.fields[size_t(k)].field;
    bool isAlone = __atomic_load_n(&field->refcount, __ATOMIC_RELAXED) == 1;
    if (!known[size_t(k)].isWritten)
      continue;
    noteChange(field, nullptr);
    if (!isAlone)
      last.keep(site, k, field, 0, 0);
  }
}

bool Budget::nextSegment() {
  return mode == Mode::Snapshots && Replay(*this).next();
}

void Budget::restoreLast() {
  for (const Content &content : last.all())
    last.putBack(site, content, tape.fields[size_t(content.field)].field);
  last.clear();
}

} // namespace chirt
