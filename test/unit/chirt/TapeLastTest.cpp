//===- TapeLastTest.cpp - The launch that a tape records last may wait ----===//
#include "TapeTasks.h"
#include "chirt/tape/Record.h"

namespace {
using namespace tasks;

/// How often what ran.
struct Runs {
  int primal = 0, adjoint = 0, fused = 0;
};
Runs runs;

/// loss += x * x, whose adjoint can do that too.
chirt_task &energy() {
  static const Entry add = [](auto *, auto *a, auto *domain) {
    for (int64_t i = domain->from[0]; i < domain->to[0]; ++i)
      at(a, 1)[0] += at(a, 0)[i] * at(a, 0)[i];
  };
  static const Entry goBack = [](auto *, auto *a, auto *domain) {
    for (int64_t i = domain->from[0]; i < domain->to[0]; ++i)
      at(a, 2)[i] += 2 * at(a, 0)[i] * at(a, 3)[0];
  };
  static Task fused("energy.adj.both", "x, loss", {R, U, U, R},
                    [](auto *task, auto *a, auto *domain) {
                      ++runs.fused;
                      add(task, a, domain);
                      goBack(task, a, domain);
                    });
  static Task adjoint("energy.adj", "x, loss", {R, None, U, R},
                      [](auto *task, auto *a, auto *domain) {
                        ++runs.adjoint;
                        goBack(task, a, domain);
                      });
  static Task task(
      "energy", "x, loss", {R, U},
      [](auto *task, auto *a, auto *domain) {
        ++runs.primal;
        add(task, a, domain);
      },
      &adjoint);
  task.task.fused = &fused.task;
  return task.task;
}

/// What a kernel with the one launch does, as the last thing.
void launchLast(const Field &x, const Field &sum,
                const chirt_task &task = energy()) {
  int64_t words[] = {reinterpret_cast<int64_t>(x.get()),
                     reinterpret_cast<int64_t>(sum.get())};
  chirt_domain domain = {};
  domain.to[0] = x->elements;
  chirt_launch_last(&task, words, &domain);
}

class TapeLast : public testing::Test {
protected:
  void SetUp() override { runs = {}; }
  void expectRuns(int primal, int adjoint, int fused) {
    EXPECT_EQ(runs.primal, primal);
    EXPECT_EQ(runs.adjoint, adjoint);
    EXPECT_EQ(runs.fused, fused);
  }
  Field x = marked({1, 2, 3}), loss = scalar(7);
};

TEST_F(TapeLast, RunsWithItsAdjoint) {
  tape(loss, [&] {
    chirt_tape_last();
    launchLast(x, loss);
    EXPECT_EQ(valuesOf(loss.get()), Values{0});
  });
  EXPECT_EQ(valuesOf(loss.get()), Values{14});
  EXPECT_EQ(gradOf(x), (Values{2, 4, 6}));
  expectRuns(0, 0, 1);
}

TEST_F(TapeLast, ComesBehindOthers) {
  Statistics statistics;
  Field y = fieldOf({0, 0, 0});
  tape(loss, [&] {
    tasks::square()({x.get(), y.get()});
    launchLast(y, loss); // nobody says that this is the last one
    chirt_tape_last();
    launchLast(y, loss);
  });
  EXPECT_EQ(valuesOf(loss.get()), Values{2 * 98});
  EXPECT_EQ(gradOf(x), (Values{8, 64, 216}));
  expectRuns(1, 1, 1);
  EXPECT_EQ(statistics[CHIRT_TAPE_ENTRIES], 3);
}

TEST_F(TapeLast, DoesNotWaitWithoutATape) {
  chirt_tape_last();
  launchLast(x, loss);
  EXPECT_EQ(valuesOf(loss.get()), Values{7 + 14});
  expectRuns(1, 0, 0);
}

TEST_F(TapeLast, DoesNotWaitWithATapeRoundIt) {
  Field outer = scalar();
  tape(outer, [&] {
    tape(loss, [&] {
      chirt_tape_last();
      launchLast(x, loss);
      EXPECT_EQ(valuesOf(loss.get()), Values{14});
    });
    EXPECT_EQ(gradOf(x), (Values{2, 4, 6}));
  });
  expectRuns(1, 1, 0);
}

TEST_F(TapeLast, DoesNotWaitWhereTheRecordOfAKernelHears) {
  chirt_kernel_begin("k");
  chirt_kernel_end();
  tape(loss, [&] {
    chirt_tape_last();
    launchLast(x, loss);
  });
  chirt_kernel_grad(nullptr, "k");
  EXPECT_EQ(gradOf(x), (Values{2, 4, 6}));
  expectRuns(1, 1, 0);
}

TEST_F(TapeLast, DoesNotWaitInAKernelThatIsKept) {
  tape(loss, [&] {
    chirt_tape_last();
    chirt_kernel_begin("k");
    launchLast(x, loss);
    chirt_kernel_end();
    EXPECT_EQ(valuesOf(loss.get()), Values{14});
  });
  chirt_kernel_grad(nullptr, "k");
  expectRuns(1, 1, 0);
}

TEST_F(TapeLast, DoesNotWaitWhereNoAdjointFlows) {
  Field passive = fieldOf({1, 2});
  tape(loss, [&] {
    tasks::sum()({x.get(), loss.get()});
    chirt_tape_last();
    launchLast(passive, loss);
  });
  EXPECT_EQ(valuesOf(loss.get()), Values{6 + 5});
  EXPECT_EQ(gradOf(x), (Values{1, 1, 1}));
}

TEST_F(TapeLast, RunsByItselfWhereNoAdjointArrives) {
  Field other = scalar(1);
  tape(loss, [&] {
    tasks::sum()({x.get(), loss.get()});
    chirt_tape_last();
    launchLast(x, other);
  });
  EXPECT_EQ(valuesOf(other.get()), Values{1 + 14});
  EXPECT_EQ(gradOf(x), (Values{1, 1, 1}));
  expectRuns(1, 0, 0);
}

/// The sum's own gradient is that of what it held before.
TEST_F(TapeLast, DoesNotWaitWhereItsResultIsWatched) {
  Field sum = scalar(0, "f64;grad");
  chirt_tape_begin(nullptr, loss.get(), 0);
  chirt_tape_watch(nullptr, sum.get());
  tasks::sum()({x.get(), loss.get()});
  chirt_tape_last();
  launchLast(x, sum);
  EXPECT_EQ(valuesOf(sum.get()), Values{14});
  chirt_tape_end(nullptr);
  EXPECT_EQ(gradOf(x), (Values{1, 1, 1}));
}

TEST_F(TapeLast, DoesNotWaitWhereWhatItAddsToIsNeeded) {
  Field sum = scalar(3, "f64;grad");
  tape(loss, [&] {
    tasks::square()({sum.get(), loss.get()});
    chirt_tape_last();
    launchLast(x, sum);
    EXPECT_EQ(valuesOf(sum.get()), Values{17});
  });
  EXPECT_EQ(gradOf(sum), Values{6});
  EXPECT_EQ(valuesOf(sum.get()), Values{17});
}

/// The backward pass fails; fields are as the forward pass left them.
TEST_F(TapeLast, RunsWhereTheWayBackFails) {
  chirt_task lacking = energy();
  lacking.adjoint = nullptr;
  Ran ran = guarded([&] {
    tape(loss, [&] {
      chirt_tape_last();
      launchLast(x, loss, lacking);
    });
  });
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(valuesOf(loss.get()), Values{14});
  expectRuns(1, 0, 0);
  EXPECT_EQ(chirt::numTapes(), 0u);
}
} // namespace
