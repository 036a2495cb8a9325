//===- Work.h - What a task computes and moves ------------------*- C++ -*-===//
// The work of a task as its code has it, in numbers of a launch: counts of
// operations and accesses, times of loops, boxes of indices. Nothing here is
// measured. A count is exact, an estimate (branches are taken to go the longer
// way, trip counts that depend on the iteration are those of the mean
// iteration), or unknown (loops that end at a condition).
//===----------------------------------------------------------------------===//
#ifndef CHI_PROFILE_WORK_H
#define CHI_PROFILE_WORK_H

#include <cstdint>
#include <string>
#include <vector>

struct chirt_launch_record;

namespace chi::profile {

/// How far a count can be relied on; the greater one of two holds for a sum.
enum class Quality { Exact, Estimated, Unknown };

/// A quantity that a sum is made of.
struct Term {
  enum Kind {
    Axis,     ///< index along axis `number` of the domain
    Scalar,   ///< argument `number`
    Extent,   ///< of the field that argument `number` is, along `axis`
    Loop,     ///< variable of the task's loop `number`
    Interval, ///< an integer from `least` to `greatest`
  } kind;
  int64_t number = 0, axis = 0;
  int64_t least = 0, greatest = 0;
  int64_t factor = 1;
};

/// `constant + Σ factor · quantity`.
struct Sum {
  bool isKnown = true;
  int64_t constant = 0;
  std::vector<Term> terms;
};

/// A counted loop within an iteration: from, to (exclusive), step.
struct Loop {
  Sum from, to;
  int64_t step = 1;
};

/// An access to scalars of a field that is an argument.
struct AccessWork {
  int64_t argument = 0;
  int64_t component = -1; ///< of the element; -1: not known
  bool reads = false, writes = false;
  std::vector<Sum> index; ///< one for each axis
};

struct Inner;

/// Operations in sequence. Floats of 16 bits count as those of 32.
struct Block {
  double flops32 = 0, flops64 = 0;
  double functions = 0; ///< calls of elementary functions, each also a flop
  std::vector<size_t> accesses; ///< numbers in TaskWork::accesses
  std::vector<Inner> inner;
};

/// Control flow within a block.
struct Inner {
  enum Kind { Counted, Branch, Condition } kind;
  size_t loop = 0; ///< of Counted: its number in TaskWork::loops
  std::vector<Block> blocks;
};

/// The work of one iteration of a task.
struct TaskWork {
  std::string name; ///< of its symbol: "step.t0"
  std::vector<Loop> loops;
  std::vector<AccessWork> accesses;
  Block body;
};

/// The work of one launch.
struct LaunchWork {
  double flops32 = 0, flops64 = 0, functions = 0;
  /// Of distinct elements: in the box of all that the launch reads of a field,
  /// but no more than it has accesses; writes likewise.
  double bytesRead = 0, bytesWritten = 0;
  Quality flopQuality = Quality::Exact, byteQuality = Quality::Exact;

  /// Flops of both widths.
  double flops() const { return flops32 + flops64; }
  /// Bytes of both directions.
  double bytes() const { return bytesRead + bytesWritten; }
};

/// Evaluates the work of a task for one of its launches.
LaunchWork workOfLaunch(const TaskWork &task,
                        const chirt_launch_record &launch);

} // namespace chi::profile
#endif // CHI_PROFILE_WORK_H
