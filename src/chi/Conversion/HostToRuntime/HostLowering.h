//===- HostLowering.h - Host and control functions --------------*- C++ -*-===//
#ifndef CHI_CONVERSION_HOSTTORUNTIME_HOSTLOWERING_H
#define CHI_CONVERSION_HOSTTORUNTIME_HOSTLOWERING_H

#include "chi/Conversion/Runtime.h"

namespace chi::conv {

/// Replaces a chi.rt by a call; `chi.site` puts a site before its operands.
mlir::LogicalResult lowerRuntimeCall(ir::RtOp op, mlir::SymbolTable &symbols);

/// Replaces a chi.checked by a call of a function of the module, one for each
/// kind and type: a script of thousands of them stays one block.
void lowerChecked(Emitter &emit, ir::CheckedOp op);

/// Emits the constant `chi_program` from the module's attributes, if the
/// module has a script:
///   chi.file, chi.doc: str
///   chi.params: array of {name, dtype, globals, doc, default_text,
///     low?, high?, choices?, fixed_text?, set_default}
///   chi.tests: array of {name, function}
void emitProgramTable(mlir::ModuleOp module);

} // namespace chi::conv
#endif // CHI_CONVERSION_HOSTTORUNTIME_HOSTLOWERING_H
