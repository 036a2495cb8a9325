//===- Text.h - Printing and formatting -------------------------*- C++ -*-===//
#ifndef CHI_CONVERSION_TEXT_H
#define CHI_CONVERSION_TEXT_H

#include "chi/Conversion/Runtime.h"

namespace chi::conv {

/// Number of values that the parts of a chi.print take.
size_t countOfParts(mlir::ArrayAttr parts);

/// Number of values that one part takes which is no text.
size_t countOfPart(mlir::DictionaryAttr part);

/// Hands text and values to the thread's buffer, by `chirt_fmt_*`. `values`
/// are scalars, and strs as pointers.
void emitFormat(Emitter &emit, mlir::ArrayAttr parts, mlir::ValueRange values);

/// Replaces a chi.print; strs among its values are cast to pointers.
/// `symbols` as in Emitter.
void lowerPrint(ir::PrintOp op, mlir::SymbolTable *symbols = nullptr);

} // namespace chi::conv
#endif // CHI_CONVERSION_TEXT_H
