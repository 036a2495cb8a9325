//===- LoopOrder.h - Loops that need not go backwards -----------*- C++ -*-===//
#ifndef CHI_AD_REVERSE_LOOPORDER_H
#define CHI_AD_REVERSE_LOOPORDER_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::ad::reverse {

/// Loops of a simplified adjoint task run backwards through the iterations of
/// the primal's loops. Makes them run forwards where no iteration depends on
/// another: their loads read memory that no iteration writes, and their stores
/// add. Neighbours in memory are then accessed in ascending order, as vectors
/// need them.
void reverseFreeLoops(ir::TaskOp task);

} // namespace chi::ad::reverse
#endif // CHI_AD_REVERSE_LOOPORDER_H
