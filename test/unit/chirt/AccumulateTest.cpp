//===- AccumulateTest.cpp - Private copies, tree join, scratch ------------===//
#include "Support.h"
#include <cmath>
#include <cstring>
#include <malloc.h>
#include <thread>
#include <vector>

namespace {

enum Kind { Add, Mul, Min, Max, MinU, MaxU, And, Or, Xor };

/// What worker w adds to element i.
float given(int worker, int64_t i) {
  return float(i % 100) * 0.25f + float(worker);
}

TEST(Private, MergesInWorkerOrderAndComesBackNeutral) {
  constexpr int64_t n = 50'001;
  for (int chunks : {2, 3, 4})
    for (int round = 0; round < 3; ++round) {
      std::vector<float> data(n, 1.0f);
      auto *copies = static_cast<char *>(
          chirt_private_begin(n, CHIRT_F32, Add, n * 10, chunks));
      ASSERT_NE(copies, nullptr);
      int64_t stride = (n * 4 + 63) & ~int64_t(63);
      for (int w = 1; w < chunks; ++w) {
        auto *copy = reinterpret_cast<float *>(copies + (w - 1) * stride);
        for (int64_t i = 0; i < n; ++i) {
          ASSERT_EQ(copy[i], 0.0f) << chunks << ' ' << round << ' ' << i;
          copy[i] += given(w, i);
        }
      }
      chirt_private_end(copies, data.data(), n, CHIRT_F32, Add, chunks);
      for (int64_t i = 0; i < n; ++i) {
        float expected = 1.0f;
        for (int w = 1; w < chunks; ++w)
          expected += given(w, i);
        ASSERT_EQ(data[size_t(i)], expected);
      }
    }
}

/// Most of a large field is touched by nobody, and left as it is.
TEST(Private, MergesWhereSomethingWasAdded) {
  constexpr int64_t n = 1 << 20;
  for (int chunks : {2, 8}) {
    std::vector<double> data(n, 0.5);
    int64_t stride = n * 8;
    auto copyOf = [&](void *copies, int worker) {
      return reinterpret_cast<double *>(static_cast<char *>(copies) +
                                        (worker - 1) * stride);
    };
    void *copies = chirt_private_begin(n, CHIRT_F64, Add, n * 10, chunks);
    ASSERT_NE(copies, nullptr);
    // The first and the last of a block, the last of all, and a place where
    // all workers add.
    for (int w = 1; w < chunks; ++w) {
      copyOf(copies, w)[512 * w] += w;
      copyOf(copies, w)[512 * (2 * w + 1) - 1] += 2 * w;
      copyOf(copies, w)[n - 1] += 1;
    }
    chirt_private_end(copies, data.data(), n, CHIRT_F64, Add, chunks);
    std::vector<double> expected(n, 0.5);
    for (int w = 1; w < chunks; ++w) {
      expected[size_t(512 * w)] += w;
      expected[size_t(512 * (2 * w + 1) - 1)] += 2 * w;
      expected[n - 1] += 1;
    }
    ASSERT_EQ(data, expected);
    copies = chirt_private_begin(n, CHIRT_F64, Add, n * 10, chunks);
    for (int w = 1; w < chunks; ++w)
      for (int64_t i = 0; i < n; ++i)
        ASSERT_EQ(copyOf(copies, w)[i], 0.0) << w << ' ' << i;
    chirt_private_end(copies, data.data(), n, CHIRT_F64, Add, chunks);
    ASSERT_EQ(data, expected);
  }
}

/// A value whose bits are not those of the neutral element counts as added,
/// whatever it compares to.
TEST(Private, NansArePassedOverAndNegativeZerosMerged) {
  void *copies = chirt_private_begin(600, CHIRT_F32, Min, 1 << 20, 2);
  ASSERT_NE(copies, nullptr);
  static_cast<float *>(copies)[599] = NAN;
  static_cast<float *>(copies)[3] = -0.0f;
  std::vector<float> data(600, 1.0f);
  chirt_private_end(copies, data.data(), 600, CHIRT_F32, Min, 2);
  EXPECT_EQ(data[599], 1.0f);
  EXPECT_EQ(data[3], 0.0f);
  EXPECT_TRUE(std::signbit(data[3]));
  EXPECT_EQ(data[4], 1.0f);
}

/// Copies of different sizes and kinds in use at once, launch after launch.
TEST(Private, InterleavedSizesAndKinds) {
  for (int round = 0; round < 20; ++round) {
    int64_t small = 64 + round, large = 100'000 + round % 3;
    void *a = chirt_private_begin(small, CHIRT_F32, Add, 1 << 24, 3);
    void *b = chirt_private_begin(large, CHIRT_I64, Max, 1 << 24, 3);
    void *c = chirt_private_begin(small, CHIRT_I16, Or, 1 << 24, 3);
    ASSERT_TRUE(a && b && c);
    static_cast<float *>(a)[small - 1] += 2;
    static_cast<int64_t *>(b)[large - 1] = 7;
    static_cast<int16_t *>(c)[0] |= 4;
    std::vector<float> x(size_t(small), 1);
    std::vector<int64_t> y(size_t(large), -1);
    std::vector<int16_t> z(size_t(small), 1);
    chirt_private_end(b, y.data(), large, CHIRT_I64, Max, 3);
    chirt_private_end(a, x.data(), small, CHIRT_F32, Add, 3);
    chirt_private_end(c, z.data(), small, CHIRT_I16, Or, 3);
    EXPECT_EQ(x.back(), 3);
    EXPECT_EQ(x.front(), 1);
    EXPECT_EQ(y.back(), 7);
    EXPECT_EQ(y.front(), -1);
    EXPECT_EQ(z.front(), 5);
    EXPECT_EQ(z.back(), 1);
  }
}

/// Copies that do not fit into memory: the caller has to use atomics.
TEST(Private, RefusesWhatMemoryCannotHold) {
  int64_t elements = int64_t(1) << 45; // 128 TiB of f32
  EXPECT_EQ(chirt_private_begin(elements, CHIRT_F32, Add, INT64_MAX, 2),
            nullptr);
  // All places for copies in use.
  std::vector<void *> taken;
  void *copies;
  while (taken.size() < 64 &&
         (copies = chirt_private_begin(64, CHIRT_F32, Add, 1 << 20, 2)))
    taken.push_back(copies);
  EXPECT_LT(taken.size(), 64u);
  float data[64] = {};
  for (void *one : taken)
    chirt_private_end(one, data, 64, CHIRT_F32, Add, 2);
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
  EXPECT_TRUE(std::isnan(neutralOf<float>(CHIRT_F32, Min)));
  EXPECT_TRUE(std::isnan(neutralOf<double>(CHIRT_F64, Max)));
  EXPECT_TRUE(std::signbit(neutralOf<double>(CHIRT_F64, Add)));
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

/// A launch whose iterations add 1 where they like.
struct Scatter {
  int64_t elements;
  int64_t *data;
  char *copies;
  int64_t stride;
};

void scatterOnes(void *context, int64_t begin, int64_t end, int32_t worker) {
  auto *args = static_cast<Scatter *>(context);
  auto *to = worker == 0 ? args->data
                         : reinterpret_cast<int64_t *>(
                               args->copies + (worker - 1) * args->stride);
  for (int64_t i = begin; i < end; ++i)
    to[uint64_t(i) * 2654435761u % uint64_t(args->elements)] += 1;
}

/// Launch after launch, with all workers that there are and with fewer, into a
/// small field and a large one.
TEST(Private, AllWorkersScatter) {
  constexpr int64_t dear = 1 << 20, n = 20'000;
  for (int launch = 0; launch < 40; ++launch)
    for (int64_t elements : {7, 3000, 200'000}) {
      int64_t align = launch % 2 ? 16 : n / 2;
      int chunks = chirt_num_chunks(n, align, dear);
      std::vector<int64_t> data(size_t(elements), launch);
      Scatter args{elements, data.data(), nullptr,
                   (elements * 8 + 63) & ~int64_t(63)};
      args.copies = static_cast<char *>(chirt_private_begin(
          elements, CHIRT_I64, Add, int64_t(1) << 40, chunks));
      ASSERT_NE(args.copies, nullptr);
      chirt_parallel(scatterOnes, &args, n, align, dear);
      chirt_private_end(args.copies, data.data(), elements, CHIRT_I64, Add,
                        chunks);
      std::vector<int64_t> expected(size_t(elements), launch);
      for (int64_t i = 0; i < n; ++i)
        ++expected[uint64_t(i) * 2654435761u % uint64_t(elements)];
      ASSERT_EQ(data, expected) << elements;
    }
}

TEST(Tree, JoinsNeighbours) {
  double values[] = {1e16, 1.0, -1e16, 1.0, 3.0};
  chirt_reduction_join(values, 5, CHIRT_F64, Add);
  EXPECT_EQ(values[0], ((1e16 + 1.0) + (-1e16 + 1.0)) + 3.0);
  int32_t integers[] = {3, -7, 5};
  chirt_reduction_join(integers, 3, CHIRT_I32, MinU);
  EXPECT_EQ(integers[0], 3);
  uint16_t halves[] = {0x3c00, 0x4000, 0x4200}; // 1, 2, 3
  chirt_reduction_join(halves, 3, CHIRT_F16, Add);
  EXPECT_EQ(halves[0], 0x4600); // 6
  float one = 4;
  chirt_reduction_join(&one, 1, CHIRT_F32, Add);
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

/// A host may call a library of Chi's from threads that come and go.
TEST(Scratch, AThreadGivesItsMemoryBack) {
  auto useMemory = [] {
    chirt_scratch_pop(chirt_scratch_push(8 << 20));
    chirt_fmt_text("text", 4);
  };
  std::thread(useMemory).join();
  size_t before = mallinfo2().hblkhd;
  for (int k = 0; k < 4; ++k)
    std::thread(useMemory).join();
  EXPECT_LE(mallinfo2().hblkhd, before);
}

} // namespace
