//===- HostLowering.h - Host and control functions --------------*- C++ -*-===//
#ifndef CHI_CONVERSION_HOSTTORUNTIME_HOSTLOWERING_H
#define CHI_CONVERSION_HOSTTORUNTIME_HOSTLOWERING_H

#include "chi/Conversion/Runtime.h"

namespace chi::conv {

/// Replaces a chi.rt by a call.
mlir::LogicalResult lowerRuntimeCall(ir::RtOp op, mlir::SymbolTable &symbols);

/// Replaces a chi.checked by a call of a function of the module, one for each
/// kind and type: a script of thousands of them stays one block.
void lowerChecked(Emitter &emit, ir::CheckedOp op);

/// The number of an accessed scalar in its field's memory.
mlir::Value scalarNumber(Emitter &emit, ir::FieldAccessOpInterface access);

/// Before accesses of host and control functions to the elements of fields:
/// tests whether the host's copy is current, and calls of the run time where it
/// is not.
void acquireHostFields(mlir::ModuleOp module);

/// Emits the constant `chi_program` from the module's attributes `chi.file` and
/// `chi.doc` and its params and tests, if the module has a script.
void emitProgramTable(mlir::ModuleOp module);

} // namespace chi::conv
#endif // CHI_CONVERSION_HOSTTORUNTIME_HOSTLOWERING_H
