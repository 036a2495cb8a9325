//===- GenMatrix.cpp - Matrix products, determinants, inverses ------------===//

#include "chi/IRGen/Gen.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;
using sema::BinaryOp;
using sema::Builtin;

/// Row and column of the k-th scalar of a matrix with `columns` columns.
static std::pair<Index, Index> split(OpBuilder &b, Location loc, Index k,
                                     int64_t columns) {
  if (!k.dynamic)
    return {{k.constant / columns, {}}, {k.constant % columns, {}}};
  mlir::Value n =
      arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(columns));
  mlir::Value row = arith::DivUIOp::create(b, loc, k.dynamic, n);
  mlir::Value column = arith::RemUIOp::create(b, loc, k.dynamic, n);
  return {{0, row}, {0, column}};
}

ProgramValue FunctionGen::genMatMul(const sema::BinaryExpr &expr) {
  ProgramValue lhs = genExpr(expr.lhs), rhs = genExpr(expr.rhs);
  sema::TypeRef scalar = expr.type->scalar();
  // A vec on the left is a row, on the right a column.
  int64_t inner = lhs.type->shape.back();
  int64_t columns = rhs.type->isMat() ? rhs.type->shape[1] : 1;
  return map(expr.type, [&](Index k) {
    auto [row, column] = split(b, here, k, columns);
    return fold(
        inner, scalar,
        [&](Index j) {
          mlir::Value l = get(lhs, affine(row, inner, j));
          mlir::Value r = get(rhs, affine(j, columns, column));
          return genScalarBinary(BinaryOp::Mul, scalar, l, r);
        },
        [&](mlir::Value l, mlir::Value r) {
          return genScalarBinary(BinaryOp::Add, scalar, l, r);
        });
  });
}

/// 2D: the scalar x0 y1 - x1 y0; 3D: the vector.
ProgramValue FunctionGen::genCross(const ProgramValue &x, const ProgramValue &y,
                                   sema::TypeRef type) {
  sema::TypeRef scalar = x.type->scalar();
  auto minor = [&](int64_t i, int64_t j) {
    mlir::Value l = genScalarBinary(BinaryOp::Mul, scalar, get(x, {i, {}}),
                                    get(y, {j, {}}));
    mlir::Value r = genScalarBinary(BinaryOp::Mul, scalar, get(x, {j, {}}),
                                    get(y, {i, {}}));
    return genScalarBinary(BinaryOp::Sub, scalar, l, r);
  };
  if (type->isScalar())
    return {type, {minor(0, 1)}, {}};
  return {type, {minor(1, 2), minor(2, 0), minor(0, 1)}, {}};
}

namespace {
/// Determinants of submatrices by Laplace expansion along the first row; for
/// matrices whose scalars are unrolled (up to 4 x 4).
struct Minors {
  llvm::function_ref<mlir::Value(BinaryOp, mlir::Value, mlir::Value)> combine;
  llvm::function_ref<mlir::Value(int64_t, int64_t)> at;

  mlir::Value determinant(ArrayRef<int64_t> rows, ArrayRef<int64_t> columns) {
    if (rows.size() == 1)
      return at(rows[0], columns[0]);
    mlir::Value sum;
    for (size_t c = 0; c < columns.size(); ++c) {
      SmallVector<int64_t> rest(columns);
      rest.erase(rest.begin() + c);
      mlir::Value term = combine(BinaryOp::Mul, at(rows[0], columns[c]),
                                 determinant(rows.drop_front(), rest));
      sum = !sum ? term
                 : combine(c % 2 ? BinaryOp::Sub : BinaryOp::Add, sum, term);
    }
    return sum;
  }
};
} // namespace

mlir::Value FunctionGen::genDeterminant(const ProgramValue &m) {
  sema::TypeRef scalar = m.type->scalar();
  int64_t n = m.type->shape[0];
  auto combine = [&](BinaryOp op, mlir::Value l, mlir::Value r) {
    return genScalarBinary(op, scalar, l, r);
  };
  auto at = [&](int64_t r, int64_t c) { return get(m, {r * n + c, {}}); };
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, n));
  return Minors{combine, at}.determinant(all, all);
}

/// By the adjugate, as for every matrix that is unrolled; larger ones are
/// eliminated (GenElimination.cpp).
ProgramValue FunctionGen::genInverse(const ProgramValue &m) {
  sema::TypeRef scalar = m.type->scalar();
  int64_t n = m.type->shape[0];
  auto combine = [&](BinaryOp op, mlir::Value l, mlir::Value r) {
    return genScalarBinary(op, scalar, l, r);
  };
  auto at = [&](int64_t r, int64_t c) { return get(m, {r * n + c, {}}); };
  mlir::Value one = constOf(scalar, 1);
  mlir::Value scale = combine(BinaryOp::Div, one, genDeterminant(m));
  if (n == 1)
    return {m.type, {scale}, {}};
  ProgramValue result{m.type, {}, {}};
  for (int64_t r = 0; r < n; ++r)
    for (int64_t c = 0; c < n; ++c) {
      SmallVector<int64_t> rows, columns; // of the cofactor of (c, r)
      for (int64_t k = 0; k < n; ++k) {
        if (k != c)
          rows.push_back(k);
        if (k != r)
          columns.push_back(k);
      }
      mlir::Value minor = Minors{combine, at}.determinant(rows, columns);
      if ((r + c) % 2)
        minor = arith::NegFOp::create(b, here, minor);
      result.parts.push_back(combine(BinaryOp::Mul, minor, scale));
    }
  return result;
}

ProgramValue FunctionGen::genMatrixBuiltin(const sema::BuiltinExpr &expr) {
  sema::TypeRef type = expr.type, scalar = type->scalar();
  SmallVector<ProgramValue> args;
  for (const sema::Expr *arg : expr.args)
    args.push_back(genExpr(arg));
  switch (expr.op) {
  case Builtin::Cross:
    return genCross(args[0], args[1], type);
  case Builtin::Outer:
    return map(type, [&](Index k) {
      auto [row, column] = split(b, here, k, type->shape[1]);
      return genScalarBinary(BinaryOp::Mul, scalar, get(args[0], row),
                             get(args[1], column));
    });
  case Builtin::Transpose:
    return map(type, [&](Index k) {
      auto [row, column] = split(b, here, k, type->shape[1]);
      return get(args[0], affine(column, type->shape[0], row));
    });
  case Builtin::Determinant:
    return {type,
            {livesInMemory(args[0].type) ? eliminatedDeterminant(args[0])
                                         : genDeterminant(args[0])},
            {}};
  case Builtin::Inverse:
    return livesInMemory(args[0].type) ? eliminatedInverse(args[0])
                                       : genInverse(args[0]);
  case Builtin::Trace: {
    int64_t n = args[0].type->shape[0];
    return {
        type,
        {fold(
            n, scalar, [&](Index k) { return get(args[0], affine(k, n, k)); },
            [&](mlir::Value l, mlir::Value r) {
              return genScalarBinary(BinaryOp::Add, scalar, l, r);
            })},
        {}};
  }
  case Builtin::Column: {
    int64_t columns = args[0].type->shape[1];
    Index column{0, {}};
    if (auto *literal = llvm::dyn_cast<sema::LiteralExpr>(expr.args[1])) {
      column.constant = literal->integer;
    } else {
      mlir::Value j = widenIndex(args[1].single(), expr.args[1]->type);
      mlir::Value bound = constInt(j.getType(), columns);
      mlir::Value ok =
          arith::CmpIOp::create(b, here, arith::CmpIPredicate::ult, j, bound);
      check(here, ir::CheckKind::bounds, ok, {j, bound}, "col", 1,
            !expr.args[1]->type->isSigned);
      if (j.getType().getIntOrFloatBitWidth() != 32)
        j = arith::TruncIOp::create(b, here, b.getI32Type(), j);
      column.dynamic = j;
    }
    return map(type, [&](Index k) {
      return get(args[0], affine(k, columns, column));
    });
  }
  case Builtin::Diag:
  case Builtin::Identity:
    return map(type, [&](Index k) -> mlir::Value {
      auto [row, column] = split(b, here, k, type->shape[1]);
      bool isDiag = expr.op == Builtin::Diag;
      if (!k.dynamic) {
        if (row.constant != column.constant)
          return constOf(scalar, 0);
        return isDiag ? get(args[0], row) : constOf(scalar, 1);
      }
      mlir::Value hit = arith::CmpIOp::create(b, here, arith::CmpIPredicate::eq,
                                              row.dynamic, column.dynamic);
      mlir::Value on = isDiag ? get(args[0], row) : constOf(scalar, 1);
      return arith::SelectOp::create(b, here, hit, on, constOf(scalar, 0));
    });
  default:
    llvm_unreachable("not a matrix function");
  }
}
