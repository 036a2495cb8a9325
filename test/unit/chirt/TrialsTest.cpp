//===- TrialsTest.cpp - Choices that are measured -------------------------===//
#include "Support.h"
#include "chirt/host.h"
#include "chirt/support/Settings.h"
#include "chirt/tune/LaunchChoices.h"
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

using namespace chirt;

namespace {

constexpr int64_t dear = 1 << 20; ///< a cost that always wakes the others

Trial makeTrial(int32_t usual) {
  Trial trial = {};
  trial.key.choice = CHIRT_CHOICE_STREAMING;
  trial.usual = usual;
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

TEST(Trials, AHopelessOptionIsMeasuredOnce) {
  Trial trial = makeTrial(0);
  std::vector<int> counts = settle(trial, {{1e-3, 5e-3}}, 5);
  EXPECT_EQ(counts, std::vector<int>({7, 2}));
  EXPECT_EQ(trial.warm.counts[1], 1);
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
  size_t number = trials.find({0xfeedULL << 40, CHIRT_CHOICE_TILES, 52}, 1);
  settle(trials[number], {{3e-3, 2e-3}}, 2);
  number = trials.find({7, CHIRT_CHOICE_STREAMING, 40}, 0);
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

TEST(Trials, AnotherUsualOptionBeginsAgain) {
  Trials trials;
  TrialKey key{1, CHIRT_CHOICE_STREAMING, 10};
  settle(trials[trials.find(key, 0)], {{3e-3, 2e-3}}, 1);
  EXPECT_EQ(trials[trials.find(key, 0)].kept, 1);
  EXPECT_EQ(trials[trials.find(key, 1)].kept, -1);
  EXPECT_EQ(trials.size(), 1u);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

struct Asker {
  int64_t task;
  std::vector<int32_t> answers; ///< of each iteration
};

/// Asks in each iteration; option 1 takes a tenth of the time of option 0.
void ask(void *args, int64_t begin, int64_t end, int32_t) {
  auto *asker = static_cast<Asker *>(args);
  for (int64_t i = begin; i < end; ++i) {
    int32_t answer =
        chirt_choose(nullptr, asker->task, CHIRT_CHOICE_STREAMING, 0, 1 << 20);
    asker->answers[size_t(i)] = answer;
    double until = chirt_time_now() + (answer ? 10e-6 : 100e-6);
    while (chirt_time_now() < until) {
    }
  }
}

class Choices : public testing::Test {
protected:
  void SetUp() override {
    settings().trials = 3;
    chirt_keep_choices(nullptr);
    chirt_forget_choices();
  }
  void TearDown() override { SetUp(); }

  /// The answer that all iterations of one launch got.
  static int32_t launch(int64_t task) {
    Asker asker{task, std::vector<int32_t>(64, -1)};
    chirt_parallel(ask, &asker, 64, 1, dear);
    std::set<int32_t> all(asker.answers.begin(), asker.answers.end());
    EXPECT_EQ(all.size(), 1u);
    return asker.answers[0];
  }

  /// Launches until the faster option is kept: other processes may disturb a
  /// measurement, but hardly all of them.
  static void measure(int64_t task) {
    for (int attempt = 0; attempt < 10; ++attempt) {
      chirt_forget_choices();
      for (int k = 0; k < 12; ++k)
        launch(task);
      if (launch(task) == 1)
        return;
    }
    FAIL() << "option 1 takes a tenth of the time and was never kept";
  }
};

TEST_F(Choices, AllPartsOfALaunchGetOneAnswerAndTheFasterIsKept) {
  std::set<int32_t> seen;
  for (int k = 0; k < 12; ++k)
    seen.insert(launch(1));
  EXPECT_EQ(seen.size(), 2u);
  measure(1);
  for (int k = 0; k < 5; ++k)
    EXPECT_EQ(launch(1), 1);
}

TEST_F(Choices, OffMeansTheModelsOption) {
  settings().trials = 0;
  for (int k = 0; k < 12; ++k)
    EXPECT_EQ(launch(2), 0);
}

TEST_F(Choices, OutsideOfALaunchTheUsualOptionIsTaken) {
  for (int32_t usual : {0, 1})
    EXPECT_EQ(chirt_choose(nullptr, 3, CHIRT_CHOICE_STREAMING, usual, 1 << 20),
              usual);
}

TEST_F(Choices, TheStoreIsReadOnceAndWritten) {
  struct Store {
    std::string text;
    int reads = 0, writes = 0;
  } store;
  chirt_choice_store functions = {&store,
                                  [](void *context) -> char * {
                                    auto *self = static_cast<Store *>(context);
                                    ++self->reads;
                                    return self->text.empty()
                                               ? nullptr
                                               : strdup(self->text.c_str());
                                  },
                                  [](void *context, const char *text) {
                                    auto *self = static_cast<Store *>(context);
                                    ++self->writes;
                                    self->text = text;
                                  }};
  chirt_keep_choices(&functions);
  measure(4);
  EXPECT_EQ(store.reads, 1);
  keepTrials();
  keepTrials();
  EXPECT_EQ(store.writes, 1);
  // Another process.
  chirt_forget_choices();
  chirt_keep_choices(&functions);
  EXPECT_EQ(launch(4), 1);
  EXPECT_EQ(store.reads, 2);
  keepTrials();
  EXPECT_EQ(store.writes, 1);
}

TEST_F(Choices, ResultsAreListed) {
  measure(5);
  int count = 0;
  chirt_each_choice(
      [](void *context, const chirt_choice_result *result) {
        ++*static_cast<int *>(context);
        EXPECT_EQ(result->choice, CHIRT_CHOICE_STREAMING);
        EXPECT_EQ(result->options, 2);
        EXPECT_EQ(result->usual, 0);
        EXPECT_EQ(result->kept, 1);
        EXPECT_EQ(result->bytes, 1 << 20);
        EXPECT_GE(result->counts[1], 1);
        EXPECT_LT(result->least[1], result->least[0]);
      },
      &count);
  EXPECT_EQ(count, 1);
}

/// A launch within a launch.
void askWithin(void *args, int64_t begin, int64_t end, int32_t) {
  auto *asker = static_cast<Asker *>(args);
  for (int64_t i = begin; i < end; ++i) {
    Asker inner{asker->task, std::vector<int32_t>(1, -1)};
    chirt_parallel(ask, &inner, 1, 1, 1);
    asker->answers[size_t(i)] = inner.answers[0];
  }
}

TEST_F(Choices, ASmallLaunchWithinAnotherAsksForItself) {
  for (int k = 0; k < 12; ++k) {
    Asker asker{6, std::vector<int32_t>(8, -1)};
    chirt_parallel(askWithin, &asker, 8, 1, dear);
    for (int32_t answer : asker.answers)
      EXPECT_EQ(answer, 0);
  }
}

TEST_F(Choices, SeveralHostThreadsMayLaunchAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int k = 0; k < 12; ++k)
        launch(8);
    });
  for (std::thread &thread : threads)
    thread.join();
  // What they measured beside each other settles the choice, one way or the
  // other.
  for (int k = 0; k < 12; ++k)
    launch(8);
  EXPECT_EQ(launch(8), launch(8));
}

} // namespace
