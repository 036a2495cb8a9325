//===- BigStackTest.cpp ---------------------------------------------------===//
#include "chi/Driver/BigStack.h"

#include <atomic>
#include <barrier>
#include <gtest/gtest.h>

using namespace chi::driver;

namespace {

TEST(BigStack, WorksHereAndOnHelpersAtTheSameTime) {
  std::barrier all(3); // none leaves before each has come
  std::atomic<int> calls = 0;
  onBigStacks(2, [&] {
    ++calls;
    all.arrive_and_wait();
  });
  EXPECT_EQ(calls, 3);
}

TEST(BigStack, WithoutHelpersWorksHere) {
  int calls = 0;
  onBigStacks(0, [&] { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST(BigStack, HasRoomForDeepRecursion) {
  struct Deep {
    static int sum(int depth) { // 64 MB in all
      volatile char frame[1024] = {};
      return depth == 0 ? frame[0] : 1 + sum(depth - 1) + frame[1];
    }
  };
  int depth = 0;
  onBigStack([&] { depth = Deep::sum(64 * 1024); });
  EXPECT_EQ(depth, 64 * 1024);
}

} // namespace
