//===- LaunchTest.cpp - chirt_launch and the cells of recorded kernels ----===//
#include "Support.h"
#include "chirt/field/Cells.h"

namespace {

/// What the latest entry was called with.
struct Seen {
  const chirt_task *task = nullptr;
  int64_t word = 0;
  chirt_domain domain = {};
} seen;

chirt_task taskOf(void (*entry)(const chirt_task *, const int64_t *,
                                const chirt_domain *),
                  int32_t flags = 0) {
  chirt_task task = {};
  task.version = CHIRT_TASK_VERSION;
  task.rank = 1, task.num_arguments = 1, task.flags = flags;
  task.name = "k.t0", task.entry = entry;
  return task;
}

const chirt_site &site() {
  static chirt_site made = {"none.chi", 17, 9,  13,      CHIRT_SITE_ASSERT,
                            "a < b",    0,  0,  nullptr, "k",
                            1,          -1, "i"};
  return made;
}

TEST(Launch, HandsTheEntryItsTaskWordsAndDomain) {
  chirt_task task =
      taskOf([](const chirt_task *t, const int64_t *words,
                const chirt_domain *domain) { seen = {t, words[0], *domain}; });
  const int64_t words[] = {42};
  chirt_domain domain = {};
  domain.from[0] = 3, domain.to[0] = 9;
  chirt_launch(&task, words, &domain);
  EXPECT_EQ(seen.task, &task);
  EXPECT_EQ(seen.word, 42);
  EXPECT_EQ(seen.domain.from[0], 3);
  EXPECT_EQ(seen.domain.to[0], 9);
}

TEST(Launch, RaisesWhatTheTaskRecorded) {
  Ran ran = guarded([] {
    chirt_task task =
        taskOf([](const chirt_task *, const int64_t *, const chirt_domain *) {
          const int64_t iteration[] = {2};
          failAt(site(), nullptr, iteration);
        });
    chirt_domain domain = {};
    domain.to[0] = 4;
    domain.begin = 30, domain.step = -7;
    chirt_launch(&task, nullptr, &domain);
    ADD_FAILURE() << "the launch came back";
  });
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("[kernel k, iteration i=16]"), std::string::npos)
      << ran.err;
}

TEST(Launch, ComparesAccessesOfInstrumentedTasks) {
  Ran ran = guarded([] {
    chirt_task task = taskOf(
        [](const chirt_task *, const int64_t *, const chirt_domain *) {
          static float x;
          chirt_race_access(&site(), &x, 0, CHIRT_RACE_STORE);
          chirt_race_access(&site(), &x, 3, CHIRT_RACE_STORE);
        },
        CHIRT_TASK_INSTRUMENTED);
    chirt_domain domain = {};
    domain.from[0] = 10, domain.to[0] = 14;
    chirt_launch(&task, nullptr, &domain);
  });
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("iteration i = 13 stores to the element that "
                         "iteration i = 10 stores to too"),
            std::string::npos)
      << ran.err;
}

TEST(Cells, AreZeroedFieldsAndFreedInTurn) {
  const size_t before = chirt::numCells();
  chirt_field *sum = chirt_cell_push("f64", 0, 1, 1, 1, 1, 1, 1, 1, 1);
  chirt_field *list = chirt_cell_push("i32", 1, 3, 1, 1, 1, 1, 1, 1, 1);
  EXPECT_EQ(*static_cast<double *>(sum->data), 0.0);
  EXPECT_EQ(list->elements, 3);
  EXPECT_EQ(static_cast<int32_t *>(list->data)[2], 0);
  chirt_field_retain(sum); // a reader that outlives the call
  chirt_cell_pop(2);
  EXPECT_EQ(chirt::numCells(), before);
  EXPECT_EQ(sum->refcount, 1);
  chirt_field_release(sum);
}

TEST(Cells, GoWithAFailure) {
  const size_t before = chirt::numCells();
  chirt_field *outer = chirt_cell_push("f32", 0, 1, 1, 1, 1, 1, 1, 1, 1);
  guarded([] {
    chirt_cell_push("f32", 0, 1, 1, 1, 1, 1, 1, 1, 1);
    chirt_raise(&site(), nullptr);
  });
  EXPECT_EQ(chirt::numCells(), before + 1);
  EXPECT_EQ(outer->refcount, 1);
  chirt_cell_pop(1);
}

} // namespace
