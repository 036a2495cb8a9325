//===- Launches.cpp - Launches are recorded -------------------------------===//
#include "chirt/tape/Stack.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Field.h"
#include "chirt/tape/Parts.h"

namespace chirt {

static chirt_field *fieldOf(int64_t word) {
  return reinterpret_cast<chirt_field *>(word);
}

static bool usesField(const chirt_argument &argument, int64_t word) {
  return argument.is_field && argument.uses && fieldOf(word);
}

/// Everything of it is stored, and nothing looked at.
static bool isOverwrite(uint8_t uses) {
  return (uses & CHIRT_USE_OVERWRITE) && !(uses & CHIRT_USE_READ);
}

//===----------------------------------------------------------------------===//
// Fields that share memory
//===----------------------------------------------------------------------===//

static bool overlap(const chirt_field *a, const chirt_field *b) {
  auto *left = static_cast<const char *>(a->data);
  auto *right = static_cast<const char *>(b->data);
  return a == b ? a->bytes > 0
                : left && right && left < right + b->bytes &&
                      right < left + a->bytes;
}

bool failForOverlap(const chirt_task *task, int a, int b) {
  Text left, right;
  appendArgumentName(left, task, a);
  appendArgumentName(right, task, b);
  return failAt(task->site, UserFault,
                "%s and %s share memory that this loop changes: %s cannot "
                "differentiate it",
                left.c_str(), right.c_str(),
                numTapes() ? "a tape" : "forward mode");
}

/// So in an adjoint task, and in what runs before it, no field that is written
/// is another argument's: of what they write of the primal's fields, each of
/// which shares memory with none, they get copies (Backward::bindPrimals), and
/// what is made for a launch and adjoints have memory of their own. chi's
/// TaskOp::mayAlias relies on it.
void refuseOverlaps(const chirt_task *task, const int64_t *words) {
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

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Adds a use of the latest pattern that is made.
void Tape::addUse(const chirt_task *by, int argument, uint8_t wanted,
                  const int64_t *words, const chirt_domain *domain) {
  const chirt_argument &described = by->arguments[argument];
  chirt_field *field = fieldOf(words[argument]);
  PatternUse use = {by,
                    argument,
                    meet(field),
                    -1,
                    -1,
                    (described.uses & CHIRT_USE_WRITE) != 0,
                    isOverwrite(described.uses),
                    isFloatType(described.dtype)};
  if (wanted && !isBoxOfLaunch(by, argument, wanted))
    use.box = patterns.keepBox(touched(by, argument, wanted, words, domain),
                               field->rank);
  patterns.uses.push(use);
}

/// The number of a launch's pattern, whose latest pack is that of the launch.
int32_t Tape::patternOf(const chirt_task *task, const int64_t *words,
                        const chirt_domain *domain) {
  int32_t number = patterns.find(tuples, task, words, domain);
  if (number >= 0 &&
      isTupleOf(tuples.at(patterns[number].tuple), task, words, domain))
    return number;
  if (number < 0)
    refuseOverlaps(task, words);
  auto *tuple = static_cast<int64_t *>(chirt_scratch_push(tupleSize(task) * 8));
  int64_t *to = tuple;
  for (int k = 0; k < task->num_arguments; ++k)
    *to++ = words[k];
  for (int axis = 0; axis < task->rank; ++axis)
    *to++ = domain->from[axis], *to++ = domain->to[axis];
  *to++ = domain->begin, *to++ = domain->step;
  int64_t offset = tuples.intern(tuple, tupleSize(task));
  chirt_scratch_pop(tuple);
  if (number >= 0) {
    patterns[number].tuple = offset;
    return number;
  }
  number = patterns.make(task, words, domain, offset);
  findUses(number, words, domain);
  return number;
}

/// What a task does to the fields that it uses.
void Tape::findUses(int32_t number, const int64_t *words,
                    const chirt_domain *domain) {
  const chirt_task *task = patterns[number].task;
  auto end = [&] { return int32_t(patterns.uses.size()); };
  PatternRun reads{end(), 0}, writes;
  bool hasResult = false;
  for (int k = 0; k < task->num_arguments; ++k) {
    const chirt_argument &argument = task->arguments[k];
    // The handle is this field's from now on, also where only the extents of it
    // are asked for.
    if (argument.is_field && words[k])
      meet(fieldOf(words[k]));
    if (!usesField(argument, words[k]))
      continue;
    bool isFloat = isFloatType(argument.dtype);
    hasResult |= isFloat && (argument.uses & CHIRT_USE_WRITE);
    if (isFloat && !isOverwrite(argument.uses))
      addUse(task, k, 0, words, domain);
  }
  reads.to = writes.from = end();
  for (int k = 0; k < task->num_arguments; ++k)
    if (usesField(task->arguments[k], words[k]) &&
        (task->arguments[k].uses & CHIRT_USE_WRITE))
      addUse(task, k, CHIRT_USE_WRITE, words, domain);
  writes.to = end();
  patterns[number].reads = reads;
  patterns[number].writes = writes;
  patterns[number].hasResult = hasResult;
}

/// The adjoint with the least to do that is right for what is active now.
const chirt_task *Tape::adjointFor(const Pattern &pattern) const {
  const chirt_task *best = pattern.task->adjoint;
  if (!best || !best->variant)
    return best;
  uint64_t active = 0;
  for (int32_t k = pattern.reads.from; k < pattern.reads.to; ++k) {
    const PatternUse &use = patterns.uses[size_t(k)];
    if (use.argument < 64 && fields[size_t(use.field)].isActive)
      active |= uint64_t(1) << use.argument;
  }
  auto numPassive = [](const chirt_task *adjoint) {
    return __builtin_popcountll(uint64_t(adjoint->passive));
  };
  for (const chirt_task *other = best->variant; other; other = other->variant)
    if (!(uint64_t(other->passive) & active) &&
        numPassive(other) > numPassive(best))
      best = other;
  return best;
}

/// The number of the backward launch (`Way`) for the fields that are active
/// now.
int32_t Tape::wayBack(int32_t number, const int64_t *words,
                      const chirt_domain *domain) {
  const chirt_task *adjoint = adjointFor(patterns[number]);
  int32_t way = patterns[number].way;
  while (way >= 0 && patterns.ways[size_t(way)].adjoint != adjoint)
    way = patterns.ways[size_t(way)].next;
  if (way >= 0)
    return way;
  PatternRun needs =
      findNeeds(adjoint, patterns[number].task->num_arguments, words, domain);
  patterns.ways.push({adjoint, patterns[number].way, needs, {}});
  if (budget)
    budget->expectAdjoints(patterns[number].task);
  return patterns[number].way = int32_t(patterns.ways.size()) - 1;
}

/// What an adjoint, and what runs before it, does to fields of the primal.
PatternRun Tape::findNeeds(const chirt_task *adjoint, int32_t numArguments,
                           const int64_t *words, const chirt_domain *domain) {
  PatternRun needs{int32_t(patterns.uses.size()), 0};
  for (const chirt_task *by = adjoint; by; by = by->prologue)
    for (int32_t k = 0; k < numArguments; ++k)
      if (usesField(by->arguments[k], words[k]))
        addUse(by, k, by->arguments[k].uses, words, domain);
  needs.to = int32_t(patterns.uses.size());
  return needs;
}

/// Which part of a field a use touches at this launch.
Box Tape::boxOf(const PatternUse &use, uint8_t wanted, const int64_t *words,
                const chirt_domain *domain) const {
  if (use.box < 0)
    return touched(use.by, use.argument, wanted, words, domain);
  return patterns.boxAt(use.box, fields[size_t(use.field)].field->rank);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Do adjoints flow through a launch? Where it changes in part what depends on
/// a marked field, they do: what is stored ends there.
bool Tape::isActive(const Pattern &pattern) const {
  if (pattern.hasResult)
    for (int32_t k = pattern.reads.from; k < pattern.reads.to; ++k)
      if (fields[size_t(patterns.uses[size_t(k)].field)].isActive)
        return true;
  return false;
}

/// The same for a budget; false if the tape saves nothing of it.
bool Tape::noteForBudget(const PatternUse &use, const int64_t *words,
                         const chirt_domain *domain) {
  if (use.isWritten)
    budget->noteCopy(use.field);
  if (!use.isOverwritten)
    budget->read(use.field, boxOf(use, use.by->arguments[use.argument].uses,
                                  words, domain));
  return budget->notesNeeds();
}

/// The adjoint of what is recorded, and what runs before it, read present
/// versions.
void Tape::noteNeeds(PatternRun needs, const int64_t *words,
                     const chirt_domain *domain) {
  for (int32_t k = needs.from; k < needs.to; ++k) {
    PatternUse &use = patterns.uses[size_t(k)];
    int32_t drops = fields[size_t(use.field)].drops;
    if (budget && !noteForBudget(use, words, domain))
      continue;
    if (use.isOverwritten || use.noted == drops)
      continue;
    addNeed(use.field,
            boxOf(use, use.by->arguments[use.argument].uses, words, domain));
    if (use.box >= 0)
      use.noted = drops;
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
  if (budget)
    budget->beforeEntry();
  recording = task;
  int32_t number = patternOf(task, words, domain);
  if (budget)
    budget->readByTask(task, words, domain);
  const bool flows = isActive(patterns[number]);
  int32_t way = -1;
  if (flows) {
    way = wayBack(number, words, domain);
    noteNeeds(patterns.ways[size_t(way)].needs, words, domain);
  }
  PatternRun writes = patterns[number].writes;
  for (int32_t k = writes.from; k < writes.to; ++k) {
    PatternUse use = patterns.uses[size_t(k)];
    beforeWrite(level, use.field, boxOf(use, CHIRT_USE_WRITE, words, domain),
                use.isOverwritten);
    TapedField &written = fields[size_t(use.field)];
    if (flows)
      written.isActive |= use.hasFloats;
    else if (use.isOverwritten)
      setActive(written, false);
  }
  recording = nullptr;
  if (writes.from == writes.to)
    return false;
  // Where it lies: see Boxes.h.
  entries.add() = {EntryKind::Launch,      flows,  -1, task,
                   patterns[number].tuple, number, -1, way};
  count(CHIRT_TAPE_ENTRIES);
  return flows && task->recorder;
}

} // namespace chirt
