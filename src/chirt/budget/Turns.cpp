//===- Turns.cpp - What was done, turn by turn ----------------------------===//
#include "chirt/budget/Turns.h"

namespace chirt {

static uint64_t hashOf(const int32_t *from, int64_t count) {
  uint64_t hash = uint64_t(count);
  for (int64_t k = 0; k < count; ++k) {
    hash = (hash ^ uint32_t(from[k])) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

/// The number of the block with these numbers.
int32_t Turns::blockOf(const int32_t *from, int64_t count) {
  const uint64_t hash = hashOf(from, count);
  if (2 * (blocks.size() + 1) > byHash.size()) {
    size_t size = byHash.empty() ? 64 : 2 * byHash.size();
    byHash.clear();
    byHash.resize(size);
    for (size_t k = 0; k < blocks.size(); ++k) {
      size_t at = blocks[k].hash & (size - 1);
      while (byHash[at])
        at = (at + 1) & (size - 1);
      byHash[at] = int32_t(k) + 1;
    }
  }
  const size_t mask = byHash.size() - 1;
  size_t at = hash & mask;
  for (; byHash[at]; at = (at + 1) & mask) {
    const Block &block = blocks[size_t(byHash[at]) - 1];
    if (block.hash == hash && block.count == count &&
        !memcmp(numbers.data() + block.from, from,
                size_t(count) * sizeof(int32_t)))
      return byHash[at] - 1;
  }
  blocks.push({hash, int64_t(numbers.size()), count});
  numbers.append(from, size_t(count));
  byHash[at] = int32_t(blocks.size());
  return int32_t(blocks.size()) - 1;
}

int32_t Turns::blockAt(const Run &run, int64_t turn) const {
  return blocksOfRuns[size_t(run.from + (turn - run.first) % run.period)];
}

/// Makes one run of the last 2 * `period` turns, each of which is a run by
/// itself, if they are the same twice.
bool Turns::joinRuns(int32_t period) {
  const size_t count = size_t(2 * period);
  if (runs.size() < count)
    return false;
  const size_t first = runs.size() - count;
  // All of one turn: so many turns from the first one to the end.
  if (numTurns - runs[first].first != int64_t(count))
    return false;
  const int32_t *all = blocksOfRuns.data() + runs[first].from;
  if (memcmp(all, all + period, size_t(period) * sizeof(int32_t)) != 0)
    return false;
  runs[first].period = period;
  while (runs.size() > first + 1)
    runs.pop();
  while (int64_t(blocksOfRuns.size()) > runs[first].from + period)
    blocksOfRuns.pop();
  return true;
}

void Turns::add(const int32_t *from, int64_t count) {
  const int32_t block = blockOf(from, count);
  const int64_t turn = numTurns++;
  if (!runs.empty() && runs.back().period > 0 &&
      (turn == 0 || blockAt(runs.back(), turn) == block))
    return;
  runs.push({turn, int64_t(blocksOfRuns.size()), 1});
  blocksOfRuns.push(block);
  for (int32_t period = 2; period <= kMostPeriod; ++period)
    if (joinRuns(period))
      return;
}

Turns::Numbers Turns::at(int64_t turn) const {
  size_t low = 0, high = runs.size();
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    (runs[middle].first <= turn ? low : high) = middle;
  }
  return distinct(blockAt(runs[low], turn));
}

int64_t Turns::numBytes() const {
  return int64_t((numbers.size() + blocksOfRuns.size() + byHash.size()) *
                     sizeof(int32_t) +
                 blocks.size() * sizeof(Block) + runs.size() * sizeof(Run));
}

} // namespace chirt
