//===- Stack.cpp - The tapes of a thread ----------------------------------===//
#include "chirt/tape/Stack.h"

#include "chirt/tape/Observer.h"

#include "chirt/cpu/FieldOps.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include "chirt/support/ThreadEnd.h"
#include "chirt/tape/Parts.h"
#include <new>

namespace chirt {

thread_local constinit TapeStack *threadTapes = nullptr;
constinit const TapeObserver *tapeObserver = nullptr;

static void freeTape(Tape *tape) {
  tape->~Tape();
  free(tape);
}

static void dropStack(void *) {
  dropTapes(0);
  for (Tape *record : threadTapes->kept)
    freeTape(record);
  threadTapes->~TapeStack();
  free(threadTapes);
  observeChanges(nullptr);
  threadTapes = nullptr;
}

Tape *pushTape(const char *kernel) {
  void *memory = malloc(sizeof(Tape));
  if (!memory)
    outOfMemory();
  auto *tape = new (memory) Tape(kernel);
  tapesOfThread().open.push(tape);
  return tape;
}

size_t numTapes() { return threadTapes ? threadTapes->open.size() : 0; }

bool areRacesLookedFor() {
  for (const Tape *tape : tapesOfThread().open)
    if (tape->looksForRaces)
      return true;
  return false;
}

void dropTapes(size_t count) {
  while (numTapes() > count) {
    Array<Tape *> &open = threadTapes->open;
    Tape *last = open.back();
    open.pop();
    // The backward pass failed before it ran the launch.
    last->runPostponed();
    freeTape(last);
  }
}

bool Tape::hasFieldIn(const chirt_field *begin, const chirt_field *end) const {
  for (const TapedField &known : fields)
    if (known.field >= begin && known.field < end)
      return true;
  return false;
}

void dropRecords() {
  for (; threadTapes && !threadTapes->kept.empty(); threadTapes->kept.pop())
    freeTape(threadTapes->kept.back());
}

void dropRecordsOf(const chirt_field *begin, const chirt_field *end) {
  if (!threadTapes)
    return;
  Array<Tape *> &kept = threadTapes->kept;
  for (size_t k = kept.size(); k-- > 0;)
    if (Tape *record = kept[k]; record->hasFieldIn(begin, end)) {
      kept.removeAt(k);
      freeTape(record);
    }
}

//===----------------------------------------------------------------------===//
// What all of them hear
//===----------------------------------------------------------------------===//

void noteChange(const chirt_field *field, const chirt_task *by,
                const Box *changed) {
  if (field->base)
    return noteChange(field->base, by, nullptr);
  if (threadTapes)
    for (Tape *record : threadTapes->kept)
      record->noteChange(field, by, changed ? *changed : wholeOf(field));
}

/// Those of the first `count` that record or keep what is changed, from the
/// inside out: what one does for itself happens before what it hears of, also
/// to the next one.
template <typename F> static void forEachTape(size_t count, F &&each) {
  for (size_t level = count; level-- > 0;)
    if (Tape *tape = threadTapes->open[level];
        !tape->isEnding || tape->isInAdjoint)
      each(*tape, level);
}

/// The records of kernels hear of what is changed.
static void noteWrites(const chirt_task *task, const int64_t *words,
                       const chirt_domain *domain) {
  for (int k = 0; k < task->num_arguments; ++k)
    if (task->arguments[k].is_field && words[k] &&
        (task->arguments[k].uses & CHIRT_USE_WRITE)) {
      Box written = touched(task, k, CHIRT_USE_WRITE, words, domain);
      noteChange(reinterpret_cast<chirt_field *>(words[k]), task, &written);
    }
}

static Launching recordLaunch(const Launching &launching,
                              const chirt_domain *domain) {
  TapeStack &tapes = *threadTapes;
  auto [task, words] = launching;
  tapes.wanting.clear();
  forEachTape(tapes.open.size(), [&](Tape &tape, size_t level) {
    if (tape.launch(level, task, words, domain))
      tapes.wanting.push(&tape);
  });
  if (!tapes.kept.empty())
    noteWrites(task, words, domain);
  return tapes.wanting.empty() ? launching
                               : launchRecorder(tapes, launching, domain);
}

/// Some of a field's elements become those of `from`, or (null) a value.
static void recordPart(const chirt_field *view, const chirt_field *from) {
  refuseNestedView(view->made_at);
  forEachTape(threadTapes->open.size(), [&](Tape &tape, size_t level) {
    tape.scatter(level, view, from);
  });
  noteChange(view, nullptr);
}

/// All of a field becomes some of another's elements.
static void recordGather(chirt_field *to, const chirt_field *view) {
  refuseNestedView(view->made_at);
  forEachTape(threadTapes->open.size(),
              [&](Tape &tape, size_t level) { tape.gather(level, to, view); });
  noteChange(to, nullptr);
}

static void recordFill(chirt_field *field) {
  if (field->base)
    return recordPart(field, nullptr);
  forEachTape(threadTapes->open.size(),
              [&](Tape &tape, size_t level) { tape.fill(level, field); });
  noteChange(field, nullptr);
}

static void recordCopyBelow(size_t level, chirt_field *to,
                            const chirt_field *from) {
  forEachTape(level, [&](Tape &tape, size_t at) { tape.copy(at, to, from); });
  noteChange(to, nullptr);
}

static void recordCopy(chirt_field *to, const chirt_field *from) {
  if (to->base)
    return recordPart(to, from);
  if (from->base)
    return recordGather(to, from);
  recordCopyBelow(threadTapes->open.size(), to, from);
}

static constexpr ChangeObserver tapeChanges = {
    .launch = recordLaunch,
    .launchOverViews = launchOverCopies,
    .fill = recordFill,
    .copy = recordCopy,
    .gradient = adjointInCall,
    .describeShort = describeShortOnTapes,
    .appendHeld = appendTapeBytes,
};

TapeStack &makeTapesOfThread() {
  void *memory = malloc(sizeof(TapeStack));
  if (!memory)
    outOfMemory();
  threadTapes = new (memory) TapeStack();
  observeChanges(&tapeChanges);
  atThreadEnd(dropStack, nullptr);
  return *threadTapes;
}

void copyBelow(size_t level, chirt_field *to, const chirt_field *from) {
  recordCopyBelow(level, to, from);
  if (tangentCarrier)
    tangentCarrier->copy(to, from);
  copyField(to, from);
}

void addBelow(size_t level, chirt_field *to, const chirt_field *from) {
  forEachTape(level, [&](Tape &tape, size_t at) { tape.add(at, to, from); });
  noteChange(to, nullptr);
  if (tangentCarrier)
    tangentCarrier->add(to, from);
  addField(to, from);
}

void zeroBelow(size_t level, chirt_field *field) {
  forEachTape(level, [&](Tape &tape, size_t at) { tape.fill(at, field); });
  noteChange(field, nullptr);
  if (tangentCarrier)
    tangentCarrier->fill(field);
  zeroField(field);
}

void zeroElementsBelow(size_t level, chirt_field *field, const int64_t *offsets,
                       int64_t count) {
  forEachTape(level, [&](Tape &tape, size_t at) {
    tape.store(at, field, wholeOf(field), offsets, count);
  });
  noteChange(field, nullptr);
  if (tangentCarrier)
    tangentCarrier->zero(field, offsets, count);
  zeroScalars(field, offsets, count);
}

void recordHostStore(chirt_field *field, bool isAdded, int64_t component,
                     const int64_t *indices) {
  for (int k = 0; k < field->rank; ++k)
    if (indices[k] < 0 || indices[k] >= field->extents[k])
      return; // the store that comes now fails, and changes nothing
  if (field->base) {
    int64_t offset[CHIRT_MAX_RANK];
    indicesInBase(field, indices, offset);
    return recordHostStore(field->base, isAdded, component, offset);
  }
  int64_t element = 0;
  for (int k = 0; k < field->rank; ++k) {
    int32_t axis = field->order[k];
    element = element * field->extents[axis] + indices[axis];
  }
  Box box = elementAt(field, indices);
  noteChange(field, nullptr, &box);
  int32_t first = component < 0 ? 0 : int32_t(component);
  int32_t last = component < 0 ? componentsOf(field) : first + 1;
  for (int32_t c = first; c < last; ++c) {
    int64_t offset =
        scalarOffset(field, element, c) / scalarBytes(field->dtype);
    forEachTape(numTapes(), [&](Tape &tape, size_t level) {
      if (isAdded)
        tape.addition(level, field, box);
      else
        tape.store(level, field, box, &offset, 1);
    });
  }
}

} // namespace chirt
