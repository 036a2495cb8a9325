//===- Runtime.h - What compiled code takes from the run time ---*- C++ -*-===//
#ifndef CHI_CONVERSION_RUNTIME_H
#define CHI_CONVERSION_RUNTIME_H

#include "chi/Conversion/Layout.h"

namespace chi::conv {

/// Calls a function of api.def, declared in the module at its first use.
/// Returns null if there is no result.
mlir::Value callRuntime(Emitter &emit, llvm::StringRef name,
                        mlir::ValueRange arguments);
/// Reads a variable of the run time (`chirt_seed`).
mlir::Value loadRuntimeVariable(Emitter &emit, llvm::StringRef name);
/// Whether an `int32_t` of the run time is not zero (`chirt_failed`).
mlir::Value loadRuntimeFlag(Emitter &emit, llvm::StringRef name);

/// The address of `text`, NUL-terminated. One copy a module.
mlir::Value textConstant(Emitter &emit, llvm::StringRef text);
/// The symbol of that text, made in the module at its first use.
mlir::FlatSymbolRefAttr textSymbol(Emitter &emit, llvm::StringRef text);

/// The symbol of constant bytes. One copy a module.
mlir::FlatSymbolRefAttr bytesSymbol(Emitter &emit, llvm::StringRef prefix,
                                    llvm::StringRef bytes);

/// The symbol of a constant flat memref. One copy a module.
mlir::FlatSymbolRefAttr tableSymbol(Emitter &emit,
                                    mlir::DenseElementsAttr content);

/// Makes a constant struct: its members as `chi.members` has them.
mlir::LLVM::GlobalOp structConstant(Emitter &emit, llvm::StringRef name,
                                    mlir::Type type,
                                    llvm::ArrayRef<mlir::Attribute> members);

/// The source location of an operation, in the form of a `chirt_site`.
struct SourcePosition {
  llvm::StringRef file = "";
  int32_t line = 0, column = 0, endColumn = 0;
};
/// Innermost place of the user's text: of a call chain, the callee's.
SourcePosition positionOf(mlir::Location loc);

/// The members of a `chirt_site` (chirt.h).
struct Site {
  SourcePosition position;
  int32_t kind = 0; ///< chirt_site_kind
  llvm::StringRef what = "";
  int32_t axis = 0;
  llvm::SmallVector<uint8_t> valueTypes;
  llvm::StringRef kernel = ""; ///< empty in host code
  int32_t numAxes = 0;
  int32_t format = -1; ///< of the message, in the unit's table
  llvm::StringRef axes = "";
};

/// The members of a `chirt_site`, for ir::kMembersAttr.
mlir::ArrayAttr siteMembers(Emitter &emit, const Site &site);
/// The symbol of a constant array of structs or pointers whose members are
/// given (ir::kMembersAttr). One copy a module of equal `content`.
mlir::FlatSymbolRefAttr constantArray(Emitter &emit, llvm::StringRef prefix,
                                      llvm::StringRef content,
                                      mlir::Type element,
                                      mlir::ArrayAttr members);
/// The symbol of a constant `chirt_site`. One copy a module.
mlir::FlatSymbolRefAttr siteSymbol(Emitter &emit, const Site &site);
/// Its address.
mlir::Value siteConstant(Emitter &emit, const Site &site);

/// The symbol of the `chirt_kernel` of a kernel, which its unit defines.
inline std::string kernelTableName(llvm::StringRef kernel) {
  return (kernel + ".table").str();
}

/// The address of a function: its symbol may be a func.func yet.
mlir::Value functionAddress(Emitter &emit, mlir::func::FuncOp function);

} // namespace chi::conv
#endif // CHI_CONVERSION_RUNTIME_H
