//===- Points.cpp - The points of a sweep ---------------------------------===//
#include "chi/Sweep/Points/Points.h"
#include "chi/Launch/Hash.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Points/Numbers.h"
#include "chi/Sweep/Points/Sobol.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace chi;
using namespace chi::sweep;

const std::string *Point::find(llvm::StringRef name) const {
  for (const Value &value : values)
    if (value.name == name)
      return &value.text;
  return nullptr;
}

std::string Point::text() const {
  std::string text;
  for (const Value &value : values)
    text += (text.empty() ? "" : ", ") + value.name + "=" + value.text;
  return text;
}

//===--- Samples ----------------------------------------------------------===//

/// The value at `x` in (0, 1) of a distribution.
static std::string valueAt(const Distribution &one, double x, bool isInteger) {
  if (one.kind == Distribution::Choice)
    return one.choices[size_t(x * double(one.choices.size()))];
  // Each integer from low to high has an interval of its own.
  double high = one.high + isInteger, value;
  if (one.kind == Distribution::LogUniform)
    value = one.low * std::pow(high / one.low, x);
  else
    value = one.low + (high - one.low) * x;
  if (isInteger)
    value = std::min(std::floor(value), one.high);
  return roundedText(value);
}

/// All sampled params as one axis.
static llvm::Expected<Axis> sample(const Space &space, unsigned samples,
                                   llvm::ArrayRef<ParamFacts> params) {
  if (space.sampled.size() > Sobol::kMostAxes)
    return failure("--sample draws at most " + llvm::Twine(Sobol::kMostAxes) +
                   " params");
  Axis axis;
  std::vector<bool> areIntegers;
  for (const Distribution &one : space.sampled) {
    axis.names.push_back(one.name);
    const ParamFacts *param = findParam(params, one.name);
    areIntegers.push_back(param && param->isInteger());
  }
  Sobol sobol(unsigned(space.sampled.size()));
  for (unsigned k = 0; k < samples; ++k) {
    std::vector<double> x = sobol.next();
    std::vector<std::string> row;
    for (auto [one, at, isInteger] : llvm::zip(space.sampled, x, areIntegers))
      row.push_back(valueAt(one, at, isInteger));
    axis.rows.push_back(std::move(row));
  }
  return axis;
}

//===--- Points -----------------------------------------------------------===//

static void append(Point &point, const Axis &axis, size_t row) {
  for (auto [name, text] : llvm::zip(axis.names, axis.rows[row]))
    point.values.push_back({name, text});
}

static llvm::Expected<std::vector<Point>> zip(llvm::ArrayRef<Axis> axes) {
  std::vector<Point> points(axes.front().rows.size());
  for (const Axis &axis : axes) {
    if (axis.rows.size() != points.size())
      return failure("--zip: `" + axis.names.front() + "` has " +
                     llvm::Twine(axis.rows.size()) + " values and `" +
                     axes.front().names.front() + "` has " +
                     llvm::Twine(points.size()));
    for (auto [row, point] : llvm::enumerate(points))
      append(point, axis, row);
  }
  return points;
}

static llvm::Expected<std::vector<Point>> grid(llvm::ArrayRef<Axis> axes) {
  uint64_t count = 1;
  for (const Axis &axis : axes) {
    count *= axis.rows.size();
    if (count > kMostPoints)
      return failure("the sweep has more than " + llvm::Twine(kMostPoints) +
                     " points");
  }
  std::vector<Point> points;
  for (uint64_t number = 0; number < count; ++number) {
    Point point;
    uint64_t below = count, rest = number;
    for (const Axis &axis : axes) {
      below /= axis.rows.size();
      append(point, axis, size_t(rest / below));
      rest %= below;
    }
    points.push_back(std::move(point));
  }
  return points;
}

/// Each name once, also if it is spelled with dashes.
static llvm::Error checkNames(llvm::ArrayRef<Axis> axes) {
  llvm::StringSet<> names;
  for (const Axis &axis : axes)
    for (std::string name : axis.names) {
      std::replace(name.begin(), name.end(), '-', '_');
      if (!names.insert(name).second)
        return failure("--over: `" + name + "` is there twice");
    }
  return llvm::Error::success();
}

llvm::Expected<std::vector<Point>>
sweep::makePoints(const Space &space, const PointOptions &options,
                  llvm::ArrayRef<ParamFacts> params) {
  std::vector<Axis> axes = space.axes;
  if (!space.sampled.empty() && !options.samples)
    return failure("--over " + space.sampled.front().name +
                   ": a distribution needs --sample N");
  if (options.samples && space.sampled.empty())
    return failure("--sample: no --over is a distribution: uniform(low,high), "
                   "loguniform(low,high), choice(a,b)");
  if (options.samples) {
    auto axis = sample(space, options.samples, params);
    if (!axis)
      return axis.takeError();
    axes.push_back(std::move(*axis));
  }
  if (axes.empty())
    return failure("--over NAME=LIST is missing");
  if (llvm::Error twice = checkNames(axes))
    return twice;
  return options.zips ? zip(axes) : grid(axes);
}

llvm::Error sweep::checkPoints(llvm::ArrayRef<Point> points,
                               llvm::ArrayRef<ParamFacts> params,
                               llvm::ArrayRef<std::string> flags) {
  for (auto [number, point] : llvm::enumerate(points))
    for (const Point::Value &value : point.values) {
      const ParamFacts *param = findParam(params, value.name);
      if (!param && llvm::is_contained(flags, value.name))
        continue;
      if (!param)
        return failure("the program has no parameter `" + value.name +
                       "`, and `chic run` no flag of that name to vary");
      std::string problem = problemOf(*param, value.text);
      if (!problem.empty())
        return failure("point " + llvm::Twine(number + 1) + " (" +
                       point.text() + "): parameter `" + param->name +
                       "`: " + problem);
    }
  return llvm::Error::success();
}

/// The values in the order of their names.
static launch::KeyText keyText(const Point &point) {
  std::vector<const Point::Value *> values;
  for (const Point::Value &value : point.values)
    values.push_back(&value);
  llvm::sort(values, [](auto *a, auto *b) { return a->name < b->name; });
  launch::KeyText key;
  for (const Point::Value *value : values)
    key.add(value->name, value->text);
  return key;
}

uint64_t sweep::seedOf(const Point &point, uint64_t sweepSeed) {
  launch::KeyText key = keyText(point);
  return key.add("--seed", sweepSeed).hash().low & ((uint64_t(1) << 53) - 1);
}

std::string sweep::keyOf(const Point &point, uint64_t seed) {
  launch::KeyText key = keyText(point);
  return key.add("--seed", seed).hash().hex();
}
