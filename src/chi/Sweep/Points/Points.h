//===- Points.h - The points of a sweep -------------------------*- C++ -*-===//
#ifndef CHI_SWEEP_POINTS_POINTS_H
#define CHI_SWEEP_POINTS_POINTS_H

#include "chi/Sweep/Points/Axes.h"
#include "chi/Sweep/Points/ParamFacts.h"
#include <cstdint>

namespace chi::sweep {

/// The values of one run, in the order of --over.
struct Point {
  struct Value {
    std::string name, text;
  };
  std::vector<Value> values;

  /// The value of a name; null if the point has none.
  const std::string *find(llvm::StringRef name) const;
  /// "dt=0.1, n=256".
  std::string text() const;
};

/// How the axes of a space become points.
struct PointOptions {
  bool zips = false;    ///< side by side; else the grid, last axis fastest
  unsigned samples = 0; ///< of --sample
};

/// The most points of a sweep.
inline constexpr uint64_t kMostPoints = 1000000;

/// All points. Fails if a name comes twice, lists of --zip differ in length,
/// --sample is missing or needless, or there are more than kMostPoints.
llvm::Expected<std::vector<Point>>
makePoints(const Space &space, const PointOptions &options,
           llvm::ArrayRef<ParamFacts> params);

/// Fails for the first value that is none of its param, or of a name that is
/// neither a param nor one of `flags`; names the point and the param.
llvm::Error checkPoints(llvm::ArrayRef<Point> points,
                        llvm::ArrayRef<ParamFacts> params,
                        llvm::ArrayRef<std::string> flags);

/// The seed of a point: a hash of the sweep's seed and the point's values, less
/// than 2^53, so that tables of floats have it exactly. The order of values
/// does not matter.
uint64_t seedOf(const Point &point, uint64_t sweepSeed);

/// What identifies a point in a table of one program: its values and its seed.
std::string keyOf(const Point &point, uint64_t seed);

} // namespace chi::sweep
#endif // CHI_SWEEP_POINTS_POINTS_H
