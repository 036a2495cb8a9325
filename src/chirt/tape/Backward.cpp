//===- Backward.cpp - A tape is run backward ------------------------------===//
#include "chirt/tape/Stack.h"

#include "chirt/cpu/FieldOps.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Field.h"
#include "chirt/field/Gradient.h"
#include "chirt/field/Making.h"

namespace chirt {

/// Visits the entries of a tape in reverse. It owns nothing: what it makes is
/// the tape's.
class Backward {
public:
  Backward(Tape &tape, size_t level, const chirt_site *site)
      : tape(tape), level(level), site(site) {}
  int32_t run();

private:
  using Argument = chirt_argument;

  void seed();
  void visit(const Entry &entry);
  void visitLaunch(const Entry &entry);
  void visitStored(const Entry &entry);
  void visitPart(const Entry &entry);
  bool enterCustom(const Entry &call);
  void dropMade(const Entry &call);
  template <typename F>
  void forEachField(const Entry &call, int64_t use, F &&each);
  void retreat(int32_t number);

  bool hasAdjoint(int32_t number) const;
  chirt_field *adjointOf(int32_t number);
  chirt_field *makeAdjointOf(int32_t number);
  void dropAdjoint(int32_t number);
  bool hasAdjointResult(const Pattern &pattern) const;
  void runAdjoint(const Entry &entry);
  void bindPrimals(const Entry &entry, const chirt_task *by, int64_t *words);
  void findAdjoints(const Entry &entry, const int64_t *words);
  int bindAdjoints(const PatternWay &way, int64_t *adjoints,
                   chirt_field **parts);
  void makeWorkspace(const Entry &entry, const int64_t *words,
                     const int64_t *adjoints, int64_t *workspace);
  void runPrologue(const Entry &entry, const chirt_task *by,
                   const int64_t *words, int64_t *taken,
                   const chirt_domain *domain);
  chirt_field *contentOf(int32_t number, const chirt_task *task, int argument);
  chirt_field *roomFor(int32_t number, const chirt_field *content);
  chirt_field *makeTemporary(chirt_field *made);
  void releaseTemporaries();

  bool hasMore();
  void keepWatched(int32_t number);
  void give(int32_t number, chirt_field *adjoint, bool isLastUse);
  void giveAll();

  TapedField &at(int32_t number) { return tape.fields[number]; }
  /// Of an active launch.
  PatternWay &wayOf(const Entry &entry) {
    return tape.patterns.ways[size_t(entry.count)];
  }
  int32_t numberOf(int64_t word) {
    return tape.find(reinterpret_cast<chirt_field *>(word));
  }

  Tape &tape;
  size_t level;
  const chirt_site *site;
};

static bool usesField(const chirt_argument &argument, int64_t word) {
  return argument.is_field && argument.uses && word;
}
static bool hasFloats(const chirt_argument &argument) {
  return argument.is_field && isFloatType(argument.dtype);
}

//===----------------------------------------------------------------------===//
// Adjoints of fields
//===----------------------------------------------------------------------===//

bool Backward::hasAdjoint(int32_t number) const {
  const TapedField &known = tape.fields[number];
  if (!tape.kernel)
    return known.adjoint != nullptr;
  // In the adjoint of a call its tape's adjoints are the gradients.
  Tape *outer = tapesOfThread().adjoints;
  return outer ? outer->hasAdjoint(known.field) : known.field->grad != nullptr;
}

/// A field that was met for its content alone has an adjoint too: its own.
chirt_field *Backward::adjointOf(int32_t number) {
  chirt_field *made = nullptr;
  Tape *outer = tapesOfThread().adjoints;
  if (tape.kernel && outer)
    made = outer->givenAdjoint(site, at(number).field);
  else if (tape.kernel)
    made = tape.gradientFor(number, site);
  else if (at(number).adjoint)
    return at(number).adjoint;
  else
    made = at(number).adjoint = makeAdjointOf(number);
  if (!made)
    leave();
  return made;
}

/// One that was dropped, or a new one.
chirt_field *Backward::makeAdjointOf(int32_t number) {
  chirt_field *again = std::exchange(at(number).dropped, nullptr);
  if (!again)
    return tape.makeAdjointFor(number, site);
  zeroField(again);
  return again;
}

/// It is zero from here on.
void Backward::dropAdjoint(int32_t number) {
  if (!hasAdjoint(number))
    return;
  if (tape.kernel)
    return zeroBelow(level, adjointOf(number));
  TapedField &known = at(number);
  chirt_field *adjoint = std::exchange(known.adjoint, nullptr);
  // A tape round this one takes it for one field: there it is a new one.
  bool isAlone = !isHeard(level) && !known.dropped &&
                 __atomic_load_n(&adjoint->refcount, __ATOMIC_RELAXED) == 1;
  if (isAlone)
    known.dropped = adjoint;
  else
    chirt_field_release(adjoint);
}

//===----------------------------------------------------------------------===//
// What a task found
//===----------------------------------------------------------------------===//

/// The next older version is the present one.
void Backward::retreat(int32_t number) {
  if (at(number).isWatched && at(number).version == at(number).last)
    keepWatched(number);
  TapedField &known = at(number);
  --known.version;
  if (known.save < 0 || tape.saves[known.save].version != known.version)
    return;
  Save &save = tape.saves[known.save];
  if (save.content) {
    // Of what it held later nothing is asked any more.
    if (known.content >= 0) {
      tapesOfThread().bufferPool.give(tape.saves[known.content].content);
      tape.saves[known.content].content = nullptr;
    }
    known.content = known.save;
  } else if (known.content >= 0) {
    chirt_field *content = tape.saves[known.content].content;
    putBox(content, save.box ? *save.box : wholeOf(content), save.bytes);
  } else {
    tape.putBack(number);
  }
  known.save = save.below;
}

static bool failForChange(const chirt_site *site, const Tape &tape,
                          const TapedField &known, const chirt_task *task,
                          int argument) {
  Text name, by;
  if (task)
    appendArgumentName(name, task, argument);
  else
    name << "a field";
  if (const chirt_task *other = known.changedBy) {
    by << " by "
       << (other->site && other->site->kernel ? other->site->kernel
                                              : other->name);
    if (other->site && other->site->line)
      by << " (" << other->site->file << ':' << other->site->line << ')';
  }
  return failAt(site, UserFault,
                "the adjoint of `%s` needs %s as it was at the call, but it "
                "was changed since%s",
                tape.kernel, name.c_str(), by.c_str());
}

/// Holds what the field held at its present version.
chirt_field *Backward::contentOf(int32_t number, const chirt_task *task,
                                 int argument) {
  const TapedField &known = at(number);
  if (known.content >= 0)
    return tape.saves[known.content].content;
  if (known.isChangedSince && !failForChange(site, tape, known, task, argument))
    leave();
  return known.field;
}

chirt_field *Backward::makeTemporary(chirt_field *made) {
  if (!made)
    leave();
  tape.temporaries.push(made);
  return made;
}

void Backward::releaseTemporaries() {
  for (chirt_field *temporary : tape.temporaries)
    chirt_field_release(temporary);
  tape.temporaries.clear();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

bool Backward::hasAdjointResult(const Pattern &pattern) const {
  for (int32_t k = pattern.writes.from; k < pattern.writes.to; ++k) {
    const PatternUse &use = tape.patterns.uses[size_t(k)];
    if (use.hasFloats && hasAdjoint(use.field))
      return true;
  }
  return false;
}

/// A field like `content`, which holds anything, as long as an adjoint runs.
/// The next one gets the same, but with a tape round this one, which would take
/// it for one field.
chirt_field *Backward::roomFor(int32_t number, const chirt_field *content) {
  auto make = [&] {
    return tape.makeFor(Purpose::Copy, number, site, content);
  };
  TapedField &known = at(number);
  if (isHeard(level) || known.copiedAt == tape.position)
    return makeTemporary(make());
  known.copiedAt = tape.position;
  if (!known.copy)
    known.copy = make();
  if (!known.copy)
    leave();
  return known.copy;
}

/// What the primal found, for the adjoint task or one before it; where that
/// changes it, a copy.
void Backward::bindPrimals(const Entry &entry, const chirt_task *by,
                           int64_t *words) {
  const PatternRun needs = wayOf(entry).needs;
  for (int32_t k = needs.from; k < needs.to; ++k) {
    const PatternUse use = tape.patterns.uses[size_t(k)];
    if (use.by != by)
      continue;
    chirt_field *content = at(use.field).field;
    if (!use.isOverwritten)
      content = contentOf(use.field, entry.task, use.argument);
    if (use.isWritten) {
      chirt_field *own = roomFor(use.field, content);
      if (!use.isOverwritten)
        copyBelow(level, own, content);
      content = own;
    }
    words[use.argument] = reinterpret_cast<int64_t>(content);
  }
}

/// Does the adjoint task use a field in place of its argument `number`, or one
/// that runs before it?
static bool usesAdjoint(const chirt_task *adjoint, int32_t number,
                        int64_t word) {
  for (const chirt_task *by = adjoint; by; by = by->prologue)
    if (number < by->num_arguments && usesField(by->arguments[number], word))
      return true;
  return false;
}

/// Which fields' adjoints an adjoint task takes, with what runs before it.
void Backward::findAdjoints(const Entry &entry, const int64_t *words) {
  const chirt_task *task = entry.task, *adjoint = wayOf(entry).adjoint;
  const int32_t first =
      task->num_arguments + int32_t(adjoint->num_workspace_fields);
  Array<PatternAdjoint> &all = tape.patterns.adjoints;
  PatternRun run{int32_t(all.size()), 0};
  for (int k = 0; k < task->num_arguments; ++k) {
    if (!hasFloats(task->arguments[k]))
      continue;
    PatternAdjoint made{k, -1, -1};
    // Of a field that the primal does not use none was met.
    if (usesAdjoint(adjoint, first + int32_t(all.size()) - run.from, words[k]))
      made.field = tape.meet(reinterpret_cast<chirt_field *>(words[k]));
    for (size_t before = size_t(run.from); before < all.size(); ++before)
      if (made.field >= 0 && all[before].field == made.field) {
        made.first = int32_t(before) - run.from;
        break;
      }
    all.push(made);
  }
  run.to = int32_t(all.size());
  wayOf(entry).takes = run;
}

/// The adjoints of the fields of floats, in their order. A field that is there
/// twice gets its second one apart; `parts`: what is added up then.
int Backward::bindAdjoints(const PatternWay &way, int64_t *adjoints,
                           chirt_field **parts) {
  int count = 0, numParts = 0;
  for (int32_t k = way.takes.from; k < way.takes.to; ++k) {
    const PatternAdjoint each = tape.patterns.adjoints[size_t(k)];
    if (each.first >= 0) {
      parts[numParts++] = reinterpret_cast<chirt_field *>(adjoints[each.first]);
      parts[numParts++] = makeTemporary(tape.makeAdjointFor(each.field, site));
      adjoints[count] = reinterpret_cast<int64_t>(parts[numParts - 1]);
    } else if (each.field >= 0) {
      adjoints[count] = reinterpret_cast<int64_t>(adjointOf(each.field));
    }
    ++count;
  }
  return numParts;
}

chirt_field *makeFilled(const chirt_site *site, const chirt_field *field,
                        int32_t dtype, int64_t bits) {
  FieldType type = typeOf(field);
  type.dtype = dtype;
  chirt_field *made = makeField(site, type, field->rank, field->extents);
  if (!made)
    return nullptr;
  const int64_t bytes = scalarBytes(dtype), count = componentsOf(field);
  auto *element = static_cast<char *>(chirt_scratch_push(count * bytes));
  for (int64_t k = 0; k < count; ++k)
    memcpy(element + k * bytes, &bits, size_t(bytes));
  fillField(made, element);
  chirt_scratch_pop(element);
  return made;
}

/// What the prologue of an adjoint shares: fields that are there as long as it
/// runs.
void Backward::makeWorkspace(const Entry &entry, const int64_t *words,
                             const int64_t *adjoints, int64_t *workspace) {
  const chirt_task *task = entry.task, *adjointTask = wayOf(entry).adjoint;
  for (int64_t number = 0; number < adjointTask->num_workspace_fields;
       ++number) {
    chirt_workspace_field asked = workspaceFieldAt(adjointTask, number);
    chirt_field *made = nullptr;
    if (asked.kind == CHIRT_WORKSPACE_STARTS ||
        asked.kind == CHIRT_WORKSPACE_RESULTS) {
      made = tape.results[size_t(entry.from + number)];
    } else if (asked.kind == CHIRT_WORKSPACE_FILL) {
      auto *like = reinterpret_cast<chirt_field *>(words[asked.of]);
      made = makeTemporary(
          makeFilled(site, like, int32_t(asked.dtype), asked.bits));
    } else {
      const int64_t *bound = adjoints;
      for (int64_t k = 0; k < asked.of; ++k)
        bound += hasFloats(task->arguments[k]);
      auto *adjoint = reinterpret_cast<chirt_field *>(*bound);
      made = makeTemporary(
          makeField(site, typeOf(adjoint), adjoint->rank, adjoint->extents));
      copyBelow(level, made, adjoint);
    }
    workspace[number] = reinterpret_cast<int64_t>(made);
  }
}

/// `by`, behind all that runs before it. `taken`: where its arguments go, with
/// what follows those of the primal.
void Backward::runPrologue(const Entry &entry, const chirt_task *by,
                           const int64_t *words, int64_t *taken,
                           const chirt_domain *domain) {
  if (by->prologue)
    runPrologue(entry, by->prologue, words, taken, domain);
  memcpy(taken, words, size_t(entry.task->num_arguments) * sizeof(int64_t));
  bindPrimals(entry, by, taken);
  // There is but the adjoint then, and what the primal adds to is what the
  // program has: the adjoint does not look at it.
  if (by == entry.task->adjoint && std::exchange(tape.isPostponed, false))
    by = entry.task->fused;
  chirt_launch(by, taken, domain);
}

/// It is an adjoint: all else that a tape may record has one.
static bool failForNoAdjoint(const chirt_task *task) {
  if (tangentCarrier)
    return failAt(task->site, UserFault,
                  "a call with an adjoint of its own, in a tape inside of a "
                  "`with Forward()`, is not supported yet");
  return failAt(task->site, UserFault,
                "a loss depends on this gradient, which a nested tape has "
                "computed: it has no derivative (`*=` of shared elements, "
                "calls with an adjoint of their own)");
}

void Backward::runAdjoint(const Entry &entry) {
  const chirt_task *task = entry.task;
  if (!task->adjoint && !failForNoAdjoint(task))
    leave();
  const int64_t *words = tape.tuples.at(entry.at);
  // Nothing is recorded on this tape any more.
  const PatternWay &way = wayOf(entry);
  if (!way.takes.isMade())
    findAdjoints(entry, words);
  int all = way.adjoint->num_arguments, own = task->num_arguments;
  size_t bytes = size_t(all) * sizeof(int64_t);
  // Given back by the guard if anything fails.
  auto *taken = static_cast<int64_t *>(chirt_scratch_push(int64_t(3 * bytes)));
  auto **parts = reinterpret_cast<chirt_field **>(taken + all);
  int64_t *adjoints = taken + own + way.adjoint->num_workspace_fields;
  // What the adjoint does not look at is there as the primal has it.
  for (int32_t k = way.takes.from; k < way.takes.to; ++k)
    adjoints[k - way.takes.from] =
        words[tape.patterns.adjoints[size_t(k)].argument];
  int numParts = bindAdjoints(way, adjoints, parts);
  if (way.adjoint->num_workspace_fields)
    makeWorkspace(entry, words, adjoints, taken + own);
  chirt_domain domain = domainOf(words, task);
  tape.count(CHIRT_TAPE_ADJOINTS);
  runPrologue(entry, way.adjoint, words, taken, &domain);
  for (int k = 0; k < numParts; k += 2)
    addBelow(level, parts[k], parts[k + 1]);
  chirt_scratch_pop(taken);
  releaseTemporaries();
  tape.dropResults(entry);
}

void Backward::visitLaunch(const Entry &entry) {
  const Pattern &pattern = tape.patterns[entry.to];
  const Array<PatternUse> &uses = tape.patterns.uses;
  for (int32_t k = pattern.writes.from; k < pattern.writes.to; ++k)
    retreat(uses[size_t(k)].field);
  if (entry.isActive) {
    if (hasAdjointResult(pattern))
      runAdjoint(entry);
    // No adjoint arrives there.
    tape.runPostponed();
    return;
  }
  for (int32_t k = pattern.writes.from; k < pattern.writes.to; ++k)
    if (uses[size_t(k)].hasFloats && uses[size_t(k)].isOverwritten)
      dropAdjoint(uses[size_t(k)].field);
}

//===----------------------------------------------------------------------===//
// All entries
//===----------------------------------------------------------------------===//

/// No tape is round this one (refuseNestedView).
void Backward::visitPart(const Entry &entry) {
  bool isGather = entry.kind == EntryKind::Gather;
  int32_t whole = isGather ? entry.from : entry.to;
  if (!isGather || entry.isActive) {
    chirt_field *part = tape.chunkOf(entry, adjointOf(whole));
    chirt_field *other =
        entry.isActive ? adjointOf(isGather ? entry.to : entry.from) : nullptr;
    noteChange(isGather ? part : other ? other : part, nullptr);
    if (isGather)
      addField(part, other);
    else if (other)
      addField(other, part);
    if (!isGather) {
      noteChange(part, nullptr);
      zeroField(part);
    }
    chirt_field_release(part);
  }
  if (isGather)
    dropAdjoint(entry.to);
}

void Backward::visitStored(const Entry &entry) {
  retreat(entry.to);
  if (!hasAdjoint(entry.to))
    return;
  switch (entry.kind) {
  case EntryKind::Copy:
  case EntryKind::Add:
    if (entry.isActive)
      addBelow(level, adjointOf(entry.from), adjointOf(entry.to));
    if (entry.kind == EntryKind::Copy)
      dropAdjoint(entry.to);
    return;
  case EntryKind::Store:
    return zeroElementsBelow(level, adjointOf(entry.to),
                             tape.offsets.data() + entry.at, entry.count);
  case EntryKind::Fill:
    return dropAdjoint(entry.to);
  case EntryKind::Gather:
  case EntryKind::Scatter:
    return visitPart(entry);
  default:
    return;
  }
}

void Backward::visit(const Entry &entry) {
  if (entry.kind == EntryKind::Write)
    retreat(entry.to);
  else if (entry.kind == EntryKind::Launch)
    visitLaunch(entry);
  else
    visitStored(entry);
}

/// The fields of a call's words to which it or its adjoint does something.
template <typename F>
void Backward::forEachField(const Entry &call, int64_t use, F &&each) {
  for (int32_t k = 0; k < call.from; ++k) {
    int64_t word = tape.offsets[size_t(call.at + k)];
    int64_t uses = tape.offsets[size_t(call.at + call.from + k)];
    if (uses != kScalar && word && (uses & use))
      each(numberOf(word));
  }
}

/// Makes all as the call found it. False: its adjoint has nothing to do.
bool Backward::enterCustom(const Entry &call) {
  bool hasResult = false;
  for (int64_t k = 1; k <= call.count; ++k)
    hasResult |= hasAdjoint(tape.entries[tape.position + size_t(k)].to);
  if (!call.isActive || !hasResult)
    return false;
  // Kernels' records would read what is another version for a while.
  for (chirt_field *exchanged : tape.exchangedOf)
    noteChange(exchanged, nullptr);
  for (int32_t number : tape.changed)
    noteChange(at(number).field, nullptr);
  TapeStack &tapes = tapesOfThread();
  tape.adjointsBefore = tapes.adjoints;
  tape.isInAdjoint = true;
  forEachField(call, CHIRT_CUSTOM_READ, [&](int32_t number) {
    if (contentOf(number, nullptr, 0) != at(number).field)
      tape.restoreContent(level, number);
  });
  if (!tape.kernel)
    tapes.adjoints = &tape;
  return true;
}

/// Drops the adjoints of fields that the call overwrites completely: their
/// earlier values have no effect.
void Backward::dropMade(const Entry &call) {
  forEachField(call, CHIRT_CUSTOM_MADE, [&](int32_t number) {
    if (isFloatType(at(number).field->dtype))
      dropAdjoint(number);
  });
}

/// The derivative of the loss by itself. A record of a kernel begins with what
/// the gradients hold.
void Backward::seed() {
  if (!tape.loss)
    return;
  int32_t number = tape.meet(tape.loss);
  char one[8];
  const double value = 1;
  castScalars(CHIRT_F64, &value, adjointType(tape.loss->dtype), one, 1);
  // Not on a tape round this one: it meets a field that holds one.
  fillField(adjointOf(number), one);
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// The field's gradient becomes `adjoint`, or zero without one.
void Backward::give(int32_t number, chirt_field *adjoint, bool isLastUse) {
  chirt_field *field = at(number).field;
  bool isAdded = (tape.flags & CHIRT_TAPE_ACCUMULATE) != 0;
  if (!adjoint) {
    if (!isAdded && field->grad)
      zeroBelow(level, field->grad);
    return;
  }
  chirt_field *grad = tape.gradientFor(number, site);
  if (!grad)
    leave();
  if (isAdded)
    return addBelow(level, grad, adjoint);
  if (isHeard(level) || !isLastUse || !ownsMemory(grad) ||
      grad->device != adjoint->device)
    return copyBelow(level, grad, adjoint);
  noteChange(grad, nullptr);
  swapMemory(grad, adjoint);
}

/// The last version's adjoint is complete.
void Backward::keepWatched(int32_t number) {
  give(number, at(number).adjoint, /*isLastUse=*/false);
}

void Backward::giveAll() {
  for (int32_t k = 0; k < int32_t(tape.fields.size()); ++k) {
    chirt_field *field = at(k).field;
    bool isSet = at(k).isWatched && at(k).last > 0;
    if (!field->has_grad || isSet || !isFloatType(field->dtype))
      continue;
    if (field == tape.loss) {
      seed();
      give(k, at(k).adjoint, /*isLastUse=*/true);
    } else if (at(k).adjoint || (field->grad && tape.find(field->grad) >= 0)) {
      give(k, at(k).adjoint, /*isLastUse=*/true);
    }
  }
}

/// Are there turns that a budget kept for later? They are in the tape's list
/// then.
bool Backward::hasMore() {
  if (!tape.budget || !tape.budget->nextSegment())
    return false;
  tape.position = tape.entries.size();
  return true;
}

int32_t Backward::run() {
  if (tape.isInAdjoint) {
    tape.leaveCustom(level, /*isHeard=*/true);
    dropMade(tape.entries[tape.position]);
  }
  if (!tape.isSeeded) {
    tape.isSeeded = true;
    if (tape.budget)
      tape.budget->finish();
    tape.position = tape.entries.size();
    for (TapedField &known : tape.fields)
      known.last = known.version;
    seed();
  }
  while (tape.position > 0 || hasMore()) {
    // What it records in turn is not on this tape.
    Entry entry = tape.entries[--tape.position];
    if (entry.kind != EntryKind::Custom)
      visit(entry);
    else if (enterCustom(entry))
      return entry.to;
    else
      dropMade(entry);
  }
  if (!tape.kernel)
    giveAll();
  return -1;
}

int32_t runBackward(Tape &tape, size_t level, const chirt_site *site) {
  return Backward(tape, level, site).run();
}

} // namespace chirt
