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

State::State(ModuleOp module) {
  for (auto global : module.getOps<ir::GlobalOp>())
    if (!global.getParam() && global.getSymName() != kWhereName)
      globals.push_back(global);
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
    slots[function].push_back({op, name});
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

void State::save(OpBuilder &builder, func::FuncOp function) const {
  Calls calls{builder, function.getLoc()};
  for (ir::GlobalOp global : globals)
    calls.save(global.getSymName(),
               ir::GlobalLoadOp::create(builder, calls.loc, global.getType(),
                                        global.getSymName()));
  for (const Slot &slot : slots.lookup(function)) {
    Value place = slot.op->getResult(0);
    if (cast<ir::LocalType>(place.getType()).isScalar())
      calls.save(slot.name, getSlot(builder, calls.loc, place));
    else
      calls.call("chirt_checkpoint_memory",
                 arrayOperands(calls, slot.name, place));
  }
}

void State::restoreGlobals(OpBuilder &builder, Location loc) const {
  Calls calls{builder, loc};
  for (ir::GlobalOp global : globals)
    ir::GlobalStoreOp::create(
        builder, loc, calls.restore(global.getSymName(), global.getType()),
        global.getSymName());
}

void State::restoreSlots(OpBuilder &builder, func::FuncOp function) const {
  Calls calls{builder, function.getLoc()};
  for (const Slot &slot : slots.lookup(function)) {
    Value place = slot.op->getResult(0);
    auto type = cast<ir::LocalType>(place.getType());
    if (type.isScalar())
      setSlot(builder, calls.loc, place,
              calls.restore(slot.name, type.getScalar()));
    else
      calls.call("chirt_restored_memory",
                 arrayOperands(calls, slot.name, place));
  }
}
