//===- TaskFacts.cpp - What launches need to know of a task ---------------===//

#include "chi/Conversion/ChiToGPU/TaskFacts.h"
#include "chirt/device_code.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace chi;

/// Values that an operation logs (CHIRT_KERNEL_PARAM_LOG); none for most
/// operations.
static std::optional<int64_t> loggedValues(Operation *op) {
  auto access = dyn_cast<ir::FieldAccessOpInterface>(op);
  if (access && access.getRaceKindAttr())
    return 2;
  if (auto print = dyn_cast<ir::PrintOp>(op))
    return print.getValues().size();
  return std::nullopt;
}

int64_t chi::conv::kernels::loggedWords(ir::TaskOp task) {
  constexpr int64_t kHeader = 2;
  int64_t words = 0;
  bool isRepeated = false;
  task.getBody().walk([&](Operation *op) {
    std::optional<int64_t> values = loggedValues(op);
    if (!values)
      return;
    words += kHeader + *values;
    isRepeated |= op->getParentOfType<scf::ForOp>() ||
                  op->getParentOfType<scf::WhileOp>();
  });
  return isRepeated ? -1 : words;
}

std::optional<int64_t> chi::conv::kernels::tripCountOf(Region &region) {
  int64_t tripCount = 0;
  for (Operation &op : region.getOps()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    std::optional<APInt> trips;
    if (loop && !(trips = loop.getStaticTripCount()))
      return std::nullopt;
    if (isa<scf::WhileOp, func::CallOp>(op))
      return std::nullopt;
    int64_t times =
        trips ? int64_t(trips->getLimitedValue(CHIRT_FEW_ITERATIONS)) : 1;
    for (Region &inner : op.getRegions()) {
      std::optional<int64_t> each = tripCountOf(inner);
      if (!each)
        return std::nullopt;
      tripCount += times * (*each + (loop ? 1 : 0));
    }
    if (tripCount > CHIRT_FEW_ITERATIONS)
      return std::nullopt;
  }
  return tripCount;
}
