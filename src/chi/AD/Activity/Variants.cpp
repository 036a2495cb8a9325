//===- Variants.cpp - Adjoints for launches with less to do ---------------===//
#include "chi/AD/Activity/Variants.h"
#include "chi/AD/Rules/Floats.h"

#include "chi/Analysis/Ranges.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace chi;
using namespace chi::ad::activity;
using namespace chi::ad::rules;

/// The largest number of adjoints of a task, including the one for all
/// launches.
static constexpr size_t kMostAdjoints = 4;
/// A descriptor represents arguments as bits of a word.
static constexpr unsigned kMostArguments = 64;

/// What the task writes is active after each launch that has an active
/// argument: the tape does not record which of the written fields are active.
static BitVector findWritten(ir::TaskOp task) {
  BitVector written(task.getNumCaptured());
  task.getBody().walk([&](Operation *op) {
    auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
    if (access && access.isWrite()) {
      auto field =
          dyn_cast<BlockArgument>(analysis::fieldBelowCasts(access.getField()));
      field ? written.set(field.getArgNumber()) : written.set();
    }
    if (isa<func::CallOp>(op))
      for (Value operand : op->getOperands())
        if (auto field = dyn_cast<BlockArgument>(operand);
            field && isa<ir::FieldType>(field.getType()))
          written.set(field.getArgNumber());
  });
  return written;
}

/// The captured values to whose adjoints the adjoint task does anything.
static BitVector findUsed(ir::TaskOp task, ir::TaskOp adjoint) {
  SmallVector<unsigned> ofFloats;
  for (auto [number, value] : llvm::enumerate(task.getCaptured()))
    if (auto field = dyn_cast<ir::FieldType>(value.getType());
        field && isFloat(field.getScalar()))
      ofFloats.push_back(number);
  // Their adjoints come last.
  BitVector used(task.getNumCaptured());
  for (auto [number, adjointOf] :
       llvm::zip(ofFloats,
                 ValueRange(adjoint.getCaptured()).take_back(ofFloats.size())))
    if (!adjointOf.use_empty())
      used.set(number);
  return used;
}

SmallVector<SmallVector<int64_t>>
chi::ad::activity::findVariants(ir::TaskOp task, ir::TaskOp adjoint,
                                ArrayRef<BitVector> passive) {
  SmallVector<SmallVector<int64_t>> variants;
  // A recorder keeps the values that one adjoint needs.
  if (passive.size() == 1 || ir::recorderOf(task) ||
      task.getNumCaptured() > kMostArguments)
    return variants;
  BitVector some = findUsed(task, adjoint);
  some.reset(findWritten(task));
  for (BitVector each : passive) {
    each &= some;
    SmallVector<int64_t> numbers(each.set_bits());
    if (!numbers.empty() && !llvm::is_contained(variants, numbers))
      variants.push_back(numbers);
  }
  if (variants.size() >= kMostAdjoints)
    variants.clear();
  return variants;
}
