//===- Frames.cpp - Layout of the frames of recursive functions -----------===//
#include "chi/Transforms/Outline/Frames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace chi::outline;
namespace ir = chi::ir;

Type Frames::stackType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 1 ? IntegerType::get(type.getContext(), 8)
                                   : type;
  return isa<FloatType>(type) ? type : Type();
}

bool Frames::isRemade(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<arith::ConstantOp, ir::GlobalLoadOp>(op));
}

std::optional<int64_t> Frames::placeOf(Value value) const {
  auto found = places.find(value);
  return found == places.end() ? std::nullopt : std::optional(found->second);
}

ArrayRef<Value> Frames::arraysOf(Operation *of) const {
  auto found = arrays.find(of);
  return found == arrays.end() ? ArrayRef<Value>() : found->second;
}

bool Frames::place(Value value, int64_t count) {
  auto local = dyn_cast<ir::LocalType>(value.getType());
  Type type = stackType(local ? local.getScalar() : value.getType());
  if (!type)
    return false;
  if (places.count(value))
    return true;
  types.insert(type);
  places[value] = used[type];
  used[type] += count;
  return true;
}

/// A variable is read and written by states; as an argument of a call it would
/// need an address.
bool Frames::placeVariable(Value variable) {
  auto type = cast<ir::LocalType>(variable.getType());
  for (Operation *user : variable.getUsers())
    if (!isa<ir::GetOp, ir::SetOp>(user))
      return false;
  if (!type.isScalar())
    arrays[function].push_back(variable);
  return place(variable, type.isScalar() ? 1 : type.getNumElements());
}

bool Frames::placeResults(Operation *op, const States &states) {
  if (auto local = dyn_cast<ir::LocalOp>(op))
    return placeVariable(local.getSlot());
  auto state = states.stateOf(op);
  for (Value result : op->getResults()) {
    bool isHere =
        state && llvm::all_of(result.getUsers(), [&](Operation *user) {
          return states.readerOf(user) == state;
        });
    if (!isHere && !isRemade(result) && !place(result))
      return false;
  }
  return true;
}

/// Fields have no place: each call on the cycle passes its own on.
bool Frames::placeArguments(func::FuncOp op) {
  for (BlockArgument argument : op.getArguments())
    if (!isa<ir::FieldType>(argument.getType()) && !place(argument))
      return false;
  return true;
}

bool Frames::build(const Cycle &cycle, const States &states) {
  for (Operation *each : cycle) {
    function = each;
    used.clear();
    Type i32 = IntegerType::get(each->getContext(), 32);
    types.insert(i32);
    returns[each] = used[i32]++;
    bool isGood = placeArguments(cast<func::FuncOp>(each));
    // Operations in one that is not cut belong to its state.
    each->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == each)
        return WalkResult::advance();
      isGood &= placeResults(op, states);
      if (states.stateOf(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (BlockArgument argument : region.getArguments())
          isGood &= place(argument);
      return WalkResult::advance();
    });
    if (!isGood)
      return false;
    int64_t size = 0;
    for (auto &[type, count] : used)
      size = std::max(size, count);
    sizes[each] = size;
  }
  return true;
}
