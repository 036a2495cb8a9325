//===- IntervalTest.cpp - Intervals against all values of 6 bits ----------===//
#include "chi/Analysis/Interval.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

using namespace chi::analysis;

namespace {
constexpr unsigned kWidth = 6;

int64_t wrap(int64_t value) {
  int64_t bits = value & 63;
  return bits >= 32 ? bits - 64 : bits;
}

using OnIntervals = std::function<Interval(Interval, Interval, unsigned)>;
using OnValues =
    std::function<std::optional<int64_t>(int64_t, int64_t)>;

/// Every result of two values lies in the result of their intervals.
void expectSound(OnIntervals known, OnValues exact) {
  const int64_t ends[] = {-32, -31, -7, -2, -1, 0, 1, 2, 3, 8, 30, 31};
  for (int64_t a : ends)
    for (int64_t b : ends)
      for (int64_t c : ends)
        for (int64_t d : ends) {
          if (a > b || c > d)
            continue;
          Interval result = known({a, b}, {c, d}, kWidth);
          for (int64_t x = a; x <= b; ++x)
            for (int64_t y = c; y <= d; ++y)
              if (auto value = exact(x, y)) {
                ASSERT_LE(result.lo, wrap(*value))
                    << x << " and " << y << " of " << a << ".." << b << " and "
                    << c << ".." << d;
                ASSERT_GE(result.hi, wrap(*value))
                    << x << " and " << y << " of " << a << ".." << b << " and "
                    << c << ".." << d;
              }
        }
}

int64_t floorDiv(int64_t x, int64_t y) {
  int64_t q = x / y;
  return x % y != 0 && (x < 0) != (y < 0) ? q - 1 : q;
}

TEST(IntervalTest, SumsAndProducts) {
  expectSound(add, [](int64_t x, int64_t y) { return x + y; });
  expectSound(subtract, [](int64_t x, int64_t y) { return x - y; });
  expectSound(multiply, [](int64_t x, int64_t y) { return x * y; });
}

TEST(IntervalTest, Divisions) {
  auto unlessZero = [](auto f) {
    return [f](int64_t x, int64_t y) -> std::optional<int64_t> {
      if (y == 0)
        return std::nullopt;
      return f(x, y);
    };
  };
  expectSound(floorDivide, unlessZero(floorDiv));
  expectSound(truncDivide,
              unlessZero([](int64_t x, int64_t y) { return x / y; }));
  expectSound(floorModulo, unlessZero([](int64_t x, int64_t y) {
                return x - floorDiv(x, y) * y;
              }));
  expectSound(truncRemainder,
              unlessZero([](int64_t x, int64_t y) { return x % y; }));
}

TEST(IntervalTest, Bits) {
  expectSound(bitAnd, [](int64_t x, int64_t y) { return x & y; });
  expectSound(bitOr, [](int64_t x, int64_t y) { return x | y; });
  expectSound(bitOr, [](int64_t x, int64_t y) { return x ^ y; });
}

TEST(IntervalTest, IsPreciseWhereItMatters) {
  EXPECT_EQ(floorModulo({-5, 900}, Interval::point(16), 32),
            (Interval{0, 15}));
  EXPECT_EQ(floorModulo({2, 9}, Interval::point(16), 32), (Interval{2, 9}));
  EXPECT_EQ(floorDivide({-16, 31}, Interval::point(16), 32),
            (Interval{-1, 1}));
  EXPECT_EQ(bitAnd(Interval::full(32), Interval::point(255), 32),
            (Interval{0, 255}));
}

TEST(IntervalTest, AllOfAWidth) {
  EXPECT_EQ(Interval::full(8), (Interval{-128, 127}));
  EXPECT_EQ(Interval::full(63), (Interval{INT64_MIN / 2, INT64_MAX / 2}));
  // What is no integer has no width, and may be anything.
  EXPECT_EQ(Interval::full(0), Interval::full(64));
}

TEST(IntervalTest, WrapsToAll) {
  EXPECT_EQ(add({0, INT32_MAX}, Interval::point(1), 32), Interval::full(32));
  EXPECT_EQ(add({0, INT32_MAX}, Interval::point(1), 64),
            (Interval{1, int64_t(INT32_MAX) + 1}));
  EXPECT_EQ(multiply(Interval::full(64), Interval::full(64), 64),
            Interval::full(64));
}
} // namespace
