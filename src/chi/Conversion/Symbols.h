//===- Symbols.h - Sites and calls where there are many ---------*- C++ -*-===//
// A module finds a symbol by a walk over all of them. A pass that makes some
// thousand sites keeps a table of its own instead.
//
#ifndef CHI_CONVERSION_SYMBOLS_H
#define CHI_CONVERSION_SYMBOLS_H

#include "chi/Conversion/Runtime.h"
#include "mlir/IR/SymbolTable.h"

namespace chi::conv {

/// As siteConstant of Runtime.h; `symbols` is the table of the module, which
/// learns what is made.
mlir::Value siteConstant(Emitter &emit, const Site &site,
                         mlir::SymbolTable &symbols);
/// As callRuntime of Runtime.h, of a function without a result.
void callRuntime(Emitter &emit, llvm::StringRef name,
                 mlir::ValueRange arguments, mlir::SymbolTable &symbols);

} // namespace chi::conv
#endif // CHI_CONVERSION_SYMBOLS_H
