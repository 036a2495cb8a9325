//===- Sobol.h - Low-discrepancy samples ------------------------*- C++ -*-===//
#ifndef CHI_SWEEP_POINTS_SOBOL_H
#define CHI_SWEEP_POINTS_SOBOL_H

#include <array>
#include <cstdint>
#include <vector>

namespace chi::sweep {

/// Sobol's sequence in [0, 1)^n in the order of a Gray code (Antonov and
/// Saleev, 1979), with the direction numbers of Joe and Kuo (2008). The first
/// 2^k points have one point in each of 2^k equal intervals of every axis. Each
/// axis has a digital shift, so that the first point is no corner.
class Sobol {
public:
  static constexpr unsigned kMostAxes = 21;
  /// `axes`: 1 to kMostAxes.
  explicit Sobol(unsigned axes);

  /// The next point; each coordinate is the middle of its cell of 2^-32, so
  /// that none is 0.
  std::vector<double> next();

private:
  static constexpr unsigned kBits = 32;
  std::vector<std::array<uint32_t, kBits>> directions;
  std::vector<uint32_t> current;
  uint64_t count = 0;
};

} // namespace chi::sweep
#endif // CHI_SWEEP_POINTS_SOBOL_H
