//===- Heads.cpp - The loops that have checkpoints ------------------------===//
#include "chi/Transforms/Checkpoints/Heads.h"

#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace chi;
using namespace chi::checkpoints;

/// Whether only the end of the function follows, which releases what its slots
/// hold.
static bool isLast(Operation *op) {
  for (op = op->getNextNode(); op; op = op->getNextNode()) {
    auto call = dyn_cast<ir::RtOp>(op);
    if (!isa<ir::GetOp, ir::ReturnOp>(op) &&
        !(call && ir::isRelease(call.getFunction())))
      return false;
  }
  return true;
}

/// The one call of `main`, if it is the last thing that the script does.
static func::CallOp lastCall(func::FuncOp script, func::FuncOp main) {
  func::CallOp found;
  bool isOnly = true;
  script.walk([&](func::CallOp call) {
    if (call.getCallee() != main.getSymName())
      return;
    isOnly &= !found;
    found = call;
  });
  // A second call of it would have slots of its own.
  main.walk([&](func::CallOp other) {
    isOnly &= other.getCallee() != main.getSymName();
  });
  bool isGood = found && isOnly && found.getNumOperands() == 0 &&
                found.getNumResults() == 0 && found->getParentOp() == script &&
                isLast(found);
  return isGood ? found : func::CallOp();
}

Heads::Heads(func::FuncOp script, func::FuncOp main) {
  numberFunction(script);
  call = main ? lastCall(script, main) : func::CallOp();
  if (!call)
    return;
  numberFunction(main);
  if (!numbersOf(main).empty())
    numbers[call] = numbersOf(main);
  else
    call = {};
}

void Heads::numberFunction(func::FuncOp function) {
  int32_t first = next;
  for (Block &block : function.getBody())
    numberBlock(block, 0);
  numbers[function] = {first, next - 1};
}

void Heads::numberBlock(Block &block, int tapes) {
  for (Operation &op : block) {
    if (auto call = dyn_cast<ir::RtOp>(op)) {
      StringRef function = call.getFunction();
      tapes +=
          function == "chirt_tape_begin" || function == "chirt_forward_begin";
      tapes -= function == "chirt_tape_end" || function == "chirt_forward_end";
    }
    numberOp(&op, tapes);
  }
}

/// Whether a loop copies a value in memory from one place to another. No
/// variable of the program has its number, as one has of a `for`.
static bool isCopy(Operation *op) {
  auto loop = dyn_cast<ir::ForOp>(op);
  if (!loop)
    return false;
  Block &body = loop.getBody().front();
  bool stores = false;
  for (Operation &inner : body) {
    bool isAccess = isa<ir::GetOp, ir::SetOp, ir::LoadOp, ir::StoreOp>(inner);
    if (!isAccess && !isa<ir::NextOp>(inner) && !isPure(&inner))
      return false;
    stores |= isa<ir::SetOp, ir::StoreOp>(inner);
  }
  Value number = body.getArgument(0);
  return stores && llvm::none_of(number.getUses(), [](OpOperand &use) {
           auto set = dyn_cast<ir::SetOp>(use.getOwner());
           return set && set.getValue() == use.get();
         });
}

void Heads::numberOp(Operation *op, int tapes) {
  if (isCopy(op))
    return;
  bool isLoop = isa<ir::ForOp, ir::WhileOp>(op);
  if (isLoop && tapes > 0) {
    bool isOutermost = !op->getParentOfType<ir::ForOp>() &&
                       !op->getParentOfType<ir::WhileOp>();
    return isOutermost ? taped.push_back(op) : void();
  }
  if (!isLoop && !isa<ir::IfOp>(op))
    return;
  int32_t first = next;
  next += isLoop;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      numberBlock(block, tapes);
  if (next > first)
    numbers[op] = {first, next - 1};
}
