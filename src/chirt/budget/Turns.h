//===- Turns.h - What was done, turn by turn --------------------*- C++ -*-===//
#ifndef CHIRT_BUDGET_TURNS_H
#define CHIRT_BUDGET_TURNS_H

#include "chirt/text/Text.h"
#include <cstdint>

namespace chirt {

/// A list of turns of loops, each of which is a list of numbers. Equal turns
/// share their memory, and a sequence of turns that repeats itself takes none.
class Turns {
public:
  /// A turn's numbers; valid until the next one is added.
  struct Numbers {
    const int32_t *from = nullptr;
    int64_t count = 0;
    const int32_t *begin() const { return from; }
    const int32_t *end() const { return from + count; }
  };

  /// Appends a turn of `count` numbers.
  void add(const int32_t *numbers, int64_t count);
  /// How many turns there are.
  int64_t size() const { return numTurns; }
  /// The numbers of a turn, which are counted from 0.
  Numbers at(int64_t turn) const;
  /// How many different ones.
  int64_t numDistinct() const { return int64_t(blocks.size()); }
  /// The numbers of one of these.
  Numbers distinct(int64_t number) const {
    const Block &block = blocks[size_t(number)];
    return {numbers.data() + block.from, block.count};
  }
  /// Bytes that all of it takes.
  int64_t numBytes() const;

private:
  struct Block {
    uint64_t hash;
    int64_t from, count; ///< in `numbers`
  };
  /// Turns from `first` on, whose blocks are `period` of `blocksOfRuns`, again
  /// and again.
  struct Run {
    int64_t first, from;
    int32_t period;
  };
  static constexpr int32_t kMostPeriod = 4;
  int32_t blockOf(const int32_t *from, int64_t count);
  int32_t blockAt(const Run &run, int64_t turn) const;
  bool joinRuns(int32_t period);

  Array<int32_t> numbers, blocksOfRuns, byHash;
  Array<Block> blocks;
  Array<Run> runs;
  int64_t numTurns = 0;
};

} // namespace chirt
#endif // CHIRT_BUDGET_TURNS_H
