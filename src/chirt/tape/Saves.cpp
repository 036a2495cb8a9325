//===- Saves.cpp - What is kept of fields for the backward pass -----------===//
#include "chirt/tape/Stack.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"

namespace chirt {

/// More parts of a field than these are one.
static constexpr int kMaxNeeds = 8;
/// A field of no more bytes (a variable of a kernel) is kept as a box: a field
/// of its own costs more.
static constexpr int64_t kSmallBytes = 256;

//===----------------------------------------------------------------------===//
// What is needed of present contents
//===----------------------------------------------------------------------===//

void Tape::unlinkNeed(int32_t *link) {
  int32_t number = *link;
  *link = needs[number].next;
  needs[number].next = freeNeed;
  freeNeed = number;
}

void Tape::addNeed(int32_t number, const Box &added) {
  int rank = fields[number].field->rank, count = 0;
  if (isEmpty(added, rank))
    return;
  Box box;
  assign(box, added, rank);
  // A part that grows along one axis, step by step, stays one.
  for (int32_t *link = &fields[number].need; *link >= 0;) {
    const Box &other = needs[*link].box;
    if (contains(other, box, rank))
      return;
    if (isUnion(other, box, rank) || ++count > kMaxNeeds) {
      widen(box, other, rank);
      unlinkNeed(link);
      link = &fields[number].need, count = 0;
    } else {
      link = &needs[*link].next;
    }
  }
  int32_t made = freeNeed;
  if (made < 0) {
    made = int32_t(needs.size());
    needs.add();
  } else {
    freeNeed = needs[made].next;
  }
  assign(needs[made].box, box, rank);
  needs[made].next = fields[number].need;
  fields[number].need = made;
}

/// The hull of what is needed of what is about to be written; false: nothing.
bool Tape::findNeeded(int32_t number, const Box &written, Box &needed) const {
  int rank = fields[number].field->rank;
  bool isAny = false;
  for (int32_t k = fields[number].need; k >= 0; k = needs[k].next) {
    Box other, &both = isAny ? other : needed;
    intersect(both, needs[k].box, written, rank);
    if (isEmpty(both, rank))
      continue;
    if (isAny)
      widen(needed, both, rank);
    isAny = true;
  }
  return isAny;
}

/// What was saved is needed no longer.
void Tape::dropNeeds(int32_t number, const Box &written) {
  int rank = fields[number].field->rank;
  ++fields[number].drops;
  for (int32_t *link = &fields[number].need; *link >= 0;)
    if (contains(written, needs[*link].box, rank))
      unlinkNeed(link);
    else
      link = &needs[*link].next;
}

//===----------------------------------------------------------------------===//
// Saves
//===----------------------------------------------------------------------===//

static bool isTooLargeForBox(int64_t bytes, const chirt_field *field) {
  return bytes >= field->bytes && bytes > kSmallBytes;
}

static int64_t costOfBox(int64_t bytes, const chirt_field *field) {
  bool isWhole = bytes == field->bytes;
  return bytes + 16 + int64_t(sizeof(Save) + (isWhole ? 0 : sizeof(Box)));
}

static int64_t costOfWhole(const chirt_field *field) {
  return field->bytes + int64_t(sizeof(Save) + sizeof(chirt_field));
}

/// Keeps a part of a field, which the backward pass restores.
bool Tape::saveBox(int32_t number, const Box &needed) {
  TapedField &known = fields[number];
  int64_t bytes = bytesIn(needed, known.field);
  if (isTooLargeForBox(bytes, known.field))
    return false;
  bool isWhole = bytes == known.field->bytes;
  char *held = memory.tryTake(bytes);
  if (!held && !failToSave(number, bytes))
    leave();
  Box *box = nullptr;
  if (isWhole) {
    memcpy(held, hostCopy(known.field), size_t(bytes));
  } else {
    box = new (memory.take(sizeof(Box))) Box;
    assign(*box, needed, known.field->rank);
    takeBox(known.field, needed, held);
  }
  saves.add() = {nullptr, held, box, known.version, known.save};
  known.save = int32_t(saves.size()) - 1;
  count(CHIRT_TAPE_SAVED_BYTES, bytes);
  count(CHIRT_TAPE_COPIES);
  if (budget)
    budget->addSaved(costOfBox(bytes, known.field));
  return true;
}

void Tape::save(size_t level, int32_t number, const Box &needed,
                bool isOverwritten) {
  chirt_field *field = fields[number].field;
  // A tape round this one may need what the memory holds, too.
  bool isRotated = isOverwritten && !isHeard(level) && ownsMemory(field) &&
                   (kernel || field->bytes > kSmallBytes);
  // Nor would it hear that a box comes back, as would one round k.grad().
  if (budget && budget->isCounting())
    return countSave(number, needed, isRotated);
  if (!isRotated && !isHeard(level) && !kernel && saveBox(number, needed))
    return;
  chirt_field *content = tapesOfThread().bufferPool.take(field);
  if (!content)
    content = makeFor(Purpose::Save, number, nullptr, field);
  if (!content)
    leave();
  saves.push(
      {content, nullptr, {}, fields[number].version, fields[number].save});
  fields[number].save = int32_t(saves.size()) - 1;
  count(CHIRT_TAPE_SAVED_BYTES, field->bytes);
  if (budget)
    budget->addSaved(costOfWhole(field));
  if (isRotated && field->device == content->device) {
    swapMemory(field, content);
    count(CHIRT_TAPE_ROTATIONS);
  } else {
    copyBelow(level, content, field);
    count(CHIRT_TAPE_COPIES);
  }
  dropAllNeeds(number);
}

void Tape::dropAllNeeds(int32_t number) {
  ++fields[number].drops;
  while (fields[number].need >= 0)
    unlinkNeed(&fields[number].need);
}

/// What a save would take; the caller drops what was needed.
void Tape::countSave(int32_t number, const Box &needed, bool isRotated) {
  const chirt_field *field = fields[number].field;
  int64_t bytes = bytesIn(needed, field);
  if (isRotated || isTooLargeForBox(bytes, field)) {
    budget->addSaved(costOfWhole(field));
    dropAllNeeds(number);
  } else {
    budget->addSaved(costOfBox(bytes, field));
  }
}

/// A part of a field is about to be written. `isOverwritten`: all of it, and
/// nothing is read that was there.
void Tape::beforeWrite(size_t level, int32_t number, const Box &written,
                       bool isOverwritten) {
  Box needed;
  if (budget)
    budget->write(number, written, isOverwritten);
  if (findNeeded(number, written, needed)) {
    save(level, number, needed, isOverwritten);
    dropNeeds(number, written);
  }
  ++fields[number].version;
}

/// The tape goes on without what it saved, and without its list of entries.
/// `keepsNeeds`: what is saved later is to be counted as if nothing was
/// dropped.
void Tape::dropSaves(bool keepsNeeds) {
  runPostponed();
  for (size_t k = saves.size(); k-- > 0;)
    tapesOfThread().bufferPool.give(saves[k].content);
  for (TapedField &known : fields) {
    known.save = known.content = -1;
    known.latest = nullptr;
    known.copiedAt = SIZE_MAX;
    if (keepsNeeds)
      continue;
    known.need = -1;
    ++known.drops;
  }
  if (!keepsNeeds) {
    needs.clear();
    freeNeed = -1;
  }
  saves.clear();
  memory.clear();
  exchanged.clear();
  exchangedOf.clear();
  changed.clear();
  entries.clear();
}

/// What was saved and what the field holds change places.
void Tape::exchange(chirt_field *field, const Save &save) {
  exchangeBox(field, save.box ? *save.box : wholeOf(field), save.bytes);
}

/// Restores a box that was saved. The final content of a small field is kept
/// once; of other fields each box is kept, in the memory of the save.
void Tape::putBack(int32_t number) {
  TapedField &known = fields[number];
  chirt_field *field = known.field;
  const Save &save = saves[known.save];
  if (field->bytes > kSmallBytes) {
    exchange(field, save);
    exchanged.push(known.save);
    exchangedOf.push(field);
    return;
  }
  if (!known.latest) {
    known.latest = memory.take(field->bytes);
    memcpy(known.latest, hostCopy(field), size_t(field->bytes));
    changed.push(number);
  }
  if (save.box)
    putBox(field, *save.box, save.bytes);
  else
    memcpy(hostCopyToUpdate(field), save.bytes, size_t(field->bytes));
}

/// Fields hold again what they held when the tape ended.
void Tape::undoExchanges() {
  for (int32_t number : changed) {
    chirt_field *field = fields[number].field;
    memcpy(hostCopyToUpdate(field), fields[number].latest,
           size_t(field->bytes));
  }
  changed.clear();
  for (size_t k = exchanged.size(); k-- > 0;)
    exchange(exchangedOf[k], saves[exchanged[k]]);
  exchanged.clear();
  exchangedOf.clear();
}

} // namespace chirt
