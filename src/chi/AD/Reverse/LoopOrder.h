//===- LoopOrder.h - Loops that need not go backwards -----------*- C++ -*-===//
#ifndef CHI_AD_REVERSE_LOOPORDER_H
#define CHI_AD_REVERSE_LOOPORDER_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::ad::reverse {

/// Lets loops of an adjoint task, simplified, that go backwards through the
/// iterations of the primal's go forwards where no iteration hangs on another:
/// they load what nobody writes, and add. Neighbours in memory are then met in
/// their order, as vectors want them.
void turnFreeLoops(ir::TaskOp task);

} // namespace chi::ad::reverse
#endif // CHI_AD_REVERSE_LOOPORDER_H
