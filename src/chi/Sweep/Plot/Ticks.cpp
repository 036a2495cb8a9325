//===- Ticks.cpp - Scales of axes -----------------------------------------===//
#include "chi/Sweep/Plot/Ticks.h"
#include <algorithm>
#include <charconv>
#include <cmath>

using namespace chi::sweep;

double Scale::place(double value) const {
  if (isLog)
    return (std::log10(value) - std::log10(low)) /
           (std::log10(high) - std::log10(low));
  return (value - low) / (high - low);
}

/// Without the last digits of sums such as 0.1 + 0.2.
static std::string labelOf(double value) {
  char text[64];
  char *end = std::to_chars(text, text + sizeof(text), value,
                            std::chars_format::general, /*precision=*/6)
                  .ptr;
  return std::string(text, end);
}

static void addLinearTicks(Scale &scale, int count) {
  double rough = (scale.high - scale.low) / count;
  double power = std::pow(10., std::floor(std::log10(rough)));
  double factor = rough / power;
  double step = power * (factor <= 1   ? 1
                         : factor <= 2 ? 2
                         : factor <= 5 ? 5
                                       : 10);
  scale.low = std::floor(scale.low / step + 1e-9) * step;
  scale.high = std::ceil(scale.high / step - 1e-9) * step;
  for (int k = 0; scale.low + k * step <= scale.high + step / 2; ++k) {
    double value = scale.low + k * step;
    if (std::abs(value) < step * 1e-6)
      value = 0;
    scale.ticks.push_back({value, labelOf(value)});
  }
}

static void addLogTicks(Scale &scale, int count) {
  int first = int(std::floor(std::log10(scale.low) + 1e-9));
  int last = int(std::ceil(std::log10(scale.high) - 1e-9));
  last = std::max(last, first + 1);
  scale.low = std::pow(10., first);
  scale.high = std::pow(10., last);
  int stride = std::max(1, (last - first + count - 1) / count);
  for (int power = first; power <= last; ++power)
    for (int digit = 1; digit < (power == last ? 2 : 10); ++digit) {
      double value = digit * std::pow(10., power);
      bool isLabelled =
          (power - first) % stride == 0 &&
          (digit == 1 || (last - first <= 2 && (digit == 2 || digit == 5)));
      scale.ticks.push_back({value, isLabelled ? labelOf(value) : ""});
    }
}

Scale chi::sweep::makeScale(const std::vector<double> &values, bool isLog,
                            int count) {
  Scale scale;
  scale.isLog = isLog;
  if (!values.empty()) {
    auto [low, high] = std::minmax_element(values.begin(), values.end());
    scale.low = *low;
    scale.high = *high;
  }
  if (isLog) {
    if (values.empty())
      scale.low = 0.1;
    addLogTicks(scale, count);
    return scale;
  }
  if (scale.low == scale.high) { // one value stands in the middle
    double margin = scale.low == 0 ? 1 : std::abs(scale.low) / 10;
    scale.low -= margin;
    scale.high += margin;
  }
  addLinearTicks(scale, count);
  return scale;
}
