//===- InternedTuples.cpp - Words that are stored once --------------------===//
#include "chirt/tape/InternedTuples.h"

namespace chirt {

void InternedTuples::grow() {
  Array<Slot> old;
  old.swap(slots);
  slots.resize(old.empty() ? 64 : 2 * old.size());
  for (const Slot &slot : old) {
    if (!slot.offset)
      continue;
    size_t at = slot.hash & (slots.size() - 1);
    while (slots[at].offset)
      at = (at + 1) & (slots.size() - 1);
    slots[at] = slot;
  }
}

int64_t InternedTuples::intern(const int64_t *from, int64_t count) {
  if (2 * (used + 1) > slots.size())
    grow();
  uint64_t hash = uint64_t(count);
  for (int64_t k = 0; k < count; ++k)
    hash = mixed(hash ^ uint64_t(from[k]));
  size_t at = hash & (slots.size() - 1), bytes = size_t(count) * 8;
  for (; slots[at].offset; at = (at + 1) & (slots.size() - 1))
    if (slots[at].hash == hash && slots[at].count == count &&
        !memcmp(words.data() + slots[at].offset, from, bytes))
      return slots[at].offset;
  if (words.empty())
    words.push(0); // a place is not 0
  slots[at] = {hash, int64_t(words.size()), count};
  ++used;
  words.append(from, size_t(count));
  return slots[at].offset;
}

} // namespace chirt
