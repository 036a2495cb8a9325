//===- Schedule.h - How the iterations of a task are done -------*- C++ -*-===//
//-*-===//
#ifndef CHI_DIALECT_CHI_SCHEDULE_H
#define CHI_DIALECT_CHI_SCHEDULE_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::ir {

/// A ScheduleAttr to be written on: its members are that attribute's.
struct Schedule {
  ChunkUnit unit = ChunkUnit::iterations;
  int64_t align = 16;
  bool direct = false, unordered = false, noalias = false;
  llvm::SmallVector<int64_t> mayAlias;
  PeelAttr peel;
  TileAttr tile;
  llvm::SmallVector<Buffer> buffers;
  int64_t chunk = 0, line = 64, period = 0;
  llvm::SmallVector<ReductionAttr> reductions;
  bool grouped = false;
  llvm::SmallVector<PrivatizedAttr> privatized;
  int64_t panel = 0;
  bool overlapLast = false, firstFailure = false;
  bool versioned = false;

  /// Null: the members as they are here.
  static Schedule of(ScheduleAttr attr);
  /// The attribute with the values of these members.
  ScheduleAttr attr(mlir::MLIRContext *context) const;
};

/// Stores that stream write rows of at least so many bytes: a shorter one is
/// mostly ends of lines.
inline constexpr int64_t kMinStreamedRow = 1024;

/// With fewer rows there is not one for each worker, whole.
inline constexpr int64_t kManyRows = 64;
/// A row of fewer iterations is not divided.
inline constexpr int64_t kLongRow = 256;

/// The default: iterations in their order, launches divided anywhere, sums
/// added in order. Keeps the buffers of the task's schedule. Numbers the
/// accumulations of reductions.
Schedule plainSchedule(TaskOp task);

/// The captured value, below casts, that a field is; null if it is none.
mlir::BlockArgument capturedField(mlir::Value field);

/// Does it call anything but slow paths of elementary functions, which are
/// pure?
bool callsOther(mlir::Operation *op);
/// May an iteration of the task fail, or is the task instrumented?
bool mayFail(TaskOp task);
/// Does the body read a field that it writes?
bool readsWhatItWrites(TaskOp task);
/// May iterations be done twice, one after the other? Nothing that they read
/// is written, and they add to nothing, draw nothing and print nothing.
bool mayRepeat(TaskOp task);

/// On a task, a unit: iterations add to shared elements in their order, so that
/// one worker runs them, one after the other.
inline constexpr llvm::StringLiteral kOrderedAttr = "chi.ordered";

/// On a task, a unit: it has rounded sums whose order threads must not
/// determine. If it has copies of what it adds to, their number, and that of
/// the parts of its launches, depends on sizes only.
inline constexpr llvm::StringLiteral kFixedPartsAttr = "chi.fixed_parts";

/// Whether threads must not determine the order of the task's sums.
inline bool hasFixedParts(TaskOp task) {
  return task->hasAttr(kFixedPartsAttr);
}

/// Whether the task must execute its iterations in sequence.
inline bool isOrdered(TaskOp task) { return task->hasAttr(kOrderedAttr); }

/// Tells the reductions of a task apart, in the order in which it comes to
/// them.
class ReductionNumbers {
public:
  /// The number of the reduction that `op` adds to: that of its attribute if it
  /// is numbered already, otherwise by its target.
  int64_t numberOf(AccumOp op);

private:
  int64_t count = 0;
  llvm::DenseMap<int64_t, int64_t> numbered;
  llvm::DenseMap<std::pair<mlir::Value, uint64_t>,
                 llvm::SmallVector<std::pair<AccumOp, int64_t>, 1>>
      byField;
};

/// Numbers the reductions whose elements have an index, so that passes that
/// find two indices to be one join no reductions. Forgets older numbers.
void numberElementReductions(TaskOp task);

/// Has it memory that grows (chi.scratch)?
bool hasScratch(TaskOp task);

/// Bytes that the accesses of the body touch, each once.
int64_t bytesOfAccesses(TaskOp task);

// Parts of verifiers; these report.
/// Verifies that the facts refer to existing axes and arguments of the task.
mlir::LogicalResult verifyFacts(TaskOp task);
/// Verifies that the schedule matches the axes, body and facts of the task.
mlir::LogicalResult verifySchedule(TaskOp task);
/// Verifies that the constants and fields of a launch satisfy the facts of its
/// task.
mlir::LogicalResult verifyAgrees(LaunchOp launch, TaskOp task);

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_SCHEDULE_H
