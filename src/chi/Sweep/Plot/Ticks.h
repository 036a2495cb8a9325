//===- Ticks.h - Scales of axes ---------------------------------*- C++ -*-===//
#ifndef CHI_SWEEP_PLOT_TICKS_H
#define CHI_SWEEP_PLOT_TICKS_H

#include <string>
#include <vector>

namespace chi::sweep {

struct Tick {
  double value = 0;
  std::string label; ///< "" for the small ones of a logarithmic axis
};

/// The range of an axis and the places where it is marked.
struct Scale {
  double low = 0, high = 1;
  bool isLog = false;
  std::vector<Tick> ticks;

  /// From 0 at `low` to 1 at `high`.
  double place(double value) const;
};

/// A scale that holds all values, which are finite, and positive if `isLog`:
/// about `count` ticks at multiples of 1, 2 or 5 times a power of ten, or at
/// powers of ten.
Scale makeScale(const std::vector<double> &values, bool isLog, int count);

} // namespace chi::sweep
#endif // CHI_SWEEP_PLOT_TICKS_H
