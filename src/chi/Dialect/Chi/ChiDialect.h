//===- ChiDialect.h - The chi dialect ---------------------------*- C++ -*-===//
#ifndef CHI_DIALECT_CHI_CHIDIALECT_H
#define CHI_DIALECT_CHI_CHIDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "chi/Dialect/Chi/TaskAttrs.h"

#include "chi/Dialect/Chi/ChiDialect.h.inc"
#include "chi/Dialect/Chi/ChiEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "chi/Dialect/Chi/ChiAttributes.h.inc"
#include "chi/Dialect/Chi/ChiTypeInterfaces.h.inc"
#define GET_TYPEDEF_CLASSES
#include "chi/Dialect/Chi/ChiTypes.h.inc"
#include "chi/Dialect/Chi/ChiInterfaces.h.inc"
#define GET_OP_CLASSES
#include "chi/Dialect/Chi/ChiOps.h.inc"

namespace chi::ir {
// Names of discardable attributes on operations of other dialects, which
// ChiDialect::verifyOperationAttribute knows. Of functions:
inline constexpr llvm::StringLiteral kHostAttr = "chi.host";
inline constexpr llvm::StringLiteral kControlAttr = "chi.control";
/// The code of a task, of a slow path, and the task's name and axes for
/// messages, from chi-to-loops up to the target.
inline constexpr llvm::StringLiteral kBodyAttr = "chi.body";
inline constexpr llvm::StringLiteral kColdAttr = "chi.cold";
inline constexpr llvm::StringLiteral kKernelAttr = "chi.kernel";
inline constexpr llvm::StringLiteral kAxesAttr = "chi.axes";
/// On a declaration whose definition is in another module.
inline constexpr llvm::StringLiteral kExternAttr = "chi.extern";
/// On a constant struct, instead of an initialiser: an array of its members,
/// i32s, symbols of pointees, and units for null. A program has thousands of
/// sites; as operations each would be some thirty of them.
inline constexpr llvm::StringLiteral kMembersAttr = "chi.members";
/// On the module: the source file's name, the program's own text for --help,
/// and the names of its top-level fields.
inline constexpr llvm::StringLiteral kFileAttr = "chi.file";
inline constexpr llvm::StringLiteral kDocAttr = "chi.doc";
inline constexpr llvm::StringLiteral kFieldsAttr = "chi.fields";
inline constexpr llvm::StringLiteral kScriptName = "chi.script";
/// In a part of a text whose str is an i32: the texts of the numbers.
inline constexpr llvm::StringLiteral kTextsAttr = "texts";
/// Unit attribute of arith.sitofp: the operand lies within 2^51 of zero. Set by
/// chi-index-casts.
inline constexpr llvm::StringLiteral kInRangeAttr = "chi.in_range";

/// On the module: a DeviceAttr.
inline constexpr llvm::StringLiteral kDeviceAttr = "chi.device";
/// The processor that the module's code is compiled for; one with default
/// numbers if the module has no attribute for it.
DeviceAttr deviceOf(mlir::ModuleOp module);

/// The operation that an update combines with, if it is an accumulation:
/// nothing for `exchange`, `cas` and `load`, `add` for `sub`, which adds the
/// negated value.
std::optional<AccumKind> accumKindOf(AtomicKind kind);

/// "+", "-" or "*".
llvm::StringRef spelling(OverflowKind kind);
/// The scalar of an element type: f32 of vec<2xf32>, itself of a scalar.
mlir::Type scalarOf(mlir::Type element);
/// Lanes of a value's type: 16 of vector<16xf32>, 0 of a scalar.
int64_t lanesOf(mlir::Type type);
/// Scalars in an element type: 2 of vec<2xf32>, 1 of a scalar.
int64_t numComponentsOf(mlir::Type element);

/// Whether a function of the run time is the retain function of a type with
/// references (HandleTypeInterface).
bool isRetain(llvm::StringRef function);
/// The same for the release function.
bool isRelease(llvm::StringRef function);
/// Can two handles be of one field? Fields are whole allocations, so that one
/// of another scalar, layout or extent is another field.
bool mayAliasByType(FieldType a, FieldType b);
} // namespace chi::ir
#endif // CHI_DIALECT_CHI_CHIDIALECT_H
