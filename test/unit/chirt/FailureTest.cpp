//===- FailureTest.cpp - Messages of failed checks ------------------------===//
#include "Support.h"
#include "chirt/races/Races.h"
#include <bit>
#include <fstream>

namespace {

const uint8_t integers[] = {CHIRT_I32, CHIRT_I32};
const uint8_t reals[] = {CHIRT_F64, CHIRT_F64};

chirt_site siteOf(chirt_site_kind kind, const char *what, int numValues) {
  return {"none.chi", 17,       9,       13, kind, what,   0,
          numValues,  integers, nullptr, 0,  -1,   nullptr};
}

chirt_site kernelSite(chirt_site_kind kind, const char *what, int numValues) {
  chirt_site site = siteOf(kind, what, numValues);
  site.kernel = "energy";
  site.num_axes = 2;
  site.axes = "i, j";
  return site;
}

TEST(Failure, BoundsNameEverything) {
  chirt_site site = kernelSite(CHIRT_SITE_BOUNDS, "x", 2);
  int64_t values[] = {1234, 1000}, iteration[] = {321, 4};
  failAt(site, values, iteration);
  EXPECT_EQ(chirt_failed, 1);
  Ran ran = guarded([] { chirt_check_launch(); });
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err,
            "none.chi:17:9: error: index 1234 is out of bounds for axis 0 of "
            "`x` with size 1000 [kernel energy, iteration i=321, j=4]\n");
  EXPECT_EQ(chirt_failed, 0);
  EXPECT_EQ(guarded([] { chirt_check_launch(); }).status, 0);
}

TEST(Failure, TheLeastIterationIsReported) {
  chirt_site site = kernelSite(CHIRT_SITE_BOUNDS, "x", 2);
  int64_t values[] = {7, 5};
  for (int64_t i : {5, 3, 9}) {
    int64_t iteration[] = {2, i};
    failAt(site, values, iteration);
  }
  Ran ran = guarded([] { chirt_check_launch(); });
  EXPECT_NE(ran.err.find("i=2, j=3]"), std::string::npos) << ran.err;
}

std::string raise(const chirt_site &site, int64_t a = 0, int64_t b = 0) {
  int64_t values[] = {a, b};
  Ran ran = guarded([&] { chirt_raise(&site, values); });
  EXPECT_EQ(ran.status, 1);
  return ran.err;
}

TEST(Failure, WordsOfEachKind) {
  const std::string at = "none.chi:17:9: error: ";
  EXPECT_EQ(raise(siteOf(CHIRT_SITE_DIVIDE, "", 1), 7),
            at + "integer division of 7 by zero\n");
  EXPECT_EQ(raise(siteOf(CHIRT_SITE_OVERFLOW, "+", 2), 2147483647, 1),
            at + "2147483647 + 1 does not fit in i32\n");
  EXPECT_EQ(raise(siteOf(CHIRT_SITE_POWER, "", 1), -2),
            at + "an integer cannot be raised to the negative power -2\n");
  EXPECT_EQ(raise(siteOf(CHIRT_SITE_SHAPE, "x", 2), 3, 4),
            at + "`x`: the shapes do not match: 3 and 4 on axis 0\n");
  chirt_site nan = siteOf(CHIRT_SITE_NAN, "v", 1);
  nan.value_types = reals;
  EXPECT_EQ(raise(nan, std::bit_cast<int64_t>(__builtin_inf())),
            at + "`v` became inf\n");
}

TEST(Failure, AssertTakesTheGatheredText) {
  chirt_fmt_text("too fast: ", 10);
  float v = 2.5f;
  chirt_fmt_value(CHIRT_F32, 0, 1, 1, &v, "");
  chirt_site site = siteOf(CHIRT_SITE_ASSERT, "a < b", 2);
  site.value_types = reals;
  EXPECT_EQ(
      raise(site, std::bit_cast<int64_t>(0.5), std::bit_cast<int64_t>(1.0)),
      "none.chi:17:9: error: assertion `a < b` failed: too fast: 2.5 (left "
      "is 0.5, right is 1.0)\n");
  EXPECT_EQ(takeText(), "");
}

TEST(Failure, ShowsTheSourceLine) {
  std::string path = testing::TempDir() + "chirt_site.chi";
  std::ofstream(path) << "first\n    é = x[ij] + 1\n";
  chirt_site site = siteOf(CHIRT_SITE_BOUNDS, "x", 2);
  site.file = path.c_str();
  site.line = 2, site.column = 9, site.end_column = 14;
  EXPECT_EQ(raise(site, -1, 8),
            path + ":2:9: error: index -1 is out of bounds for axis 0 of `x` "
                   "with size 8\n"
                   "    2 |     é = x[ij] + 1\n"
                   "      |         ^~~~~\n");
  remove(path.c_str());
}

TEST(Failure, ExitPassesThrough) {
  EXPECT_EQ(guarded([] { chirt_exit(0); }).status, 0);
  EXPECT_EQ(guarded([] { chirt_exit(42); }).status, 42);
}

TEST(Failure, GuardsNest) {
  Ran ran = guarded([] {
    int32_t inner = chirt_guard([](void *) { chirt_exit(5); }, nullptr);
    chirt_exit(inner + 1);
  });
  EXPECT_EQ(ran.status, 6);
}

TEST(Failure, WithoutAGuardTheProcessEnds) {
  chirt_site site = siteOf(CHIRT_SITE_DIVIDE, "", 0);
  EXPECT_EXIT(chirt_raise(&site, nullptr), testing::ExitedWithCode(1),
              "integer division by zero");
}

TEST(Races, FindsConflictsOnly) {
  chirt_site store = kernelSite(CHIRT_SITE_CALL, "x", 0), load = store;
  load.line = 20;
  load.axes = store.axes = "i, j";
  const int64_t bounds[] = {10, 4, 1, 3}; // 10 to 14 and 1 to 4
  float x[4];
  chirt::beginRaces(2, bounds);
  for (int64_t i = 0; i < 4; ++i) {
    chirt_race_access(&load, &x[i], i, CHIRT_RACE_READ);
    chirt_race_access(&store, &x[i], i, CHIRT_RACE_STORE);
  }
  EXPECT_EQ(chirt_failed, 0);
  chirt_race_access(&load, &x[2], 7, CHIRT_RACE_READ);
  EXPECT_EQ(chirt_failed, 1);
  chirt::endRaces();
  Ran ran = guarded([] { chirt_check_launch(); });
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err,
            "none.chi:20:9: error: race on `x`: iteration (i, j) = (12, 2) "
            "reads the element that iteration (i, j) = (10, 3) stores to "
            "[kernel energy]\n"
            "none.chi:17:9: note: iteration (i, j) = (10, 3) stores to it here "
            "[kernel energy]\n");
}

/// What is said when iteration 8 does `kind` to the element to which iteration
/// 0 did the others, in lines 1, 2, …
static std::string raceAfter(std::initializer_list<int32_t> others,
                             int32_t kind) {
  chirt_site sites[4];
  for (chirt_site &site : sites) {
    site = kernelSite(CHIRT_SITE_CALL, "x", 1);
    site.num_axes = 1, site.axes = "i";
    site.line = int32_t(1 + (&site - sites));
  }
  const int64_t bounds[] = {0, 64};
  int32_t x;
  chirt::beginRaces(1, bounds);
  const chirt_site *site = sites;
  for (int32_t other : others)
    chirt_race_access(site++, &x, 0, other);
  EXPECT_EQ(chirt_failed, 0);
  chirt_race_access(&sites[3], &x, 8, kind);
  chirt::endRaces();
  std::string said = guarded([] { chirt_check_launch(); }).err;
  size_t at = said.find("iteration i = 8");
  return at == said.npos ? "" : said.substr(at);
}

// The access that conflicts is named, not the latest one.
TEST(Races, NameWhatConflicts) {
  constexpr int32_t add = CHIRT_RACE_UPDATE, most = add + 3,
                    load = CHIRT_RACE_ATOMIC_LOAD, read = CHIRT_RACE_READ;
  auto isSaid = [](std::string said, const char *what, int line) {
    std::string note = "\nnone.chi:" + std::to_string(line) + ":";
    return said.find(what) != said.npos && said.find(note) != said.npos;
  };
  EXPECT_PRED3(isSaid, raceAfter({add, most, load}, add),
               "updates the element that iteration i = 0 updates by another "
               "operation",
               2);
  EXPECT_PRED3(isSaid, raceAfter({add, most, load}, most),
               "updates the element that iteration i = 0 updates by another "
               "operation",
               1);
  EXPECT_PRED3(isSaid, raceAfter({load, add}, read),
               "reads the element that iteration i = 0 updates", 2);
  EXPECT_PRED3(isSaid, raceAfter({read, add}, add),
               "updates the element that iteration i = 0 reads", 1);
  EXPECT_PRED3(isSaid, raceAfter({load}, CHIRT_RACE_STORE),
               "stores to the element that iteration i = 0 reads", 1);
  EXPECT_EQ(raceAfter({add, load}, add), "");
  EXPECT_EQ(raceAfter({load, add}, load), "");
}

TEST(Failure, NamesIterationsByTheValuesOfARangeWithAStep) {
  chirt_site site = kernelSite(CHIRT_SITE_CALL, "x", 1);
  site.num_axes = 1;
  site.axes = "i";
  const int64_t bounds[] = {0, 5};
  float x;
  chirt::beginRaces(1, bounds);
  chirt_loop_values(30, -7);
  chirt_race_access(&site, &x, 1, CHIRT_RACE_STORE);
  chirt_race_access(&site, &x, 4, CHIRT_RACE_READ);
  chirt::endRaces();
  Ran ran = guarded([] { chirt_check_launch(); });
  EXPECT_NE(ran.err.find("iteration i = 2 reads the element that "
                         "iteration i = 23 stores to"),
            std::string::npos)
      << ran.err;
  // The first iteration is reported, and the next launch counts by itself
  // again.
  const int64_t values[] = {5, 4}, later[] = {3}, first[] = {2};
  site.kind = CHIRT_SITE_BOUNDS, site.num_values = 2;
  failAt(site, values, later);
  failAt(site, values, first);
  ran = guarded([] {
    chirt_loop_values(30, -7);
    chirt_check_launch();
  });
  EXPECT_NE(ran.err.find("iteration i=16]"), std::string::npos) << ran.err;
  failAt(site, values, first);
  ran = guarded([] { chirt_check_launch(); });
  EXPECT_NE(ran.err.find("iteration i=2]"), std::string::npos) << ran.err;
}

/// Whether two iterations that do these to one scalar race.
bool race(int32_t first, int32_t second) {
  chirt_site site = kernelSite(CHIRT_SITE_CALL, "x", 0);
  float x;
  const int64_t bounds[] = {0, 4};
  chirt::beginRaces(1, bounds);
  chirt_race_access(&site, &x, 1, first);
  chirt_race_access(&site, &x, 2, second);
  chirt_race_access(&site, &x, 3, second);
  bool found = chirt_failed;
  chirt::endRaces();
  guarded([] { chirt_check_launch(); });
  return found;
}

TEST(Races, WhichAccessesAgree) {
  int32_t add = CHIRT_RACE_UPDATE, max = CHIRT_RACE_UPDATE + 3;
  EXPECT_FALSE(race(CHIRT_RACE_READ, CHIRT_RACE_READ));
  EXPECT_FALSE(race(add, add));
  EXPECT_FALSE(race(CHIRT_RACE_STORE_SAME, CHIRT_RACE_STORE_SAME));
  EXPECT_TRUE(race(add, max));
  EXPECT_TRUE(race(add, CHIRT_RACE_READ));
  EXPECT_TRUE(race(CHIRT_RACE_STORE, CHIRT_RACE_STORE));
  EXPECT_TRUE(race(CHIRT_RACE_READ, CHIRT_RACE_STORE_SAME));
}

TEST(Races, AnAtomicLoadGoesBesideAllButStores) {
  int32_t load = CHIRT_RACE_ATOMIC_LOAD, add = CHIRT_RACE_UPDATE;
  for (int32_t other : {load, add, add + 3, int32_t(CHIRT_RACE_READ)}) {
    EXPECT_FALSE(race(load, other)) << other;
    EXPECT_FALSE(race(other, load)) << other;
  }
  for (int32_t store : {CHIRT_RACE_STORE, CHIRT_RACE_STORE_SAME}) {
    EXPECT_TRUE(race(load, store)) << store;
    EXPECT_TRUE(race(store, load)) << store;
  }
}

/// Whether some of many iterations race, each of which does one of `kinds`.
bool anyRace(std::initializer_list<int32_t> kinds) {
  chirt_site site = kernelSite(CHIRT_SITE_CALL, "x", 0);
  float x;
  const int64_t bounds[] = {0, int64_t(kinds.size())};
  chirt::beginRaces(1, bounds);
  int64_t iteration = 0;
  for (int32_t kind : kinds)
    chirt_race_access(&site, &x, iteration++, kind);
  bool found = chirt_failed;
  chirt::endRaces();
  guarded([] { chirt_check_launch(); });
  return found;
}

TEST(Races, AtomicLoadsHideNothing) {
  int32_t load = CHIRT_RACE_ATOMIC_LOAD, add = CHIRT_RACE_UPDATE;
  int32_t read = CHIRT_RACE_READ;
  EXPECT_TRUE(anyRace({load, load, read, load, load, add}));
  EXPECT_TRUE(anyRace({read, load, load, add}));
  EXPECT_TRUE(anyRace({load, add, load, load, read}));
  EXPECT_TRUE(anyRace({add, add, load, CHIRT_RACE_STORE}));
  EXPECT_FALSE(anyRace({load, add, load, add, load, add}));
  EXPECT_FALSE(anyRace({load, read, load, read}));
}

} // namespace
