//===- GenVariable.cpp - Variables, globals, places -----------------------===//
// Note [Owned handles] in GenHandle.cpp describes the ownership of a field or
// str that is stored.

#include "chi/IRGen/Gen.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;

mlir::Value FunctionGen::makeSlot(StringRef name, Type type,
                                  ArrayRef<int64_t> shape) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(frame);
  auto slotType = ir::LocalType::get(b.getContext(), shape, type);
  mlir::Value slot =
      ir::LocalOp::create(b, here, slotType, b.getStringAttr(name));
  if (isHandle(type)) {
    b.setInsertionPointAfter(slot.getDefiningOp());
    mlir::Value null = ir::NullOp::create(b, here, type);
    ir::SetOp::create(b, here, null, slot, ValueRange{});
    if (!isDevice)
      ownedHandles.push_back(slot);
  }
  return slot;
}

/// What the cell of a variable holds: of a complex number its parts.
static sema::TypeRef heldType(sema::TypeRef type) {
  return type->isComplex ? type->members[0] : type;
}

FunctionGen::Storage &FunctionGen::storage(const sema::Variable *variable) {
  auto it = variables.find(variable);
  if (it != variables.end())
    return it->second;
  Storage made;
  sema::TypeRef type = variable->type;
  if (cells.contains(variable)) {
    type = heldType(type);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(frame);
    made.isFlat = variable->isReducedAtRunTime || livesInMemory(type);
    auto cellType =
        made.isFlat
            ? ir::FieldType::get(b.getContext(), type->numScalars(),
                                 module.scalarType(type))
            : ir::FieldType::get(b.getContext(), {}, module.elementType(type));
    made.cell =
        ir::CellOp::create(b, here, cellType, b.getStringAttr(variable->name));
  } else {
    for (sema::TypeRef leaf : leavesOf(type))
      addSlots(made, variable, leaf);
  }
  return variables[variable] = std::move(made);
}

void FunctionGen::addSlots(Storage &stored, const sema::Variable *variable,
                           sema::TypeRef leaf) {
  if (livesInMemory(leaf)) {
    stored.slots.push_back(
        makeSlot(variable->name, module.scalarType(leaf), leaf->numScalars()));
    return;
  }
  SmallVector<Type> types;
  module.flattenTypes(leaf, types, isDevice);
  for (Type part : types) {
    bool isBound = isDevice && isa<ir::FieldType>(part);
    stored.slots.push_back(isBound ? mlir::Value()
                                   : makeSlot(variable->name, part));
  }
}

FunctionGen::Access FunctionGen::cellAccess(const sema::Variable *variable,
                                            Index first, int64_t count) {
  const Storage &stored = storage(variable);
  return {stored.cell,  {}, first, count, b.getStringAttr(variable->name),
          stored.isFlat};
}

ProgramValue FunctionGen::readSlots(const Storage &stored, sema::TypeRef type,
                                    unsigned &next) {
  ProgramValue value{type, {}, {}};
  if (type->hasMembers()) {
    for (sema::TypeRef member : type->members)
      value.members.push_back(readSlots(stored, member, next));
    return value;
  }
  if (livesInMemory(type)) {
    mlir::Value slot = stored.slots[next++];
    if (isa<ir::FieldType>(slot.getType()))
      return loadFrom(flatAccess(slot, type), type);
    value.slot = slot;
    return value;
  }
  for (int64_t k = 0; k < type->numScalars(); ++k, ++next) {
    mlir::Value slot = stored.slots[next];
    if (!slot) {
      value.parts.push_back(stored.bound[next]);
      continue;
    }
    Type held = cast<ir::LocalType>(slot.getType()).getScalar();
    value.parts.push_back(ir::GetOp::create(b, here, held, slot, ValueRange{}));
  }
  return value;
}

ProgramValue FunctionGen::readVariable(const sema::Variable *variable) {
  Storage &stored = storage(variable);
  if (stored.cell) {
    sema::TypeRef type = variable->type;
    ProgramValue held =
        loadFrom(cellAccess(variable, {}, type->numScalars()), heldType(type));
    if (!type->isComplex)
      return held;
    ProgramValue number{type, {}, {}};
    number.members.push_back(std::move(held));
    return number;
  }
  unsigned next = 0;
  return readSlots(stored, variable->type, next);
}

FunctionGen::Access FunctionGen::flatAccess(mlir::Value field,
                                            sema::TypeRef leaf) {
  return {field, {}, {}, leaf->numScalars(), {}, /*isFlat=*/true};
}

void FunctionGen::writeArray(mlir::Value slot, const ProgramValue &value) {
  if (slot == value.slot)
    return;
  if (isa<ir::FieldType>(slot.getType()))
    return storeTo(flatAccess(slot, value.type), value);
  forEach(value.type->numScalars(), [&](Index k) {
    ir::SetOp::create(b, here, get(value, k), slot, asI32(k));
  });
}

/// The leaves of a value that goes to `slots`, with copies of arrays that it
/// has from there at another place: `t = (t[1], t[0])` reads both before it
/// writes.
SmallVector<ProgramValue, 1> FunctionGen::leavesFor(ArrayRef<mlir::Value> slots,
                                                    const ProgramValue &value,
                                                    size_t next) {
  SmallVector<ProgramValue, 1> leaves;
  value.eachLeaf([&](const ProgramValue &leaf) {
    bool isElsewhere = leaf.slot && leaf.slot != slots[next] &&
                       llvm::is_contained(slots, leaf.slot);
    leaves.push_back(isElsewhere ? copyToMemory(leaf) : leaf);
    next += leaf.slot ? 1 : leaf.parts.size();
  });
  return leaves;
}

void FunctionGen::writeSlots(Storage &stored, const ProgramValue &value,
                             size_t next) {
  stored.bound.resize(stored.slots.size());
  SmallVector<mlir::Value> old;
  for (const ProgramValue &leaf : leavesFor(stored.slots, value, next)) {
    if (leaf.slot)
      writeArray(stored.slots[next++], leaf);
    for (mlir::Value part : leaf.parts) {
      mlir::Value slot = stored.slots[next];
      stored.bound[next++] = slot ? mlir::Value() : part;
      if (!slot)
        continue;
      if (isHandle(part.getType()))
        old.push_back(
            ir::GetOp::create(b, here, part.getType(), slot, ValueRange{}));
      ir::SetOp::create(b, here, part, slot, ValueRange{});
    }
  }
  release(old);
}

void FunctionGen::writeVariable(const sema::Variable *variable,
                                const ProgramValue &value) {
  Storage &stored = storage(variable);
  sema::TypeRef type = variable->type;
  if (stored.cell)
    return storeTo(cellAccess(variable, {}, type->numScalars()),
                   value.members.empty() ? value : value.members[0]);
  if (!holdsHandle(type))
    return writeSlots(stored, value);
  own(value);
  writeSlots(stored, castFields(value, type));
}

FunctionGen::Access FunctionGen::globalAccess(const sema::Global *global,
                                              StringRef symbol,
                                              sema::TypeRef leaf, Index first,
                                              int64_t count) {
  mlir::Value field =
      ir::GlobalLoadOp::create(b, here, module.memoryFieldType(leaf), symbol);
  return {field,          {}, first, count, b.getStringAttr(global->name),
          /*isFlat=*/true};
}

void FunctionGen::makeGlobals() {
  for (const auto &global : module.program.globals) {
    if (!holdsMemory(global->type))
      continue;
    here = loc(global->range);
    ArrayRef<std::string> names = module.globalNames(global.get());
    for (sema::TypeRef leaf : leavesOf(global->type)) {
      if (!livesInMemory(leaf)) {
        names = names.drop_front(leaf->numScalars());
        continue;
      }
      StringRef name = names.consume_front();
      mlir::Value old = globalAccess(global.get(), name, leaf, {}, 0).field;
      ir::GlobalStoreOp::create(b, here, makeMemoryField(leaf), name);
      release(old); // a library's program may run again
    }
  }
}

ProgramValue FunctionGen::readGlobals(const sema::Global *global,
                                      sema::TypeRef type,
                                      ArrayRef<std::string> &names) {
  ProgramValue value{type, {}, {}};
  if (type->hasMembers()) {
    for (sema::TypeRef member : type->members)
      value.members.push_back(readGlobals(global, member, names));
    return value;
  }
  if (livesInMemory(type))
    return loadFrom(globalAccess(global, names.consume_front(), type, {},
                                 type->numScalars()),
                    type);
  SmallVector<Type> types;
  module.flattenTypes(type, types);
  for (Type part : types)
    value.parts.push_back(
        ir::GlobalLoadOp::create(b, here, part, names.consume_front()));
  return value;
}

ProgramValue FunctionGen::readGlobal(const sema::Global *global) {
  ArrayRef<std::string> names = module.globalNames(global);
  return readGlobals(global, global->type, names);
}

void FunctionGen::writeGlobal(const sema::Global *global,
                              const ProgramValue &value) {
  writeGlobals(global, castFields(value, global->type), 0);
}

/// Stores a value, or a member whose globals begin at `first`.
void FunctionGen::writeGlobals(const sema::Global *global,
                               const ProgramValue &fitting, size_t first) {
  ArrayRef<std::string> names = module.globalNames(global).drop_front(first);
  own(fitting);
  SmallVector<mlir::Value> old;
  fitting.eachLeaf([&](const ProgramValue &leaf) {
    if (livesInMemory(leaf.type))
      return storeTo(globalAccess(global, names.consume_front(), leaf.type, {},
                                  leaf.type->numScalars()),
                     leaf);
    for (mlir::Value part : leaf.parts) {
      StringRef name = names.consume_front();
      if (isHandle(part.getType()))
        old.push_back(ir::GlobalLoadOp::create(b, here, part.getType(), name));
      ir::GlobalStoreOp::create(b, here, part, name);
    }
  });
  release(old);
}

void FunctionGen::genAssign(const sema::AssignStmt &stmt) {
  // An array that is a cell is zeroed where it lies.
  auto *fill = llvm::dyn_cast<sema::SplatExpr>(stmt.value);
  const sema::LValue &whole = stmt.lvalue;
  if (fill && whole.kind == sema::LValue::Local && whole.path.empty() &&
      cells.contains(whole.variable) && livesInMemory(whole.type)) {
    mlir::Value scalar = genExpr(fill->operand).single();
    int64_t count = whole.type->numScalars();
    Access access = cellAccess(whole.variable, {}, 1);
    forEach(count, [&](Index k) {
      access.first = k;
      storeTo(access, {whole.type->scalar(), {scalar}, {}});
    });
    return;
  }
  ProgramValue value = genExpr(stmt.value);
  if (stmt.lvalue.kind == sema::LValue::Element)
    value = passive(value);
  here = loc(stmt.lvalue.range);
  writeTarget(stmt.lvalue, genTarget(stmt.lvalue), value);
}

/// A member of a variable of this function or of the program.
ProgramValue FunctionGen::readInner(const sema::LValue &lvalue,
                                    const Inner &inner) {
  if (lvalue.kind == sema::LValue::Local) {
    Storage &stored = storage(lvalue.variable);
    if (stored.cell) {
      ProgramValue whole = readVariable(lvalue.variable);
      return inner.type == whole.type ? whole : whole.members[0];
    }
    unsigned next = inner.first;
    return readSlots(stored, inner.type, next);
  }
  ArrayRef<std::string> names =
      module.globalNames(lvalue.global).drop_front(inner.first);
  return readGlobals(lvalue.global, inner.type, names);
}

void FunctionGen::writeInner(const sema::LValue &lvalue, const Inner &inner,
                             const ProgramValue &value) {
  if (lvalue.kind == sema::LValue::TopLevel)
    return writeGlobals(lvalue.global, castFields(value, inner.type),
                        inner.first);
  Storage &stored = storage(lvalue.variable);
  if (stored.cell || !lvalue.variable->type->hasMembers())
    return writeVariable(lvalue.variable, value);
  if (holdsHandle(inner.type))
    own(value);
  writeSlots(stored, castFields(value, inner.type), inner.first);
}

void FunctionGen::writeComponents(const sema::LValue &lvalue, Index first,
                                  int64_t count, const ProgramValue &value) {
  bool isLocal = lvalue.kind == sema::LValue::Local;
  Inner inner = innerOf(isLocal ? lvalue.variable->type : lvalue.global->type,
                        lvalue.path);
  if (isLocal && storage(lvalue.variable).cell)
    return storeTo(cellAccess(lvalue.variable, first, count), value);
  if (inner.rest.empty())
    return writeInner(lvalue, inner, value);
  if (isLocal && livesInMemory(inner.type)) {
    mlir::Value slot = storage(lvalue.variable).slots[inner.first];
    if (isa<ir::FieldType>(slot.getType())) { // a kernel's parameter
      Access access = flatAccess(slot, inner.type);
      access.first = first;
      access.count = count;
      return storeTo(access, value);
    }
    forEach(count, [&](Index k) {
      ir::SetOp::create(b, here, get(value, k), slot,
                        asI32(affine(first, 1, k)));
    });
    return;
  }
  if (!isLocal && livesInMemory(inner.type))
    return storeTo(globalAccess(lvalue.global,
                                module.globalNames(lvalue.global)[inner.first],
                                inner.type, first, count),
                   value);
  // Scalars in slots: a run-time index selects among all of them.
  ProgramValue whole = readInner(lvalue, inner);
  for (int64_t k = 0; k < count; ++k) {
    mlir::Value part = get(value, {k, {}});
    if (!first.dynamic) {
      whole.parts[first.constant + k] = part;
      continue;
    }
    for (auto [j, old] : llvm::enumerate(whole.parts)) {
      mlir::Value number =
          constInt(b.getI32Type(), int64_t(j) - first.constant - k);
      mlir::Value hit = arith::CmpIOp::create(b, here, arith::CmpIPredicate::eq,
                                              first.dynamic, number);
      old = arith::SelectOp::create(b, here, hit, part, old);
    }
  }
  writeInner(lvalue, inner, whole);
}

static ir::AccumKind accumKind(sema::BinaryOp op, sema::TypeRef scalar) {
  bool isUnsigned = scalar->isBool() || (scalar->isInt() && !scalar->isSigned);
  switch (op) {
  case sema::BinaryOp::Add:
  case sema::BinaryOp::Sub:
    return ir::AccumKind::add;
  case sema::BinaryOp::Mul:
    return ir::AccumKind::mul;
  case sema::BinaryOp::Min:
    return isUnsigned ? ir::AccumKind::minu : ir::AccumKind::min;
  case sema::BinaryOp::Max:
    return isUnsigned ? ir::AccumKind::maxu : ir::AccumKind::max;
  case sema::BinaryOp::BitAnd:
    return ir::AccumKind::bitAnd;
  case sema::BinaryOp::BitOr:
    return ir::AccumKind::bitOr;
  case sema::BinaryOp::BitXor:
    return ir::AccumKind::bitXor;
  default:
    llvm_unreachable("sema expands other accumulations");
  }
}

/// Where a place lies, its indices evaluated once.
FunctionGen::Target FunctionGen::genTarget(const sema::LValue &lvalue) {
  Target target;
  if (lvalue.kind == sema::LValue::Element) {
    target.access =
        genAccess(lvalue.field, lvalue.indices, lvalue.path, lvalue.type);
    return target;
  }
  if (lvalue.path.empty())
    return target;
  bool isLocal = lvalue.kind == sema::LValue::Local;
  Inner inner = innerOf(isLocal ? lvalue.variable->type : lvalue.global->type,
                        lvalue.path);
  target.first =
      pathIndex(inner.type, inner.rest, here,
                isLocal ? lvalue.variable->name : lvalue.global->name);
  return target;
}

ProgramValue FunctionGen::readTarget(const sema::LValue &lvalue,
                                     const Target &target) {
  if (lvalue.kind == sema::LValue::Element)
    return loadElement(target.access, lvalue.type);
  bool isLocal = lvalue.kind == sema::LValue::Local;
  Inner inner = innerOf(isLocal ? lvalue.variable->type : lvalue.global->type,
                        lvalue.path);
  if (!isLocal && livesInMemory(inner.type))
    return loadFrom(globalAccess(lvalue.global,
                                 module.globalNames(lvalue.global)[inner.first],
                                 inner.type, target.first,
                                 lvalue.type->numScalars()),
                    lvalue.type);
  ProgramValue whole = readInner(lvalue, inner);
  if (inner.rest.empty())
    return whole;
  return map(lvalue.type,
             [&](Index k) { return get(whole, affine(target.first, 1, k)); });
}

void FunctionGen::storeElement(const sema::LValue &lvalue, const Access &access,
                               const ProgramValue &value, bool isAdded) {
  SmallVector<const ProgramValue *> leaves;
  value.eachLeaf([&](const ProgramValue &leaf) { leaves.push_back(&leaf); });
  size_t next = 0;
  eachMember(access, lvalue.type, [&](const Access &one, sema::TypeRef type) {
    noteHostStore(one,
                  access.leaves.empty() ? lvalue.field->type->element : type,
                  isAdded);
    storeTo(one, *leaves[next++]);
  });
}

void FunctionGen::writeTarget(const sema::LValue &lvalue, const Target &target,
                              const ProgramValue &value, bool isAdded) {
  if (lvalue.kind == sema::LValue::Element) {
    storeElement(lvalue, target.access, value, isAdded);
  } else if (!lvalue.path.empty())
    writeComponents(lvalue, target.first, lvalue.type->numScalars(), value);
  else if (lvalue.kind == sema::LValue::Local)
    writeVariable(lvalue.variable, value);
  else
    writeGlobal(lvalue.global, value);
}

void FunctionGen::genAccumulate(const sema::AccumulateStmt &stmt) {
  const sema::LValue &lvalue = stmt.lvalue;
  sema::TypeRef scalar = lvalue.type->scalar();
  bool isCell = lvalue.kind == sema::LValue::Local &&
                cells.contains(lvalue.variable) && inParallel;
  bool isAccum = isCell || (lvalue.kind == sema::LValue::Element && isDevice);
  here = loc(lvalue.range);
  Target target = genTarget(lvalue);
  ProgramValue old;
  if (!isAccum)
    old = readTarget(lvalue, target);
  ProgramValue value = genExpr(stmt.value);
  if (lvalue.kind == sema::LValue::Element)
    value = passive(value);
  here = loc(stmt.range);
  if (isAccum) {
    if (stmt.op == sema::BinaryOp::Sub)
      value = map(value.type, [&](Index k) {
        return genScalarBinary(sema::BinaryOp::Sub, scalar,
                               constOf(scalar, scalar->isFloat() ? -0.0 : 0),
                               get(value, k));
      });
    if (isCell)
      target.access =
          cellAccess(lvalue.variable, target.first, lvalue.type->numScalars());
    accumTo(target.access, accumKind(stmt.op, scalar), value);
    return;
  }
  ProgramValue sum = map(lvalue.type, [&](Index k) -> mlir::Value {
    mlir::Value l = get(old, k), r = get(value, k);
    if (stmt.op == sema::BinaryOp::Min || stmt.op == sema::BinaryOp::Max)
      return genMinMax(stmt.op == sema::BinaryOp::Max, scalar, l, r);
    return genScalarBinary(stmt.op, scalar, l, r);
  });
  bool isAdded =
      stmt.op == sema::BinaryOp::Add || stmt.op == sema::BinaryOp::Sub;
  writeTarget(lvalue, target, sum, isAdded);
}
