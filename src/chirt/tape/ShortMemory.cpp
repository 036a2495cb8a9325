//===- ShortMemory.cpp - What tapes say when memory is short --------------===//
// This code runs only when a tape makes a field, and for messages.
#include "chirt/tape/Stack.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Field.h"
#include "chirt/field/Gradient.h"
#include "chirt/field/Making.h"
#include "chirt/support/Memory.h"

namespace chirt {

/// A failure meanwhile is reported for the tape's field `number`.
template <typename F>
static chirt_field *makeWhile(const Making &making, F &&make) {
  TapeStack &tapes = tapesOfThread();
  Making outer = std::exchange(tapes.making, making);
  chirt_field *made = make();
  tapes.making = outer;
  return made;
}

chirt_field *Tape::makeFor(Purpose purpose, int32_t number,
                           const chirt_site *site, const chirt_field *like) {
  return makeWhile({this, number, purpose}, [&] {
    return makeField(site, typeOf(like), like->rank, like->extents);
  });
}

chirt_field *Tape::makeAdjointFor(int32_t number, const chirt_site *site) {
  return makeWhile({this, number, Purpose::Adjoint},
                   [&] { return makeAdjoint(site, fields[number].field); });
}

chirt_field *Tape::gradientFor(int32_t number, const chirt_site *site) {
  return makeWhile({this, number, Purpose::Gradient},
                   [&] { return gradientOf(site, fields[number].field); });
}

//===----------------------------------------------------------------------===//
// Names and places
//===----------------------------------------------------------------------===//

const chirt_task *Tape::taskNow() const {
  if (recording)
    return recording;
  size_t at = isSeeded ? position : entries.size() - 1;
  bool isLaunch = at < entries.size() && entries[at].kind == EntryKind::Launch;
  return isLaunch ? entries[at].task : nullptr;
}

const chirt_site *Tape::loopNow() const {
  const chirt_task *task = taskNow();
  return task ? task->site : nullptr;
}

/// As the loop that is under way has it, or as another one has.
void Tape::appendNameOf(Text &out, int32_t number) const {
  const PatternUse *best = nullptr;
  const chirt_task *now = taskNow();
  for (const PatternUse &use : patterns.uses)
    if (use.field == number && use.by->names && (!best || use.by == now))
      best = &use;
  const TapedField &known = fields[number];
  if (best)
    appendArgumentName(out, best->by, best->argument);
  else if (known.namedBy)
    appendArgumentName(out, known.namedBy, known.namedAs);
  else
    out << "a field";
}

void Tape::appendPurpose(Text &out, Purpose purpose, int32_t number) const {
  switch (purpose) {
  case Purpose::Save:
    out << "a saved copy of ";
    break;
  case Purpose::Adjoint:
    out << "the adjoint of ";
    break;
  case Purpose::Copy:
    out << "the working copy of ";
    break;
  case Purpose::Gradient:
    out << "the gradient of ";
    break;
  }
  appendNameOf(out, number);
  out << ", ";
}

bool Tape::appendPurposeOf(Text &out, const chirt_field *field) const {
  for (int32_t k = 0; k < int32_t(fields.size()); ++k) {
    const TapedField &known = fields[k];
    if (field == known.adjoint || field == known.dropped)
      return appendPurpose(out, Purpose::Adjoint, k), true;
    if (field == known.copy)
      return appendPurpose(out, Purpose::Copy, k), true;
    if (field == known.field->grad)
      return appendPurpose(out, Purpose::Gradient, k), true;
    for (int32_t at = known.save; at >= 0; at = saves[at].below)
      if (saves[at].content == field)
        return appendPurpose(out, Purpose::Save, k), true;
    if (field == known.field) {
      appendNameOf(out, k);
      out << ", ";
      return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Amounts
//===----------------------------------------------------------------------===//

static int64_t bytesOf(const chirt_field *field) {
  return field ? field->bytes : 0;
}

void Tape::countBytes(TapeBytes &held) const {
  for (const Save &save : saves)
    held.saves += bytesOf(save.content);
  held.saves += memory.numBytes();
  for (const TapedField &known : fields)
    held.adjoints +=
        bytesOf(known.adjoint) + bytesOf(known.dropped) + bytesOf(known.copy);
  for (const chirt_field *temporary : temporaries)
    held.adjoints += bytesOf(temporary);
  for (const chirt_field *result : results)
    held.saves += bytesOf(result);
  held.log +=
      int64_t(entries.size() * sizeof(Entry) + saves.size() * sizeof(Save) +
              needs.size() * sizeof(Need) + offsets.size() * sizeof(int64_t)) +
      tuples.numBytes();
}

void appendTapeBytes(Text &out) {
  if (numTapes() == 0)
    return;
  TapeBytes held;
  for (const Tape *tape : threadTapes->open)
    tape->countBytes(held);
  out << (numTapes() > 1 ? "; the tapes hold " : "; the tape holds ");
  out.appendBytes(uint64_t(held.saves + held.adjoints + held.log));
  out << ": ";
  out.appendBytes(uint64_t(held.saves));
  out << " of saved values, ";
  out.appendBytes(uint64_t(held.adjoints));
  out << " of adjoints, ";
  out.appendBytes(uint64_t(held.log));
  out << " of the log";
}

//===----------------------------------------------------------------------===//
// What is said
//===----------------------------------------------------------------------===//

const chirt_site *describeShortOnTapes(Text &out, const chirt_field *field) {
  if (numTapes() == 0)
    return nullptr;
  const Making &making = threadTapes->making;
  if (making.tape) {
    making.tape->appendPurpose(out, making.purpose, making.number);
    // Gradients come behind all loops.
    return making.purpose == Purpose::Gradient ? nullptr
                                               : making.tape->loopNow();
  }
  if (!field) // the program's own
    return nullptr;
  const Array<Tape *> &open = threadTapes->open;
  for (size_t k = open.size(); k-- > 0;)
    if (open[k]->appendPurposeOf(out, field))
      return open[k]->loopNow();
  return nullptr;
}

bool Tape::failToSave(int32_t number, int64_t bytes) const {
  Text text;
  text << "out of memory: ";
  appendPurpose(text, Purpose::Save, number);
  text << "a part of a field";
  const chirt_field *field = fields[number].field;
  appendNeed(text, field->rank, field->extents, bytes);
  appendTapeBytes(text);
  return failAt(loopNow(), WorldFault, "%s", text.c_str());
}

} // namespace chirt
