//===- PlainWhile.cpp - While loops as differentiation takes them ---------===//
#include "chi/AD/Plan/PlainWhile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

Value chi::ad::plan::iterationsOf(scf::WhileOp loop) {
  return loop->getResults().back();
}

/// The operations of `block` that `value` is computed by, in their order.
static SmallVector<Operation *> computationOf(Value value, Block &block) {
  llvm::SetVector<Operation *> found;
  SmallVector<Value> open{value};
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    Operation *inBlock = op ? block.findAncestorOpInBlock(*op) : nullptr;
    if (!inBlock || !found.insert(inBlock))
      continue;
    inBlock->walk([&](Operation *inner) {
      llvm::append_range(open, inner->getOperands());
    });
  }
  SmallVector<Operation *> result = found.takeVector();
  llvm::sort(result,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return result;
}

/// `passed`, a value of the block `before`, recomputed where `builder` stands;
/// `arguments` replace the block's arguments.
static Value again(OpBuilder &builder, Value passed, Block &before,
                   ValueRange arguments) {
  IRMapping map;
  map.map(before.getArguments(), arguments);
  for (Operation *op : computationOf(passed, before))
    builder.clone(*op, map);
  return map.lookupOrDefault(passed);
}

static void replaceAll(OpBuilder &builder, ValueRange old, ValueRange passed,
                       Block &before, ValueRange arguments) {
  for (auto [value, source] : llvm::zip(old, passed))
    if (!value.use_empty())
      value.replaceAllUsesWith(again(builder, source, before, arguments));
}

static void makePlain(scf::WhileOp loop) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  SmallVector<Value> inits(loop.getInits());
  inits.push_back(constant(0));
  SmallVector<Type> types(ValueRange(inits).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto plain = scf::WhileOp::create(b, loc, types, inits);
  plain->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *before = b.createBlock(&plain.getBefore(), {}, types, locs);
  Block *after = b.createBlock(&plain.getAfter(), {}, types, locs);

  Block &oldBefore = *loop.getBeforeBody(), &oldAfter = *loop.getAfterBody();
  SmallVector<Value> passed(loop.getConditionOp().getArgs());
  // Copies first, while the first region is still in its place.
  auto own = [](ValueRange values) { return values.drop_back(); };
  b.setInsertionPointToStart(after);
  replaceAll(b, oldAfter.getArguments(), passed, oldBefore,
             own(after->getArguments()));
  b.setInsertionPointAfter(plain);
  replaceAll(b, loop.getResults(), passed, oldBefore, own(plain.getResults()));

  auto yield = loop.getYieldOp();
  b.setInsertionPoint(yield);
  Value next =
      arith::AddIOp::create(b, loc, after->getArguments().back(), constant(1));
  yield->insertOperands(yield->getNumOperands(), next);
  after->getOperations().splice(after->end(), oldAfter.getOperations());

  for (auto [old, made] :
       llvm::zip(oldBefore.getArguments(), before->getArguments()))
    old.replaceAllUsesWith(made);
  loop.getConditionOp().getArgsMutable().assign(before->getArguments());
  before->getOperations().splice(before->end(), oldBefore.getOperations());
  loop.erase();
}

void chi::ad::plan::makeWhilePlain(Operation *op) {
  SmallVector<scf::WhileOp> loops;
  op->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  for (scf::WhileOp loop : loops)
    makePlain(loop);
}
