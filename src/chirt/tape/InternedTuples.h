//===- InternedTuples.h - Words that are stored once ------------*- C++ -*-===//
#ifndef CHIRT_TAPE_INTERNEDTUPLES_H
#define CHIRT_TAPE_INTERNEDTUPLES_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

namespace chirt {

/// Sequences of words; equal ones share their memory. The launches of a loop
/// over time have few different ones.
class InternedTuples {
public:
  /// Where the `count` words at `from` are, from now on.
  int64_t intern(const int64_t *from, int64_t count);
  /// The words of a tuple; valid until the next one is stored.
  const int64_t *at(int64_t offset) const { return words.data() + offset; }
  /// Bytes of all tuples and of the table.
  int64_t numBytes() const {
    return int64_t(words.size() * sizeof(int64_t) +
                   slots.size() * sizeof(Slot));
  }

private:
  struct Slot {
    uint64_t hash;
    int64_t offset; ///< 0: a free slot
    int64_t count;
  };
  void grow();
  Array<int64_t> words;
  Array<Slot> slots;
  size_t used = 0;
};

/// A good enough mixture of a word's bits.
inline uint64_t mixed(uint64_t word) {
  word *= 0x9E3779B97F4A7C15u;
  return word ^ (word >> 32);
}

} // namespace chirt
#endif // CHIRT_TAPE_INTERNEDTUPLES_H
