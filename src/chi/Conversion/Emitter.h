//===- Emitter.h - Short names for the operations lowered to ----*- C++ -*-===//
#ifndef CHI_CONVERSION_EMITTER_H
#define CHI_CONVERSION_EMITTER_H

#include "chi/Conversion/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

namespace chi::conv {

/// A builder with a place. Operations on constants fold at once; integer
/// arithmetic on `index` never overflows (it computes addresses and iteration
/// numbers of memory that exists) and has the flags for that.
class Emitter {
public:
  Emitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  explicit Emitter(mlir::OpBuilder &builder, mlir::Operation *at,
                   mlir::SymbolTable *symbols = nullptr)
      : builder(builder), loc(at->getLoc()), symbols(symbols) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// The module's symbol table, for passes that look up thousands of symbols:
  /// without it each one (Runtime.h) is found by a walk over all. While it is
  /// in use, all symbols are made through it.
  mlir::SymbolTable *symbols = nullptr;

  /// The context of the builder.
  mlir::MLIRContext *context() const { return builder.getContext(); }
  /// The type `!llvm.ptr`.
  mlir::Type ptrType() const;

  /// A constant of type `index`.
  mlir::Value index(int64_t value);
  /// An integer or float constant of `type`; of lanes of integers too.
  mlir::Value constant(mlir::Type type, int64_t value);
  /// A float constant of `type`, which may be a vector.
  mlir::Value floatConstant(mlir::Type type, double value);
  /// A constant of type i32.
  mlir::Value i32(int32_t value);
  /// A constant of type i64.
  mlir::Value i64(int64_t value);

  /// Sum of integers; without overflow for `index`.
  mlir::Value add(mlir::Value a, mlir::Value b);
  /// Difference of integers; without overflow for `index`.
  mlir::Value sub(mlir::Value a, mlir::Value b);
  /// Product of integers; without overflow for `index`.
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// Unsigned quotient. `b` must not be zero.
  mlir::Value divide(mlir::Value a, mlir::Value b);    // unsigned
  /// Unsigned remainder. `b` must not be zero.
  mlir::Value remainder(mlir::Value a, mlir::Value b); // unsigned
  /// Unsigned quotient, rounded up. `b` must be positive.
  mlir::Value ceilDivide(mlir::Value a, int64_t b);
  /// Signed minimum.
  mlir::Value min(mlir::Value a, mlir::Value b); // signed
  /// Signed maximum.
  mlir::Value max(mlir::Value a, mlir::Value b);
  /// Comparison of integers; an i1, or a vector of i1.
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b);
  /// `a` if the condition holds, else `b`.
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);

  /// Between integers and `index`, with the sign. Same type: nothing.
  mlir::Value cast(mlir::Value value, mlir::Type to);
  /// As `cast`, to `index`.
  mlir::Value toIndex(mlir::Value value);
  /// As `cast`, to i64.
  mlir::Value toI64(mlir::Value value) {
    return cast(value, builder.getI64Type());
  }
  /// An unrealised cast, or nothing if the types agree.
  mlir::Value reinterpret(mlir::Value value, mlir::Type to);

  /// Address `base + offset` elements of `type`.
  mlir::Value at(mlir::Value base, mlir::Type type, mlir::Value offset);
  /// Address of member `number` of a struct.
  mlir::Value member(mlir::Value base, mlir::Type structType, int32_t number);
  /// Loads a value of `type` from a pointer.
  mlir::Value load(mlir::Type type, mlir::Value address);
  /// Stores a value to a pointer.
  void store(mlir::Value value, mlir::Value address);
  /// The null pointer.
  mlir::Value null();

  /// Memory for `count` values, made once in the function's entry block.
  mlir::Value stack(mlir::Type type, int64_t count = 1);
  /// The same as a flat memref.
  mlir::Value stackBuffer(mlir::Type type, int64_t count);

  /// A counted loop; `body` gets the variable.
  mlir::scf::ForOp loop(mlir::Value from, mlir::Value to,
                        llvm::function_ref<void(mlir::Value)> body);
  /// An `if` without results.
  void when(mlir::Value condition, llvm::function_ref<void()> then,
            llvm::function_ref<void()> otherwise = nullptr);
};

/// Keeps LLVM from unrolling a loop of few iterations before the vectoriser has
/// seen it, and makes LLVM unroll it afterwards: where the loop is more than
/// one register of this target, its sums would stay in memory from iteration to
/// iteration.
void unrollVectorised(mlir::scf::ForOp loop);
/// Lets LLVM fully unroll the loop, if it knows the trip count.
void unrollWholly(mlir::scf::ForOp loop);
/// Keeps LLVM from unrolling and vectorising a loop that runs seldom.
void keepPlain(mlir::scf::ForOp loop);

/// The value of a constant integer or index, or of all lanes of a constant
/// vector, if it is one.
std::optional<int64_t> constantOf(mlir::Value value);

} // namespace chi::conv
#endif // CHI_CONVERSION_EMITTER_H
