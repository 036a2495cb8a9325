//===- Rule.cpp - When enough was measured --------------------------------===//
#include "chi/Bench/Rule.h"

#include <algorithm>
#include <numeric>

using namespace chi::bench;

bool chi::bench::isEnough(const Rule &rule, llvm::ArrayRef<double> runs) {
  if (runs.empty())
    return false;
  double seconds = std::accumulate(runs.begin(), runs.end(), 0.0);
  if (seconds >= rule.mostSeconds)
    return true;
  return runs.size() >= rule.leastRuns && seconds >= rule.leastSeconds &&
         medianOf(runs).relativeError() <= rule.precision;
}

size_t chi::bench::nextLook(llvm::ArrayRef<double> runs) {
  return runs.size() + std::max<size_t>(1, runs.size() / 20);
}
