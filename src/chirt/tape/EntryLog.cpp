//===- EntryLog.cpp - The log of a tape with a budget ---------------------===//
#include "chirt/tape/Budget.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include "chirt/ordered.h"
#include "chirt/tape/Tape.h"
#include <algorithm>

namespace chirt {

EntryLog::~EntryLog() {
  for (const Piece &piece : pieces)
    free(piece.bytes);
}

int64_t EntryLog::numOpen() const {
  return int64_t(tape.entries.size() - numClosed);
}

bool EntryLog::hasOpenTask() const {
  for (size_t k = numClosed; k < tape.entries.size(); ++k)
    if (tape.entries[k].kind != EntryKind::Store &&
        tape.entries[k].kind != EntryKind::Addition)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

void EntryLog::takePiece(int32_t number, const Box &box) {
  const chirt_field *field = tape.fields[size_t(number)].field;
  int64_t bytes = isEmpty(box, field->rank) ? 0 : bytesIn(box, field);
  Piece &piece = pieces.add();
  piece.field = number;
  piece.isLast = false;
  assign(piece.box, box, field->rank);
  piece.bytes = static_cast<char *>(malloc(size_t(bytes) + 1));
  if (!piece.bytes)
    outOfMemory();
  if (bytes > 0)
    takeBox(field, box, piece.bytes);
  bytesOfPieces += bytes;
}

/// What a launch wrote.
void EntryLog::takePieces(Entry &entry) {
  entry.image = int32_t(pieces.size());
  const int64_t *packed = tape.tuples.at(entry.at);
  chirt_domain domain = domainOf(packed, entry.task);
  PatternRun writes = tape.patterns[entry.to].writes;
  for (int32_t k = writes.from; k < writes.to; ++k) {
    const PatternUse &use = tape.patterns.uses[size_t(k)];
    takePiece(use.field, tape.boxOf(use, CHIRT_USE_WRITE, packed, &domain));
  }
  pieces.back().isLast = true;
}

/// The first element of a field that holds one value.
void EntryLog::takeElement(Entry &entry, const chirt_field *field) {
  entry.image = int32_t(words.size());
  const char *data = hostCopy(field);
  for (int c = 0; c < componentsOf(field); ++c) {
    int64_t word = 0;
    if (field->elements > 0)
      memcpy(&word, data + scalarOffset(field, 0, c),
             size_t(scalarBytes(field->dtype)));
    words.push(word);
  }
}

void EntryLog::takeImage(Entry &entry) {
  if (entry.kind == EntryKind::Launch) {
    if (entry.task->recorder || (entry.task->flags & CHIRT_TASK_ONCE))
      takePieces(entry);
    return;
  }
  chirt_field *field =
      entry.to >= 0 ? tape.fields[size_t(entry.to)].field : nullptr;
  if (entry.kind == EntryKind::Fill) {
    takeElement(entry, field);
  } else if (entry.kind == EntryKind::Scatter && entry.from < 0) {
    chirt_field *part = tape.chunkOf(entry, field);
    takeElement(entry, part);
    chirt_field_release(part);
  } else if (entry.kind == EntryKind::Store) {
    entry.image = int32_t(words.size());
    const char *data = hostCopy(field);
    const int64_t bytes = scalarBytes(field->dtype);
    for (int64_t k = 0; k < entry.count; ++k) {
      int64_t word = 0;
      memcpy(&word, data + tape.offsets[size_t(entry.at + k)] * bytes,
             size_t(bytes));
      words.push(word);
    }
  } else if (entry.kind == EntryKind::Addition) {
    entry.image = int32_t(pieces.size());
    takePiece(entry.to, tape.additions[size_t(entry.at)]);
    pieces.back().isLast = true;
  }
}

void EntryLog::settle() {
  for (; numSettled < tape.entries.size(); ++numSettled)
    takeImage(tape.entries[numSettled]);
}

void EntryLog::putPieces(const Entry &entry) const {
  for (size_t k = size_t(entry.image);; ++k) {
    const Piece &piece = pieces[k];
    chirt_field *field = tape.fields[size_t(piece.field)].field;
    if (!isEmpty(piece.box, field->rank))
      putBox(field, piece.box, piece.bytes);
    if (piece.isLast)
      return;
  }
}

void EntryLog::putWords(const Entry &entry, int64_t number, char *to,
                        int64_t bytes) const {
  memcpy(to, &words[size_t(entry.image + number)], size_t(bytes));
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

static bool areEqual(const Entry &a, const Entry &b) {
  return a.kind == b.kind && a.isActive == b.isActive && a.image == b.image &&
         a.task == b.task && a.at == b.at && a.to == b.to && a.from == b.from &&
         a.count == b.count;
}

static size_t hashOf(const Entry &entry) {
  uint64_t hash = mixed(uint64_t(entry.kind) + 16 * uint64_t(entry.at));
  hash = mixed(hash ^ uint64_t(uint32_t(entry.to)));
  hash = mixed(hash ^ uint64_t(uint32_t(entry.from)));
  return size_t(mixed(hash ^ uint64_t(entry.count)));
}

void EntryLog::rehash() {
  size_t size = byHash.empty() ? 64 : 2 * byHash.size();
  byHash.clear();
  byHash.resize(size);
  for (size_t k = 0; k < distinct.size(); ++k) {
    size_t at = hashOf(distinct[k]) & (size - 1);
    while (byHash[at])
      at = (at + 1) & (size - 1);
    byHash[at] = int32_t(k) + 1;
  }
}

int32_t EntryLog::numberOf(const Entry &entry) {
  if (2 * (distinct.size() + 1) > byHash.size())
    rehash();
  const size_t mask = byHash.size() - 1;
  size_t at = hashOf(entry) & mask;
  for (; byHash[at]; at = (at + 1) & mask)
    if (areEqual(distinct[size_t(byHash[at]) - 1], entry))
      return byHash[at] - 1;
  distinct.push(entry);
  byHash[at] = int32_t(distinct.size());
  return int32_t(distinct.size()) - 1;
}

void EntryLog::closeTurn() {
  ids.clear();
  for (; numClosed < tape.entries.size(); ++numClosed)
    ids.push(numberOf(tape.entries[numClosed]));
  turns.add(ids.data(), int64_t(ids.size()));
  count += int64_t(ids.size());
  int64_t now =
      turns.numBytes() + bytesOfPieces +
      int64_t(distinct.size() * sizeof(Entry) +
              byHash.size() * sizeof(int32_t) + words.size() * sizeof(int64_t) +
              pieces.size() * sizeof(Piece));
  most = std::max(most, now);
}

} // namespace chirt
