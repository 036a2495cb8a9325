//===- BudgetTest.cpp - Tapes with a memory budget ------------------------===//
// The gradients, and what fields hold at the end, are those without a budget,
// bit by bit, whatever the budget is.
#include "TapeTasks.h"
#include "chirt/ordered.h"
#include <cstring>
#include <random>

namespace {
using namespace tasks;

#define CHIRT_EACH(Body)                                                       \
  [](const chirt_task *, const int64_t *a, const chirt_domain *domain) {       \
    for (int64_t i = domain->from[0]; i < domain->to[0]; ++i) {                \
      Body;                                                                    \
    }                                                                          \
  }

/// x -= x * x / 8
const Task &bend() {
  static const Task adjoint("bend.adj", "x", {R, U},
                            CHIRT_EACH(at(a, 1)[i] *= 1 - at(a, 0)[i] / 4));
  static const Task task(
      "bend", "x", {U},
      CHIRT_EACH(at(a, 0)[i] -= at(a, 0)[i] * at(a, 0)[i] / 8), &adjoint);
  return task;
}

/// x = 0.5, of the odd elements
const Task &halfOdd() {
  static const Task adjoint("halfOdd.adj", "x", {None, U},
                            CHIRT_EACH(if (i % 2) at(a, 1)[i] = 0));
  static const Task task("halfOdd", "x", {W},
                         CHIRT_EACH(if (i % 2) at(a, 0)[i] = 0.5), &adjoint);
  return task;
}

/// x = (x + y) / 2, and counts how often it ran; to be run once.
int numRuns = 0;
const Task &mixOnce() {
  static const Task adjoint("mix.adj", "x, y", {None, None, U, U}, CHIRT_EACH({
                              at(a, 2)[i] /= 2;
                              at(a, 3)[i] += at(a, 2)[i];
                            }));
  static const Task task("mix", "x, y", {U, R}, CHIRT_EACH({
                           numRuns += i == 0;
                           at(a, 0)[i] = (at(a, 0)[i] + at(a, 1)[i]) / 2;
                         }),
                         &adjoint);
  const_cast<Task &>(task).task.flags = CHIRT_TASK_ONCE;
  return task;
}
#undef CHIRT_EACH

/// Host code stores an element, or adds to it.
void storeElement(chirt_field *field, int64_t index, double value,
                  bool isAdded) {
  chirt_tape_host_store(field, isAdded, -1, index, 0, 0, 0, 0, 0, 0, 0);
  auto *data = static_cast<double *>(field->data);
  data[index] = isAdded ? data[index] + value : value;
}

/// What a program leaves.
struct Left {
  Values values, gradient;
  Statistics statistics;
  int64_t replays = 0, bytes = 0;
};

/// A program of `turns` turns, each of a few steps over four fields: random
/// ones, but the same for a seed, and of few kinds, as the iterations of a loop
/// are.
class Program {
public:
  Program(uint32_t seed, int turns, bool isAnnounced)
      : seed(seed), turns(turns), isAnnounced(isAnnounced) {}
  void run() {
    std::mt19937 random(seed);
    uint32_t kinds[3] = {uint32_t(random()), uint32_t(random()),
                         uint32_t(random())};
    if (isAnnounced)
      chirt_tape_loop(nullptr, turns);
    for (int turn = 0; turn < turns; ++turn) {
      chirt_tape_turn(nullptr);
      std::mt19937 steps(kinds[random() % 3]);
      for (int k = int(steps() % 4) + 1; k > 0; --k)
        step(steps, turn);
    }
    for (const Field &field : fields)
      tasks::sum()({field.get(), loss.get()});
  }
  Values values() const {
    Values all = valuesOf(loss.get());
    for (const Field &field : fields)
      for (double value : valuesOf(field.get()))
        all.push_back(value);
    return all;
  }

  Field loss = scalar();
  Field fields[4] = {large(0.5, true), large(0.25), large(1), large(0.75)};

private:
  void step(std::mt19937 &random, int turn) {
    chirt_field *x = fields[random() % 4].get();
    chirt_field *y = fields[random() % 4].get();
    chirt_field *z = fields[random() % 4].get();
    switch (random() % 10) {
    case 0:
    case 1:
      return bend()({x});
    case 2:
      return halfOdd()({x});
    case 3:
      return x == y ? bend()({x}) : tasks::square()({x, y});
    case 4:
      return x == z || y == z ? bend()({z}) : product()({x, y, z});
    case 5:
      return chirt_field_copy(nullptr, x, y);
    case 6: {
      const double value = 0.125 * double(random() % 8);
      return chirt_field_fill(x, &value);
    }
    case 7:
      storeElement(x, int64_t(random() % 40), 0.25, false);
      return storeElement(x, int64_t(random() % 40), turn % 5 * 0.125, false);
    case 8:
      storeElement(x, int64_t(random() % 40), 0.0625, true);
      return storeElement(x, int64_t(random() % 40), 0.0625, true);
    default:
      return x == y ? bend()({x}) : mixOnce()({x, y});
    }
  }
  uint32_t seed;
  int turns;
  bool isAnnounced;
};

Left runWith(uint32_t seed, int turns, const char *memory, bool isAnnounced,
             const char *spill = "") {
  Program program(seed, turns, isAnnounced);
  Left left;
  tape(program.loss, [&] {
    if (memory)
      chirt_tape_budget(nullptr, memory, spill);
    program.run();
  });
  left.values = program.values();
  left.gradient = gradOf(program.fields[0]);
  left.replays = left.statistics[CHIRT_TAPE_REPLAYS];
  left.bytes = left.statistics[CHIRT_TAPE_SAVED_BYTES];
  return left;
}

bool areSame(const Values &a, const Values &b) {
  return a.size() == b.size() &&
         !memcmp(a.data(), b.data(), a.size() * sizeof(double));
}

/// The bytes that a run with a small budget says it needs; "" if it does.
std::string leastFor(uint32_t seed, int turns, bool isAnnounced,
                     const std::string &budget = "1") {
  Ran ran = guarded([&] { runWith(seed, turns, budget.c_str(), isAnnounced); });
  if (ran.status == 0)
    return "";
  EXPECT_EQ(ran.status, 1) << seed;
  size_t at = ran.err.find("it needs ");
  EXPECT_NE(at, std::string::npos) << ran.err;
  at += strlen("it needs ");
  return ran.err.substr(at, ran.err.find(' ', at) - at);
}

TEST(Budget, WhatItNeedsIsTheLeastThatDoes) {
  for (uint32_t seed = 1; seed <= 150; ++seed) {
    const int turns = 1 + int(seed % 90);
    const bool isAnnounced = seed % 2;
    std::string least = leastFor(seed, turns, isAnnounced);
    EXPECT_EQ(leastFor(seed, turns, isAnnounced, least), "") << seed;
    const int64_t bytes = std::stoll(least);
    // Each budget that is too small yields the same number.
    for (int64_t less : {bytes - 1, bytes - bytes / 10, bytes / 2, bytes / 9})
      EXPECT_EQ(leastFor(seed, turns, isAnnounced, std::to_string(less)), least)
          << seed << ' ' << less;
  }
}

TEST(Budget, TheLossIsCountedThatTheTapeDoesNotMeet) {
  auto run = [](int64_t bytes) {
    return guarded([&] {
      Field loss = scalar(), x = large(0.5, true);
      tape(loss, [&] {
        chirt_tape_budget(nullptr, std::to_string(bytes).c_str(), "");
        for (int turn = 0; turn < 30; ++turn) {
          chirt_tape_turn(nullptr);
          bend()({x.get()});
        }
      });
    });
  };
  std::string err = run(1).err;
  size_t at = err.find("it needs ");
  ASSERT_NE(at, std::string::npos) << err;
  int64_t least = std::stoll(err.substr(at + strlen("it needs ")));
  EXPECT_EQ(run(least).status, 0);
  EXPECT_EQ(run(least - 1).status, 1);
}

TEST(Budget, RandomProgramsHaveTheSameGradients) {
  int64_t replays = 0;
  for (uint32_t seed = 1; seed <= 150; ++seed) {
    const int turns = seed % 7 == 0 ? 400 : 3 + int(seed % 60);
    const bool isAnnounced = seed % 2;
    Left plain = runWith(seed, turns, nullptr, isAnnounced);
    std::string least = leastFor(seed, turns, isAnnounced);
    ASSERT_NE(least, "") << seed;
    for (double factor : {1.0, 1.1, 1.3, 2.0, 5.0, 1000.0}) {
      auto bytes = std::to_string(int64_t(factor * std::stod(least)));
      numRuns = 0;
      Left budgeted = runWith(seed, turns, bytes.c_str(), isAnnounced);
      EXPECT_TRUE(areSame(plain.values, budgeted.values))
          << seed << ' ' << bytes;
      EXPECT_TRUE(areSame(plain.gradient, budgeted.gradient))
          << seed << ' ' << bytes;
      int once = numRuns;
      numRuns = 0;
      runWith(seed, turns, nullptr, isAnnounced);
      EXPECT_EQ(once, numRuns) << seed;
      replays += budgeted.replays;
    }
  }
  EXPECT_GT(replays, 10'000);
}

} // namespace
