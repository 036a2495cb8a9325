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

/// The address of `text`, with a NUL behind it. One copy a module.
mlir::Value textConstant(Emitter &emit, llvm::StringRef text);
/// The symbol of that text, made in the module at its first use.
mlir::FlatSymbolRefAttr textSymbol(Emitter &emit, llvm::StringRef text);

/// Where an operation stands in the source, as a `chirt_site` has it.
struct SourcePlace {
  llvm::StringRef file = "";
  int32_t line = 0, column = 0, endColumn = 0;
};
/// Innermost place of the user's text: of a call chain, the callee's.
SourcePlace placeOf(mlir::Location loc);

/// What a `chirt_site` says (chirt.h).
struct Site {
  SourcePlace place;
  int32_t kind = 0; ///< chirt_site_kind
  llvm::StringRef what = "";
  int32_t axis = 0;
  llvm::SmallVector<uint8_t> valueTypes;
  llvm::StringRef kernel = ""; ///< empty in host code
  int32_t numAxes = 0;
  llvm::StringRef axes = "";
};
/// On a constant struct, in place of an initialiser: an array of its members,
/// i32s, symbols of what they point to, and units for null. A program has
/// thousands of sites; as operations each would be some thirty of them.
inline constexpr llvm::StringLiteral kMembersAttr = "chi.members";

/// The address of a constant `chirt_site`. One copy a module.
mlir::Value siteConstant(Emitter &emit, const Site &site);

/// The address of a function: its symbol may be a func.func yet.
mlir::Value functionAddress(Emitter &emit, mlir::func::FuncOp function);

/// Attributes of functions between the passes of this room.
inline constexpr llvm::StringLiteral kBodyAttr = "chi.body";
inline constexpr llvm::StringLiteral kRareAttr = "chi.rare";
inline constexpr llvm::StringLiteral kKernelAttr = "chi.kernel";
inline constexpr llvm::StringLiteral kAxesAttr = "chi.axes";
/// On a check in a task: how many of its last operands are the iteration.
inline constexpr llvm::StringLiteral kIterationAttr = "chi.iteration";
/// On a declaration whose definition stands in another module.
inline constexpr llvm::StringLiteral kExternAttr = "chi.extern";

} // namespace chi::conv
#endif // CHI_CONVERSION_RUNTIME_H
