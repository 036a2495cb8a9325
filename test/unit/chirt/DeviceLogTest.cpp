//===- DeviceLogTest.cpp - What kernels of a device tell ------------------===//
#include "Support.h"
#include "chirt/device/Kernels.h"
#include "chirt/failure/Failure.h"
#include "chirt/races/Races.h"
#include <vector>

using namespace chirt;

namespace {

const uint8_t types[] = {CHIRT_I64, CHIRT_I64};
const chirt_site sites[] = {
    {"a.chi", 3, 5, 9, CHIRT_SITE_CALL, "x", 0, 0, nullptr, "k", 0, -1, "i, j"},
    {"a.chi", 4, 5, 9, CHIRT_SITE_BOUNDS, "x", 0, 2, types, "k", 2, -1,
     "i, j"}};
const chirt_format_part part = {"", CHIRT_I64, 0, 1, 1, nullptr, 0};
const chirt_format format = {&part, 1, 1};
const chirt_unit unit = {sites, &format, 2, 1};

/// A launch over rows 2 and 3, and 10 columns, of a kernel that stores to a
/// field and prints.
struct Launched {
  chirt_field field = {};
  int64_t words[2] = {0, 0};
  chirt_domain domain = {};
  chirt_device_code code = {};
  std::vector<int64_t> log;

  Launched() {
    field.data = &field;
    words[1] = reinterpret_cast<int64_t>(&field);
    domain.from[0] = 2, domain.to[0] = 4;
    domain.from[1] = 0, domain.to[1] = 10;
    code.unit = &unit;
    code.log_words = 7;
  }
  void stores(int64_t iteration, int64_t byte) {
    log.insert(log.end(), {int64_t(~uint32_t(0)) | int64_t(2) << 32, iteration,
                           1 | int64_t(CHIRT_RACE_STORE) << 32, byte});
  }
  void prints(int64_t iteration, int64_t value) {
    log.insert(log.end(), {int64_t(1) << 32, iteration, value});
  }
  void fails(int64_t row, int64_t column) {
    chirt_record record = {};
    record.site = 1;
    record.num_axes = 2;
    record.iteration[0] = row, record.iteration[1] = column;
    record.words[0] = 17, record.words[1] = 10;
    keepFailures(&code, 0, 0, &record, 1);
  }
  /// What is said when that is taken, of a launch that is watched.
  Ran taken(uint32_t more = 0) {
    return guarded([&] {
      int64_t bounds[] = {2, 2, 0, 10};
      KernelLaunch launch = {words, &domain, 20};
      beginLogging(&code, launch);
      beginRaces(2, bounds);
      takeDeviceLog(&code, launch, log.data(), uint32_t(log.size()) + more);
      endRaces();
      chirt_check_launch();
    });
  }
};

TEST(DeviceLog, InTheOrderOfTheIterations) {
  Launched launched;
  launched.prints(12, 120);
  launched.prints(3, 30);
  launched.prints(12, 121);
  EXPECT_EQ(launched.taken().out, "30120121");
}

TEST(DeviceLog, TheFirstRaceAndWhatWasPrintedBefore) {
  Launched launched;
  launched.stores(15, 8); // races, later
  launched.prints(14, 14);
  launched.stores(11, 4);
  launched.prints(11, 11);
  launched.stores(1, 4);
  launched.prints(1, 1);
  launched.stores(2, 8);
  Ran ran = launched.taken();
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "1");
  EXPECT_NE(ran.err.find("a.chi:3:5: error: race on `x`: iteration (i, j) = "
                         "(3, 1) stores to the element that iteration (i, j) = "
                         "(2, 1) stores to too [kernel k]"),
            std::string::npos)
      << ran.err;
}

TEST(DeviceLog, ARaceBeforeACheckThatFails) {
  Launched launched;
  launched.stores(1, 4);
  launched.stores(11, 4);
  launched.fails(3, 2);
  EXPECT_NE(launched.taken().err.find("race on `x`"), std::string::npos);
}

TEST(DeviceLog, ACheckThatFailsBeforeARace) {
  Launched launched;
  launched.stores(1, 4);
  launched.stores(11, 4);
  launched.fails(3, 0);
  Ran ran = launched.taken();
  EXPECT_NE(ran.err.find("index 17 is out of bounds"), std::string::npos);
  EXPECT_EQ(ran.err.find("race"), std::string::npos) << ran.err;
}

TEST(DeviceLog, WhatHasNoRoomIsNotPassedOver) {
  Launched launched;
  while (launched.log.size() < CHIRT_DEVICE_LOG_WORDS)
    launched.stores(1, 4);
  EXPECT_NE(
      launched.taken(4).err.find("cannot record all accesses of this loop"),
      std::string::npos);
}

TEST(DeviceLog, WhatFollowsTheLastEntryIsNotRead) {
  Launched launched;
  while (launched.log.size() < CHIRT_DEVICE_LOG_WORDS - 2)
    launched.prints(1, 7);
  launched.log.resize(launched.log.size() - 3);
  size_t last = launched.log.size();
  launched.log.push_back(CHIRT_DEVICE_LOG_END);
  launched.log.resize(CHIRT_DEVICE_LOG_WORDS,
                      int64_t(99) << 32 | 77); // of another
  Ran ran = launched.taken(3);
  EXPECT_EQ(ran.out, std::string(last / 3, '7'));
  EXPECT_NE(ran.err.find("is lost"), std::string::npos) << ran.err;
}

TEST(DeviceLog, LaunchesOfAnUnknownLengthGrowWithTheRoom) {
  Launched launched;
  launched.code.log_words = -1;
  KernelLaunch launch = {launched.words, &launched.domain, 1 << 20};
  beginLogging(&launched.code, launch);
  int64_t before = launch.last;
  takeDeviceLog(&launched.code, launch, nullptr, 0);
  ASSERT_TRUE(continueLogging(launch));
  EXPECT_EQ(launch.first, before);
  EXPECT_EQ(launch.last - launch.first, 2 * before);
  // Sums need whole blocks.
  launched.code.partial_bytes = 64;
  beginLogging(&launched.code, launch);
  EXPECT_EQ(launch.last, CHIRT_REDUCTION_BLOCK);
}

} // namespace
