//===- HostMachineTest.cpp ------------------------------------------------===//
#include "chi/Driver/Compile/HostMachine.h"

#include "chi/Launch/RunOptions.h"
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

TEST_F(Caches, UsualOnesWhereNothingIsReported) {
  CacheSizes usual;
  EXPECT_EQ(cachesIn(folder).last, usual.last);
  add(0, "Data", "many");
  EXPECT_EQ(cachesIn(folder).l1, usual.l1);
  EXPECT_EQ(cachesIn(folder / "missing").l1, usual.l1);
}

TEST_F(Caches, OfThisMachine) {
  CacheSizes sizes = hostMachine().caches;
  EXPECT_GE(sizes.l1, 4 << 10);
  EXPECT_GE(sizes.l2, sizes.l1);
  EXPECT_GE(sizes.last, sizes.l2);
}

TEST(Described, WhatIsNotNamedIsTheSystems) {
  Machine system{{48 << 10, 2 << 20, 480 << 20, 64}, 0, 8};
  MachineDescription named;
  named.l3 = 8 << 20, named.vector = 256;
  Machine machine = described(system, named);
  EXPECT_EQ(machine.caches.l1, 48 << 10);
  EXPECT_EQ(machine.caches.l2, 2 << 20);
  EXPECT_EQ(machine.caches.last, 8 << 20);
  EXPECT_EQ(machine.vectorBits, 256);
  EXPECT_EQ(machine.cores, 8);
}

TEST(Described, OtherCachesFollowTheNamedOnes) {
  Machine system{{48 << 10, 2 << 20, 480 << 20, 64}, 0, 8};
  auto caches = [&](int64_t l1, int64_t l2, int64_t l3) {
    MachineDescription named;
    named.l1 = l1, named.l2 = l2, named.l3 = l3;
    return described(system, named).caches;
  };
  EXPECT_EQ(caches(0, 0, 1024).l1, 1024);
  EXPECT_EQ(caches(0, 0, 1024).l2, 1024);
  EXPECT_EQ(caches(1 << 30, 0, 0).l2, 1 << 30);
  EXPECT_EQ(caches(1 << 30, 0, 0).last, 1 << 30);
  EXPECT_EQ(caches(0, 16 << 10, 0).l1, 16 << 10);
  EXPECT_EQ(caches(0, 16 << 10, 0).last, 480 << 20);
}

TEST(MachineOf, DescribedInPlaceOfTheSystem) {
  launch::CompileOptions options;
  EXPECT_EQ(machineOf(options).caches.last, hostMachine().caches.last);
  EXPECT_EQ(machineOf(options).vectorBits, 0);
  EXPECT_GE(machineOf(options).cores, 1);
  options.machine = {16 << 10, 64 << 10, 1 << 20, 128, 256, 3};
  Machine machine = machineOf(options);
  EXPECT_EQ(machine.caches.l1, 16 << 10);
  EXPECT_EQ(machine.caches.last, 1 << 20);
  EXPECT_EQ(machine.caches.line, 128);
  EXPECT_EQ(machine.vectorBits, 256);
  EXPECT_EQ(machine.cores, 3);
}

TEST(MachineOf, UsualCachesOfAnotherProcessor) {
  launch::CompileOptions options;
  options.targetCPU = "haswell";
  EXPECT_EQ(machineOf(options).caches.last, CacheSizes().last);
  options.machine.l3 = 1 << 30;
  EXPECT_EQ(machineOf(options).caches.last, 1 << 30);
  EXPECT_EQ(machineOf(options).caches.l2, CacheSizes().l2);
}
