//===- ObserversTest.cpp - Observers of launches and changes --------------===//
#include "chirt/launch/Observers.h"
#include "Support.h"
#include "chirt/field/Changes.h"
#include "chirt/prof/LaunchSink.h"
#include "chirt/prof/Profile.h"
#include "chirt/races/Races.h"
#include "chirt/support/Settings.h"
#include <string>
#include <thread>

using namespace chirt;

namespace {

/// A letter for each call, and what runs instead of a task.
std::string heard;
const chirt_task *instead = nullptr;

const ChangeObserver observer = {
    .launch =
        [](const Launching &launching, const chirt_domain *) {
          heard += 'l';
          return instead ? Launching{instead, launching.words} : launching;
        },
    .launchOverViews = [](const Launching &,
                          const chirt_domain *) { return false; },
    .fill = [](chirt_field *) { heard += 'f'; },
    .copy = [](chirt_field *, const chirt_field *) { heard += 'c'; },
    .gradient =
        [](const chirt_site *, chirt_field *field, bool &isElse) {
          isElse = false;
          return field;
        },
    .describeShort = [](Text &, const chirt_field *) -> const chirt_site * {
      return nullptr;
    },
    .appendHeld = [](Text &out) { out << "; much is held"; },
};

chirt_task taskOf(decltype(chirt_task::entry) entry, int32_t flags = 0) {
  chirt_task task = {};
  task.version = CHIRT_TASK_VERSION;
  task.name = "task";
  task.flags = flags;
  task.entry = entry;
  return task;
}

void launch(const chirt_task &task) {
  chirt_domain domain = {};
  chirt_launch(&task, nullptr, &domain);
}

struct Observers : testing::Test {
  /// The thread may have tapes already.
  const ChangeObserver *before = changeObserver;

  void SetUp() override { heard.clear(), instead = nullptr; }
  void TearDown() override {
    observeChanges(before);
    observeFields(nullptr);
    profileLaunches(false);
    settings() = Settings();
  }
};

TEST_F(Observers, HearOfChangesBeforeTheyHappen) {
  chirt_field *x = makeField("f32", {2}), *y = makeField("f32", {2});
  observeChanges(&observer);
  float one = 1;
  chirt_field_fill(x, &one);
  chirt_field_copy(nullptr, y, x);
  launch(taskOf([](const chirt_task *, const int64_t *, const chirt_domain *) {
    heard += 't';
  }));
  EXPECT_EQ(heard, "fclt");
  EXPECT_EQ(chirt_field_grad(nullptr, x), x);
  observeChanges(nullptr);
  chirt_field_fill(x, &one);
  EXPECT_EQ(heard, "fclt");
  chirt_field_release(x), chirt_field_release(y);
}

TEST_F(Observers, HaveAnotherTaskRunInstead) {
  chirt_task other = taskOf([](const chirt_task *, const int64_t *,
                               const chirt_domain *) { heard += 'o'; });
  observeChanges(&observer);
  instead = &other;
  launch(taskOf([](const chirt_task *, const int64_t *, const chirt_domain *) {
    heard += 't';
  }));
  EXPECT_EQ(heard, "lo");
}

TEST_F(Observers, OfChangesBelongToTheirThread) {
  observeChanges(&observer);
  std::thread([] {
    launch(taskOf(
        [](const chirt_task *, const int64_t *, const chirt_domain *) {}));
  }).join();
  EXPECT_EQ(heard, "");
}

TEST_F(Observers, SayWhatTheyHoldWhenMemoryIsShort) {
  observeChanges(&observer);
  Ran ran = guarded([] { makeField("f64", {int64_t(1) << 42}); });
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("; much is held"), std::string::npos) << ran.err;
}

TEST_F(Observers, HearOfFieldsThatAreMadeAndGo) {
  const FieldObserver fields = {.made = [](chirt_field *) { heard += 'm'; },
                                .gone = [](chirt_field *) { heard += 'g'; }};
  observeFields(&fields);
  chirt_field *x = makeField("f32", {2});
  chirt_field_retain(x);
  chirt_field_release(x);
  EXPECT_EQ(heard, "m");
  chirt_field_release(x);
  EXPECT_EQ(heard, "mg");
}

TEST_F(Observers, OfLaunchesAreAskedForTasksThatSomeoneWants) {
  static int32_t watched = 0;
  auto entry = [](const chirt_task *, const int64_t *, const chirt_domain *) {
    watched = instrumentedLaunches;
  };
  launch(taskOf(entry));
  EXPECT_EQ(watched, 0);
  launch(taskOf(entry, CHIRT_TASK_INSTRUMENTED));
  EXPECT_EQ(watched, 1);
  watchRacesWhere([](const chirt_task *) { return false; });
  launch(taskOf(entry, CHIRT_TASK_INSTRUMENTED));
  watchRacesWhere(nullptr);
  EXPECT_EQ(watched, 0);
}

TEST_F(Observers, ProfileEachTask) {
  Ran ran = guarded([] {
    profileLaunches(true);
    launch(taskOf(
        [](const chirt_task *, const int64_t *, const chirt_domain *) {}));
    std::exchange(settings().atEnd, nullptr)();
  });
  EXPECT_NE(ran.err.find("\ntask "), std::string::npos) << ran.err;
}

TEST_F(Observers, PassLaunchesToASink) {
  static int64_t seen[3];
  static double seconds;
  chirt_launch_sink sink = {
      seen, [](void *context, const chirt_launch_record *record) {
        auto *to = static_cast<int64_t *>(context);
        to[0] += 1;
        to[1] = record->words[0];
        to[2] = record->domain->to[0];
        seconds = record->seconds;
      }};
  passLaunches(&sink);
  chirt_task task =
      taskOf([](const chirt_task *, const int64_t *, const chirt_domain *) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      });
  chirt_domain domain = {};
  domain.to[0] = 7;
  int64_t words[] = {42};
  chirt_launch(&task, words, &domain);
  passLaunches(nullptr);
  chirt_launch(&task, words, &domain);
  EXPECT_EQ(seen[0], 1);
  EXPECT_EQ(seen[1], 42);
  EXPECT_EQ(seen[2], 7);
  EXPECT_GE(seconds, 0.002);
}

} // namespace
