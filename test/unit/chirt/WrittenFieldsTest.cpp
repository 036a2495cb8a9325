//===- WrittenFieldsTest.cpp - What a launch writes, as it was ------------===//
#include "chirt/device/WrittenFields.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

using namespace chirt;

namespace {

int64_t inUse = 0, limit = 0; ///< bytes of copies

DeviceCopies hostCopies() {
  inUse = 0;
  limit = 1000;
  return {[](int64_t bytes) -> int64_t {
            if (inUse + bytes > limit)
              return 0;
            inUse += bytes;
            return reinterpret_cast<int64_t>(malloc(size_t(bytes)));
          },
          [](int64_t address, int64_t bytes) {
            inUse -= bytes;
            free(reinterpret_cast<void *>(address));
          },
          [](int64_t to, int64_t from, int64_t bytes) {
            memcpy(reinterpret_cast<void *>(to),
                   reinterpret_cast<const void *>(from), size_t(bytes));
          }};
}

/// A task that reads one field, writes another, and takes a number.
struct Launched {
  int32_t read[4] = {1, 2, 3, 4}, written[4] = {5, 6, 7, 8};
  chirt_field fields[2] = {};
  chirt_argument arguments[3] = {};
  int64_t words[3] = {reinterpret_cast<int64_t>(&fields[0]),
                      reinterpret_cast<int64_t>(&fields[1]), 99};
  chirt_task task = {};

  Launched() {
    fields[0].data = read;
    fields[1].data = written;
    fields[0].bytes = fields[1].bytes = sizeof(read);
    arguments[0].is_field = arguments[1].is_field = 1;
    arguments[0].uses = CHIRT_USE_READ;
    arguments[1].uses = CHIRT_USE_READ | CHIRT_USE_WRITE;
    task.arguments = arguments;
    task.num_arguments = 3;
  }
};

TEST(WrittenFields, AreWhatTheyWereAsOftenAsThatIsAsked) {
  Launched launched;
  WrittenFields saved(hostCopies());
  ASSERT_TRUE(saved.save(&launched.task, launched.words));
  EXPECT_EQ(inUse, 16);
  for (int iteration = 0; iteration < 2; ++iteration) {
    launched.written[iteration] = launched.read[iteration] = -1;
    saved.restore();
    EXPECT_EQ(launched.written[iteration], 5 + iteration);
    EXPECT_EQ(launched.read[iteration], -1);
  }
  saved.drop();
  EXPECT_EQ(inUse, 0);
}

TEST(WrittenFields, ThatHaveNoRoomAreNotHalfThere) {
  Launched launched;
  launched.arguments[0].uses = CHIRT_USE_WRITE;
  WrittenFields saved(hostCopies());
  limit = 20;
  EXPECT_FALSE(saved.save(&launched.task, launched.words));
  saved.drop();
  EXPECT_EQ(inUse, 0);
}

} // namespace
