//===- Diagnostics.cpp - Reports to the user ------------------------------===//
#include "chi/Diagnostics/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <tuple>

using namespace chi;

DiagnosticBuilder::~DiagnosticBuilder() {
  if (engine)
    engine->add(std::move(diagnostic));
}

void DiagnosticEngine::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Error)
    ++numErrors;
  diagnostics.push_back(std::move(diagnostic));
}

void DiagnosticEngine::discardSince(size_t mark) {
  for (size_t i = mark; i < diagnostics.size(); ++i)
    if (diagnostics[i].severity == Severity::Error)
      --numErrors;
  if (mark < diagnostics.size())
    diagnostics.erase(diagnostics.begin() + mark, diagnostics.end());
}

/// The position of a diagnostic in the order of the text. One without a place
/// comes last: its file is the largest number.
static auto positionOf(const Diagnostic &d) {
  return std::make_tuple(d.range.file, d.range.begin, d.range.end);
}

void DiagnosticEngine::flush(DiagnosticConsumer &consumer) {
  std::vector<Diagnostic> all = std::move(diagnostics);
  diagnostics.clear();
  // Sorting positions, not the diagnostics, keeps the order of reporting
  // among those at one place.
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::make_pair(positionOf(all[a]), a) <
           std::make_pair(positionOf(all[b]), b);
  });
  size_t group = 0; // the first in `order` at the place of `i`
  for (size_t i = 0; i < order.size(); ++i) {
    const Diagnostic &current = all[order[i]];
    if (positionOf(current) != positionOf(all[order[group]]))
      group = i;
    bool isRepeat = false;
    for (size_t j = group; j < i && !isRepeat; ++j) {
      const Diagnostic &earlier = all[order[j]];
      isRepeat = earlier.code == current.code &&
                 (current.range.isValid() ||
                  earlier.message == current.message);
    }
    if (!isRepeat)
      consumer.consume(current);
    else if (current.severity == Severity::Error)
      --numErrors;
  }
}
