//===- TrialsTest.cpp - Choices that are measured -------------------------===//
#include "chirt/tune/Trials.h"
#include "Support.h"
#include <vector>

using namespace chirt;

namespace {

Trial makeTrial(int32_t usual) {
  Trial trial = {};
  trial.key.choice = CHIRT_CHOICE_STREAMING;
  trial.key.usual = usual;
  trial.kept = -1;
  return trial;
}

/// How long things take: a launch with each option, and what comes after it.
struct Times {
  double launch[2];
  double after[2] = {1e-3, 1e-3};
};

/// Launches until the choice is settled. Returns how many launches took each
/// option.
std::vector<int> settle(Trial &trial, const Times &times, int rounds) {
  std::vector<int> counts(2);
  double now = 0;
  for (int k = 0; k < 100 && trial.kept < 0; ++k) {
    int32_t option = trial.next();
    ++counts[size_t(option)];
    now += times.launch[option];
    trial.record(option, times.launch[option], now, rounds);
    now += times.after[option];
  }
  return counts;
}

TEST(Trials, TheFasterOptionIsKept) {
  for (int32_t usual : {0, 1}) {
    Trial trial = makeTrial(usual);
    std::vector<int> counts = settle(trial, {{3e-3, 2e-3}}, 3);
    EXPECT_EQ(trial.kept, 1);
    // The usual option is measured cold too. The first launch after another
    // option does not count.
    std::vector<int> expected = {6, 6};
    EXPECT_EQ(counts, expected);
    trial = makeTrial(usual);
    settle(trial, {{2e-3, 3e-3}}, 3);
    EXPECT_EQ(trial.kept, 0);
  }
}

TEST(Trials, ASmallGainDoesNotChangeTheUsualOption) {
  Trial trial = makeTrial(0);
  settle(trial, {{1e-3, 0.97e-3}}, 3);
  EXPECT_EQ(trial.kept, 0);
}

TEST(Trials, AGainThatOtherKernelsPayForIsNone) {
  // It saves 1 ms, and what follows takes as much longer.
  Trial trial = makeTrial(0);
  settle(trial, {{3e-3, 2e-3}, {5e-3, 6e-3}}, 3);
  EXPECT_EQ(trial.kept, 0);
  // Or a tenth of it.
  trial = makeTrial(0);
  settle(trial, {{3e-3, 2e-3}, {5e-3, 5.1e-3}}, 3);
  EXPECT_EQ(trial.kept, 1);
}

TEST(Trials, AnOptionThatLosesARoundIsNotKept) {
  for (int rounds : {3, 7}) {
    Trial trial = makeTrial(0);
    double now = 0;
    int others = 0;
    while (trial.kept < 0) {
      int32_t option = trial.next();
      others += option == 1;
      // Every fourth launch of the faster option is disturbed.
      double seconds = option == 0 ? 3e-3 : others % 4 ? 2e-3 : 5e-3;
      now += seconds;
      trial.record(option, seconds, now, rounds);
    }
    EXPECT_EQ(trial.kept, 0) << rounds;
  }
}

TEST(Trials, AHopelessOptionIsNotMeasuredAgain) {
  Trial trial = makeTrial(0);
  settle(trial, {{1e-3, 20e-3}}, 5);
  EXPECT_EQ(trial.warm.counts[1], 1);
  EXPECT_EQ(trial.kept, 0);
  // One measurement may be disturbed.
  trial = makeTrial(0);
  settle(trial, {{1e-3, 5e-3}}, 5);
  EXPECT_EQ(trial.warm.counts[1], 2);
  EXPECT_EQ(trial.kept, 0);
}

TEST(Trials, ADisturbedLaunchDecidesNothing) {
  // The first run of all is disturbed; the usual option is the faster one.
  Trial trial = makeTrial(0);
  for (int run = 0; trial.kept < 0 && run < 100; ++run) {
    trial.isWarm = false;
    int32_t option = trial.next();
    trial.record(option, run == 0 ? 0.7 : option ? 0.060 : 0.044, run, 3);
  }
  EXPECT_EQ(trial.kept, 0);
}

TEST(Trials, ShortLaunchesAreNotMeasured) {
  Trial trial = makeTrial(0);
  settle(trial, {{1e-6, 1e-9}}, 3);
  EXPECT_EQ(trial.kept, 0);
  EXPECT_EQ(trial.warm.counts[1], 0);
}

TEST(Trials, FirstLaunchesOfRunsCompareWithEachOtherOnly) {
  // One launch a run: all are cold. Warm ones would be faster.
  Trial trial = makeTrial(0);
  int runs = 0;
  for (; trial.kept < 0 && runs < 100; ++runs) {
    trial.isWarm = false;
    int32_t option = trial.next();
    trial.record(option, option ? 4e-3 : 5e-3, runs, 3);
  }
  EXPECT_EQ(runs, 6);
  EXPECT_EQ(trial.kept, 1);
  // A cold launch of one option does not compare with a warm one of another.
  trial = makeTrial(0);
  trial.record(0, 9e-3, 1, 2);
  trial.record(0, 2e-3, 2, 2);
  trial.isWarm = false;
  EXPECT_EQ(trial.next(), 1);
  trial.record(1, 8e-3, 3, 2);
  EXPECT_EQ(trial.kept, -1);
}

TEST(Trials, SizesOfOneClassDifferByLessThanAHalf) {
  EXPECT_EQ(sizeClass(0), 0);
  EXPECT_EQ(sizeClass(1), 0);
  for (int64_t bytes : {2, 3, 4, 6, 8, 12, 1 << 20, 3 << 19}) {
    EXPECT_EQ(sizeClass(bytes), sizeClass(bytes + bytes / 2 - 1 - bytes / 4));
    EXPECT_NE(sizeClass(bytes), sizeClass(2 * bytes));
  }
  EXPECT_GT(sizeClass(INT64_MAX), sizeClass(INT64_MAX / 2));
}

TEST(Trials, ATextBringsThemBack) {
  Trials trials;
  size_t number = trials.find({0xfeedULL << 40, CHIRT_CHOICE_TILES, 52, 1});
  settle(trials[number], {{3e-3, 2e-3}}, 2);
  number = trials.find({7, CHIRT_CHOICE_STREAMING, 40, 0});
  trials[number].record(0, 1.5e-3, 1, 3);
  Text text;
  trials.print(text);
  Trials again;
  again.read(text.view());
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].kept, 1);
  EXPECT_EQ(again[0].warm.counts[0], 2);
  EXPECT_DOUBLE_EQ(again[0].warm.least[0], 3e-3);
  EXPECT_NEAR(again[0].warm.leastPeriod[0], 4e-3, 1e-9);
  EXPECT_EQ(again[1].kept, -1);
  EXPECT_EQ(again[1].cold.counts[0], 1);
  Text second;
  again.print(second);
  EXPECT_EQ(second.view(), text.view());
}

TEST(Trials, OtherTextsAreIgnored) {
  Trials good;
  good.read("chi choices 1\n12 0 4 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
  EXPECT_EQ(good.size(), 1u);
  for (const char *text :
       {"", "\n", "something\n0 0 0 0 0\n", "chi choices 1\nabc",
        "chi choices 1\n12 0 4 9 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        "chi choices 1\n12 9 4 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        "chi choices 1\n12 0 4 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 nan",
        "chi choices 1\n12 0 4 0 -1 0 -5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        "chi choices 1\n12 0 4 0 -1 0 0 0 0 0 0 0 0 0"}) {
    Trials trials;
    trials.read(text);
    EXPECT_EQ(trials.size(), 0u) << text;
  }
}

TEST(Trials, EachUsualOptionHasItsOwn) {
  Trials trials;
  TrialKey key{1, CHIRT_CHOICE_STREAMING, 10, 0}, other = key;
  other.usual = 1;
  settle(trials[trials.find(key)], {{3e-3, 2e-3}}, 1);
  EXPECT_EQ(trials[trials.find(other)].kept, -1);
  EXPECT_EQ(trials[trials.find(key)].kept, 1);
  EXPECT_EQ(trials.size(), 2u);
}

TEST(Trials, ManyAreFoundAgain) {
  Trials trials;
  for (uint64_t task = 0; task < 2000; ++task)
    trials.find({task * 0x10001, CHIRT_CHOICE_STREAMING, 10, 0});
  EXPECT_EQ(trials.size(), 2000u);
  for (uint64_t task = 0; task < 2000; ++task)
    EXPECT_EQ(trials.find({task * 0x10001, CHIRT_CHOICE_STREAMING, 10, 0}),
              task);
  trials.clear();
  EXPECT_EQ(trials.find({5, CHIRT_CHOICE_STREAMING, 10, 0}), 0u);
}

} // namespace
