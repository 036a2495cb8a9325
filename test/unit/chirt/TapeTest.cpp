//===- TapeTest.cpp - Tapes over tasks whose adjoints are known -----------===//
#include "TapeTasks.h"
#include "chirt/prof/Profile.h"
#include "chirt/support/Settings.h"
#include "chirt/tape/Record.h"

namespace {
using namespace tasks;

TEST(Tape, FollowsAChain) {
  Field x = marked({1, 2, 3}), y = fieldOf({0, 0, 0}), loss = scalar(7);
  tape(loss, [&] {
    tasks::square()({x.get(), y.get()});
    tasks::sum()({y.get(), loss.get()});
  });
  EXPECT_EQ(valuesOf(loss.get()), Values{14});
  EXPECT_EQ(gradOf(x), (Values{2, 4, 6}));
  EXPECT_EQ(x->refcount, 1);
  EXPECT_EQ(y->refcount, 1);
  EXPECT_EQ(chirt::numTapes(), 0u);
  EXPECT_EQ(chirt_recording, 0);
}

TEST(Tape, SavesWhatIsOverwritten) {
  Field x = marked({2, 3}), loss = scalar();
  Statistics statistics;
  tape(loss, [&] {
    tasks::squareInPlace()({x.get()});
    tasks::squareInPlace()({x.get()});
    tasks::sum()({x.get(), loss.get()});
  });
  EXPECT_EQ(gradOf(x), (Values{4 * 8, 4 * 27}));
  EXPECT_EQ(valuesOf(x.get()), (Values{16, 81}));
  EXPECT_EQ(statistics[CHIRT_TAPE_COPIES], 2);
  EXPECT_EQ(statistics[CHIRT_TAPE_SAVED_BYTES], 2 * 16);
}

TEST(Tape, BindsAdjointsToCopiesOfWholeFields) {
  Field x(makeField("f64;grad", {100}), chirt_field_release), loss = scalar();
  auto *data = static_cast<double *>(x->data);
  std::fill(data, data + 100, 2);
  Statistics statistics;
  tape(loss, [&] {
    squareInPlace()({x.get()}); // of it all is saved
    setOdd()({x.get()});
    squareInPlace()({x.get()});
    sum()({x.get(), loss.get()});
  });
  Values gradient = gradOf(x);
  EXPECT_EQ(gradient[0], 4 * 8);
  EXPECT_EQ(gradient[1], 0);
  EXPECT_EQ(data[0], 16);
  EXPECT_EQ(data[1], 25);
  EXPECT_EQ(statistics[CHIRT_TAPE_SAVED_BYTES], 2 * 800);
}

TEST(Tape, GivesAFieldOtherMemoryWhereAllOfItIsOverwritten) {
  Field x = large(2, true), y = large(0), z = large(0), loss = scalar();
  Statistics statistics;
  tape(loss, [&] {
    tasks::square()({x.get(), y.get()});
    tasks::square()({y.get(), z.get()});
    tasks::square()({z.get(), y.get()}); // the second one's y is needed
    tasks::sum()({y.get(), loss.get()});
  });
  EXPECT_EQ(gradOf(x), Values(40, 8 * 128));
  EXPECT_EQ(valuesOf(y.get()), Values(40, 256));
  EXPECT_EQ(statistics[CHIRT_TAPE_ROTATIONS], 1);
  EXPECT_EQ(statistics[CHIRT_TAPE_COPIES], 0);
}

TEST(Tape, KeepsMemoryThatIsLent) {
  Field x = large(2, true), y = large(0), loss = scalar();
  y->is_lent = 1;
  void *lent = y->data;
  const double hundred = 100;
  Statistics statistics;
  tape(loss, [&] {
    tasks::square()({x.get(), y.get()});
    tasks::square()({y.get(), x.get()});
    chirt_field_fill(y.get(), &hundred);
    tasks::sum()({x.get(), loss.get()});
  });
  EXPECT_EQ(gradOf(x), Values(40, 4 * 8));
  EXPECT_EQ(y->data, lent);
  EXPECT_EQ(statistics[CHIRT_TAPE_COPIES], 1);
}

TEST(Tape, EndsAtWhatIsOverwritten) {
  Field x = marked({2, 3}), y = marked({5, 5}), loss = scalar();
  const double hundred = 100;
  tape(loss, [&] {
    tasks::square()({x.get(), y.get()});
    tasks::sum()({y.get(), loss.get()});
    chirt_field_fill(x.get(), &hundred);
    tasks::sum()({x.get(), loss.get()}); // of constants
  });
  EXPECT_EQ(gradOf(x), (Values{4, 6}));
  EXPECT_EQ(gradOf(y), (Values{0, 0}));
  EXPECT_EQ(valuesOf(x.get()), (Values{100, 100}));
}

TEST(Tape, StoresInPartMoveAdjoints) {
  Field x = marked({1, 2, 3, 4}), loss = scalar();
  tape(loss, [&] {
    tasks::setOdd()({x.get()});
    tasks::squareInPlace()({x.get()});
    tasks::sum()({x.get(), loss.get()});
  });
  EXPECT_EQ(gradOf(x), (Values{2, 0, 6, 0}));
}

TEST(Tape, CopiesPassAdjointsOn) {
  Field x = marked({1, 2}), y = fieldOf({9, 9}), loss = scalar();
  tape(loss, [&] {
    chirt_field_copy(nullptr, y.get(), x.get());
    tasks::squareInPlace()({y.get()});
    tasks::sum()({y.get(), loss.get()});
    tasks::sum()({x.get(), loss.get()});
  });
  EXPECT_EQ(gradOf(x), (Values{2 * 1 + 1, 2 * 2 + 1}));
}

TEST(Tape, HearsOfStoresOfTheHost) {
  Field x = marked({1, 2, 3}), loss = scalar();
  auto *data = static_cast<double *>(x->data);
  tape(loss, [&] {
    tasks::squareInPlace()({x.get()});
    chirt_tape_host_store(x.get(), 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
    data[1] = 7;
    chirt_tape_host_store(x.get(), 1, -1, 2, 0, 0, 0, 0, 0, 0, 0);
    data[2] += 1;
    tasks::squareInPlace()({x.get()});
    tasks::sum()({x.get(), loss.get()});
  });
  EXPECT_EQ(gradOf(x), (Values{4, 0, 2 * 10 * 2 * 3}));
}

TEST(Tape, KeepsAndAccumulates) {
  Field x = marked({3}), loss = scalar(2);
  auto body = [&] {
    tasks::sum()({x.get(), loss.get()});
    tasks::product()({x.get(), loss.get(), loss.get()});
  };
  // loss += x; loss *= loss: the second one changes what it reads.
  Ran ran = guarded([&] { tape(loss, body); });
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("`y` and `z` share memory that this loop changes"),
            std::string::npos)
      << ran.err;
  EXPECT_EQ(chirt::numTapes(), 0u);
  EXPECT_EQ(chirt_recording, 0);

  *static_cast<double *>(loss->data) = 2;
  auto squared = [&] {
    tasks::sum()({x.get(), loss.get()});
    tasks::squareInPlace()({loss.get()});
  };
  tape(loss, squared, CHIRT_TAPE_KEEP);
  EXPECT_EQ(valuesOf(loss.get()), Values{25});
  EXPECT_EQ(gradOf(x), Values{10});
  *static_cast<double *>(loss->data) = 2;
  tape(loss, squared, CHIRT_TAPE_KEEP | CHIRT_TAPE_ACCUMULATE);
  EXPECT_EQ(gradOf(x), Values{20});
  tape(loss, squared);
  EXPECT_EQ(gradOf(x), Values{6});
  tape(loss, [] {});
  EXPECT_EQ(gradOf(x), Values{0});
}

TEST(Tape, KeepsTheAdjointOfWhatIsWatched) {
  Field x = marked({3}), y = fieldOf({0}), loss = scalar();
  chirt_tape_begin(nullptr, loss.get(), 0);
  chirt_tape_watch(nullptr, y.get());
  tasks::square()({x.get(), y.get()});
  tasks::squareInPlace()({y.get()});
  tasks::sum()({y.get(), loss.get()});
  tasks::sum()({y.get(), loss.get()});
  chirt_tape_end(nullptr);
  EXPECT_EQ(gradOf(y), Values{2});
  EXPECT_EQ(gradOf(x), Values{2 * 4 * 27});
}

TEST(Tape, GivesTheLossItsOwnDerivative) {
  Field x = marked({3}), loss = scalar(0, "f64;grad");
  tape(loss, [&] { tasks::sum()({x.get(), loss.get()}); });
  EXPECT_EQ(gradOf(loss), Values{1});
}

TEST(Tape, LaunchesNoAdjointOfWhatDependsOnNothing) {
  Field x = marked({3}), c = fieldOf({4}), d = fieldOf({0}), y = fieldOf({0}),
        loss = scalar();
  Statistics statistics;
  tape(loss, [&] {
    tasks::square()({c.get(), d.get()});
    tasks::product()({x.get(), d.get(), y.get()});
    tasks::sum()({y.get(), loss.get()});
    tasks::square()({x.get(), c.get()}); // the loss does not need it
  });
  EXPECT_EQ(gradOf(x), Values{16});
  EXPECT_EQ(statistics[CHIRT_TAPE_ADJOINTS], 2);
}

TEST(Tape, AddsBothPartsOfAFieldThatIsReadTwice) {
  Field x = marked({3, 4}), y = fieldOf({0, 0}), loss = scalar();
  tape(loss, [&] {
    tasks::product()({x.get(), x.get(), y.get()});
    tasks::sum()({y.get(), loss.get()});
  });
  EXPECT_EQ(gradOf(x), (Values{6, 8}));
}

TEST(Tape, GivesCopiesToAdjointsThatStoreAgain) {
  using namespace tasks;
  static const Task adjoint(
      "again.adj", "x", {U, U},
      [](const chirt_task *, const int64_t *a, const chirt_domain *) {
        at(a, 0)[0] += 1; // as the primal did
        at(a, 1)[0] *= 2 * at(a, 0)[0];
      });
  static const Task again(
      "again", "x", {U},
      [](const chirt_task *, const int64_t *a, const chirt_domain *) {
        at(a, 0)[0] += 1;
        at(a, 0)[0] *= at(a, 0)[0];
      },
      &adjoint);
  Field x = marked({3}), loss = scalar();
  tape(loss, [&] {
    again({x.get()});
    sum()({x.get(), loss.get()});
  });
  EXPECT_EQ(gradOf(x), Values{8});
  EXPECT_EQ(valuesOf(x.get()), Values{16});
}

TEST(Tape, IsRecordedByTheOneRoundIt) {
  Field x = marked({1, 2}), y = fieldOf({0, 0}), inner = scalar(),
        z = fieldOf({0, 0}), outer = scalar();
  chirt_field *gradient = chirt_field_grad(nullptr, x.get());
  Values before;
  tape(outer, [&] {
    tape(inner, [&] {
      tasks::square()({x.get(), y.get()});
      tasks::square()({y.get(), z.get()}); // x**4
      tasks::sum()({z.get(), inner.get()});
    });
    before = valuesOf(gradient); // 4 x**3
    tasks::square()({gradient, z.get()});
    tasks::sum()({z.get(), outer.get()});
  });
  EXPECT_EQ(before, (Values{4, 32}));
  EXPECT_EQ(valuesOf(outer.get()), Values{16 + 1024});
  // 16 x**6
  EXPECT_EQ(gradOf(x), (Values{96, 96 * 32}));
  EXPECT_EQ(y->refcount, 1);
  EXPECT_EQ(gradient->refcount, 1);
}

TEST(Tape, FollowsTasksOfADevice) {
  chirt::settings().device = &chirt::mirrorDevice;
  {
    Field x = marked({2, 3}), y = fieldOf({0, 0}), z = fieldOf({0, 0}),
          loss = scalar();
    for (int iteration = 0; iteration < 2; ++iteration) {
      tape(loss, [&] {
        square()({x.get(), y.get()});
        square()({y.get(), z.get()});
        square()({z.get(), y.get()});
        squareInPlace()({y.get()}); // keeps a box
        sum()({y.get(), loss.get()});
      });
      EXPECT_EQ(gradOf(x), (Values{16 * 32768, 16 * 14348907}));
      EXPECT_EQ(valuesOf(y.get()), (Values{65536, 43046721}));
    }
  }
  chirt::settings().device = &chirt::cpuDevice;
}

TEST(Tape, GivesFieldsOfADeviceOtherMemory) {
  chirt::settings().device = &chirt::mirrorDevice;
  {
    Field x = large(2, true), y = large(0), loss = scalar();
    Statistics statistics;
    tape(loss, [&] {
      square()({x.get(), y.get()});
      square()({y.get(), x.get()});
      square()({x.get(), y.get()});
      sum()({y.get(), loss.get()});
    });
    EXPECT_EQ(gradOf(x), Values(40, 8 * 128));
    EXPECT_EQ(valuesOf(x.get()), Values(40, 16));
    EXPECT_EQ(valuesOf(y.get()), Values(40, 256));
    EXPECT_EQ(statistics[CHIRT_TAPE_ROTATIONS], 2);
  }
  chirt::settings().device = &chirt::cpuDevice;
}

TEST(Tape, HasItsOwnLinesInTheProfile) {
  Field x = marked({2}), loss = scalar();
  Ran ran = guarded([&] {
    chirt::profileLaunches(true);
    tape(loss, [&] {
      squareInPlace()({x.get()});
      sum()({x.get(), loss.get()});
    });
    chirt::profileLaunches(false);
    std::exchange(chirt::settings().atEnd, nullptr)();
  });
  EXPECT_NE(ran.err.find("\nsquared:17 "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("\nsquared.adj.adj:17 "), std::string::npos)
      << ran.err;
}

TEST(Tape, SaysWhatHasNoAdjoint) {
  static const tasks::Task bare(
      "bare", "x", {tasks::U},
      [](const chirt_task *, const int64_t *, const chirt_domain *) {});
  Field x = marked({3}), loss = scalar();
  Ran ran = guarded([&] {
    tape(loss, [&] {
      tasks::square()({x.get(), loss.get()});
      bare({loss.get()});
    });
  });
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("none.chi:17:3: error: a loss depends on this "
                         "gradient, which a nested tape has "),
            std::string::npos)
      << ran.err;
}

TEST(Tape, LeavesFieldsAloneIfItFailsOnTheWayBack) {
  using namespace tasks;
  static const Task adjoint(
      "fails.adj", "x", {R, U},
      [](const chirt_task *task, const int64_t *, const chirt_domain *) {
        const int64_t iteration[] = {0};
        failAt(*task->site, nullptr, iteration);
      });
  static const Task fails(
      "fails", "x", {U},
      [](const chirt_task *, const int64_t *a, const chirt_domain *) {
        at(a, 0)[0] += 1;
      },
      &adjoint);
  Field x = marked({3}), loss = scalar();
  Ran ran = guarded([&] {
    tape(loss, [&] {
      fails({x.get()});
      squareInPlace()({x.get()});
      sum()({x.get(), loss.get()});
    });
  });
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(valuesOf(x.get()), Values{16});
  EXPECT_EQ(valuesOf(loss.get()), Values{16});
  EXPECT_EQ(x->refcount, 1);
  EXPECT_EQ(chirt::numTapes(), 0u);
  EXPECT_EQ(chirt_recording, 0);
}

TEST(Tape, IsDroppedByTheGuardThatItsProgramLeavesTo) {
  Field x = marked({3}), loss = scalar();
  Ran ran = guarded([&] {
    chirt_tape_begin(nullptr, loss.get(), 0);
    tasks::sum()({x.get(), loss.get()});
    chirt_tape_begin(nullptr, loss.get(), 0);
    chirt_exit(3);
  });
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(chirt::numTapes(), 0u);
  EXPECT_EQ(x->refcount, 1);
  EXPECT_EQ(loss->refcount, 1);
}

TEST(Gradient, IsOfFieldsThatWereMadeWithIt) {
  Field x = fieldOf({1});
  Ran ran = guarded([&] {
    chirt_site site = {"none.chi", 4,       2, 8,  CHIRT_SITE_GRAD, "x", 0, 0,
                       nullptr,    nullptr, 0, -1, nullptr};
    chirt_field_grad(&site, x.get());
  });
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("none.chi:4:2: error: `x` has no gradient: create it "
                         "with field(..., grad=True)"),
            std::string::npos)
      << ran.err;
  Field half(makeField("f16:2;soa;order=1,0;grad", {2, 3}),
             chirt_field_release);
  chirt_field *grad = chirt_field_grad(nullptr, half.get());
  EXPECT_EQ(grad->dtype, CHIRT_F32);
  EXPECT_EQ(grad->rows, 2);
  EXPECT_EQ(grad->extents[1], 3);
  EXPECT_EQ(grad->order[0], 1);
  EXPECT_EQ(grad->is_soa, 1);
  EXPECT_EQ(grad, chirt_field_grad(nullptr, half.get()));
}

} // namespace
