//===- GenElimination.cpp - Determinants and inverses of large matrices ---===//
// Gaussian elimination with partial pivoting (G. H. Golub, C. F. Van Loan:
// Matrix Computations, 4th ed., 3.4): P A = L U in place, in loops. A pivot of
// zero makes the determinant zero and the inverse infinite or NaN, as 1 / 0 is
// for scalars.

#include "chi/IRGen/Gen.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;
using sema::BinaryOp;

void FunctionGen::loopOver(mlir::Value begin, mlir::Value end, int64_t step,
                           llvm::function_ref<void(mlir::Value)> body) {
  mlir::Value stride = constInt(begin.getType(), step);
  auto loop = ir::ForOp::create(b, here, begin, end, stride, UnitAttr());
  OpBuilder::InsertionGuard guard(b);
  Block *block = loop.getBody().empty() ? &loop.getBody().emplaceBlock()
                                        : &loop.getBody().front();
  if (block->getNumArguments() == 0)
    block->addArgument(begin.getType(), here);
  b.setInsertionPointToStart(block);
  body(block->getArgument(0));
  ir::NextOp::create(b, here);
}

namespace chi::irgen {
/// The factors of a square matrix, and results computed from them.
class Elimination {
public:
  Elimination(FunctionGen &gen, const ProgramValue &m)
      : gen(gen), n(m.type->shape[0]), scalar(m.type->scalar()),
        type(gen.module.scalarType(scalar)), i32(gen.b.getI32Type()),
        zero(number(0)), end(number(n)) {
    factors = gen.makeSlot("", type, n * n);
    rows = gen.makeSlot("", i32, n);
    sign = gen.makeSlot("", type);
    set(sign, gen.constFloat(type, 1));
    gen.forEach(n * n,
                [&](Index k) { set(factors, gen.get(m, k), gen.asI32(k)); });
    gen.loopOver(zero, end, 1, [&](mlir::Value k) { set(rows, k, k); });
    gen.loopOver(zero, end, 1, [&](mlir::Value k) { eliminate(k); });
  }

  mlir::Value determinant() {
    gen.loopOver(zero, end, 1, [&](mlir::Value k) {
      set(sign, combine(BinaryOp::Mul, get(sign), at(factors, k, k)));
    });
    return get(sign);
  }

  /// Column j solves A x = e_j.
  mlir::Value inverse() {
    mlir::Value result = gen.makeSlot("", type, n * n);
    mlir::Value sum = gen.makeSlot("", type);
    auto subtract = [&](mlir::Value r, mlir::Value c, mlir::Value j) {
      mlir::Value product =
          combine(BinaryOp::Mul, at(factors, r, c), at(result, c, j));
      set(sum, combine(BinaryOp::Sub, get(sum), product));
    };
    gen.loopOver(zero, end, 1, [&](mlir::Value j) {
      gen.loopOver(zero, end, 1, [&](mlir::Value r) {
        mlir::Value isOne = areEqual(get(rows, r), j);
        set(sum,
            choose(isOne, gen.constFloat(type, 1), gen.constFloat(type, 0)));
        gen.loopOver(zero, r, 1, [&](mlir::Value c) { subtract(r, c, j); });
        set(result, get(sum), position(r, j));
      });
      gen.loopOver(number(n - 1), number(-1), -1, [&](mlir::Value r) {
        set(sum, at(result, r, j));
        gen.loopOver(after(r), end, 1,
                     [&](mlir::Value c) { subtract(r, c, j); });
        set(result, combine(BinaryOp::Div, get(sum), at(factors, r, r)),
            position(r, j));
      });
    });
    return result;
  }

private:
  mlir::Value number(int64_t value) { return gen.constInt(i32, value); }
  mlir::Value combine(BinaryOp op, mlir::Value l, mlir::Value r) {
    return gen.genScalarBinary(op, scalar, l, r);
  }
  mlir::Value choose(mlir::Value c, mlir::Value l, mlir::Value r) {
    return arith::SelectOp::create(gen.b, gen.here, c, l, r);
  }
  mlir::Value areEqual(mlir::Value l, mlir::Value r) {
    return arith::CmpIOp::create(gen.b, gen.here, arith::CmpIPredicate::eq, l,
                                 r);
  }
  mlir::Value after(mlir::Value k) {
    return arith::AddIOp::create(gen.b, gen.here, k, number(1));
  }
  mlir::Value position(mlir::Value r, mlir::Value c) {
    mlir::Value start = arith::MulIOp::create(gen.b, gen.here, r, number(n));
    return arith::AddIOp::create(gen.b, gen.here, start, c);
  }
  mlir::Value get(mlir::Value slot, ValueRange index = {}) {
    Type held = cast<ir::LocalType>(slot.getType()).getScalar();
    return ir::GetOp::create(gen.b, gen.here, held, slot, index);
  }
  mlir::Value at(mlir::Value slot, mlir::Value r, mlir::Value c) {
    return get(slot, position(r, c));
  }
  void set(mlir::Value slot, mlir::Value value, ValueRange index = {}) {
    ir::SetOp::create(gen.b, gen.here, value, slot, index);
  }

  /// The row, from `k` on, whose element in column `k` is the largest.
  mlir::Value findPivot(mlir::Value k) {
    mlir::Value row = gen.makeSlot("", i32), best = gen.makeSlot("", type);
    auto size = [&](mlir::Value r) -> mlir::Value {
      return math::AbsFOp::create(gen.b, gen.here, at(factors, r, k));
    };
    set(row, k);
    set(best, size(k));
    gen.loopOver(after(k), end, 1, [&](mlir::Value r) {
      mlir::Value candidate = size(r), known = get(best);
      mlir::Value isLarger =
          gen.genScalarCompare(sema::CompareOp::Gt, scalar, candidate, known);
      set(best, choose(isLarger, candidate, known));
      set(row, choose(isLarger, r, get(row)));
    });
    return get(row);
  }

  void exchangeRows(mlir::Value k, mlir::Value p) {
    gen.loopOver(zero, end, 1, [&](mlir::Value c) {
      mlir::Value upper = at(factors, k, c), lower = at(factors, p, c);
      set(factors, lower, position(k, c));
      set(factors, upper, position(p, c));
    });
    mlir::Value upper = get(rows, k), lower = get(rows, p);
    set(rows, lower, k);
    set(rows, upper, p);
    mlir::Value old = get(sign);
    mlir::Value turned = arith::NegFOp::create(gen.b, gen.here, old);
    set(sign, choose(areEqual(k, p), old, turned));
  }

  void eliminate(mlir::Value k) {
    exchangeRows(k, findPivot(k));
    mlir::Value pivot = at(factors, k, k);
    // Below a pivot of zero all is zero: nothing to subtract.
    mlir::Value isZero = gen.genScalarCompare(sema::CompareOp::Eq, scalar,
                                              pivot, gen.constFloat(type, 0));
    mlir::Value divisor = choose(isZero, gen.constFloat(type, 1), pivot);
    gen.loopOver(after(k), end, 1, [&](mlir::Value r) {
      mlir::Value factor = combine(BinaryOp::Div, at(factors, r, k), divisor);
      set(factors, factor, position(r, k));
      gen.loopOver(after(k), end, 1, [&](mlir::Value c) {
        mlir::Value product = combine(BinaryOp::Mul, factor, at(factors, k, c));
        set(factors, combine(BinaryOp::Sub, at(factors, r, c), product),
            position(r, c));
      });
    });
  }

  FunctionGen &gen;
  int64_t n;
  sema::TypeRef scalar;
  Type type, i32;
  mlir::Value zero, end;
  mlir::Value factors; ///< L below the diagonal, U from it on
  mlir::Value rows;    ///< the permutation of the rows of A
  mlir::Value sign;    ///< -1 if the rows were exchanged an odd number of times
};
} // namespace chi::irgen

mlir::Value FunctionGen::eliminatedDeterminant(const ProgramValue &m) {
  return Elimination(*this, m).determinant();
}

ProgramValue FunctionGen::eliminatedInverse(const ProgramValue &m) {
  return {m.type, {}, Elimination(*this, m).inverse()};
}
