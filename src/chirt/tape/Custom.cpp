//===- Custom.cpp - Calls that have an adjoint of their own ---------------===//
// A call of a kernel or host function that a program gives an adjoint
// (`@adjoint_of`) is one entry. What happens in the call is recorded only as
// writes: older entries find what they need, and nothing is differentiated.
//
// The backward pass first undoes all of these writes, so that fields hold what
// the call found, as far as the adjoint reads them. Then the program runs
// the adjoint as any other code, with the words of the call. Meanwhile `.grad`
// stands for this tape's adjoints, and what the tape's fields hold is kept
// before it is changed, so that the adjoint may compute again what it likes.
#include "chirt/tape/Parts.h"
#include "chirt/tape/Stack.h"

#include "chirt/cpu/FieldOps.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include "chirt/field/Gradient.h"
#include "chirt/field/Making.h"

namespace chirt {

static chirt_field *fieldOf(int64_t word) {
  return reinterpret_cast<chirt_field *>(word);
}
static bool usesField(const chirt_argument &argument, int64_t word) {
  return argument.is_field && argument.uses && word;
}
static bool isOverwrite(uint8_t uses) {
  return (uses & CHIRT_USE_OVERWRITE) && !(uses & CHIRT_USE_READ);
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

void Tape::beginCustom(int32_t adjoint, const int64_t *words,
                       const int8_t *uses, int32_t count) {
  if (budget)
    budget->refuse("a call with an adjoint of its own");
  if (depth++)
    return;
  ++numCustom;
  Entry entry{EntryKind::Custom, false};
  entry.to = adjoint, entry.from = count;
  entry.at = int64_t(offsets.size());
  offsets.append(words, size_t(count));
  for (int32_t k = 0; k < count; ++k) {
    offsets.push(uses[k]);
    if (uses[k] == kScalar || !words[k])
      continue;
    int32_t number = meet(fieldOf(words[k]));
    entry.isActive |= fields[number].isActive && !(uses[k] & CHIRT_CUSTOM_MADE);
    if (uses[k] & CHIRT_CUSTOM_MADE)
      fields[number].madeIn = numCustom;
    if (uses[k] & CHIRT_CUSTOM_READ)
      addNeed(number, wholeOf(fields[number].field));
  }
  customAt = entries.size();
  push(entry);
}

/// Something in the call reads the field, or changes a part of it.
void Tape::useInCustom(int32_t number) {
  entries[customAt].isActive |=
      fields[number].isActive && fields[number].madeIn != numCustom;
}

void Tape::writeInCustom(size_t level, int32_t number, const Box &written,
                         bool isOverwritten) {
  Entry entry{EntryKind::Write, false};
  entry.to = number;
  useInCustom(number);
  beforeWrite(level, number, written, isOverwritten);
  push(entry);
}

void Tape::launchInCustom(size_t level, const chirt_task *task,
                          const int64_t *words, const chirt_domain *domain) {
  for (int k = 0; k < task->num_arguments; ++k)
    if (usesField(task->arguments[k], words[k])) {
      int32_t number = meet(fieldOf(words[k]));
      useInCustom(number);
      if (!fields[number].namedBy)
        fields[number].namedBy = task, fields[number].namedAs = k;
    }
  for (int k = 0; k < task->num_arguments; ++k) {
    uint8_t uses = task->arguments[k].uses;
    if (usesField(task->arguments[k], words[k]) && (uses & CHIRT_USE_WRITE))
      writeInCustom(level, meet(fieldOf(words[k])),
                    touched(task, k, CHIRT_USE_WRITE, words, domain),
                    isOverwrite(uses));
  }
}

void Tape::endCustom() {
  if (--depth)
    return;
  Entry &call = entries[customAt];
  call.count = int64_t(entries.size() - customAt) - 1;
  for (size_t k = customAt + 1; k < entries.size(); ++k) {
    TapedField &written = fields[entries[k].to];
    if (call.isActive)
      written.isActive |= isFloatType(written.field->dtype);
    else if (written.madeIn == numCustom)
      setActive(written, false);
  }
}

bool Tape::writeWhole(size_t level, chirt_field *field, bool isOverwritten) {
  if (isInAdjoint || !depth)
    return writePart(level, field, wholeOf(field));
  writeInCustom(level, meet(field), wholeOf(field), isOverwritten);
  return true;
}

bool Tape::writePart(size_t level, chirt_field *field, const Box &written) {
  if (isInAdjoint)
    keepBefore(level, field, written);
  else if (depth)
    writeInCustom(level, meet(field), written, /*isOverwritten=*/false);
  return isInAdjoint || depth;
}

//===----------------------------------------------------------------------===//
// While the adjoint runs
//===----------------------------------------------------------------------===//

/// The field is about to be changed by the adjoint of a call.
void Tape::keepBefore(size_t level, chirt_field *field, const Box &written) {
  // The tape does not restore fields that it never recorded.
  if (find(field) < 0 || isEmpty(written, field->rank))
    return;
  for (const Kept &before : kept)
    if (before.field == field &&
        (before.content || contains(before.box, written, field->rank)))
      return;
  Kept made{field, nullptr, nullptr, written};
  if (level == 0) {
    int64_t bytes = bytesIn(written, field);
    made.bytes = static_cast<char *>(malloc(size_t(bytes) + 1));
    if (!made.bytes)
      outOfMemory();
    takeBox(field, written, made.bytes);
  } else {
    made.content =
        makeField(nullptr, typeOf(field), field->rank, field->extents);
    if (!made.content)
      leave();
  }
  kept.push(made);
  if (made.content)
    copyBelow(level, made.content, field);
}

/// The field holds what its save does, and the other way round.
static void exchangeContents(chirt_field *field, chirt_field *content) {
  if (ownsMemory(field) && field->device == content->device)
    return swapMemory(field, content);
  exchangeBox(field, wholeOf(field), hostCopyToUpdate(content));
}

/// What the field held at its present version is in a save: it holds that for a
/// while. A tape round this one hears of copies.
void Tape::restoreContent(size_t level, int32_t number) {
  chirt_field *field = fields[number].field;
  for (const Restored &before : restored)
    if (before.number == number)
      return;
  chirt_field *content = saves[fields[number].content].content;
  chirt_field *newer = nullptr;
  if (level > 0) {
    newer = makeFor(Purpose::Save, number, nullptr, field);
    if (!newer)
      leave();
  }
  chirt::noteChange(field, nullptr);
  if (!newer) {
    exchangeContents(field, content);
    restored.push({number, newer});
    return;
  }
  restored.push({number, newer});
  copyBelow(level, newer, field);
  copyBelow(level, field, content);
}

void Tape::leaveCustom(size_t level, bool isHeard) {
  if (!isInAdjoint)
    return;
  isInAdjoint = false;
  tapesOfThread().adjoints = adjointsBefore;
  auto copy = [&](chirt_field *to, const chirt_field *from) {
    isHeard ? copyBelow(level, to, from) : copyField(to, from);
  };
  for (size_t k = kept.size(); k-- > 0;) {
    Kept before = kept[k];
    chirt::noteChange(before.field, nullptr);
    if (before.content)
      copy(before.field, before.content);
    else
      putBox(before.field, before.box, before.bytes);
    chirt_field_release(before.content);
    free(before.bytes);
  }
  kept.clear();
  for (size_t k = restored.size(); k-- > 0;) {
    chirt_field *field = fields[restored[k].number].field;
    if (chirt_field *newer = restored[k].newer) {
      copy(field, newer);
      chirt_field_release(newer);
    } else {
      exchangeContents(field,
                       saves[fields[restored[k].number].content].content);
    }
  }
  restored.clear();
}

chirt_field *Tape::givenAdjoint(const chirt_site *site, chirt_field *field) {
  int32_t number = meet(field);
  if (!fields[number].adjoint)
    fields[number].adjoint = makeAdjointFor(number, site);
  return fields[number].adjoint;
}

chirt_field *adjointInCall(const chirt_site *site, chirt_field *field,
                           bool &isElse) {
  isElse = false;
  if (threadTapes && threadTapes->adjoints)
    return threadTapes->adjoints->givenAdjoint(site, field);
  // Of a kernel's latest call the gradients are the adjoints, marked or not.
  if (threadTapes)
    for (const Tape *tape : threadTapes->open)
      if (tape->isInAdjoint)
        return gradientOf(site, field);
  isElse = true;
  return nullptr;
}

} // namespace chirt

//===----------------------------------------------------------------------===//
// What programs say
//===----------------------------------------------------------------------===//

using namespace chirt;

/// In forward mode an adjoint of the program's would read no tangents: a tape
/// looks into the call, whose loops have no adjoint.
static bool areCallsRecorded() { return numTapes() > 0 && !tangentCarrier; }

static void gatherWord(int64_t word, int8_t use) {
  if (!areCallsRecorded())
    return;
  threadTapes->words.push(word);
  threadTapes->uses.push(use);
}

void chirt_custom_word(int64_t word) { gatherWord(word, kScalar); }

static bool haveOneShape(const chirt_field *a, const chirt_field *b) {
  return a->rank == b->rank &&
         !memcmp(a->extents, b->extents, size_t(a->rank) * sizeof(int64_t));
}

void chirt_custom_field(chirt_field *field, int32_t uses,
                        const chirt_field *like) {
  if (field)
    refuseView(field, "a call with an adjoint of its own");
  if (like && field && !haveOneShape(field, like))
    uses &= ~CHIRT_CUSTOM_MADE;
  gatherWord(reinterpret_cast<int64_t>(field), int8_t(uses));
}

void chirt_custom_begin(int32_t adjoint) {
  if (!areCallsRecorded())
    return;
  TapeStack &tapes = *threadTapes;
  for (Tape *tape : tapes.open)
    if (!tape->isEnding)
      tape->beginCustom(adjoint, tapes.words.data(), tapes.uses.data(),
                        int32_t(tapes.words.size()));
  tapes.words.clear();
  tapes.uses.clear();
}

void chirt_custom_end(void) {
  if (areCallsRecorded())
    for (Tape *tape : threadTapes->open)
      if (!tape->isEnding)
        tape->endCustom();
}

int32_t chirt_custom_next(const chirt_site *site) {
  return continueBackward(site);
}

int64_t chirt_custom_word_at(int64_t number) {
  return threadTapes->open.back()->wordOfCall(number);
}

chirt_field *chirt_custom_field_at(int64_t number) {
  return fieldOf(chirt_custom_word_at(number));
}
