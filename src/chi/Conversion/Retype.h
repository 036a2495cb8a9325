//===- Retype.h - change the type of values in place ----------------------===//
#ifndef CHI_CONVERSION_RETYPE_H
#define CHI_CONVERSION_RETYPE_H

#include "mlir/IR/BuiltinOps.h"

namespace chi::conv {

/// Gives every value of the module, and the signature of every function, the
/// type that `retyped` returns for its own. The operations must accept it.
/// Casts between types that have become equal are removed.
void retypeValues(mlir::ModuleOp module,
                  llvm::function_ref<mlir::Type(mlir::Type)> retyped);

} // namespace chi::conv

#endif
