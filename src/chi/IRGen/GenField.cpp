//===- GenField.cpp - Elements of fields, atomics, random numbers ---------===//

#include "chi/Dialect/Chi/Accumulations.h"
#include "chi/IRGen/Gen.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;

/// The name of a field in the source, for messages.
static std::string fieldName(const sema::Expr *field) {
  if (auto *global = llvm::dyn_cast<sema::GlobalExpr>(field))
    return global->global->name;
  if (auto *variable = llvm::dyn_cast<sema::VariableExpr>(field))
    return variable->variable->name;
  if (auto *companion = llvm::dyn_cast<sema::CompanionExpr>(field))
    return fieldName(companion->field) +
           (companion->isDual ? ".dual" : ".grad");
  if (auto *op = llvm::dyn_cast<sema::HostOpExpr>(field);
      op && op->op == sema::HostOp::MemberAt) {
    auto number = llvm::cast<sema::LiteralExpr>(op->args[1])->integer;
    return fieldName(op->args[0]) + "." +
           op->args[0]->type->memberNames[size_t(number)];
  }
  // A member, as it is written.
  if (auto *member = llvm::dyn_cast<sema::ExtractExpr>(field);
      member && member->base->type->hasMembers()) {
    unsigned number = member->path[0].member;
    return fieldName(member->base) +
           (member->base->type->isTuple()
                ? "[" + std::to_string(number) + "]"
                : "." + member->base->type->memberNames[number]);
  }
  return "field";
}

/// An index in 32 or 64 bits. Narrow unsigned ones must not become negative.
mlir::Value FunctionGen::widenIndex(mlir::Value value, sema::TypeRef scalar) {
  if (!scalar->isSigned && scalar->bits < 64)
    return arith::ExtUIOp::create(b, here, b.getI64Type(), value);
  if (scalar->bits < 32)
    return arith::ExtSIOp::create(b, here, b.getI32Type(), value);
  return value;
}

/// The attributes of an access that messages use.
void FunctionGen::nameAccess(ir::FieldAccessOpInterface op,
                             const Access &access) {
  if (access.name)
    op.setFieldNameAttr(access.name);
  if (access.unsignedAxes)
    op.setUnsignedAxesAttr(b.getI64IntegerAttr(access.unsignedAxes));
}

FunctionGen::Access FunctionGen::genAccess(const sema::Expr *field,
                                           ArrayRef<sema::Expr *> indices,
                                           ArrayRef<sema::PathStep> path,
                                           sema::TypeRef type) {
  Access access;
  ProgramValue fields = genExpr(field);
  if (fields.type->isFieldOfClass())
    fields.eachLeaf([&](const ProgramValue &leaf) {
      access.leaves.push_back(leaf.single());
    });
  else
    access.field = fields.single();
  for (auto [axis, index] : llvm::enumerate(indices)) {
    access.indices.push_back(widenIndex(genExpr(index).single(), index->type));
    if (!index->type->isSigned && index->type->bits == 64)
      access.unsignedAxes |= int64_t(1) << axis;
  }
  std::string name = fieldName(field);
  if (!field->type->offset
           .empty()) // messages show the indices that it has here
    name += " (counted from 0)";
  access.name = b.getStringAttr(name);
  access.count = type->numScalars();
  if (!path.empty()) // of no class
    access.first = pathIndex(field->type->element, path, here, name + "[…]");
  return access;
}

FunctionGen::Element FunctionGen::elementOf(const Access &access, Index which) {
  which = affine(access.first, 1, which);
  if (!access.isFlat)
    return {access.indices, which.dynamic, b.getI64IntegerAttr(which.constant),
            UnitAttr()};
  // A run-time number was checked where it was made.
  return {{asI32(which)}, {}, b.getI64IntegerAttr(0), b.getUnitAttr()};
}

/// ".x", ".ray.t" of each leaf of a class.
static void leafNames(sema::TypeRef type, const std::string &before,
                      SmallVectorImpl<std::string> &names) {
  if (!type->hasMembers())
    return names.push_back(before);
  for (auto [member, name] : llvm::zip(type->members, type->memberNames))
    leafNames(member, before + "." + name, names);
}

void FunctionGen::eachMember(
    const Access &access, sema::TypeRef type,
    llvm::function_ref<void(const Access &, sema::TypeRef)> visit) {
  if (access.leaves.empty())
    return visit(access, type);
  SmallVector<std::string> names;
  leafNames(type, access.name.str(), names);
  for (auto [field, leaf, name] :
       llvm::zip_equal(access.leaves, leavesOf(type), names)) {
    Access one = access;
    one.leaves.clear();
    one.field = field;
    one.count = leaf->numScalars();
    one.name = b.getStringAttr(name);
    visit(one, leaf);
  }
}

ProgramValue FunctionGen::loadElement(const Access &access,
                                      sema::TypeRef type) {
  SmallVector<mlir::Value> slots, parts;
  eachMember(access, type, [&](const Access &one, sema::TypeRef leaf) {
    ProgramValue value = loadFrom(one, leaf);
    if (value.slot)
      slots.push_back(value.slot);
    llvm::append_range(parts, value.parts);
  });
  ArrayRef<mlir::Value> restSlots = slots, restParts = parts;
  return assembled(type, restSlots, restParts);
}

ProgramValue FunctionGen::loadFrom(const Access &access, sema::TypeRef type) {
  Type scalar = module.scalarType(type);
  return map(type, [&](Index k) -> mlir::Value {
    Element element = elementOf(access, k);
    auto op = ir::LoadOp::create(b, here, scalar, access.field, element.indices,
                                 element.component, element.constant,
                                 element.inbounds);
    nameAccess(op, access);
    return op;
  });
}

void FunctionGen::storeTo(const Access &access, const ProgramValue &value) {
  forEach(access.count, [&](Index k) {
    mlir::Value part = get(value, k);
    Element element = elementOf(access, k);
    auto op = ir::StoreOp::create(b, here, part, access.field, element.indices,
                                  element.component, element.constant,
                                  element.inbounds);
    nameAccess(op, access);
  });
}

void FunctionGen::accumTo(const Access &access, ir::AccumKind kind,
                          const ProgramValue &value) {
  forEach(access.count, [&](Index k) {
    mlir::Value part = get(value, k);
    Element element = elementOf(access, k);
    auto op = ir::AccumOp::create(
        b, here, ir::AccumKindAttr::get(b.getContext(), kind), part,
        access.field, element.indices, element.component, element.constant,
        element.inbounds, ir::AccumStrategyAttr());
    nameAccess(op, access);
    instrumentAccum(op, value.type->scalar());
  });
}

ProgramValue FunctionGen::genLoad(const sema::LoadExpr &expr) {
  Access access = genAccess(expr.field, expr.indices, expr.path, expr.type);
  return loadElement(access, expr.type);
}

static ir::AtomicKind atomicKind(sema::AtomicOp op, sema::TypeRef scalar) {
  bool isUnsigned = scalar->isBool() || (scalar->isInt() && !scalar->isSigned);
  switch (op) {
  case sema::AtomicOp::Add:
    return ir::AtomicKind::add;
  case sema::AtomicOp::Sub:
    return ir::AtomicKind::sub;
  case sema::AtomicOp::Mul:
    break;
  case sema::AtomicOp::And:
    return ir::AtomicKind::bitAnd;
  case sema::AtomicOp::Or:
    return ir::AtomicKind::bitOr;
  case sema::AtomicOp::Xor:
    return ir::AtomicKind::bitXor;
  case sema::AtomicOp::Min:
    return isUnsigned ? ir::AtomicKind::minu : ir::AtomicKind::min;
  case sema::AtomicOp::Max:
    return isUnsigned ? ir::AtomicKind::maxu : ir::AtomicKind::max;
  case sema::AtomicOp::Exchange:
    return ir::AtomicKind::exchange;
  case sema::AtomicOp::Cas:
    return ir::AtomicKind::cas;
  case sema::AtomicOp::Load:
    return ir::AtomicKind::load;
  }
  llvm_unreachable("atomic operation");
}

/// For the scalar of a type.
mlir::Value FunctionGen::zeroOf(sema::TypeRef type) {
  return arith::ConstantOp::create(
      b, here, b.getZeroAttr(module.scalarType(type->scalar())));
}

ProgramValue FunctionGen::genAtomic(const sema::AtomicExpr &expr) {
  Access access = genAccess(expr.field, expr.indices, expr.path, expr.type);
  ProgramValue value, expected;
  if (expr.value)
    value = passive(genExpr(expr.value));
  if (expr.expected)
    expected = genExpr(expr.expected);
  if (!isDevice)
    return genHostAtomic(expr, access, value, expected);
  if (expr.op == sema::AtomicOp::Mul)
    return map(expr.type, [&](Index k) {
      return genAtomicProduct(expr.type->scalar(), access, k, get(value, k));
    });
  auto kind = ir::AtomicKindAttr::get(b.getContext(),
                                      atomicKind(expr.op, expr.type->scalar()));
  return map(expr.type, [&](Index k) -> mlir::Value {
    Index which = affine(access.first, 1, k);
    mlir::Value part = expr.value ? get(value, k) : zeroOf(expr.type);
    auto op = ir::AtomicOp::create(
        b, here, part.getType(), kind, part, access.field, access.indices,
        which.dynamic, expr.expected ? get(expected, k) : mlir::Value(),
        b.getI64IntegerAttr(which.constant), UnitAttr());
    nameAccess(op, access);
    return op;
  });
}

/// Memory has no atomic product: a loop exchanges the element for it until no
/// other iteration was faster. Returns the old value.
mlir::Value FunctionGen::genAtomicProduct(sema::TypeRef scalar,
                                          const Access &access, Index which,
                                          mlir::Value factor) {
  Element element = elementOf(access, which);
  auto product = ir::AccumOp::create(
      b, here, ir::AccumKindAttr::get(b.getContext(), ir::AccumKind::mul),
      factor, access.field, element.indices, element.component,
      element.constant, element.inbounds, ir::AccumStrategyAttr());
  nameAccess(product, access);
  auto multiply = [&](OpBuilder &at, mlir::Value old) -> mlir::Value {
    if (scalar->isFloat())
      return arith::MulFOp::create(at, here, old, factor);
    return arith::MulIOp::create(at, here, old, factor);
  };
  mlir::Value old = ir::updateShared(b, product, multiply).first;
  product.erase();
  if (module.options.instrumentOverflow && instrumentsOverflow(scalar))
    instrumentOverflow(ir::OverflowKind::mul, old, factor);
  return old;
}

/// Host code runs alone: a load, the operation and a store.
ProgramValue FunctionGen::genHostAtomic(const sema::AtomicExpr &expr,
                                        const Access &access,
                                        const ProgramValue &value,
                                        const ProgramValue &expected) {
  sema::TypeRef scalar = expr.type->scalar();
  ProgramValue old = loadFrom(access, expr.type);
  if (expr.op == sema::AtomicOp::Load)
    return old;
  auto binary = [&](sema::BinaryOp op) {
    return map(expr.type, [&](Index k) {
      return genScalarBinary(op, scalar, get(old, k), get(value, k));
    });
  };
  auto minMax = [&](bool isMax) {
    return map(expr.type, [&](Index k) {
      return genMinMax(isMax, scalar, get(old, k), get(value, k));
    });
  };
  auto result = [&]() -> ProgramValue {
    switch (expr.op) {
    case sema::AtomicOp::Add:
      return binary(sema::BinaryOp::Add);
    case sema::AtomicOp::Sub:
      return binary(sema::BinaryOp::Sub);
    case sema::AtomicOp::Mul:
      return binary(sema::BinaryOp::Mul);
    case sema::AtomicOp::And:
      return binary(sema::BinaryOp::BitAnd);
    case sema::AtomicOp::Or:
      return binary(sema::BinaryOp::BitOr);
    case sema::AtomicOp::Xor:
      return binary(sema::BinaryOp::BitXor);
    case sema::AtomicOp::Min:
      return minMax(false);
    case sema::AtomicOp::Max:
      return minMax(true);
    case sema::AtomicOp::Exchange:
      return value;
    case sema::AtomicOp::Load:
      break;
    case sema::AtomicOp::Cas:
      return map(expr.type, [&](Index k) -> mlir::Value {
        mlir::Value hit = genScalarCompare(sema::CompareOp::Eq, scalar,
                                           get(old, k), get(expected, k));
        return arith::SelectOp::create(b, here, hit, get(value, k),
                                       get(old, k));
      });
    }
    llvm_unreachable("atomic operation");
  };
  bool isAdded =
      expr.op == sema::AtomicOp::Add || expr.op == sema::AtomicOp::Sub;
  noteHostStore(access, expr.field->type->element, isAdded);
  storeTo(access, result());
  return old;
}

/// Uniform on [0, 1) from 64 bits, with as many bits as the type holds.
static mlir::Value uniform(OpBuilder &b, Location loc, mlir::Value bits,
                           FloatType type) {
  auto constant = [&](Type t, int64_t v) -> mlir::Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(t, v));
  };
  bool isDouble = type.isF64();
  Type word = isDouble ? b.getI64Type() : b.getI32Type();
  if (!isDouble)
    bits = arith::TruncIOp::create(b, loc, word, bits);
  int64_t keep = isDouble ? 53 : type.isF32() ? 24 : 11;
  int64_t shift = (isDouble ? 64 : 32) - keep;
  mlir::Value top = arith::ShRUIOp::create(b, loc, bits, constant(word, shift));
  mlir::Value number = arith::SIToFPOp::create(b, loc, type, top);
  mlir::Value scale = arith::ConstantOp::create(
      b, loc, b.getFloatAttr(type, std::ldexp(1.0, -int(keep))));
  return arith::MulFOp::create(b, loc, number, scale);
}

ProgramValue FunctionGen::genRandom(const sema::RandomExpr &expr) {
  if (expr.low)
    return genRandomBetween(expr);
  sema::TypeRef scalar = expr.type->scalar();
  Type i64 = b.getI64Type(), i32 = b.getI32Type();
  return map(expr.type, [&](Index) -> mlir::Value {
    mlir::Value bits = drawBits();
    if (scalar->isInt())
      return scalar->bits == 64 ? bits
                                : arith::TruncIOp::create(
                                      b, here, module.scalarType(scalar), bits)
                                      .getResult();
    if (scalar->isBool())
      return arith::TruncIOp::create(b, here, b.getI1Type(), bits);
    auto type = cast<FloatType>(module.scalarType(scalar));
    if (!expr.isNormal)
      return uniform(b, here, bits, type);
    // Box and Muller (1958): u in (0, 1] from the low word, the angle from
    // the high one.
    FloatType wide = type.isF64() ? type : b.getF32Type();
    mlir::Value low = uniform(b, here, bits, b.getF32Type());
    mlir::Value highWord =
        arith::ShRUIOp::create(b, here, bits, constInt(i64, 32));
    mlir::Value high = uniform(b, here, highWord, b.getF32Type());
    if (type.isF64()) {
      auto unit = [&](mlir::Value word) -> mlir::Value {
        mlir::Value number = arith::UIToFPOp::create(
            b, here, wide, arith::TruncIOp::create(b, here, i32, word));
        return arith::MulFOp::create(b, here, number,
                                     constFloat(wide, 0x1p-32));
      };
      low = unit(bits);
      high = unit(highWord);
    }
    mlir::Value u = arith::SubFOp::create(b, here, constFloat(wide, 1), low);
    mlir::Value radius = math::SqrtOp::create(
        b, here,
        arith::MulFOp::create(b, here, constFloat(wide, -2),
                              math::LogOp::create(b, here, u)));
    mlir::Value angle = arith::MulFOp::create(
        b, here, constFloat(wide, 6.283185307179586), high);
    mlir::Value normal = arith::MulFOp::create(
        b, here, radius, math::CosOp::create(b, here, angle));
    if (wide != type)
      normal = arith::TruncFOp::create(b, here, type, normal);
    return normal;
  });
}
