//===- Log.cpp - What is recorded, and what is kept for later -------------===//
#include "chirt/tape/Stack.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Field.h"

namespace chirt {

int64_t tapeStatistics[CHIRT_TAPE_NUM_STATISTICS] = {};

/// Entries and saves of a tape whose memory is kept for the next one.
static constexpr size_t kMostKept = size_t(1) << 18;

namespace {
struct Counters {
  int64_t made = 0;
  int32_t living = 0;
};
constinit Counters counters;
} // namespace

int32_t numLivingTapes() {
  return __atomic_load_n(&counters.living, __ATOMIC_RELAXED);
}

Tape::Tape(const char *kernel) : kernel(kernel) {
  id = __atomic_add_fetch(&counters.made, 1, __ATOMIC_RELAXED) & INT32_MAX;
  __atomic_fetch_add(&counters.living, 1, __ATOMIC_RELAXED);
  // Kernels hand over their launches as long as there is one to hear of them.
  __atomic_fetch_add(&chirt_recording, 1, __ATOMIC_RELAXED);
  exchangeRoom();
}

/// Those of another tape are empty.
void Tape::exchangeRoom() {
  TapeRoom &room = tapesOfThread().room;
  entries.swap(room.entries);
  saves.swap(room.saves);
  memory.swap(room.memory);
}

void Tape::tellCounts() {
  for (int k = 0; k < CHIRT_TAPE_NUM_STATISTICS; ++k)
    __atomic_fetch_add(&tapeStatistics[k], std::exchange(counts[k], 0),
                       __ATOMIC_RELAXED);
}

Tape::~Tape() {
  tellCounts();
  leaveCustom(0, /*isHeard=*/false);
  __atomic_fetch_sub(&chirt_recording, 1, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&counters.living, 1, __ATOMIC_RELAXED);
  for (chirt_field *temporary : temporaries)
    chirt_field_release(temporary);
  undoExchanges();
  dropBudget();
  // The next tape may want them in the same order.
  for (size_t k = saves.size(); k-- > 0;)
    tapesOfThread().bufferPool.give(saves[k].content);
  for (const TapedField &known : fields) {
    chirt_field_release(known.adjoint);
    chirt_field_release(known.dropped);
    chirt_field_release(known.copy);
    chirt_field_release(known.field);
  }
  for (chirt_field *recorded : results)
    chirt_field_release(recorded);
  chirt_field_release(loss);
  // A long tape is not the rule, and keeps nothing.
  if (entries.size() + saves.size() > kMostKept)
    return;
  entries.clear();
  saves.clear();
  memory.clear();
  exchangeRoom();
}

void Tape::limitTo(const chirt_site *site, int64_t bytes) {
  void *room = malloc(sizeof(Budget));
  if (!room)
    outOfMemory();
  budget = new (room) Budget(*this, site, bytes);
  // Snapshots have no tangents, but it takes none if it records nothing.
  if (!tangentCarrier || isEnding)
    return;
  failAt(site, UserFault,
         "a tape with a memory budget in a `with Forward()` is not supported");
  leave();
}

void Tape::dropBudget() {
  if (!budget)
    return;
  budget->restoreLast();
  budget->~Budget();
  free(budget);
  budget = nullptr;
}

//===----------------------------------------------------------------------===//
// The fields of a tape
//===----------------------------------------------------------------------===//

/// The handle remembers where the tape that asked last has it.
static int64_t taped(int64_t id, int32_t number) { return id << 32 | number; }

static size_t hashOf(const chirt_field *field) {
  return mixed(reinterpret_cast<uintptr_t>(field) >> 4);
}

int32_t Tape::find(const chirt_field *field) const {
  int64_t known = __atomic_load_n(&field->taped, __ATOMIC_RELAXED);
  if (known >> 32 == id)
    return int32_t(known);
  if (byHandle.empty())
    return -1;
  size_t mask = byHandle.size() - 1;
  for (size_t at = hashOf(field) & mask; byHandle[at]; at = (at + 1) & mask)
    if (fields[byHandle[at] - 1].field == field)
      return byHandle[at] - 1;
  return -1;
}

void Tape::rehash() {
  size_t size = byHandle.empty() ? 64 : 2 * byHandle.size();
  byHandle.clear();
  byHandle.resize(size);
  for (size_t k = 0; k < fields.size(); ++k) {
    size_t at = hashOf(fields[k].field) & (size - 1);
    while (byHandle[at])
      at = (at + 1) & (size - 1);
    byHandle[at] = int32_t(k) + 1;
  }
}

/// The number of a field, which the tape knows from now on.
int32_t Tape::meet(chirt_field *field) {
  int32_t number = find(field);
  if (number < 0) {
    number = int32_t(fields.size());
    TapedField met;
    met.field = field;
    met.isActive =
        isFloatType(field->dtype) && (kernel || field->has_grad != 0);
    chirt_field_retain(field);
    fields.push(met);
    if (2 * fields.size() > byHandle.size()) {
      rehash();
    } else {
      size_t mask = byHandle.size() - 1, at = hashOf(field) & mask;
      while (byHandle[at])
        at = (at + 1) & mask;
      byHandle[at] = number + 1;
    }
  }
  __atomic_store_n(&field->taped, taped(id, number), __ATOMIC_RELAXED);
  return number;
}

void Tape::watch(chirt_field *field) {
  int32_t number = meet(field);
  fields[number].isWatched = true;
  field->has_grad = 1;
  setActive(fields[number], false);
}

/// The adjoint of the last value of a watched field is required, whatever that
/// value depends on.
void Tape::setActive(TapedField &known, bool isActive) {
  known.isActive =
      isActive || (known.isWatched && isFloatType(known.field->dtype));
}

bool Tape::isWatchedLater(const chirt_field *field) const {
  int32_t number = find(field);
  return number >= 0 && fields[number].isWatched && fields[number].version > 0;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void appendArgumentName(Text &out, const chirt_task *task, int argument) {
  std::string_view names = task->names ? task->names : "";
  for (int k = 0; k < argument && !names.empty(); ++k) {
    size_t comma = names.find(',');
    names = comma == names.npos ? std::string_view() : slice(names, comma + 1);
  }
  std::string_view name = slice(names, 0, names.find(','));
  while (!name.empty() && name.front() == ' ')
    name.remove_prefix(1);
  if (name.empty())
    out << "an argument";
  else
    out << '`' << name << '`';
}

bool Tape::appendName(Text &out, const chirt_field *field) const {
  auto word = reinterpret_cast<int64_t>(field);
  for (const Entry &entry : entries) {
    if (entry.kind != EntryKind::Launch)
      continue;
    const int64_t *words = tuples.at(entry.at);
    for (int k = 0; k < entry.task->num_arguments; ++k)
      if (entry.task->arguments[k].is_field && entry.task->arguments[k].uses &&
          words[k] == word) {
        appendArgumentName(out, entry.task, k);
        return true;
      }
  }
  if (int32_t number = budget ? find(field) : -1; number >= 0) {
    appendNameOf(out, number);
    return true;
  }
  for (const TapedField &each : fields)
    if (each.field == field && each.namedBy) {
      appendArgumentName(out, each.namedBy, each.namedAs);
      return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// What the run time and host code do
//===----------------------------------------------------------------------===//

void Tape::push(const Entry &entry) {
  entries.push(entry);
  count(CHIRT_TAPE_ENTRIES);
}

void Tape::fill(size_t level, chirt_field *field) {
  if (writeWhole(level, field, /*isOverwritten=*/true))
    return;
  if (budget)
    budget->beforeEntry();
  Entry entry{EntryKind::Fill, false};
  entry.to = meet(field);
  beforeWrite(level, entry.to, wholeOf(fields[entry.to].field),
              /*isOverwritten=*/true);
  setActive(fields[entry.to], false);
  push(entry);
}

void Tape::copy(size_t level, chirt_field *to, const chirt_field *from) {
  if (depth) // that it is on a tape is no part of what a field is
    useInCustom(meet(const_cast<chirt_field *>(from)));
  if (writeWhole(level, to, /*isOverwritten=*/true))
    return;
  if (budget)
    budget->beforeEntry();
  Entry entry{EntryKind::Copy, false};
  // That it is on a tape is no part of what a field is.
  entry.from = meet(const_cast<chirt_field *>(from));
  entry.to = meet(to);
  entry.isActive = fields[entry.from].isActive;
  if (budget)
    budget->read(entry.from, wholeOf(from));
  beforeWrite(level, entry.to, wholeOf(fields[entry.to].field),
              /*isOverwritten=*/true);
  setActive(fields[entry.to], entry.isActive);
  push(entry);
}

void Tape::add(size_t level, chirt_field *to, const chirt_field *from) {
  if (depth)
    useInCustom(meet(const_cast<chirt_field *>(from)));
  if (writeWhole(level, to, /*isOverwritten=*/false))
    return;
  if (budget)
    budget->beforeEntry();
  Entry entry{EntryKind::Add, false};
  entry.from = meet(const_cast<chirt_field *>(from));
  entry.to = meet(to);
  entry.isActive = fields[entry.from].isActive;
  if (budget) {
    budget->read(entry.from, wholeOf(from));
    budget->read(entry.to, wholeOf(to));
  }
  beforeWrite(level, entry.to, wholeOf(to));
  fields[entry.to].isActive |= entry.isActive;
  push(entry);
}

/// Is there an entry that may have more to it?
bool Tape::mayGoOn() const {
  return !entries.empty() && (!budget || budget->mayGoOn());
}

/// Must a part be saved before host code stores there? With a budget the log is
/// the same whatever the tape saves, so what was read counts.
bool Tape::isAskedFor(int32_t number, const Box &box) const {
  Box needed;
  return budget ? budget->wasRead(number) : findNeeded(number, box, needed);
}

/// Does host code add to the same place as in an addition before it?
bool Tape::isPlaceOf(const Entry &addition, const Box &box) const {
  const Box &place = additions[size_t(addition.at)];
  int rank = fields[size_t(addition.to)].field->rank;
  return contains(place, box, rank) && contains(box, place, rank);
}

void Tape::store(size_t level, chirt_field *field, const Box &box,
                 const int64_t *at, int64_t count) {
  if (writePart(level, field, box))
    return;
  int32_t number = meet(field);
  if (budget)
    budget->beforeEntry(number);
  bool goesOn = mayGoOn() && entries.back().kind == EntryKind::Store &&
                entries.back().to == number && !isAskedFor(number, box);
  if (goesOn && budget)
    budget->write(number, box, /*isOverwritten=*/false);
  if (!goesOn) {
    Entry entry{EntryKind::Store, fields[number].isActive};
    entry.to = number;
    entry.at = int64_t(offsets.size());
    beforeWrite(level, number, box);
    push(entry);
  }
  entries.back().count += count;
  offsets.append(at, size_t(count));
}

void Tape::addition(size_t level, chirt_field *field, const Box &box) {
  if (writePart(level, field, box))
    return;
  int32_t number = meet(field);
  if (budget)
    budget->beforeEntry(number);
  if (mayGoOn() && entries.back().kind == EntryKind::Addition &&
      entries.back().to == number && !isAskedFor(number, box) &&
      (!budget || isPlaceOf(entries.back(), box)))
    return;
  Entry entry{EntryKind::Addition, false};
  entry.to = number;
  if (budget) {
    entry.at = int64_t(additions.size());
    additions.push(box);
  }
  beforeWrite(level, number, box);
  push(entry);
}

void Tape::noteChange(const chirt_field *field, const chirt_task *by,
                      const Box &changed) {
  int32_t number = find(field);
  Box needed;
  if (number < 0 || fields[number].isChangedSince ||
      !findNeeded(number, changed, needed))
    return;
  fields[number].isChangedSince = true;
  fields[number].changedBy = by;
}

} // namespace chirt
