//===- Figure.h - What a plot shows -----------------------------*- C++ -*-===//
#ifndef CHI_SWEEP_PLOT_FIGURE_H
#define CHI_SWEEP_PLOT_FIGURE_H

#include "chi/Sweep/Store/Table.h"

namespace chi::sweep {

struct Curve {
  std::string name; ///< "n = 256"; "" if there is one curve only
  std::vector<std::pair<double, double>> points; ///< by x
};

struct Figure {
  std::string title, xLabel, yLabel;
  bool isLogX = false, isLogY = false;
  std::vector<Curve> curves;
  size_t numLeftOut =
      0; ///< rows without a number, or not positive on a log axis
};

/// Which columns a figure shows.
struct FigureWords {
  std::string x, y, by; ///< `by`: a curve for each value; "" for one curve
  bool isLogX = false, isLogY = false;
};

/// Columns for those that are "": `x` is the first param with two different
/// numbers (else "point"), `y` the first reported column with a number (else
/// "seconds"). If `x` is "", `by` is the first other param with 2 to 8
/// different values.
FigureWords chooseColumns(const Table &table, FigureWords words);

/// The rows of a table as curves. Fails if a column is missing, or no row has
/// both numbers.
llvm::Expected<Figure> makeFigure(const Table &table, const FigureWords &words);

} // namespace chi::sweep

#endif // CHI_SWEEP_PLOT_FIGURE_H
