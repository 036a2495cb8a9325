//===- GatherSpace.h - Iterations by the element they add to ----*- C++ -*-===//
#ifndef CHI_TRANSFORMS_NEST_GATHERSPACE_H
#define CHI_TRANSFORMS_NEST_GATHERSPACE_H

#include "chi/Analysis/Ranges.h"

#include <memory>
#include <vector>

namespace chi::nest {

/// The iterations of a task and of the counted loops round a place in it, as
/// linear inequalities.
struct Nest {
  struct Variable {
    mlir::Value value;
    analysis::Interval values;
    std::optional<unsigned> axis; ///< of the task; nothing: a loop's
    /// At least each of `from` and less than each of `to`, which are sums of
    /// earlier variables and of values that are the same in all iterations.
    /// Empty: not known.
    llvm::SmallVector<analysis::Linear, 2> from, to;
    bool isRectangle = false; ///< no bound depends on another variable
  };
  std::vector<Variable> variables; ///< axes, then loops, outer ones first

  /// The variable of the nest that `value` is; null if it is none.
  const Variable *find(mlir::Value value) const;
};

/// The nest round `position`; nothing if a loop of it is no counted one of step
/// 1 with linear bounds.
std::optional<Nest> findNest(ir::TaskOp task, mlir::Operation *point,
                             analysis::Ranges &ranges);

/// An integer before `at` as a sum of the nest's variables and captured values;
/// nothing if it is none.
std::optional<analysis::Linear> linearIn(const Nest &nest, mlir::Value value,
                                         mlir::Operation *at,
                                         analysis::Ranges &ranges);

/// The same of an index of an access whose element exists. If it is a sum of
/// two numbers that are not negative, it has not wrapped: it would be negative.
std::optional<analysis::Linear> linearIndexIn(const Nest &nest,
                                              mlir::Value index,
                                              mlir::Operation *at,
                                              analysis::Ranges &ranges);

/// The interval of a sum, from the intervals of its symbols in `valuesOf`.
analysis::Interval rangeOf(
    const analysis::Linear &sum,
    llvm::function_ref<analysis::Interval(const analysis::Symbol &)> valuesOf);

/// The iterations of a nest in another order: first by the element that one
/// accumulation adds to, then by variables that are left over. What an
/// iteration is known by in the nest are sums of these; each iteration of the
/// nest is there exactly once (loop interchange with exact bounds: the
/// inequalities of the nest, rewritten, bound the variables that are left).
struct GatherSpace {
  /// An axis of the task that has an iteration for each element.
  struct Axis {
    /// The nest's variable, or a placeholder, whose type may be wider than that
    /// of the index.
    mlir::Value symbol;
    std::optional<unsigned> kept; ///< that axis of the nest's task
    unsigned position;            ///< number of the index that it is
    /// At least each of `from` and less than each of `to`, which are sums of
    /// captured values; of a kept axis, what its domain does not imply.
    llvm::SmallVector<analysis::Linear, 2> from, to;
    analysis::Interval values;
  };
  struct Loop {
    const Nest::Variable *variable;
    llvm::SmallVector<analysis::Linear, 2> from, to;
  };

  std::vector<Axis> axes;
  std::vector<Loop> loops; ///< outer ones first
  /// All not negative, where there is an iteration at all.
  std::vector<analysis::Linear> guards;
  /// The other variables of the nest.
  std::vector<std::pair<mlir::Value, analysis::Linear>> solved;
  std::unique_ptr<mlir::Block> placeholders;

  /// A sum of the nest's variables in those of this space.
  std::optional<analysis::Linear> rewrite(analysis::Linear sum) const;
  /// Whether a variable of the nest is an axis of the new task.
  bool isKept(mlir::Value variable) const;
  /// The same axes and loops?
  bool operator==(const GatherSpace &other) const;
};

/// Nothing if indices are not linear, or bounds cannot be written.
std::optional<GatherSpace> findGatherSpace(ir::AccumOp accum, const Nest &nest,
                                           analysis::Ranges &ranges);

} // namespace chi::nest
#endif // CHI_TRANSFORMS_NEST_GATHERSPACE_H
