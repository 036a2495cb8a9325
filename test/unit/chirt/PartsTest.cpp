//===- PartsTest.cpp - Launches in parts that threads do not determine ----===//
#include "Support.h"
#include <atomic>
#include <cstdint>
#include <vector>

namespace {

constexpr int64_t dear = 1000 * 16; // 1 µs an iteration

TEST(Parts, NumberDependsOnSizes) {
  // 20 parts have copies of twice as many elements as there are accumulations.
  EXPECT_EQ(chirt_num_parts(10'000, 1, dear, 1000, 10'000), 20);
  EXPECT_EQ(chirt_num_parts(10'000, 1, dear, 1001, 10'000), 19);
  EXPECT_EQ(chirt_num_parts(10'000, 1, dear, 20'001, 10'000), 1);
  EXPECT_EQ(chirt_num_parts(1'000'000, 1, dear, 1, 1'000'000), CHIRT_MAX_PARTS);
  // Parts are cut at multiples of the alignment.
  EXPECT_EQ(chirt_num_parts(10'000, 2500, dear, 1, 10'000), 4);
  // A short launch is one part.
  EXPECT_EQ(chirt_num_parts(2, 1, dear, 1, 2), 1);
  EXPECT_EQ(chirt_num_parts(0, 1, dear, 1, 0), 1);
  EXPECT_EQ(chirt_num_parts(INT64_MAX, 1, INT64_MAX, INT64_MAX, INT64_MAX), 1);
}

struct Ran {
  std::vector<std::atomic<int>> times;
  std::vector<std::atomic<int>> partOf;
};

void noteChunk(void *context, int64_t begin, int64_t end, int32_t part) {
  auto &ran = *static_cast<Ran *>(context);
  for (int64_t i = begin; i < end; ++i) {
    ++ran.times[size_t(i)];
    ran.partOf[size_t(i)] = part;
  }
}

TEST(Parts, RunEachIterationOnceInItsPart) {
  for (int parts : {1, 2, 7, 64}) {
    constexpr int64_t n = 1000;
    Ran ran{std::vector<std::atomic<int>>(n), std::vector<std::atomic<int>>(n)};
    chirt_parallel_parts(noteChunk, &ran, n, 16, parts);
    for (int64_t i = 0; i < n; ++i) {
      ASSERT_EQ(ran.times[size_t(i)], 1) << parts << ' ' << i;
      ASSERT_LT(ran.partOf[size_t(i)], parts);
      if (i % 16)
        ASSERT_EQ(ran.partOf[size_t(i)], ran.partOf[size_t(i - 1)]);
      if (i)
        ASSERT_GE(ran.partOf[size_t(i)], ran.partOf[size_t(i - 1)]);
    }
  }
}

/// More launches at a time than copies are kept of, each merged in the order of
/// its parts.
TEST(Parts, CopiesAreMergedInOrder) {
  constexpr int64_t n = 3000;
  constexpr int parts = 5, launches = 12, add = 0;
  constexpr int64_t stride = (n * 4 + 63) & ~int64_t(63);
  for (int round = 0; round < 2; ++round) {
    std::vector<void *> all;
    for (int k = 0; k < launches; ++k)
      all.push_back(chirt_parts_begin(n, CHIRT_F32, add, parts));
    for (int k = 0; k < launches; ++k) {
      std::vector<float> data(n, 1.0f);
      for (int part = 1; part < parts; ++part) {
        auto *copy = reinterpret_cast<float *>(
            static_cast<char *>(all[size_t(k)]) + (part - 1) * stride);
        for (int64_t i = 0; i < n; ++i) {
          ASSERT_EQ(copy[i], 0.0f);
          copy[i] = 1e-7f * float(part * (i % 9));
        }
      }
      chirt_parts_end(all[size_t(k)], data.data(), n, CHIRT_F32, add, parts);
      for (int64_t i = 0; i < n; ++i) {
        float expected = 1.0f;
        for (int part = 1; part < parts; ++part)
          expected += 1e-7f * float(part * (i % 9));
        ASSERT_EQ(data[size_t(i)], expected);
      }
    }
  }
  // One part has no copies.
  std::vector<float> data(n, 1.0f);
  void *none = chirt_parts_begin(n, CHIRT_F32, add, 1);
  ASSERT_NE(none, nullptr);
  chirt_parts_end(none, data.data(), n, CHIRT_F32, add, 1);
  EXPECT_EQ(data[7], 1.0f);
}

} // namespace
