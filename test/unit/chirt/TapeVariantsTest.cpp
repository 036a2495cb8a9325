//===- TapeVariantsTest.cpp - Adjoints by what is active ------------------===//
// Of the adjoints of a task the one with the least to do runs that is right for
// the fields which are active at a launch.
#include "TapeTasks.h"

namespace {
using namespace tasks;

constexpr int64_t First = 1, Second = 2;

/// How often each adjoint ran.
int runs[4];

/// Counts a run, and goes over the elements.
template <int number, typename F>
void each(const chirt_domain *domain, F &&body) {
  ++runs[number];
  for (int64_t i = domain->from[0]; i < domain->to[0]; ++i)
    body(i);
}

using Words = const int64_t *;
using Domain = const chirt_domain *;

/// x *= f. Behind the adjoint of all stands one for a passive f.
const Task &scale() {
  static Task passive("scale.adj.1", "x, f", {None, R, U, None},
                      [](const chirt_task *, Words a, Domain domain) {
                        each<1>(domain,
                                [&](int64_t i) { at(a, 2)[i] *= at(a, 1)[i]; });
                      });
  static Task all("scale.adj", "x, f", {R, R, U, U},
                  [](const chirt_task *, Words a, Domain domain) {
                    each<0>(domain, [&](int64_t i) {
                      at(a, 3)[i] += at(a, 0)[i] * at(a, 2)[i];
                      at(a, 2)[i] *= at(a, 1)[i];
                    });
                  });
  static const Task task(
      "scale", "x, f", {U, R},
      [](const chirt_task *, Words a, Domain domain) {
        for (int64_t i = 0; i < domain->to[0]; ++i)
          at(a, 0)[i] *= at(a, 1)[i];
      },
      &all);
  passive.task.passive = Second;
  all.task.variant = &passive.task;
  return task;
}

/// z = x * y, with an adjoint for each choice of active factors.
const Task &multiply() {
  using Entry = void (*)(const chirt_task *, Words, Domain);
  static const Entry entries[] = {
      [](const chirt_task *, Words a, Domain domain) {
        each<0>(domain, [&](int64_t i) {
          at(a, 3)[i] += at(a, 1)[i] * at(a, 5)[i];
          at(a, 4)[i] += at(a, 0)[i] * at(a, 5)[i];
          at(a, 5)[i] = 0;
        });
      },
      [](const chirt_task *, Words a, Domain domain) {
        each<1>(domain, [&](int64_t i) {
          at(a, 4)[i] += at(a, 0)[i] * at(a, 5)[i];
          at(a, 5)[i] = 0;
        });
      },
      [](const chirt_task *, Words a, Domain domain) {
        each<2>(domain, [&](int64_t i) {
          at(a, 3)[i] += at(a, 1)[i] * at(a, 5)[i];
          at(a, 5)[i] = 0;
        });
      }};
  static Task noFirst("multiply.adj.1", "x, y, z", {R, None, None, None, U, U},
                      entries[1]);
  static Task noSecond("multiply.adj.2", "x, y, z", {None, R, None, U, None, U},
                       entries[2]);
  static Task all("multiply.adj", "x, y, z", {R, R, None, U, U, U}, entries[0]);
  static const Task task(
      "multiply", "x, y, z", {R, R, O},
      [](const chirt_task *, Words a, Domain domain) {
        for (int64_t i = 0; i < domain->to[0]; ++i)
          at(a, 2)[i] = at(a, 0)[i] * at(a, 1)[i];
      },
      &all);
  noFirst.task.passive = First;
  noSecond.task.passive = Second;
  noFirst.task.variant = &noSecond.task;
  all.task.variant = &noFirst.task;
  return task;
}

class Variants : public ::testing::Test {
protected:
  void SetUp() override { std::fill(runs, runs + 4, 0); }
};

TEST_F(Variants, TheLeastSupersetRuns) {
  Field x = marked({2, 3}), c = fieldOf({5, 7}), y = fieldOf({0, 0}),
        z = fieldOf({0, 0}), loss = scalar();
  tape(loss, [&] {
    multiply()({x.get(), c.get(), y.get()}); // x c
    multiply()({c.get(), y.get(), z.get()}); // x c^2
    sum()({z.get(), loss.get()});
    multiply()({y.get(), x.get(), z.get()}); // x^2 c
    sum()({z.get(), loss.get()});
    multiply()({c.get(), c.get(), z.get()}); // nothing flows
    sum()({z.get(), loss.get()});
  });
  EXPECT_EQ(gradOf(x), (Values{25 + 2 * 2 * 5, 49 + 2 * 3 * 7}));
  EXPECT_EQ(runs[0], 1);
  EXPECT_EQ(runs[1], 1);
  EXPECT_EQ(runs[2], 1);
}

TEST_F(Variants, DecideWhatIsSaved) {
  Field x = marked({2, 3}), w = marked({4, 5}), f = fieldOf({10, 10}),
        loss = scalar();
  Statistics statistics;
  tape(loss, [&] {
    for (int iteration = 0; iteration < 3; ++iteration)
      scale()({x.get(), f.get()});
    EXPECT_EQ(statistics[CHIRT_TAPE_SAVED_BYTES], 0);
    scale()({x.get(), w.get()});
    EXPECT_EQ(statistics[CHIRT_TAPE_SAVED_BYTES], 16);
    scale()({x.get(), f.get()});
    sum()({x.get(), loss.get()});
  });
  EXPECT_EQ(gradOf(x), (Values{4e4, 5e4}));
  EXPECT_EQ(gradOf(w), (Values{2e4, 3e4}));
  EXPECT_EQ(statistics[CHIRT_TAPE_SAVED_BYTES], 16);
  EXPECT_EQ(runs[0], 1);
  EXPECT_EQ(runs[1], 4);
}

TEST_F(Variants, OfOneLaunchWhoseFieldsBecomeActiveAndPassive) {
  Field x = marked({2, 3}), w = marked({4, 5}), f = fieldOf({10, 10}),
        loss = scalar();
  const double ten = 10;
  tape(loss, [&] {
    for (int iteration = 0; iteration < 2; ++iteration) {
      scale()({x.get(), f.get()});
      chirt_field_copy(nullptr, f.get(), w.get());
      scale()({x.get(), f.get()});
      chirt_field_fill(f.get(), &ten);
    }
    sum()({x.get(), loss.get()});
  });
  // 100 x w^2
  EXPECT_EQ(gradOf(x), (Values{1600, 2500}));
  EXPECT_EQ(gradOf(w), (Values{1600, 3000}));
  EXPECT_EQ(runs[0], 2);
  EXPECT_EQ(runs[1], 2);
}

TEST_F(Variants, WhatIsWatchedIsActive) {
  Field x = marked({2, 3}), c = fieldOf({5, 7}), f = fieldOf({0, 0}),
        z = fieldOf({0, 0}), loss = scalar();
  chirt_tape_begin(nullptr, loss.get(), 0);
  chirt_tape_watch(nullptr, f.get());
  chirt_field_copy(nullptr, f.get(), c.get());
  multiply()({x.get(), f.get(), z.get()});
  sum()({z.get(), loss.get()});
  chirt_tape_end(nullptr);
  EXPECT_EQ(gradOf(f), (Values{2, 3}));
  EXPECT_EQ(gradOf(x), (Values{5, 7}));
  EXPECT_EQ(runs[0], 1);
}

TEST_F(Variants, OfTapesInTapesAreTheirOwn) {
  Field x = marked({2, 3}), w = marked({4, 5}), inner = scalar(),
        outer = scalar();
  tape(outer, [&] {
    scale()({w.get(), x.get()});
    tape(inner, [&] { sum()({w.get(), inner.get()}); });
    sum()({w.get(), outer.get()});
  });
  EXPECT_EQ(gradOf(w), (Values{2, 3}));
  EXPECT_EQ(gradOf(x), (Values{4, 5}));
  EXPECT_EQ(runs[0], 1);
}

TEST_F(Variants, OfAKernelsCallTakeAllFieldsToBeActive) {
  Field x = marked({2, 3}), f = marked({10, 20}), loss = scalar();
  chirt_kernel_begin("scales");
  scale()({x.get(), f.get()});
  chirt_kernel_end();
  *static_cast<double *>(chirt_field_grad(nullptr, x.get())->data) = 1;
  chirt_kernel_grad(nullptr, "scales");
  EXPECT_EQ(gradOf(f), (Values{2, 0}));
  EXPECT_EQ(runs[0], 1);
}

} // namespace
