//===- ChiDialect.h - The chi dialect ---------------------------*- C++ -*-===//
#ifndef CHI_DIALECT_CHI_CHIDIALECT_H
#define CHI_DIALECT_CHI_CHIDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "chi/Dialect/Chi/ChiDialect.h.inc"
#include "chi/Dialect/Chi/ChiEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "chi/Dialect/Chi/ChiAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "chi/Dialect/Chi/ChiTypes.h.inc"
#include "chi/Dialect/Chi/ChiInterfaces.h.inc"
#define GET_OP_CLASSES
#include "chi/Dialect/Chi/ChiOps.h.inc"

namespace chi::ir {
/// Names of discardable attributes on func.func.
inline constexpr llvm::StringLiteral kHostAttr = "chi.host";
inline constexpr llvm::StringLiteral kControlAttr = "chi.control";
inline constexpr llvm::StringLiteral kScriptName = "chi.script";
/// On an access, with --check=races: the chirt_race_kind to tell the run time
/// before it (i32), as `chi-watch-races` leaves it.
inline constexpr llvm::StringLiteral kWatchAttr = "chi.watch";
/// On chi.parallel: names of its loop variables (array of strings).
inline constexpr llvm::StringLiteral kAxesAttr = "chi.axes";
/// On a field access: the source name of the field.
inline constexpr llvm::StringLiteral kNameAttr = "chi.name";
/// On chi.check: its integers are unsigned (unit). On a field access: a bit
/// mask (i64) of the axes whose index is an unsigned number of 64 bits.
inline constexpr llvm::StringLiteral kUnsignedAttr = "chi.unsigned";
/// In a part of a text whose str is an i32: the texts of the numbers.
inline constexpr llvm::StringLiteral kTextsAttr = "texts";
/// On an access of lanes: the number of the index (i64) that is one more from
/// lane to lane, where all others are the same.
inline constexpr llvm::StringLiteral kUnitAxisAttr = "chi.unit_axis";
/// Unit attribute beside it: one less from lane to lane.
inline constexpr llvm::StringLiteral kFallingAttr = "chi.falling";
/// On a check of a body for several rows: the number of its row (i64), if that
/// is not the first.
inline constexpr llvm::StringLiteral kRowNumberAttr = "chi.row_number";
/// Unit attribute of a load or accumulation: its lanes are neighbours in
/// memory, the first of them at the place that the access names. A constant
/// mask of an accumulation says which of its lanes there are.
inline constexpr llvm::StringLiteral kRowAttr = "chi.row";
/// On a store, set by chi-stage-stores: what it stores gathers in a buffer
/// first. "stream": the buffer goes to memory past the caches, where whole
/// lines are written; "cache": by plain stores. The store is the task's only
/// access of its scalars, runs once in each iteration, and its indices are
/// arithmetic of captured values and loop variables. Unless the task has a
/// tile, the index innermost in memory grows by one along the innermost axis,
/// and no other one
/// hangs on that axis.
inline constexpr llvm::StringLiteral kStageAttr = "chi.stage";
/// On a task whose stores are all staged and whose iterations may run in any
/// order (array of two axes): the stores walk along memory by the first, the
/// loads by the second.
inline constexpr llvm::StringLiteral kTileAttr = "chi.tile";
/// On a load of such a task (unit attribute): it walks along memory by the
/// second axis, and its indices are as those of a staged store.
inline constexpr llvm::StringLiteral kAheadAttr = "chi.ahead";
/// On a task that has no effect but staged stores: after how many iterations of
/// a row (i64) the same values are stored again.
inline constexpr llvm::StringLiteral kPeriodAttr = "chi.period";
/// Unit attribute of arith.fptosi: the result is known to fit its type; where
/// it does not, the value is poison. Set by chi-checked-casts. Of arith.sitofp:
/// the operand lies within 2^51 of zero. Set by chi-index-casts.
inline constexpr llvm::StringLiteral kInRangeAttr = "chi.in_range";
/// Unit attribute of kernels, control and host functions that draw random
/// numbers in the source, set by chi-number-random.
inline constexpr llvm::StringLiteral kDrawsAttr = "chi.draws";

/// Unit attribute of a global: no other variable ever holds its field, set by
/// chi-own-fields.
inline constexpr llvm::StringLiteral kOwnAttr = "chi.own";

/// "+", "-" or "*".
llvm::StringRef spelling(OverflowKind kind);
/// The scalar of an element type: f32 of vec<2xf32>, itself of a scalar.
mlir::Type scalarOf(mlir::Type element);
/// Lanes of a value's type: 16 of vector<16xf32>, 0 of a scalar.
int64_t lanesOf(mlir::Type type);
/// Scalars in an element type: 2 of vec<2xf32>, 1 of a scalar.
int64_t numComponentsOf(mlir::Type element);
/// Can two handles be of one field? Fields are whole allocations, so that one
/// of another scalar, layout or extent is another field.
bool mayBeOneField(FieldType a, FieldType b);
} // namespace chi::ir
#endif // CHI_DIALECT_CHI_CHIDIALECT_H
