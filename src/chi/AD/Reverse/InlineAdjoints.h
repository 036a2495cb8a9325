//===- InlineAdjoints.h - Calls that were kept for derivatives --*- C++ -*-===//
#ifndef CHI_AD_REVERSE_INLINEADJOINTS_H
#define CHI_AD_REVERSE_INLINEADJOINTS_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::ad::reverse {

/// Inlines the calls, in an adjoint task, of the adjoints that the program gave
/// for functions: they are differentiated like any other code. Calls of these
/// functions themselves stay.
void inlineAdjointCalls(ir::TaskOp adjoint);

} // namespace chi::ad::reverse
#endif // CHI_AD_REVERSE_INLINEADJOINTS_H
