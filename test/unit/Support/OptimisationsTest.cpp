//===- OptimisationsTest.cpp - What --without leaves out ------------------===//
#include "chi/Support/Optimisations.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <set>
#include <vector>

using namespace chi;

namespace {
using Names = std::vector<std::string>;

/// The stages of emit-ir in their order, those of devices behind those of the
/// processor.
const std::vector<std::string_view> kStages = {
#define CHI_STAGE(Name, Flag, Form, Text) Flag,
#include "chi/Pipeline/Stage.def"
};

ptrdiff_t stageNumber(std::string_view stage) {
  return std::find(kStages.begin(), kStages.end(), stage) - kStages.begin();
}
} // namespace

TEST(Optimisations, AreAllOnAtFirst) {
  OptimisationSet set;
  EXPECT_TRUE(set.isEmpty());
  EXPECT_FALSE(set.has(Optimisation::Lanes));
  EXPECT_EQ(set.names<Names>(), Names());
}

// Each name disables its own optimisation and no other.
TEST(Optimisations, EachNameIsItsOwn) {
  for (size_t i = 0; i < kOptimisations.size(); ++i) {
    OptimisationSet set;
    EXPECT_TRUE(set.add(kOptimisations[i].name));
    EXPECT_FALSE(set.isEmpty());
    for (size_t j = 0; j < kOptimisations.size(); ++j)
      EXPECT_EQ(set.has(Optimisation(j)), i == j)
          << kOptimisations[i].name << " " << kOptimisations[j].name;
    EXPECT_EQ(set.names<Names>(), Names{std::string(kOptimisations[i].name)});
  }
}

TEST(Optimisations, EnumeratorsMatchTheirNames) {
  OptimisationSet set;
  ASSERT_TRUE(set.add("exact-floats"));
  EXPECT_TRUE(set.has(Optimisation::ExactFloats));
  ASSERT_TRUE(set.add("code-generation"));
  EXPECT_TRUE(set.has(Optimisation::CodeGeneration));
  EXPECT_FALSE(set.has(Optimisation::LLVMPasses));
}

TEST(Optimisations, AllDisablesEach) {
  OptimisationSet byName, byCall;
  EXPECT_TRUE(byName.add("all"));
  byCall.addAll();
  for (const OptimisationRecord &record : kOptimisations) {
    size_t i = size_t(&record - kOptimisations.data());
    EXPECT_TRUE(byName.has(Optimisation(i))) << record.name;
    EXPECT_TRUE(byCall.has(Optimisation(i))) << record.name;
  }
  EXPECT_EQ(byName.names<Names>().size(), kOptimisations.size());
}

// A name that is none changes nothing: near ones, parts, another case.
TEST(Optimisations, UnknownNamesAreRefused) {
  OptimisationSet set;
  for (const char *name : {"", "lane", "lanes ", "Lanes", "lanes,tiles", "ALL",
                           "none", "help", "exact_floats"})
    EXPECT_FALSE(set.add(name)) << name;
  EXPECT_TRUE(set.isEmpty());
}

// The order and the number of the flags do not matter: the cache compares the
// list of names.
TEST(Optimisations, NamesAreInTheOrderOfTheList) {
  auto forth = OptimisationSet::of(Names{"removed-checks", "tiles", "lanes"});
  auto back =
      OptimisationSet::of(Names{"lanes", "tiles", "lanes", "removed-checks"});
  EXPECT_EQ(forth.names<Names>(), back.names<Names>());
  EXPECT_EQ(forth.names<Names>(), (Names{"removed-checks", "lanes", "tiles"}));
  EXPECT_TRUE(OptimisationSet::of(Names()).isEmpty());
}

TEST(Optimisations, RecordsAreComplete) {
  std::set<std::string_view> names;
  for (const OptimisationRecord &record : kOptimisations) {
    EXPECT_TRUE(names.insert(record.name).second) << record.name << " twice";
    EXPECT_EQ(record.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"),
              record.name.npos)
        << record.name;
    EXPECT_NE(record.name, "all");
    EXPECT_FALSE(record.text.empty()) << record.name;
    EXPECT_NE(stageNumber(record.stage), ptrdiff_t(kStages.size()))
        << record.name << ": no stage " << record.stage;
  }
}

// They are listed in the order in which they run; that of the processor and
// that of the devices are two.
TEST(Optimisations, AreInTheOrderOfTheStages) {
  ptrdiff_t firstOfDevices = stageNumber("gpu");
  ptrdiff_t processor = 0, device = firstOfDevices;
  for (const OptimisationRecord &record : kOptimisations) {
    ptrdiff_t now = stageNumber(record.stage);
    ptrdiff_t &last = now < firstOfDevices ? processor : device;
    EXPECT_GE(now, last) << record.name;
    last = now;
  }
}
