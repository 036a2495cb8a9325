//===- ReduceTest.cpp - sum, min, max, argmax, dot ------------------------===//
#include "Support.h"
#include <algorithm>
#include <cmath>
#include <vector>

namespace {

/// The order of additions that [Num.5] fixes, written as plainly as can be.
double sumByTheRule(const std::vector<double> &values) {
  auto join = [](std::vector<double> parts) {
    while (parts.size() > 1) {
      std::vector<double> next;
      for (size_t i = 0; i + 1 < parts.size(); i += 2)
        next.push_back(parts[i] + parts[i + 1]);
      if (parts.size() % 2)
        next.push_back(parts.back());
      parts = next;
    }
    return parts[0];
  };
  std::vector<double> blocks;
  for (size_t start = 0; start < values.size(); start += 1024) {
    std::vector<double> lanes(16, 0.0);
    for (size_t i = start; i < values.size() && i < start + 1024; ++i)
      lanes[(i - start) % 16] += values[i];
    blocks.push_back(join(lanes));
  }
  return blocks.empty() ? 0 : join(blocks);
}

/// Numbers whose sum depends on the order.
double wild(int64_t i) {
  return std::sin(double(i)) * std::pow(10.0, double(i % 17) - 8);
}

TEST(Reduce, SumHasTheFixedOrder) {
  for (int64_t n : {1, 15, 16, 17, 1023, 1024, 1025, 5000, 700'001}) {
    chirt_field *x = makeField("f64", {n});
    std::vector<double> values;
    for (int64_t i = 0; i < n; ++i)
      values.push_back(static_cast<double *>(x->data)[i] = wild(i));
    double sum;
    chirt_field_sum(x, &sum);
    EXPECT_EQ(sum, sumByTheRule(values)) << n;
    chirt_field_release(x);
  }
}

TEST(Reduce, SumsByComponentInBothLayouts) {
  for (const char *desc : {"f32:2", "f32:2;soa"}) {
    chirt_field *x = makeField(desc, {3000});
    auto *data = static_cast<float *>(x->data);
    bool isSoa = x->is_soa;
    std::vector<double> first, second;
    for (int64_t i = 0; i < 3000; ++i) {
      first.push_back(data[isSoa ? i : 2 * i] = float(wild(i)));
      second.push_back(data[isSoa ? 3000 + i : 2 * i + 1] = float(i));
    }
    double sums[2];
    chirt_field_sum(x, sums);
    EXPECT_EQ(sums[0], sumByTheRule(first));
    EXPECT_EQ(sums[1], 2999.0 * 1500);
    chirt_field_release(x);
  }
}

TEST(Reduce, Integers) {
  chirt_field *x = makeField("i8", {1000});
  for (int i = 0; i < 1000; ++i)
    static_cast<int8_t *>(x->data)[i] = int8_t(i % 7 - 100);
  int64_t sum;
  chirt_field_sum(x, &sum);
  int64_t expected = 0;
  for (int i = 0; i < 1000; ++i)
    expected += i % 7 - 100;
  EXPECT_EQ(sum, expected);
  int8_t least, most;
  chirt_field_min(nullptr, x, &least);
  chirt_field_max(nullptr, x, &most);
  EXPECT_EQ(least, -100);
  EXPECT_EQ(most, -94);
  chirt_field_release(x);
  chirt_field *big = makeField("u64", {2});
  static_cast<uint64_t *>(big->data)[0] = UINT64_MAX - 1;
  static_cast<uint64_t *>(big->data)[1] = 1;
  uint64_t unsignedSum;
  chirt_field_sum(big, &unsignedSum);
  EXPECT_EQ(unsignedSum, UINT64_MAX);
  chirt_field_release(big);
}

// Beyond 64 bits, by component, whatever lies where; a sum of few is exact.
TEST(Reduce, WideSumsDoNotWrap) {
  chirt_field *x = makeField("u64:2;soa", {3000}),
              *y = makeField("i64", {3000}), *z = makeField("i8", {3000}),
              *none = makeField("i64", {0});
  auto *most = static_cast<uint64_t *>(x->data);
  std::fill(most, most + 3000, UINT64_MAX);
  std::fill(most + 3000, most + 6000, 3);
  std::fill_n(static_cast<int64_t *>(y->data), 3000, INT64_MIN);
  std::fill_n(static_cast<int8_t *>(z->data), 3000, int8_t(-128));
  double two[2], one;
  chirt_field_sum_wide(x, two);
  EXPECT_EQ(two[0], 3000 * 0x1p64);
  EXPECT_EQ(two[1], 9000);
  chirt_field_sum_wide(y, &one);
  EXPECT_EQ(one, -3000 * 0x1p63);
  std::fill_n(static_cast<int64_t *>(y->data), 3000, -1);
  chirt_field_sum_wide(y, &one);
  EXPECT_EQ(one, -3000);
  chirt_field_sum_wide(z, &one);
  EXPECT_EQ(one, -384000);
  chirt_field_sum_wide(none, &one);
  EXPECT_EQ(one, 0);
  for (chirt_field *field : {x, y, z, none})
    chirt_field_release(field);
}

TEST(Reduce, ExtremesAndTheirElement) {
  chirt_field *x = makeField("f32;order=1,0", {300, 200});
  auto *data = static_cast<float *>(x->data);
  for (int k = 0; k < 60'000; ++k)
    data[k] = -float(k % 1000);
  data[7 * 300 + 11] = 5; // (11, 7)
  data[3 * 300 + 12] = 5; // (12, 3): later by logical index
  float least, most;
  int64_t at[2];
  chirt_field_min(nullptr, x, &least);
  chirt_field_max(nullptr, x, &most);
  chirt_field_argmax(nullptr, x, at);
  EXPECT_EQ(least, -999);
  EXPECT_EQ(most, 5);
  EXPECT_EQ(at[0], 11);
  EXPECT_EQ(at[1], 7);
  data[40'000] = NAN;
  chirt_field_max(nullptr, x, &most);
  EXPECT_EQ(most, 5); // a nan is passed over
  data[0] = NAN; // first of all too
  chirt_field_argmax(nullptr, x, at);
  EXPECT_EQ(at[0], 11);
  EXPECT_EQ(at[1], 7);
  for (int k = 0; k < 60'000; ++k)
    data[k] = k % 2 ? -0.0f : 0.0f;
  chirt_field_min(nullptr, x, &least);
  chirt_field_max(nullptr, x, &most);
  EXPECT_TRUE(std::signbit(least));
  EXPECT_FALSE(std::signbit(most));
  data[0] = -0.0f; // the place is that of the number that max gives
  chirt_field_argmax(nullptr, x, at);
  EXPECT_FALSE(std::signbit(data[at[1] * 300 + at[0]]));
  for (int k = 0; k < 60'000; ++k)
    data[k] = NAN;
  chirt_field_argmax(nullptr, x, at);
  EXPECT_EQ(at[0] + at[1], 0);
  chirt_field_release(x);
}

TEST(Reduce, EmptyExtremesRaise) {
  chirt_field *x = makeField("f32", {0});
  float value;
  int64_t at[8];
  EXPECT_EQ(guarded([&] { chirt_field_min(nullptr, x, &value); }).err,
            "error: min() of a field without elements\n");
  EXPECT_EQ(guarded([&] { chirt_field_argmax(nullptr, x, at); }).status, 1);
  chirt_field_release(x);
}

TEST(Reduce, Dot) {
  chirt_field *a = makeField("f32:2", {50, 40}),
              *b = makeField("f32:2;soa;order=1,0", {50, 40});
  for (int k = 0; k < 4000; ++k)
    static_cast<float *>(a->data)[k] = float(k % 13);
  chirt_field_copy(nullptr, b, a);
  double expected = 0;
  for (int k = 0; k < 4000; ++k)
    expected += double(k % 13) * (k % 13);
  EXPECT_EQ(chirt_field_dot(nullptr, a, a), expected);
  EXPECT_EQ(chirt_field_dot(nullptr, a, b), expected);
  chirt_field_release(a);
  chirt_field_release(b);
}

} // namespace
