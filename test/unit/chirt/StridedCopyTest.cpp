//===- StridedCopyTest.cpp - Copies between arrays of one shape -----------===//
#include "Support.h"
#include "chirt/operators/Tensors.h"
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace {

/// An array of random strides over memory of its own; the scalar of index 0 is
/// at `origin`.
struct Strided {
  chirt::ScalarArray array;
  int64_t origin = 0, size = 1;

  /// `mayRepeat`: strides of zero.
  Strided(const std::vector<int64_t> &shape, std::mt19937 &dice,
          bool mayRepeat) {
    array.rank = int(shape.size());
    std::vector<int> order(shape.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), dice);
    for (int axis : order) {
      array.shape[axis] = shape[size_t(axis)];
      int64_t step = size * int64_t(1 + dice() % 2);
      size = step * shape[size_t(axis)];
      bool isBackward = dice() % 4 == 0;
      if (mayRepeat && dice() % 5 == 0)
        step = 0;
      array.strides[axis] = isBackward ? -step : step;
      origin += isBackward ? step * (shape[size_t(axis)] - 1) : 0;
    }
  }
};

/// The numbers of the scalars in both arrays, in logical order.
template <typename F>
void eachPair(const Strided &a, const Strided &b, F &&each, int axis = 0,
              int64_t atA = 0, int64_t atB = 0) {
  if (axis == a.array.rank)
    return each(a.origin + atA, b.origin + atB);
  for (int64_t k = 0; k < a.array.shape[axis]; ++k)
    eachPair(a, b, each, axis + 1, atA + k * a.array.strides[axis],
             atB + k * b.array.strides[axis]);
}

template <typename T>
void copyAndCompare(const std::vector<int64_t> &shape, std::mt19937 &dice) {
  Strided to(shape, dice, /*mayRepeat=*/false);
  Strided from(shape, dice, /*mayRepeat=*/true);
  std::vector<T> source(size_t(from.size)), expected(size_t(to.size), T(7));
  for (T &each : source)
    each = T(dice());
  std::vector<T> target = expected;
  eachPair(to, from, [&](int64_t a, int64_t b) {
    expected[size_t(a)] = source[size_t(b)];
  });
  chirt::copyScalars(reinterpret_cast<char *>(&target[size_t(to.origin)]),
                     to.array,
                     reinterpret_cast<char *>(&source[size_t(from.origin)]),
                     from.array, sizeof(T));
  ASSERT_EQ(target, expected) << "rank " << shape.size();
}

TEST(StridedCopy, OfRandomArraysOfAllSizesOfScalars) {
  std::mt19937 dice(7);
  for (int round = 0; round < 400; ++round) {
    std::vector<int64_t> shape(dice() % 6);
    for (int64_t &extent : shape)
      extent = 1 + int64_t(dice() % 7);
    copyAndCompare<uint8_t>(shape, dice);
    copyAndCompare<uint16_t>(shape, dice);
    copyAndCompare<uint32_t>(shape, dice);
    copyAndCompare<uint64_t>(shape, dice);
  }
}

TEST(StridedCopy, OfArraysOfManyBlocks) {
  std::mt19937 dice(8);
  for (int round = 0; round < 12; ++round) {
    copyAndCompare<uint32_t>({3, 70, 4200}, dice);
    copyAndCompare<uint64_t>({300, 300}, dice);
    copyAndCompare<uint8_t>({40'000}, dice);
    copyAndCompare<uint16_t>({2, 2, 2050, 33}, dice);
  }
}

TEST(StridedCopy, OfNothing) {
  std::mt19937 dice(9);
  Strided to({4, 1}, dice, false), from({4, 1}, dice, false);
  to.array.shape[1] = from.array.shape[1] = 0;
  uint32_t target = 5, source = 6;
  chirt::copyScalars(reinterpret_cast<char *>(&target), to.array,
                     reinterpret_cast<char *>(&source), from.array, 4);
  EXPECT_EQ(target, 5u);
}

} // namespace
