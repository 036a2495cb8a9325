//===- SchedulesTest.cpp - Schedules of snapshots -------------------------===//
#include "chirt/budget/Binomial.h"
#include "chirt/budget/Online.h"
#include "chirt/budget/Turns.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace {
using namespace chirt;

/// The least number of steps, by trying all splits.
int64_t leastAdvances(int64_t steps, int64_t snapshots) {
  static std::map<std::pair<int64_t, int64_t>, int64_t> known;
  if (steps == 1)
    return 0;
  if (snapshots == 1)
    return steps * (steps - 1) / 2;
  auto [at, isNew] = known.insert({{steps, snapshots}, INT64_MAX});
  if (isNew) {
    int64_t least = INT64_MAX;
    for (int64_t m = 1; m < steps; ++m)
      least = std::min(least, m + leastAdvances(m, snapshots) +
                                  leastAdvances(steps - m, snapshots - 1));
    known[{steps, snapshots}] = least;
    return least;
  }
  return at->second;
}

/// How many steps a backward pass runs that goes by firstSplit, from the state
/// before them.
int64_t countAdvances(int64_t steps, int64_t snapshots) {
  if (steps == 1)
    return 0;
  int64_t split = firstSplit(steps, snapshots);
  EXPECT_GE(split, 1);
  EXPECT_LT(split, steps);
  if (snapshots == 1)
    return split + countAdvances(split, 1);
  return split + countAdvances(steps - split, snapshots - 1) +
         countAdvances(split, snapshots);
}

TEST(Schedules, RunAsManyStepsAsTheClosedFormSays) {
  // Of Griewank and Walther, for each pair the number of repeats r with
  // C(s + r - 1, s) < n <= C(s + r, s): r n - C(s + r, s + 1).
  struct Pair {
    int64_t steps, snapshots, advances;
  };
  const Pair pairs[] = {
      {1, 1, 0},       {2, 1, 1},        {3, 1, 3},          {10, 1, 45},
      {2, 2, 1},       {3, 2, 2},        {6, 2, 8},          {7, 2, 11},
      {10, 2, 20},     {15, 2, 40},      {16, 2, 45},        {100, 2, 845},
      {4, 3, 3},       {5, 3, 5},        {10, 3, 15},        {11, 3, 18},
      {20, 3, 45},     {56, 3, 210},     {57, 3, 216},       {100, 3, 490},
      {5, 4, 4},       {10, 4, 14},      {15, 4, 24},        {16, 4, 27},
      {70, 4, 224},    {100, 4, 374},    {1000, 4, 7998},    {10, 5, 13},
      {21, 5, 35},     {56, 5, 140},     {57, 5, 144},       {100, 5, 316},
      {1000, 5, 6284}, {66, 10, 120},    {100, 10, 222},     {286, 10, 780},
      {287, 10, 784},  {1000, 10, 3636}, {10000, 10, 57624}, {1000, 30, 2472},
  };
  static_assert(sizeof(pairs) / sizeof(pairs[0]) == 40);
  for (auto [steps, snapshots, advances] : pairs) {
    EXPECT_EQ(numAdvances(steps, snapshots), advances)
        << steps << " steps, " << snapshots << " snapshots";
    EXPECT_EQ(countAdvances(steps, snapshots), advances)
        << steps << " steps, " << snapshots << " snapshots";
  }
}

TEST(Schedules, AreTheBestOfAll) {
  for (int64_t steps = 1; steps <= 60; ++steps)
    for (int64_t snapshots = 1; snapshots <= 8; ++snapshots) {
      EXPECT_EQ(numAdvances(steps, snapshots), leastAdvances(steps, snapshots));
      EXPECT_EQ(countAdvances(steps, snapshots),
                leastAdvances(steps, snapshots));
    }
}

TEST(Schedules, HoldLargeNumbers) {
  EXPECT_EQ(reachOf(2, 3), 10);
  EXPECT_EQ(reachOf(0, 5), 1);
  EXPECT_EQ(reachOf(-1, 5), 0);
  EXPECT_EQ(reachOf(1 << 20, 1 << 20), int64_t(1) << 62);
  EXPECT_EQ(numAdvances(int64_t(1) << 40, 1), int64_t(1) << 62);
  EXPECT_EQ(numAdvances(1'000'000, 1'000'000), 999'999);
  EXPECT_EQ(firstSplit(1'000'000, 1'000'000), 1);
}

/// The steps that the backward pass runs after a loop of which only the online
/// schedule's snapshots are there, with the loop itself except for its last
/// step.
int64_t countOnline(int64_t steps, int64_t most) {
  Snapshots snapshots;
  for (int64_t step = 1; step < steps; ++step)
    snapshots.add(step, most);
  EXPECT_LE(snapshots.size(), most);
  int64_t all = steps - 1, end = steps;
  for (int64_t k = snapshots.size(); k-- > 0; end = snapshots[k])
    all += countAdvances(end - snapshots[k], most - k);
  return all;
}

TEST(Schedules, OnlineOnesRepeatNoStepMoreOften) {
  for (int64_t most : {2, 3, 4, 5, 8, 12})
    for (int64_t steps = 2; steps <= 300; ++steps) {
      int64_t repeats = 0;
      while (reachOf(most, repeats) < steps)
        ++repeats;
      int64_t all = countOnline(steps, most);
      EXPECT_GE(all, numAdvances(steps, most));
      // None of the steps is run more than once more than in the best schedule.
      EXPECT_LE(all, numAdvances(steps, most) + steps) << steps << ' ' << most;
    }
}

TEST(Schedules, SnapshotsKeepTheFirstState) {
  Snapshots snapshots;
  EXPECT_EQ(snapshots.drop(), -1);
  EXPECT_EQ(snapshots.add(1, 1), 1); // there is no room
  EXPECT_EQ(snapshots.size(), 1);
  EXPECT_EQ(snapshots.add(1, 3), -1);
  EXPECT_EQ(snapshots.add(2, 3), -1);
  EXPECT_TRUE(snapshots.hasIn(1, 1));
  EXPECT_FALSE(snapshots.hasIn(3, 9));
  EXPECT_EQ(snapshots.add(3, 3), 2); // none was dispensable
  EXPECT_EQ(snapshots.add(4, 3), 1); // the one at 3 has a higher level
  EXPECT_EQ(snapshots[1], 3);
  EXPECT_EQ(snapshots.last(), 4);
  EXPECT_FALSE(snapshots.hasIn(1, 2));
}

std::vector<int32_t> numbersOf(const Turns &turns, int64_t turn) {
  Turns::Numbers numbers = turns.at(turn);
  return {numbers.begin(), numbers.end()};
}

TEST(Schedules, TurnsThatRepeatTakeNoMemory) {
  const std::vector<int32_t> a{1, 2, 3}, b{4}, c{};
  std::vector<std::vector<int32_t>> all{c, a, b, a, a};
  for (int k = 0; k < 1000; ++k)
    all.insert(all.end(), {a, b, c});
  for (int k = 0; k < 1000; ++k)
    all.push_back(b);
  for (int k = 0; k < 500; ++k)
    all.insert(all.end(), {a, b});
  all.push_back(c);
  Turns turns;
  for (const std::vector<int32_t> &each : all)
    turns.add(each.data(), int64_t(each.size()));
  ASSERT_EQ(turns.size(), int64_t(all.size()));
  for (size_t k = 0; k < all.size(); ++k)
    EXPECT_EQ(numbersOf(turns, int64_t(k)), all[k]) << k;
  EXPECT_LT(turns.numBytes(), 1500);
}

} // namespace
