//===- GenExpr.cpp - Expressions and the scalars of values ----------------===//

#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chi/IRGen/Gen.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;

//===----------------------------------------------------------------------===//
// Scalars of values
//===----------------------------------------------------------------------===//

mlir::Value FunctionGen::constInt(Type type, int64_t value) {
  return arith::ConstantOp::create(b, here, b.getIntegerAttr(type, value));
}

mlir::Value FunctionGen::constFloat(Type type, double value) {
  return arith::ConstantOp::create(b, here, b.getFloatAttr(type, value));
}

mlir::Value FunctionGen::constOf(sema::TypeRef scalar, double value) {
  Type type = module.scalarType(scalar);
  return scalar->isFloat() ? constFloat(type, value)
                           : constInt(type, int64_t(value));
}

mlir::Value FunctionGen::asI32(Index index) {
  mlir::Value constant = constInt(b.getI32Type(), index.constant);
  if (!index.dynamic)
    return constant;
  if (index.constant == 0)
    return index.dynamic;
  return arith::AddIOp::create(b, here, index.dynamic, constant);
}

/// i * factor + j.
Index FunctionGen::affine(Index i, int64_t factor, Index j) {
  Index result{i.constant * factor + j.constant, {}};
  if (i.dynamic) {
    result.dynamic = i.dynamic;
    if (factor != 1)
      result.dynamic = arith::MulIOp::create(b, here, i.dynamic,
                                             constInt(b.getI32Type(), factor));
  }
  if (j.dynamic)
    result.dynamic =
        result.dynamic
            ? arith::AddIOp::create(b, here, result.dynamic, j.dynamic)
                  .getResult()
            : j.dynamic;
  return result;
}

mlir::Value FunctionGen::get(const ProgramValue &value, Index index) {
  if (value.slot) {
    Type scalar = cast<ir::LocalType>(value.slot.getType()).getScalar();
    return ir::GetOp::create(b, here, scalar, value.slot, asI32(index));
  }
  if (!index.dynamic)
    return value.parts[index.constant];
  // A chain of selects; the index was checked, so that the last one remains.
  mlir::Value result = value.parts.back();
  for (int64_t k = int64_t(value.parts.size()) - 2; k >= 0; --k) {
    mlir::Value number = constInt(b.getI32Type(), k - index.constant);
    mlir::Value hit = arith::CmpIOp::create(b, here, arith::CmpIPredicate::eq,
                                            index.dynamic, number);
    result = arith::SelectOp::create(b, here, hit, value.parts[k], result);
  }
  return result;
}

/// Calls `body` for each of n numbers: unrolled, or in a loop if many.
void FunctionGen::forEach(int64_t n, llvm::function_ref<void(Index)> body) {
  if (n <= kMaxUnrolled) {
    for (int64_t k = 0; k < n; ++k)
      body({k, {}});
    return;
  }
  Type i32 = b.getI32Type();
  mlir::Value zero = constInt(i32, 0), end = constInt(i32, n),
              one = constInt(i32, 1);
  auto loop = ir::ForOp::create(b, here, zero, end, one, UnitAttr());
  OpBuilder::InsertionGuard guard(b);
  Block *block = loop.getBody().empty() ? &loop.getBody().emplaceBlock()
                                        : &loop.getBody().front();
  if (block->getNumArguments() == 0)
    block->addArgument(i32, here);
  b.setInsertionPointToStart(block);
  body({0, block->getArgument(0)});
  ir::NextOp::create(b, here);
}

/// A value of `type` made scalar by scalar.
ProgramValue FunctionGen::map(sema::TypeRef type,
                              llvm::function_ref<mlir::Value(Index)> scalar) {
  ProgramValue result{type, {}, {}};
  int64_t n = type->numScalars();
  if (!livesInMemory(type)) {
    for (int64_t k = 0; k < n; ++k)
      result.parts.push_back(scalar({k, {}}));
    return result;
  }
  result.slot = makeSlot("", module.scalarType(type), n);
  forEach(n, [&](Index k) {
    mlir::Value part = scalar(k);
    ir::SetOp::create(b, here, part, result.slot, asI32(k));
  });
  return result;
}

mlir::Value FunctionGen::fold(int64_t n, sema::TypeRef scalar, Term term,
                              Combine combine) {
  mlir::Value sum = term({0, {}});
  if (n <= kMaxUnrolled) {
    for (int64_t k = 1; k < n; ++k)
      sum = combine(sum, term({k, {}}));
    return sum;
  }
  Type type = module.scalarType(scalar);
  mlir::Value slot = makeSlot("", type);
  ir::SetOp::create(b, here, sum, slot, ValueRange{});
  forEach(n - 1, [&](Index k) {
    Index next{k.constant + 1, k.dynamic};
    mlir::Value old = ir::GetOp::create(b, here, type, slot, ValueRange{});
    ir::SetOp::create(b, here, combine(old, term(next)), slot, ValueRange{});
  });
  return ir::GetOp::create(b, here, type, slot, ValueRange{});
}

/// A value of `type` from its scalars (and handles, for tuples).
ProgramValue FunctionGen::flat(sema::TypeRef type,
                               ArrayRef<mlir::Value> parts) {
  ProgramValue value{type, {}, {}};
  if (type->hasMembers()) {
    for (sema::TypeRef member : type->members) {
      value.members.push_back(
          flat(member, parts.take_front(member->numScalars())));
      parts = parts.drop_front(member->numScalars());
    }
    return value;
  }
  if (!livesInMemory(type)) {
    value.parts.assign(parts.begin(), parts.end());
    return value;
  }
  value.slot = makeSlot("", module.scalarType(type), parts.size());
  for (auto [k, part] : llvm::enumerate(parts))
    ir::SetOp::create(b, here, part, value.slot, asI32({int64_t(k), {}}));
  return value;
}

ProgramValue FunctionGen::assembled(sema::TypeRef type,
                                    ArrayRef<mlir::Value> &slots,
                                    ArrayRef<mlir::Value> &parts) {
  ProgramValue value{type, {}, {}};
  if (type->hasMembers()) {
    for (sema::TypeRef member : type->members)
      value.members.push_back(assembled(member, slots, parts));
  } else if (livesInMemory(type)) {
    value.slot = slots.consume_front();
  } else if (!type->isVoid()) {
    for (int64_t k = 0; k < type->numScalars(); ++k)
      value.parts.push_back(parts.consume_front());
  }
  return value;
}

ProgramValue FunctionGen::copyToMemory(const ProgramValue &value) {
  return map(value.type, [&](Index k) { return get(value, k); });
}

SmallVector<mlir::Value> FunctionGen::flatten(const ProgramValue &value) {
  SmallVector<mlir::Value> parts;
  value.eachLeaf([&](const ProgramValue &leaf) {
    llvm::append_range(parts, leaf.parts);
    for (int64_t k = 0; leaf.slot && k < leaf.type->numScalars(); ++k)
      parts.push_back(get(leaf, {k, {}}));
  });
  return parts;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

ProgramValue FunctionGen::genExpr(const sema::Expr *expr) {
  using namespace sema;
  Location saved = here;
  here = loc(expr->range);
  llvm::scope_exit restore([&] { here = saved; });
  switch (expr->kind) {
  case ExprKind::Literal:
    return genLiteral(*llvm::cast<LiteralExpr>(expr));
  case ExprKind::StringLiteral:
    return genText(*llvm::cast<StringLiteralExpr>(expr));
  case ExprKind::Variable:
    return readVariable(llvm::cast<VariableExpr>(expr)->variable);
  case ExprKind::Global:
    return readGlobal(llvm::cast<GlobalExpr>(expr)->global);
  case ExprKind::Param:
    return readParam(*llvm::cast<ParamExpr>(expr));
  case ExprKind::Unary:
    return genUnary(*llvm::cast<UnaryExpr>(expr));
  case ExprKind::Binary:
    return genBinary(*llvm::cast<BinaryExpr>(expr));
  case ExprKind::Compare:
    return genCompare(*llvm::cast<CompareExpr>(expr));
  case ExprKind::Logical:
    return genLogical(*llvm::cast<LogicalExpr>(expr));
  case ExprKind::Select:
    return genSelect(*llvm::cast<SelectExpr>(expr));
  case ExprKind::Cast:
    return genCast(*llvm::cast<CastExpr>(expr));
  case ExprKind::Splat:
    return genSplat(*llvm::cast<SplatExpr>(expr));
  case ExprKind::Construct:
    return genConstruct(*llvm::cast<ConstructExpr>(expr));
  case ExprKind::Extract:
    return genExtract(*llvm::cast<ExtractExpr>(expr));
  case ExprKind::Builtin:
    return genBuiltin(*llvm::cast<BuiltinExpr>(expr));
  case ExprKind::Call:
    return genCall(*llvm::cast<CallExpr>(expr));
  case ExprKind::Load:
    return genLoad(*llvm::cast<LoadExpr>(expr));
  case ExprKind::Dim:
    return genDim(*llvm::cast<DimExpr>(expr));
  case ExprKind::Companion:
    return genCompanion(*llvm::cast<CompanionExpr>(expr));
  case ExprKind::Random:
    return genRandom(*llvm::cast<RandomExpr>(expr));
  case ExprKind::Atomic:
    return genAtomic(*llvm::cast<AtomicExpr>(expr));
  case ExprKind::Let: {
    auto *let = llvm::cast<LetExpr>(expr);
    ProgramValue value = genExpr(let->value);
    if (let->global)
      writeGlobal(let->global, value);
    else
      writeVariable(let->variable, value);
    return genExpr(let->body);
  }
  case ExprKind::Format:
    return genFormat(*llvm::cast<FormatExpr>(expr));
  case ExprKind::HostOp:
    return genHostOp(*llvm::cast<HostOpExpr>(expr));
  case ExprKind::Block:
    return genBlock(*llvm::cast<BlockExpr>(expr));
  }
  llvm_unreachable("expression kind");
}

ProgramValue FunctionGen::genText(const sema::StringLiteralExpr &expr) {
  if (isDevice)
    return {expr.type,
            {constInt(b.getI32Type(), module.numberOfText(expr.value))},
            {}};
  mlir::Value text = ir::StrOp::create(
      b, here, ir::StrType::get(b.getContext()), b.getStringAttr(expr.value));
  return {expr.type, {text}, {}};
}

ProgramValue FunctionGen::readParam(const sema::ParamExpr &expr) {
  SmallVector<Type> types;
  module.flattenTypes(expr.type, types);
  SmallVector<mlir::Value> parts;
  for (auto [name, type] :
       llvm::zip_equal(module.paramNames(expr.index), types))
    parts.push_back(ir::GlobalLoadOp::create(b, here, type, name));
  return flat(expr.type, parts);
}

ProgramValue FunctionGen::genDim(const sema::DimExpr &expr) {
  mlir::Value field = genExpr(expr.field).single();
  mlir::Value extent = ir::DimOp::create(b, here, module.scalarType(expr.type),
                                         field, b.getI64IntegerAttr(expr.axis));
  return {expr.type, {extent}, {}};
}

ProgramValue FunctionGen::genLiteral(const sema::LiteralExpr &expr) {
  Type type = module.scalarType(expr.type);
  mlir::Value constant = expr.type->isFloat() ? constFloat(type, expr.real)
                                              : constInt(type, expr.integer);
  if (expr.madeAt.isValid() && instrumentsNaN(type)) {
    llvm::SaveAndRestore there(here, loc(expr.madeAt));
    check(here, ir::CheckKind::nan, constInt(b.getI1Type(), 0), {constant},
          expr.madeOf);
  }
  return {expr.type, {constant}, {}};
}

ProgramValue FunctionGen::genSplat(const sema::SplatExpr &expr) {
  mlir::Value scalar = genExpr(expr.operand).single();
  return map(expr.type, [&](Index) { return scalar; });
}

/// The literal that all parts are, as sema makes them of `mat(8, 8)(1)`.
static const sema::LiteralExpr *commonLiteral(const sema::ConstructExpr &expr) {
  auto *first = llvm::dyn_cast<sema::LiteralExpr>(expr.parts[0]);
  bool isCommon = first && llvm::all_of(expr.parts, [&](sema::Expr *part) {
                    auto *other = llvm::dyn_cast<sema::LiteralExpr>(part);
                    return other && !other->madeAt.isValid() &&
                           other->type == first->type &&
                           other->integer == first->integer &&
                           llvm::bit_cast<uint64_t>(other->real) ==
                               llvm::bit_cast<uint64_t>(first->real);
                  });
  return isCommon ? first : nullptr;
}

ProgramValue FunctionGen::genConstruct(const sema::ConstructExpr &expr) {
  if (livesInMemory(expr.type))
    if (const sema::LiteralExpr *common = commonLiteral(expr)) {
      mlir::Value scalar = genLiteral(*common).single();
      return map(expr.type, [&](Index) { return scalar; });
    }
  if (expr.type->hasMembers()) {
    ProgramValue tuple{expr.type, {}, {}};
    for (const sema::Expr *part : expr.parts)
      tuple.members.push_back(genExpr(part));
    return castFields(std::move(tuple), expr.type);
  }
  SmallVector<mlir::Value> parts;
  for (const sema::Expr *part : expr.parts) {
    ProgramValue value = genExpr(part);
    llvm::append_range(parts, flatten(value));
  }
  return flat(expr.type, parts);
}

/// How many arrays, scalars and handles the members before one of a tuple have.
static int64_t slotsBefore(sema::TypeRef tuple, unsigned member) {
  int64_t count = 0;
  for (sema::TypeRef before : ArrayRef(tuple->members).take_front(member))
    for (sema::TypeRef leaf : leavesOf(before))
      count += livesInMemory(leaf) ? 1 : leaf->numScalars();
  return count;
}

namespace {
/// A value, or a member of a tuple in it.
struct Member {
  const sema::Expr *whole; ///< no member of a tuple
  int64_t first;           ///< of its slots or globals
};
} // namespace

Inner irgen::innerOf(sema::TypeRef type, ArrayRef<sema::PathStep> path) {
  Inner inner{type, 0, path};
  while (!inner.rest.empty() && inner.rest.front().isMember()) {
    unsigned member = inner.rest.consume_front().member;
    inner.first += slotsBefore(inner.type, member);
    inner.type = inner.type->members[member];
  }
  return inner;
}

static Member memberOf(const sema::Expr *expr) {
  int64_t first = 0;
  auto *extract = llvm::dyn_cast<sema::ExtractExpr>(expr);
  for (; extract && extract->base->type->hasMembers();
       extract = llvm::dyn_cast<sema::ExtractExpr>(expr)) {
    first += slotsBefore(extract->base->type, extract->path[0].member);
    expr = extract->base;
  }
  return {expr, first};
}

std::optional<FunctionGen::Access>
FunctionGen::genFieldAccess(const sema::ExtractExpr &expr) {
  sema::TypeRef leaf = expr.base->type;
  if (!expr.components.empty() || !livesInMemory(leaf))
    return std::nullopt;
  Member member = memberOf(expr.base);
  int64_t count = expr.type->numScalars();
  if (auto *read = llvm::dyn_cast<sema::GlobalExpr>(member.whole)) {
    const sema::Global *global = read->global;
    Index first = pathIndex(leaf, expr.path, here, global->name);
    return globalAccess(global, module.globalNames(global)[member.first], leaf,
                        first, count);
  }
  auto *read = llvm::dyn_cast<sema::VariableExpr>(member.whole);
  if (!read || !read->variable->type->hasMembers())
    return std::nullopt;
  mlir::Value slot = storage(read->variable).slots[member.first];
  if (!isa<ir::FieldType>(slot.getType()))
    return std::nullopt;
  Access access = flatAccess(slot, leaf);
  access.first = pathIndex(leaf, expr.path, here, read->variable->name);
  access.count = count;
  return access;
}

ProgramValue FunctionGen::genMember(const sema::ExtractExpr &expr) {
  // Of a variable with arrays only the member is read.
  Member member = memberOf(&expr);
  if (holdsMemory(member.whole->type) || member.whole->type->isStruct()) {
    if (auto *read = llvm::dyn_cast<sema::VariableExpr>(member.whole)) {
      unsigned next = member.first;
      return readSlots(storage(read->variable), expr.type, next);
    }
    if (auto *read = llvm::dyn_cast<sema::GlobalExpr>(member.whole)) {
      ArrayRef<std::string> names = module.globalNames(read->global);
      names = names.drop_front(member.first);
      return readGlobals(read->global, expr.type, names);
    }
  }
  ProgramValue base = genExpr(expr.base);
  ProgramValue value = std::move(base.members[expr.path[0].member]);
  value.type = expr.type;
  return value;
}

ProgramValue FunctionGen::genExtract(const sema::ExtractExpr &expr) {
  // Only the component of a cell is loaded.
  auto *read = llvm::dyn_cast<sema::VariableExpr>(expr.base);
  if (read && cells.contains(read->variable) && expr.components.empty() &&
      !read->variable->type->hasMembers()) {
    Index first =
        pathIndex(expr.base->type, expr.path, here, read->variable->name);
    return loadFrom(cellAccess(read->variable, first, expr.type->numScalars()),
                    expr.type);
  }
  if (std::optional<Access> access = genFieldAccess(expr))
    return loadFrom(*access, expr.type);
  if (expr.base->type->hasMembers())
    return genMember(expr);
  ProgramValue base = genExpr(expr.base);
  if (!expr.components.empty())
    return map(expr.type, [&](Index k) {
      return get(base, {int64_t(expr.components[k.constant]), {}});
    });
  StringRef name;
  if (auto *variable = llvm::dyn_cast<sema::VariableExpr>(expr.base))
    name = variable->variable->name;
  else if (auto *global = llvm::dyn_cast<sema::GlobalExpr>(expr.base))
    name = global->global->name;
  Index first = pathIndex(base.type, expr.path, here, name);
  return map(expr.type,
             [&](Index k) { return get(base, affine(first, 1, k)); });
}

Index FunctionGen::pathIndex(sema::TypeRef type, ArrayRef<sema::PathStep> path,
                             Location at, StringRef what) {
  Index result;
  sema::TypeRef inside = type;
  unsigned axis = 0;
  for (const sema::PathStep &part : path) {
    assert(!part.isMember() && "members are slots of their own");
    const sema::Expr *step = part.index;
    if (axis == inside->shape.size()) { // an array's element
      inside = inside->element;
      axis = 0;
    }
    int64_t extent = inside->shape[axis];
    Index number;
    auto *literal = llvm::dyn_cast<sema::LiteralExpr>(step);
    if (literal && literal->integer >= 0 && literal->integer < extent) {
      number.constant = literal->integer;
    } else {
      mlir::Value index = widenIndex(genExpr(step).single(), step->type);
      Type type = index.getType();
      mlir::Value bound = constInt(type, extent);
      mlir::Value ok =
          arith::CmpIOp::create(b, at, arith::CmpIPredicate::ult, index, bound);
      check(at, ir::CheckKind::bounds, ok, {index, bound},
            what.empty() ? inside->str() : what, axis, !step->type->isSigned);
      if (type.getIntOrFloatBitWidth() > 32)
        index = arith::TruncIOp::create(b, at, b.getI32Type(), index);
      number.dynamic = index;
    }
    result = affine(result, extent, number);
    ++axis;
  }
  // The remaining axes: a row of a mat, an element of an array.
  int64_t rest = 1;
  for (; axis < inside->shape.size(); ++axis)
    rest *= inside->shape[axis];
  if (inside->isArray() && inside->element->isAggregate())
    rest *= inside->element->numScalars();
  return affine(result, rest, {});
}

void FunctionGen::passArgument(const ProgramValue &value,
                               SmallVectorImpl<mlir::Value> &args) {
  value.eachLeaf([&](const ProgramValue &leaf) {
    if (livesInMemory(leaf.type)) // the callee copies it
      args.push_back(leaf.slot);
    else
      llvm::append_range(args, leaf.parts);
  });
}

void FunctionGen::passToKernel(const ProgramValue &value,
                               SmallVectorImpl<mlir::Value> &args) {
  value.eachLeaf([&](const ProgramValue &leaf) {
    if (!module.goesInField(leaf.type))
      return llvm::append_range(args, flatten(leaf));
    mlir::Value field = makeMemoryField(leaf.type);
    temporaries.push_back(field);
    storeTo(flatAccess(field, leaf.type), leaf);
    args.push_back(field);
  });
}

ProgramValue FunctionGen::callKernel(const sema::CallExpr &expr,
                                     ArrayRef<mlir::Value> args) {
  std::string symbol = module.require(expr.callee, isDevice, isPassive);
  FunctionType type = module.functionType(*expr.callee);
  auto call = ir::CallOp::create(b, here, type.getResults(), symbol, args);
  if (isEntry(expr))
    call->setAttr(ir::kOneEntryAttr, b.getUnitAttr());
  return flat(expr.type, SmallVector<mlir::Value>(call.getResults()));
}

// Note [Depth]: a function on a cycle of calls takes the number of open calls
// of such functions first. A call in such a function checks that there are not
// too many, so that a recursion without an end is an error at its line.

mlir::Value FunctionGen::depthOf(const sema::CallExpr &expr) {
  Type type = b.getI32Type();
  if (!depth)
    return constInt(type, 1);
  int64_t limit = module.mostOpenCalls();
  mlir::Value ok = arith::CmpIOp::create(b, here, arith::CmpIPredicate::slt,
                                         depth, constInt(type, limit));
  std::string text = "the recursion of `" + expr.callee->display +
                     "` is too deep: " + std::to_string(limit) +
                     " calls are open";
  auto kind = ir::CheckKindAttr::get(b.getContext(), ir::CheckKind::assert);
  ir::CheckOp::create(b, here, kind, ok, ValueRange(), b.getStringAttr(""),
                      b.getI64IntegerAttr(0), b.getStrArrayAttr({text}),
                      IntegerAttr());
  return arith::AddIOp::create(b, here, depth, constInt(type, 1));
}

/// Results that live in memory are written to arrays that the caller makes.
ProgramValue FunctionGen::callFunction(const sema::CallExpr &expr,
                                       SmallVectorImpl<mlir::Value> &args) {
  if (expr.callee->isRecursive)
    args.insert(args.begin(), depthOf(expr));
  size_t numArgs = args.size();
  for (sema::TypeRef leaf : leavesOf(expr.type))
    if (livesInMemory(leaf))
      args.push_back(makeSlot("", module.scalarType(leaf), leaf->numScalars()));
  std::string symbol = module.require(expr.callee, isDevice, isPassive);
  FunctionType type = module.functionType(*expr.callee, isDevice);
  auto call = func::CallOp::create(b, here, symbol, type.getResults(), args);
  if (isDevice && !isPassive && expr.callee->adjoint)
    call->setAttr(
        ir::kCustomAdjointAttr,
        FlatSymbolRefAttr::get(b.getContext(),
                               module.require(expr.callee->adjoint, isDevice)));
  if (isEntry(expr))
    call->setAttr(ir::kOneEntryAttr, b.getUnitAttr());
  if (!isDevice)
    for (mlir::Value result : call.getResults())
      if (isHandle(result.getType()))
        temporaries.push_back(result);
  SmallVector<mlir::Value> given(call.getResults());
  ArrayRef<mlir::Value> slots = ArrayRef(args).drop_front(numArgs);
  ArrayRef<mlir::Value> results = given;
  return assembled(expr.type, slots, results);
}

ProgramValue FunctionGen::genCall(const sema::CallExpr &expr) {
  SmallVector<mlir::Value> args;
  SmallVector<ProgramValue> given;
  for (auto [arg, param] : llvm::zip_equal(expr.args, expr.callee->params)) {
    ProgramValue value = castFields(genExpr(arg), param->type);
    given.push_back(value);
    if (expr.callee->isKernel)
      passToKernel(value, args);
    else
      passArgument(value, args);
  }
  bool isRecord = function && function->isRecord;
  const std::string &kept =
      isRecord ? expr.callee->name : expr.callee->gradName;
  if (!kept.empty())
    beginKept(kept);
  if (isEntry(expr))
    beginEntry(expr, given);
  ProgramValue result =
      expr.callee->isKernel ? callKernel(expr, args) : callFunction(expr, args);
  if (isEntry(expr))
    rt(here, "chirt_custom_end", nullptr, {});
  if (!kept.empty())
    rt(here, "chirt_kernel_end", nullptr, {});
  return result;
}
