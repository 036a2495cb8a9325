//===- Online.h - Snapshots of a loop of unknown length ---------*- C++ -*-===//
// Q. Wang, P. Moin and G. Iaccarino, "Minimal repetition dynamic checkpointing
// algorithm for unsteady adjoint calculation", SIAM J. Sci. Comput. 31 (2009).
// Whenever the loop ends, its steps are run backward with no more repeats than
// a schedule needs that knew their number.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_BUDGET_ONLINE_H
#define CHIRT_BUDGET_ONLINE_H

#include "chirt/text/Text.h"
#include <cstdint>

namespace chirt {

/// The steps whose states are kept, in their order. That of the first one, 0,
/// is kept always.
class Snapshots {
public:
  Snapshots() { kept.push({0, kFirst}); }

  /// The number of snapshots, at least 1.
  int64_t size() const { return int64_t(kept.size()); }
  /// The step of a snapshot; they are numbered from 0.
  int64_t operator[](int64_t number) const { return kept[size_t(number)].step; }
  /// The step of the last one.
  int64_t last() const { return kept[kept.size() - 1].step; }
  /// Is there one of a step in [from, to]?
  bool hasIn(int64_t from, int64_t to) const;

  /// Keeps the state of a step behind the last one, of which nothing else is
  /// asked.
  void push(int64_t step) { kept.push({step, 0}); }
  /// Keeps the state of a step behind the last one, with at most `most` >= 1 in
  /// all. Returns the step whose state is dropped instead, `step` itself if it
  /// is not kept, or -1.
  int64_t add(int64_t step, int64_t most);
  /// Drops the one that is least missed; returns its step, or -1: there is but
  /// the first one.
  int64_t drop();
  /// Drops the last one, which is not the first.
  void pop() { kept.pop(); }

private:
  struct Kept {
    int64_t step;
    int32_t level;
  };
  static constexpr int32_t kFirst = INT32_MAX;
  int64_t dispensable() const;
  int64_t removeAt(int64_t number);
  Array<Kept> kept;
};

} // namespace chirt
#endif // CHIRT_BUDGET_ONLINE_H
