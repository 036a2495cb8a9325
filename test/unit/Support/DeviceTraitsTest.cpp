//===- DeviceTraitsTest.cpp - Facts about machines, and the version -------===//
#include "chi/Support/Machine.h"
#include "chi/Support/Version.h"
#include "gtest/gtest.h"
#include <set>
#include <vector>

using namespace chi;

// The text is the list of options of chi-attach-device, NAME=NUMBER.
TEST(DeviceTraits, TextNamesEachFact) {
  DeviceTraits traits;
  traits.vectorBytes = 64;
  traits.vectorRegisters = 32;
  traits.hasMasks = true;
  traits.castsLongs = true;
  traits.caches = {.l1 = 1, .l2 = 2, .last = 3, .line = 4};
  EXPECT_EQ(traits.text(),
            "vector-bytes=64 vector-registers=32 has-masks=1 casts-longs=1 "
            "l1-bytes=1 l2-bytes=2 cache-bytes=3 line-bytes=4");
}

// Keys of the cache compare the text: no two machines share one.
TEST(DeviceTraits, TextDiffersByEachFact) {
  std::vector<DeviceTraits> all(9);
  all[1].vectorBytes = 16;
  all[2].vectorRegisters = 32;
  all[3].hasMasks = true;
  all[4].castsLongs = true;
  all[5].caches.l1 = 1;
  all[6].caches.l2 = 1;
  all[7].caches.last = 1;
  all[8].caches.line = 1;
  std::set<std::string> texts;
  for (const DeviceTraits &traits : all)
    EXPECT_TRUE(texts.insert(traits.text()).second) << traits.text();
}

// A machine of which nothing is known has usual caches, each at least as large
// as the one before it, and no vectors.
TEST(DeviceTraits, UsualMachine) {
  Machine machine;
  EXPECT_EQ(machine.caches.l1, 32 * 1024);
  EXPECT_EQ(machine.caches.l2, 512 * 1024);
  EXPECT_EQ(machine.caches.last, 32 * 1024 * 1024);
  EXPECT_EQ(machine.caches.line, 64);
  EXPECT_EQ(machine.vectorBits, 0);
  EXPECT_EQ(DeviceTraits().vectorBytes, 0);
}

// 0 stands for what a description leaves out.
TEST(MachineDescription, NamesNothingAtFirst) {
  MachineDescription described;
  for (int64_t member : {described.l1, described.l2, described.l3,
                         described.line, described.vector, described.cores})
    EXPECT_EQ(member, 0);
}

// Three numbers, as packages of Python and of Debian want them.
TEST(Version, IsThreeNumbers) {
  llvm::StringRef text = version();
  unsigned dots = 0;
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '.') {
      ++dots;
      EXPECT_TRUE(i > 0 && i + 1 < text.size() && text[i + 1] != '.') << i;
    } else {
      EXPECT_TRUE(text[i] >= '0' && text[i] <= '9') << text.str();
    }
  EXPECT_EQ(dots, 2u);
}
