//===- Log.cpp - What is recorded, and what is kept for later -------------===//
#include "chirt/tape/Record.h"
#include "chirt/tape/Tape.h"

#include "chirt/core/Failure.h"
#include "chirt/core/Field.h"

namespace chirt {

int64_t tapeStatistics[CHIRT_TAPE_NUM_STATISTICS] = {};

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
}

Tape::~Tape() {
  leaveCustom(0, /*isHeard=*/false);
  __atomic_fetch_sub(&chirt_recording, 1, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&counters.living, 1, __ATOMIC_RELAXED);
  for (chirt_field *moment : moments)
    chirt_field_release(moment);
  undoExchanges();
  // The next tape may want them in the same order.
  for (size_t k = saves.size(); k-- > 0;)
    tapesOfThread().spares.give(saves[k].content);
  for (const TapedField &known : fields) {
    chirt_field_release(known.adjoint);
    chirt_field_release(known.field);
  }
  for (chirt_field *recorded : results)
    chirt_field_release(recorded);
  chirt_field_release(loss);
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
}

bool Tape::isWatchedLater(const chirt_field *field) const {
  int32_t number = find(field);
  return number >= 0 && fields[number].isWatched && fields[number].version > 0;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static chirt_field *fieldOf(int64_t word) {
  return reinterpret_cast<chirt_field *>(word);
}

static bool usesField(const chirt_argument &argument, int64_t word) {
  return argument.is_field && argument.uses && fieldOf(word);
}

static bool isAdjointed(const chirt_argument &argument) {
  return argument.is_field && isFloatType(argument.dtype);
}

/// Everything of it is stored, and nothing looked at.
static bool isOverwrite(uint8_t uses) {
  return (uses & CHIRT_USE_OVERWRITE) && !(uses & CHIRT_USE_READ);
}

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
    const int64_t *words = packs.at(entry.at);
    for (int k = 0; k < entry.task->num_arguments; ++k)
      if (usesField(entry.task->arguments[k], words[k]) && words[k] == word) {
        appendArgumentName(out, entry.task, k);
        return true;
      }
  }
  for (const TapedField &each : fields)
    if (each.field == field && each.namedBy) {
      appendArgumentName(out, each.namedBy, each.namedAs);
      return true;
    }
  return false;
}

static bool overlap(const chirt_field *a, const chirt_field *b) {
  auto *left = static_cast<const char *>(a->data);
  auto *right = static_cast<const char *>(b->data);
  return a == b ? a->bytes > 0
                : left && right && left < right + b->bytes &&
                      right < left + a->bytes;
}

static bool failForOverlap(const chirt_task *task, int a, int b) {
  Text left, right;
  appendArgumentName(left, task, a);
  appendArgumentName(right, task, b);
  return failAt(task->site, UserFault,
                "%s and %s share memory that this loop changes: a tape cannot "
                "differentiate it",
                left.c_str(), right.c_str());
}

void Tape::refuseOverlaps(const chirt_task *task, const int64_t *words) {
  const chirt_argument *arguments = task->arguments;
  for (int a = 0; a < task->num_arguments; ++a) {
    if (!usesField(arguments[a], words[a]) ||
        !(arguments[a].uses & CHIRT_USE_WRITE))
      continue;
    for (int b = 0; b < task->num_arguments; ++b)
      if (b != a && usesField(arguments[b], words[b]) &&
          overlap(fieldOf(words[a]), fieldOf(words[b])) &&
          !failForOverlap(task, a < b ? a : b, a < b ? b : a))
        leave();
  }
}

void Tape::push(const Entry &entry) {
  entries.push(entry);
  countTape(CHIRT_TAPE_ENTRIES);
}

/// Do adjoints flow through a launch? Where it changes in part what depends on
/// a marked field, they do: what is stored ends there.
bool Tape::decideActivity(const chirt_task *task, const int64_t *words) {
  bool hasResult = false, depends = false;
  for (int k = 0; k < task->num_arguments; ++k) {
    const chirt_argument &argument = task->arguments[k];
    if (!usesField(argument, words[k]) || !isAdjointed(argument))
      continue;
    hasResult |= (argument.uses & CHIRT_USE_WRITE) != 0;
    depends |=
        !isOverwrite(argument.uses) && fields[meet(fieldOf(words[k]))].isActive;
  }
  return hasResult && depends;
}

/// The adjoint of what is recorded, and what runs before it, read present
/// versions.
void Tape::noteNeeds(const chirt_task *task, const int64_t *words,
                     const chirt_domain *domain) {
  for (const chirt_task *by = task->adjoint; by; by = by->prior)
    for (int k = 0; k < task->num_arguments; ++k) {
      const chirt_argument &argument = by->arguments[k];
      if (!usesField(argument, words[k]) || isOverwrite(argument.uses))
        continue;
      addNeed(meet(fieldOf(words[k])),
              touched(by, k, argument.uses, words, domain));
    }
}

bool Tape::launch(size_t level, const chirt_task *task, const int64_t *words,
                  const chirt_domain *domain) {
  if (isInAdjoint) {
    for (int k = 0; k < task->num_arguments; ++k)
      if (usesField(task->arguments[k], words[k]) &&
          (task->arguments[k].uses & CHIRT_USE_WRITE))
        keepBefore(level, fieldOf(words[k]),
                   touched(task, k, CHIRT_USE_WRITE, words, domain));
    return false;
  }
  if (depth) {
    launchInCustom(level, task, words, domain);
    return false;
  }
  refuseOverlaps(task, words);
  Entry entry{EntryKind::Launch, decideActivity(task, words)};
  entry.task = task;
  if (entry.isActive)
    noteNeeds(task, words, domain);
  bool changes = false;
  for (int k = 0; k < task->num_arguments; ++k) {
    const chirt_argument &argument = task->arguments[k];
    if (!usesField(argument, words[k]) || !(argument.uses & CHIRT_USE_WRITE))
      continue;
    changes = true;
    int32_t number = meet(fieldOf(words[k]));
    beforeWrite(level, number, touched(task, k, CHIRT_USE_WRITE, words, domain),
                isOverwrite(argument.uses));
    if (entry.isActive)
      fields[number].isActive |= isAdjointed(argument);
    else if (isOverwrite(argument.uses))
      fields[number].isActive = false;
  }
  if (!changes)
    return false;
  int64_t count = task->num_arguments + 2 * task->rank + 2;
  auto *pack = static_cast<int64_t *>(chirt_scratch_push(count * 8));
  int64_t *to = pack;
  for (int k = 0; k < task->num_arguments; ++k)
    *to++ = words[k];
  for (int axis = 0; axis < task->rank; ++axis)
    *to++ = domain->from[axis], *to++ = domain->to[axis];
  *to++ = domain->begin, *to++ = domain->step;
  entry.at = packs.intern(pack, count);
  chirt_scratch_pop(pack);
  push(entry);
  return entry.isActive && task->recorder;
}

//===----------------------------------------------------------------------===//
// What the run time and host code do
//===----------------------------------------------------------------------===//

void Tape::fill(size_t level, chirt_field *field) {
  if (writeWhole(level, field, /*isOverwritten=*/true))
    return;
  Entry entry{EntryKind::Fill, false};
  entry.to = meet(field);
  beforeWrite(level, entry.to, wholeOf(fields[entry.to].field),
              /*isOverwritten=*/true);
  fields[entry.to].isActive = false;
  push(entry);
}

void Tape::copy(size_t level, chirt_field *to, const chirt_field *from) {
  if (depth) // that it is on a tape is no part of what a field is
    useInCustom(meet(const_cast<chirt_field *>(from)));
  if (writeWhole(level, to, /*isOverwritten=*/true))
    return;
  Entry entry{EntryKind::Copy, false};
  // That it is on a tape is no part of what a field is.
  entry.from = meet(const_cast<chirt_field *>(from));
  entry.to = meet(to);
  entry.isActive = fields[entry.from].isActive;
  beforeWrite(level, entry.to, wholeOf(fields[entry.to].field),
              /*isOverwritten=*/true);
  fields[entry.to].isActive = entry.isActive;
  push(entry);
}

void Tape::add(size_t level, chirt_field *to, const chirt_field *from) {
  if (depth)
    useInCustom(meet(const_cast<chirt_field *>(from)));
  if (writeWhole(level, to, /*isOverwritten=*/false))
    return;
  Entry entry{EntryKind::Add, false};
  entry.from = meet(const_cast<chirt_field *>(from));
  entry.to = meet(to);
  entry.isActive = fields[entry.from].isActive;
  beforeWrite(level, entry.to, wholeOf(to));
  fields[entry.to].isActive |= entry.isActive;
  push(entry);
}

void Tape::store(size_t level, chirt_field *field, const Box &box,
                 const int64_t *at, int64_t count) {
  if (writePart(level, field, box))
    return;
  int32_t number = meet(field);
  Box needed;
  bool goesOn = !entries.empty() && entries.back().kind == EntryKind::Store &&
                entries.back().to == number && !findNeeded(number, box, needed);
  if (!goesOn) {
    Entry entry{EntryKind::Store, fields[number].isActive};
    entry.to = number;
    entry.at = int64_t(places.size());
    beforeWrite(level, number, box);
    push(entry);
  }
  entries.back().count += count;
  places.append(at, size_t(count));
}

void Tape::addition(size_t level, chirt_field *field, const Box &box) {
  if (writePart(level, field, box))
    return;
  int32_t number = meet(field);
  Box needed;
  if (!entries.empty() && entries.back().kind == EntryKind::Addition &&
      entries.back().to == number && !findNeeded(number, box, needed))
    return;
  Entry entry{EntryKind::Addition, false};
  entry.to = number;
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
