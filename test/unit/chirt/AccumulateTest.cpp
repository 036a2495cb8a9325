//===- AccumulateTest.cpp - Private copies, tree join, scratch ------------===//
#include "Support.h"
#include <cmath>
#include <cstring>
#include <vector>

namespace {

enum Kind { Add, Mul, Min, Max, MinU, MaxU, And, Or, Xor };

/// What worker w adds to element i.
float given(int worker, int64_t i) {
  return float(i % 100) * 0.25f + float(worker);
}

TEST(Private, MergesInWorkerOrderAndComesBackNeutral) {
  constexpr int64_t n = 50'001;
  for (int parts : {2, 3, 4})
    for (int round = 0; round < 3; ++round) {
      std::vector<float> data(n, 1.0f);
      auto *copies = static_cast<char *>(
          chirt_private_begin(n, CHIRT_F32, Add, n * 10, parts));
      ASSERT_NE(copies, nullptr);
      int64_t stride = (n * 4 + 63) & ~int64_t(63);
      for (int w = 1; w < parts; ++w) {
        auto *copy = reinterpret_cast<float *>(copies + (w - 1) * stride);
        for (int64_t i = 0; i < n; ++i) {
          ASSERT_EQ(copy[i], 0.0f) << parts << ' ' << round << ' ' << i;
          copy[i] += given(w, i);
        }
      }
      chirt_private_end(copies, data.data(), n, CHIRT_F32, Add, parts);
      for (int64_t i = 0; i < n; ++i) {
        float expected = 1.0f;
        for (int w = 1; w < parts; ++w)
          expected += given(w, i);
        ASSERT_EQ(data[size_t(i)], expected);
      }
    }
}

TEST(Private, SaysWhenAtomicsAreBetter) {
  EXPECT_EQ(chirt_private_begin(1000, CHIRT_F32, Add, 100, 2), nullptr);
  EXPECT_EQ(chirt_private_begin(int64_t(1) << 60, CHIRT_F32, Add, INT64_MAX, 8),
            nullptr);
  EXPECT_NE(chirt_private_begin(1000, CHIRT_F32, Add, 1, 1), nullptr);
  float data = 3;
  chirt_private_end(chirt_private_begin(1, CHIRT_F32, Add, 1, 1), &data, 1,
                    CHIRT_F32, Add, 1);
  EXPECT_EQ(data, 3);
}

template <typename T> T neutralOf(int32_t dtype, int kind) {
  void *copies = chirt_private_begin(16, dtype, kind, 1000, 2);
  T value;
  memcpy(&value, copies, sizeof(T));
  std::vector<T> data(16, T(0));
  chirt_private_end(copies, data.data(), 16, dtype, kind, 2);
  return value;
}

TEST(Private, NeutralElements) {
  EXPECT_EQ(neutralOf<float>(CHIRT_F32, Min), INFINITY);
  EXPECT_EQ(neutralOf<double>(CHIRT_F64, Max), -INFINITY);
  EXPECT_EQ(neutralOf<double>(CHIRT_F64, Mul), 1.0);
  EXPECT_EQ(neutralOf<int32_t>(CHIRT_I32, Min), INT32_MAX);
  EXPECT_EQ(neutralOf<int32_t>(CHIRT_I32, Max), INT32_MIN);
  EXPECT_EQ(neutralOf<uint32_t>(CHIRT_I32, MinU), UINT32_MAX);
  EXPECT_EQ(neutralOf<uint32_t>(CHIRT_I32, MaxU), 0u);
  EXPECT_EQ(neutralOf<uint64_t>(CHIRT_U64, And), UINT64_MAX);
  EXPECT_EQ(neutralOf<int16_t>(CHIRT_I16, Or), 0);
}

TEST(Private, SeveralAtOnce) {
  void *a = chirt_private_begin(100, CHIRT_F32, Add, 1000, 2);
  void *b = chirt_private_begin(100, CHIRT_F32, Add, 1000, 2);
  EXPECT_NE(a, b);
  static_cast<float *>(a)[5] = 2;
  static_cast<float *>(b)[5] = 3;
  float x[100] = {}, y[100] = {};
  chirt_private_end(a, x, 100, CHIRT_F32, Add, 2);
  chirt_private_end(b, y, 100, CHIRT_F32, Add, 2);
  EXPECT_EQ(x[5], 2);
  EXPECT_EQ(y[5], 3);
}

TEST(Tree, JoinsNeighbours) {
  double values[] = {1e16, 1.0, -1e16, 1.0, 3.0};
  chirt_tree_join(values, 5, CHIRT_F64, Add);
  EXPECT_EQ(values[0], ((1e16 + 1.0) + (-1e16 + 1.0)) + 3.0);
  int32_t integers[] = {3, -7, 5};
  chirt_tree_join(integers, 3, CHIRT_I32, MinU);
  EXPECT_EQ(integers[0], 3);
  uint16_t halves[] = {0x3c00, 0x4000, 0x4200}; // 1, 2, 3
  chirt_tree_join(halves, 3, CHIRT_F16, Add);
  EXPECT_EQ(halves[0], 0x4600); // 6
  float one = 4;
  chirt_tree_join(&one, 1, CHIRT_F32, Add);
  EXPECT_EQ(one, 4);
}

TEST(Scratch, IsAStack) {
  void *a = chirt_scratch_push(100);
  void *b = chirt_scratch_push(1 << 20);
  void *c = chirt_scratch_push(64);
  for (void *p : {a, b, c})
    EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 64, 0u);
  memset(a, 1, 100);
  memset(b, 2, 1 << 20);
  memset(c, 3, 64);
  EXPECT_EQ(static_cast<char *>(a)[99], 1);
  chirt_scratch_pop(c);
  EXPECT_EQ(chirt_scratch_push(64), c);
  chirt_scratch_pop(c);
  chirt_scratch_pop(b);
  chirt_scratch_pop(a);
  EXPECT_EQ(chirt_scratch_push(10), a);
  chirt_scratch_pop(a);
}

TEST(Scratch, AGuardGivesBackWhatWasPushed) {
  void *first = chirt_scratch_push(64);
  chirt_scratch_pop(first);
  guarded([] {
    for (int k = 0; k < 100; ++k)
      chirt_scratch_push(100'000);
    chirt_exit(3);
  });
  EXPECT_EQ(chirt_scratch_push(64), first);
  chirt_scratch_pop(first);
}

} // namespace
