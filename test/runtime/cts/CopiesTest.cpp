//===- CopiesTest.cpp - Memory, fills and copies --------------------------===//
#include "Cts.h"
#include <algorithm>
#include <numeric>

using namespace chirt;
using cts::put;
using cts::seen;

namespace {
CTS_SUITE(Copies);

TEST_P(Copies, GoBothWays) {
  // More than what passes at a time between host and device.
  for (int64_t n : {1, 1000, 3 << 20}) {
    chirt_field *x = make("f32", n), *y = make("f32", n), *z = make("f32", n);
    auto *data = reinterpret_cast<float *>(hostCopyToOverwrite(x));
    for (int64_t i = 0; i < n; ++i)
      data[i] = float(i % 1021);
    runAxpy(y, x, 2, z);
    const float *twice = seen(y), *same = seen(z);
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; ++i)
      wrong += twice[i] != float(2 * (i % 1021)) || same[i] != float(i % 1021);
    EXPECT_EQ(wrong, 0) << n;
  }
}

TEST_P(Copies, FieldsStartAtZero) {
  for (int k = 0; k < 20; ++k) {
    chirt_field *x = make("f32", 3000), *y = make("f32", 3000),
                *z = make("f32", 3000);
    runAxpy(y, x, 1, z);
    EXPECT_EQ(seen(y)[2999], 0);
    float ones = 1;
    chirt_field_fill(x, &ones);
    runAxpy(y, x, 1, z);
    EXPECT_EQ(seen(y)[2999], 1);
    for (chirt_field *field : {x, y, z})
      drop(field);
  }
}

TEST_P(Copies, FillsWhereTheFieldIs) {
  chirt_field *x = make("f32", 1000), *y = make("f32", 1000),
              *z = make("f32", 1000);
  put(x, 7, 3);
  runAxpy(y, x, 2, z);
  DeviceCounts before = hasOwnMemory() ? counts() : DeviceCounts();
  float value = 5;
  chirt_field_fill(y, &value);
  runAxpy(y, x, 2, z);
  if (hasOwnMemory()) {
    EXPECT_EQ(counts().bytesIn, before.bytesIn);
    EXPECT_EQ(counts().bytesOut, before.bytesOut);
  }
  EXPECT_EQ(seen(y)[7], 11);
  EXPECT_EQ(seen(y)[999], 5);
}

TEST_P(Copies, FillsOfManyWidths) {
  chirt_field *bytes = make("u8:3", 777), *parts = make("i16:2;soa", 500);
  const uint8_t three[] = {1, 2, 3};
  const int16_t two[] = {-4, 5};
  for (chirt_field *field : {bytes, parts})
    chirt_field_acquire(field, CHIRT_AT_DEVICE, CHIRT_TO_UPDATE);
  chirt_field_fill(bytes, three);
  chirt_field_fill(parts, two);
  const char *all = hostCopy(bytes);
  EXPECT_EQ(all[3 * 776 + 2], 3);
  EXPECT_EQ(all[3 * 776], 1);
  auto *halves = reinterpret_cast<const int16_t *>(hostCopy(parts));
  EXPECT_EQ(halves[499], -4);
  EXPECT_EQ(halves[500], 5);
}

TEST_P(Copies, CopiesWhereTheFieldIs) {
  chirt_field *x = make("f32", 1000), *y = make("f32", 1000),
              *z = make("f32", 1000), *kept = make("f32", 1000);
  put(x, 999, 3);
  runAxpy(y, x, 2, z);
  DeviceCounts before = hasOwnMemory() ? counts() : DeviceCounts();
  chirt_field_copy(nullptr, kept, y);
  runAxpy(y, x, 2, z);
  if (hasOwnMemory()) {
    EXPECT_EQ(counts().bytesIn, before.bytesIn);
    EXPECT_EQ(counts().bytesOut, before.bytesOut);
  }
  EXPECT_EQ(seen(kept)[999], 6);
  EXPECT_EQ(seen(y)[999], 12);
  EXPECT_EQ(kept->current, hasOwnMemory() ? 3 : 1);
}

TEST_P(Copies, WhatIsReadStaysWhereItIs) {
  chirt_field *x = make("f32", 1000), *y = make("f32", 1000),
              *z = make("f32", 1000);
  put(x, 1, 1);
  runAxpy(y, x, 1, z);
  seen(y);
  DeviceCounts before = hasOwnMemory() ? counts() : DeviceCounts();
  for (int k = 0; k < 5; ++k) {
    seen(y);
    runAxpy(z, y, 1, x);
  }
  if (hasOwnMemory()) {
    EXPECT_EQ(counts().bytesIn, before.bytesIn);
    EXPECT_EQ(counts().bytesOut, before.bytesOut);
  }
  EXPECT_EQ(seen(z)[1], 6);
}

TEST_P(Copies, NothingOfNoElements) {
  chirt_field *none = make("f32", 0);
  runAxpy(none, none, 1, none);
  EXPECT_EQ(none->buffer, 0);
}
} // namespace
