//===- ChoicesTest.cpp - The choices of launches --------------------------===//
#include "Support.h"
#include "chirt/host.h"
#include "chirt/support/Settings.h"
#include "chirt/tune/LaunchChoices.h"
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace chirt;

namespace {

constexpr int64_t dear = 1 << 20; ///< a cost that always wakes the others

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
                                  },
                                  0};
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

TEST_F(Choices, WhatIsMeasuredAgainStaysUnlessItIs) {
  std::string text = "chi choices 1\n";
  for (const char *task : {"04", "ff"})
    text += std::string("00000000000000") + task +
            " 0 40 0 0 1 3 0 1 1 3 0 1 1 1 3 0 1 1 3 0 1 1\n";
  chirt_choice_store functions = {
      &text,
      [](void *context) {
        return strdup(static_cast<std::string *>(context)->c_str());
      },
      [](void *context, const char *kept) {
        *static_cast<std::string *>(context) = kept;
      },
      0};
  chirt_keep_choices(&functions);
  EXPECT_EQ(launch(4), 0); // what was kept decides
  functions.measures_again = 1;
  chirt_forget_choices();
  chirt_keep_choices(&functions);
  measure(4);
  keepTrials();
  EXPECT_NE(text.find("0000000000000004 0 40 0 1 "), text.npos) << text;
  EXPECT_NE(text.find("00000000000000ff 0 40 0 0 "), text.npos) << text;
}

/// A process that is forked while other threads launch can launch.
TEST_F(Choices, AForkedProcessLaunches) {
  std::atomic<bool> ends{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      while (!ends)
        launch(9);
    });
  int failed = 0;
  for (int k = 0; k < 20; ++k) {
    pid_t child = fork();
    if (child == 0) {
      alarm(20);
      Asker asker{9, std::vector<int32_t>(64, -1)};
      chirt_parallel(ask, &asker, 64, 1, dear);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    failed += status != 0;
  }
  ends = true;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failed, 0);
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
