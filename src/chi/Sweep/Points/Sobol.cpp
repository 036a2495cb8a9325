//===- Sobol.cpp - Low-discrepancy samples --------------------------------===//
#include "chi/Sweep/Points/Sobol.h"
#include <bit>
#include <cstddef>
#include <iterator>

using namespace chi::sweep;

namespace {
/// A primitive polynomial and the first direction numbers of an axis.
struct Start {
  unsigned degree, coefficients;
  uint32_t numbers[7];
};
} // namespace

/// Axes 2 to 21 of the table new-joe-kuo-6.21201.
static constexpr Start kStarts[] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};
static_assert(std::size(kStarts) + 1 == Sobol::kMostAxes);

Sobol::Sobol(unsigned axes) : directions(axes), current(axes) {
  for (unsigned axis = 0; axis < axes; ++axis) // multiples of the golden ratio
    current[axis] = 0x9e3779b9u * (axis + 1);
  for (unsigned k = 0; k < kBits; ++k) // van der Corput's sequence
    directions[0][k] = uint32_t(1) << (kBits - 1 - k);
  for (unsigned axis = 1; axis < axes; ++axis) {
    const Start &start = kStarts[axis - 1];
    auto &v = directions[axis];
    for (unsigned k = 0; k < kBits; ++k) {
      if (k < start.degree) {
        v[k] = start.numbers[k] << (kBits - 1 - k);
        continue;
      }
      v[k] = v[k - start.degree] ^ (v[k - start.degree] >> start.degree);
      for (unsigned i = 1; i < start.degree; ++i)
        if ((start.coefficients >> (start.degree - 1 - i)) & 1)
          v[k] ^= v[k - i];
    }
  }
}

std::vector<double> Sobol::next() {
  std::vector<double> point;
  for (uint32_t bits : current)
    point.push_back((bits + 0.5) * 0x1p-32);
  unsigned flipped = unsigned(std::countr_zero(++count)) % kBits;
  for (std::size_t axis = 0; axis < current.size(); ++axis)
    current[axis] ^= directions[axis][flipped];
  return point;
}
