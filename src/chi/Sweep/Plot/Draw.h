//===- Draw.h - Figures as pictures -----------------------------*- C++ -*-===//
#ifndef CHI_SWEEP_PLOT_DRAW_H
#define CHI_SWEEP_PLOT_DRAW_H

#include "chi/Sweep/Plot/Figure.h"
#include <functional>

namespace chi::sweep {

/// What the run time draws (chirt_draw).
struct Drawing {
  static constexpr double kWidth = 800, kHeight = 560; ///< in points
  std::vector<double> numbers;
  std::vector<std::string> texts;
};

/// The width of a text of a size, as it is drawn.
using TextWidth = std::function<double(const std::string &text, double size)>;

/// A figure with at least one curve.
Drawing drawingOf(const Figure &figure, const TextWidth &widthOf);

} // namespace chi::sweep
#endif // CHI_SWEEP_PLOT_DRAW_H
