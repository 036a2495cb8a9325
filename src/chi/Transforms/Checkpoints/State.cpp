//===- State.cpp - The values of a checkpoint -----------------------------===//
#include "chi/Transforms/Checkpoints/State.h"

#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "chi/Transforms/Checkpoints/Guards.h"
#include "chi/Transforms/Outline/SlotBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace chi;
using namespace chi::checkpoints;
using outline::getSlot;
using outline::makeInt;
using outline::setSlot;

namespace {
/// Emits calls of the run time at one place.
struct Calls {
  OpBuilder &b;
  Location loc;

  Value text(StringRef value) {
    return ir::StrOp::create(b, loc, ir::StrType::get(b.getContext()),
                             b.getStringAttr(value));
  }
  Value i32(int32_t value) { return makeInt(b, loc, b.getI32Type(), value); }
  Value i64(int64_t value) { return makeInt(b, loc, b.getI64Type(), value); }
  void call(StringRef name, ArrayRef<Value> inputs) {
    ir::RtOp::create(b, loc, TypeRange(), b.getStringAttr(name), inputs,
                     StringAttr());
  }
  Value call(StringRef name, Type result, ArrayRef<Value> inputs) {
    return ir::RtOp::create(b, loc, result, b.getStringAttr(name), inputs,
                            StringAttr())
        .getResult(0);
  }

  void save(StringRef name, Value value);
  Value restore(StringRef name, Type type);
};
} // namespace

/// The integer with the bits of a scalar.
static Value toBits(Calls &calls, Value value) {
  OpBuilder &b = calls.b;
  Type type = value.getType();
  if (isa<FloatType>(type)) {
    type = b.getIntegerType(type.getIntOrFloatBitWidth());
    value = arith::BitcastOp::create(b, calls.loc, type, value);
  }
  if (type.isInteger(64))
    return value;
  return arith::ExtUIOp::create(b, calls.loc, b.getI64Type(), value);
}

static Value fromBits(Calls &calls, Value bits, Type type) {
  OpBuilder &b = calls.b;
  Type integer = b.getIntegerType(type.getIntOrFloatBitWidth());
  if (!integer.isInteger(64))
    bits = arith::TruncIOp::create(b, calls.loc, integer, bits);
  return isa<FloatType>(type)
             ? arith::BitcastOp::create(b, calls.loc, type, bits).getResult()
             : bits;
}

/// "512x?"
static std::string shapeOf(ir::FieldType type) {
  std::string text;
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    text += axis ? "x" : "";
    text += ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
  }
  return text;
}

void Calls::save(StringRef name, Value value) {
  Type type = value.getType();
  if (isa<ir::FieldType>(type))
    return call("chirt_checkpoint_field", {text(name), value});
  if (isa<ir::StrType>(type))
    return call("chirt_checkpoint_str", {text(name), value});
  call("chirt_checkpoint_scalar",
       {text(name), i32(ir::dtypeOf(type)), toBits(*this, value)});
}

Value Calls::restore(StringRef name, Type type) {
  if (auto field = dyn_cast<ir::FieldType>(type))
    return call(
        "chirt_restored_field", type,
        {text(name), text(ir::descriptionOf(field)), text(shapeOf(field))});
  if (isa<ir::StrType>(type))
    return call("chirt_restored_str", type, {text(name)});
  Value bits = call("chirt_restored_scalar", b.getI64Type(),
                    {text(name), i32(ir::dtypeOf(type))});
  return fromBits(*this, bits, type);
}

State::State(ModuleOp module, const Liveness &liveness) : liveness(liveness) {
  for (auto global : module.getOps<ir::GlobalOp>())
    if (!global.getParam() && global.getSymName() != kWhereName)
      globals.push_back({global, liveness.headsOf(global)});
}

void State::addSlots(func::FuncOp function, StringRef prefix,
                     Operation *beginning) {
  llvm::StringMap<int> seen;
  OpBuilder builder(beginning);
  for (auto op : function.getBody().front().getOps<ir::LocalOp>()) {
    ir::LocalType type = op.getSlot().getType();
    // Memory for a call of the run time is not read after its statement.
    if (!type.isScalar() && op.getName().empty())
      continue;
    StringRef own = op.getName().ltrim('.');
    std::string name = (prefix + (own.empty() ? "temporary" : own)).str();
    int number = ++seen[name];
    if (number > 1)
      name += "#" + std::to_string(number);
    slots[function].push_back({op, name, liveness.headsOf(op)});
    if (type.isScalar() && type.getScalar().isIntOrFloat())
      setSlot(builder, op.getLoc(), op,
              outline::makeZero(builder, op.getLoc(), type.getScalar()));
  }
}

/// What the run time takes of an array: its name, type, size and memory.
static SmallVector<Value> arrayOperands(Calls &calls, StringRef name,
                                        Value slot) {
  auto type = cast<ir::LocalType>(slot.getType());
  return {calls.text(name), calls.i32(ir::dtypeOf(type.getScalar())),
          calls.i64(type.getNumElements()), slot};
}

static bool contains(LoopSet heads, int32_t loop) {
  return loop > kMostLoops || (heads >> loop & 1);
}

void State::save(OpBuilder &builder, func::FuncOp function,
                 int32_t loop) const {
  Calls calls{builder, function.getLoc()};
  for (Global global : globals)
    if (contains(global.heads, loop))
      calls.save(global.op.getSymName(),
                 ir::GlobalLoadOp::create(builder, calls.loc,
                                          global.op.getType(),
                                          global.op.getSymName()));
  for (const Slot &slot : slots.lookup(function)) {
    if (!contains(slot.heads, loop))
      continue;
    Value place = slot.op->getResult(0);
    if (cast<ir::LocalType>(place.getType()).isScalar())
      calls.save(slot.name, getSlot(builder, calls.loc, place));
    else
      calls.call("chirt_checkpoint_memory",
                 arrayOperands(calls, slot.name, place));
  }
}

namespace {
/// Makes the conditions under which values are restored, one for values in a
/// row that are alive at the same heads.
class Conditions {
public:
  Conditions(OpBuilder &builder, Location loc, Value where, Numbers loops)
      : builder(builder), loc(loc), where(where), all(setOf(loops)) {}

  /// Where values that are alive at `heads` are restored; none if they are
  /// alive at no head.
  std::optional<OpBuilder> at(LoopSet heads);

private:
  static LoopSet setOf(Numbers loops) {
    LoopSet set = 0;
    for (int32_t k = loops.first; k <= std::min(loops.last, kMostLoops); ++k)
      set |= LoopSet(1) << k;
    return set;
  }

  OpBuilder &builder;
  Location loc;
  Value where;
  LoopSet all, current = 0;
  ir::IfOp condition;
};
} // namespace

std::optional<OpBuilder> Conditions::at(LoopSet heads) {
  heads &= all;
  if (heads == 0)
    return std::nullopt;
  if (heads == all)
    return builder;
  if (!condition || heads != current) {
    Type i64 = builder.getI64Type();
    Value shifted = arith::ShRUIOp::create(
        builder, loc, makeInt(builder, loc, i64, int64_t(heads)),
        arith::ExtUIOp::create(builder, loc, i64, where));
    condition = ir::IfOp::create(
        builder, loc,
        arith::TruncIOp::create(builder, loc, builder.getI1Type(), shifted));
    OpBuilder inside =
        OpBuilder::atBlockBegin(&condition.getThenRegion().emplaceBlock());
    ir::NextOp::create(inside, loc);
    current = heads;
  }
  return OpBuilder(condition.getThenRegion().front().getTerminator());
}

void State::restoreGlobals(OpBuilder &builder, Location loc, Value where,
                           Numbers loops) const {
  Conditions conditions(builder, loc, where, loops);
  for (Global global : globals)
    if (auto inside = conditions.at(global.heads)) {
      StringRef name = global.op.getSymName();
      Value value = Calls{*inside, loc}.restore(name, global.op.getType());
      ir::GlobalStoreOp::create(*inside, loc, value, name);
    }
}

void State::restoreSlots(OpBuilder &builder, func::FuncOp function, Value where,
                         Numbers loops) const {
  Location loc = function.getLoc();
  Conditions conditions(builder, loc, where, loops);
  for (const Slot &slot : slots.lookup(function)) {
    auto inside = conditions.at(slot.heads);
    if (!inside)
      continue;
    Calls calls{*inside, loc};
    Value place = slot.op->getResult(0);
    auto type = cast<ir::LocalType>(place.getType());
    if (type.isScalar())
      setSlot(*inside, loc, place, calls.restore(slot.name, type.getScalar()));
    else
      calls.call("chirt_restored_memory",
                 arrayOperands(calls, slot.name, place));
  }
}
