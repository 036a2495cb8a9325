//===- HostCachesTest.cpp -------------------------------------------------===//
#include "chi/Driver/HostCaches.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace chi;
using namespace chi::driver;

namespace {
/// A folder as Linux shows it for a core.
class Caches : public ::testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / "chi-caches-XXXXXX";
    std::string name = folder.string();
    ASSERT_TRUE(mkdtemp(name.data()));
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void add(int index, const char *type, const char *size, int level = 1) {
    auto cache = folder / ("index" + std::to_string(index));
    std::filesystem::create_directory(cache);
    std::ofstream(cache / "type") << type << '\n';
    std::ofstream(cache / "level") << level << '\n';
    std::ofstream(cache / "size") << size << '\n';
  }

  std::filesystem::path folder;
};
} // namespace

TEST_F(Caches, FirstOfDataAndLast) {
  add(0, "Data", "48K");
  add(1, "Instruction", "64K");
  add(2, "Unified", "2048K", 2);
  add(3, "Unified", "491520K", 3);
  CacheSizes sizes = cachesIn(folder);
  EXPECT_EQ(sizes.l1, 48 << 10);
  EXPECT_EQ(sizes.l2, 2 << 20);
  EXPECT_EQ(sizes.last, int64_t(480) << 20);
}

TEST_F(Caches, InMegabytes) {
  add(0, "Data", "32768");
  add(1, "Unified", "4M");
  CacheSizes sizes = cachesIn(folder);
  EXPECT_EQ(sizes.l1, 32 << 10);
  EXPECT_EQ(sizes.l2, CacheSizes().l2);
  EXPECT_EQ(sizes.last, 4 << 20);
}

TEST_F(Caches, UsualOnesWhereNothingIsTold) {
  CacheSizes usual;
  EXPECT_EQ(cachesIn(folder).last, usual.last);
  add(0, "Data", "many");
  EXPECT_EQ(cachesIn(folder).l1, usual.l1);
  EXPECT_EQ(cachesIn(folder / "missing").l1, usual.l1);
}

TEST_F(Caches, OfThisMachine) {
  CacheSizes sizes = hostCaches();
  EXPECT_GE(sizes.l1, 4 << 10);
  EXPECT_GE(sizes.l2, sizes.l1);
  EXPECT_GE(sizes.last, sizes.l2);
}
