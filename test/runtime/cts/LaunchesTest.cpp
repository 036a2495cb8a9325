//===- LaunchesTest.cpp - Launches behind each other ----------------------===//
#include "Cts.h"
#include <utility>

using namespace chirt;
using cts::put;
using cts::seen;

namespace {
CTS_SUITE(Launches);

TEST_P(Launches, HappenInOrder) {
  chirt_field *x = make("f32", 500), *y = make("f32", 500),
              *z = make("f32", 500);
  put(x, 499, 1);
  float a = 1, b = 0; // x and y there: each is added to the other in turn
  for (int k = 0; k < 12; ++k) {
    runAxpy(y, x, 1, z);
    b += a;
    runAxpy(x, y, 1, z);
    a += b;
  }
  EXPECT_EQ(seen(x)[499], a);
  EXPECT_EQ(seen(y)[499], b);
  EXPECT_EQ(seen(z)[499], b);
}

TEST_P(Launches, AreNotWaitedForOneByOne) {
  chirt_field *x = make("f32", 64), *y = make("f32", 64), *z = make("f32", 64);
  put(x, 63, 1);
  runAxpy(y, x, 1, z);
  DeviceCounts before = hasOwnMemory() ? counts() : DeviceCounts();
  for (int k = 1; k < 1000; ++k)
    runAxpy(y, x, 1, z);
  if (hasOwnMemory()) {
    EXPECT_EQ(counts().launches - before.launches, 999);
    EXPECT_LE(counts().submissions - before.submissions, 20);
  }
  EXPECT_EQ(seen(y)[63], 1000);
}

TEST_P(Launches, TakeSwappedFields) {
  chirt_field *from = make("f32", 300), *to = make("f32", 300),
              *z = make("f32", 300);
  put(from, 3, 1);
  float latest = 1, former = 0;
  for (int k = 0; k < 20; ++k) {
    runAxpy(to, from, 1, z); // to += from
    former += latest;
    std::swap(from, to);
    std::swap(latest, former);
  }
  EXPECT_EQ(seen(from)[3], latest);
  EXPECT_EQ(seen(to)[3], former);
}

TEST_P(Launches, UseWhatIsFreedMeanwhile) {
  chirt_field *sum = make("f32", 2000), *z = make("f32", 2000);
  for (int k = 1; k <= 150; ++k) {
    chirt_field *part = make("f32", 2000);
    float value = float(k);
    chirt_field_fill(part, &value);
    runAxpy(sum, part, 1, z);
    drop(part); // while the launch may wait
  }
  EXPECT_EQ(seen(sum)[1999], 150 * 151 / 2);
  EXPECT_EQ(seen(z)[0], 150);
}

TEST_P(Launches, UseWhatTheHostChangesMeanwhile) {
  chirt_field *x = make("f32", 100), *y = make("f32", 100),
              *z = make("f32", 100);
  for (int k = 1; k <= 100; ++k) {
    float value = float(k);
    chirt_field_fill(x, &value);
    put(x, 50, 0);
    runAxpy(y, x, 1, z);
  }
  EXPECT_EQ(seen(y)[49], 5050);
  EXPECT_EQ(seen(y)[50], 0);
}

TEST_P(Launches, AreOverAfterASync) {
  chirt_field *x = make("f32", 100), *y = make("f32", 100),
              *z = make("f32", 100);
  put(x, 0, 2);
  runAxpy(y, x, 1, z);
  chirt_sync();
  DeviceCounts before = hasOwnMemory() ? counts() : DeviceCounts();
  EXPECT_EQ(seen(y)[0], 2);
  if (hasOwnMemory() && device->finish) {
    EXPECT_EQ(counts().launches, before.launches);
  }
}
} // namespace
