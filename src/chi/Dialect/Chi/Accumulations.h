//===- Accumulations.h - What accumulations do ------------------*- C++ -*-===//
// The table chirt/accumulations.def in terms of the IR.
#ifndef CHI_DIALECT_CHI_ACCUMULATIONS_H
#define CHI_DIALECT_CHI_ACCUMULATIONS_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace chi::ir {

/// `x` combined with `y`: scalars or vectors of one type. `flags` are for
/// floats. Needs a kind that the type has.
mlir::Value combined(mlir::OpBuilder &b, mlir::Location loc, AccumKind kind,
                     mlir::Value x, mlir::Value y,
                     mlir::arith::FastMathFlags flags);

/// The value of a scalar type that changes nothing. Needs a kind that the type
/// has.
mlir::TypedAttr neutralElement(AccumKind kind, mlir::Type scalar);

/// The kind of the `memref.atomic_rmw` that accumulates into a scalar of that
/// type; nothing if a loop around a compare-exchange is needed.
std::optional<mlir::arith::AtomicRMWKind> atomicRMWKindOf(AccumKind kind,
                                                          mlir::Type scalar);
/// Its inverse; nothing for kinds that accumulate nothing.
std::optional<AccumKind> accumKindOf(mlir::arith::AtomicRMWKind kind);

/// Is the kind one of floats, too?
bool hasFloats(AccumKind kind);
/// Is the result of such an accumulation of floats rounded? Then the result of
/// several depends on their order, and may overflow. False for integers, and of
/// lanes as of scalars.
bool isRounded(AccumKind kind, mlir::Type type);

/// What the adjoint of the value of an accumulation of floats is, besides the
/// adjoint of the element.
enum class AccumAdjoint {
  none,    ///< the kind is for integers only
  read,    ///< nothing else
  product, ///< a factor: the product of all other contributions
  winner   ///< zero, except for the contribution that became the element
};
AccumAdjoint adjointOf(AccumKind kind);

/// What the code of an accumulation may assume, in the version of a task's code
/// that contains it.
struct AccumContext {
  bool isAlone;    ///< one thread executes the task, which has no axes
  bool mayOverlap; ///< the field may be another one that the task captures
  bool hasCopies;  ///< threads have copies of fields that are privatized
};
/// Must the code of an accumulation be atomic? Its strategy decides; a proof
/// that no two iterations touch the same element assumes that fields do not
/// overlap. Not for deterministic ones that are lowered as reductions.
bool isAtomic(AccumOp op, AccumContext context);

//===----------------------------------------------------------------------===//
// Updates that return the old value
//===----------------------------------------------------------------------===//

/// Builds the new value of an element from the old one.
using MakeElement =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value old)>;
/// The values of an element before and after an update.
using Updated = std::pair<mlir::Value, mlir::Value>;

/// Builds, where the builder stands, an update of the scalar that `accum`
/// names, which other iterations may update at the same time: an atomic sum, or
/// for products a compare-exchange loop. The accumulation itself stays, for the
/// caller to erase.
Updated updateShared(mlir::OpBuilder &b, AccumOp accum, MakeElement make);

/// The same where no other iteration updates the scalar: a load and a store.
Updated updateOwn(mlir::OpBuilder &b, AccumOp accum, MakeElement make);

/// Are the two the same number in memory? NaN is.
mlir::Value areSame(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                    mlir::Value y);
/// Also of vectors: 0 - `value` of integers, of floats the other sign.
mlir::Value negated(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value);

} // namespace chi::ir
#endif // CHI_DIALECT_CHI_ACCUMULATIONS_H
