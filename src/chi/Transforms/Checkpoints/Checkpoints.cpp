//===- Checkpoints.cpp - Host code that keeps its state -------------------===//
// Note [Two forms of a script]: the script and `main` stay as they are for runs
// without checkpoints, which cost nothing then. Runs with them call copies.
#include "chi/Transforms/Checkpoints/Passes.h"

#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "chi/Transforms/Checkpoints/Guards.h"
#include "chi/Transforms/Checkpoints/State.h"
#include "chi/Transforms/Outline/SlotBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace chi::checkpoints {
#define GEN_PASS_DEF_CHECKPOINTSPASS
#include "chi/Transforms/Checkpoints/Passes.h.inc"
} // namespace chi::checkpoints

using namespace mlir;
using namespace chi;
using namespace chi::checkpoints;
using outline::makeInt;

namespace {
/// Makes the copies of one program.
class Copier {
public:
  Copier(ModuleOp module, func::FuncOp script, func::FuncOp main)
      : module(module), script(copyOf(script)),
        main(main ? copyOf(main) : func::FuncOp()),
        heads(this->script, this->main) {}

  const Heads &getHeads() const { return heads; }
  LogicalResult run(func::FuncOp original, StringRef identity);

private:
  func::FuncOp copyOf(func::FuncOp function);
  void restoreAt(Operation *beginning, const State &state,
                 func::FuncOp function);
  void callCopy(func::FuncOp original, StringRef identity);

  ModuleOp module;
  func::FuncOp script, main;
  Heads heads;
};

struct CheckpointsPass
    : chi::checkpoints::impl::CheckpointsPassBase<CheckpointsPass> {
  using CheckpointsPassBase::CheckpointsPassBase;
  void runOnOperation() override;
  LogicalResult report(const Heads &heads, func::FuncOp script);
};
} // namespace

static constexpr llvm::StringLiteral kCopySuffix = ".checkpointed";

func::FuncOp Copier::copyOf(func::FuncOp function) {
  func::FuncOp copy = function.clone();
  copy.setSymName((function.getSymName() + kCopySuffix).str());
  module.insert(std::next(function->getIterator()), copy);
  // Calls between copies.
  copy.walk([&](func::CallOp call) {
    if (call.getCallee() == "main")
      call.setCallee(("main" + kCopySuffix).str());
  });
  return copy;
}

/// Names the line of a loop, for messages (chirt/checkpoint/Save.cpp). No
/// variable has such a name.
static constexpr llvm::StringLiteral kLineName = "head:line";

static void saveLine(OpBuilder &builder, Location loc) {
  auto place = dyn_cast<FileLineColRange>(loc);
  if (!place)
    return;
  Value name =
      ir::StrOp::create(builder, loc, ir::StrType::get(builder.getContext()),
                        builder.getStringAttr(kLineName));
  Value dtype = makeInt(builder, loc, builder.getI32Type(), CHIRT_I32);
  Value line = makeInt(builder, loc, builder.getI64Type(),
                       int64_t(place.getStartLine()));
  ir::RtOp::create(builder, loc, TypeRange(),
                   builder.getStringAttr("chirt_checkpoint_scalar"),
                   ValueRange{name, dtype, line}, StringAttr());
}

/// Restores what the run sees in `function`, if it resumes in a loop of it.
void Copier::restoreAt(Operation *beginning, const State &state,
                       func::FuncOp function) {
  OpBuilder builder(beginning);
  Location loc = function.getLoc();
  Value where =
      ir::GlobalLoadOp::create(builder, loc, builder.getI32Type(), kWhereName);
  auto onlyIf = [&](arith::CmpIPredicate how, int32_t number) {
    Value other = makeInt(builder, loc, builder.getI32Type(), number);
    auto op = ir::IfOp::create(
        builder, loc, arith::CmpIOp::create(builder, loc, how, where, other));
    Block *block = &op.getThenRegion().emplaceBlock();
    OpBuilder inside = OpBuilder::atBlockBegin(block);
    inside.setInsertionPoint(ir::NextOp::create(inside, loc));
    return inside;
  };
  if (function == script) {
    OpBuilder inside = onlyIf(arith::CmpIPredicate::ne, 0);
    state.restoreGlobals(inside, loc, where, {1, heads.size()});
  }
  Numbers own = heads.numbersOf(function);
  if (own.empty())
    return;
  // The loops of the script come before those of `main`.
  OpBuilder above = onlyIf(arith::CmpIPredicate::ne, 0);
  if (function != script)
    return state.restoreSlots(above, function, where, own);
  Value last = makeInt(above, loc, above.getI32Type(), own.last);
  auto op =
      ir::IfOp::create(above, loc,
                       arith::CmpIOp::create(
                           above, loc, arith::CmpIPredicate::sle, where, last));
  OpBuilder inside =
      OpBuilder::atBlockBegin(&op.getThenRegion().emplaceBlock());
  inside.setInsertionPoint(ir::NextOp::create(inside, loc));
  state.restoreSlots(inside, function, where, own);
}

LogicalResult Copier::run(func::FuncOp original, StringRef identity) {
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToStart(module.getBody());
  ir::GlobalOp::create(builder, module.getLoc(), kWhereName,
                       builder.getI32Type(), IntegerAttr());
  SmallVector<func::FuncOp, 2> functions{script};
  if (heads.callOfMain())
    functions.push_back(main);
  Liveness liveness(module);
  for (func::FuncOp function : functions)
    liveness.add(function, heads);
  State state(module, liveness);
  for (func::FuncOp function : functions) {
    Guards guards(function, heads);
    if (failed(guards.run()))
      return failure();
    Operation *beginning = guards.beginning();
    state.addSlots(function,
                   function == script ? "script:" : "main:", beginning);
    for (const SavePoint &point : guards.savePoints()) {
      builder.setInsertionPoint(&point.block->back());
      auto rt = [&](StringRef name, ValueRange inputs) {
        ir::RtOp::create(builder, function.getLoc(), TypeRange(),
                         builder.getStringAttr(name), inputs, StringAttr());
      };
      rt("chirt_checkpoint_begin",
         makeInt(builder, function.getLoc(), builder.getI32Type(), point.loop));
      saveLine(builder, point.where);
      state.save(builder, function, point.loop);
      rt("chirt_checkpoint_end", {});
    }
    restoreAt(beginning, state, function);
  }
  callCopy(original, identity);
  return success();
}

/// Note [Two forms of a script].
void Copier::callCopy(func::FuncOp original, StringRef identity) {
  OpBuilder builder = OpBuilder::atBlockBegin(&original.getBody().front());
  Location loc = original.getLoc();
  Type i32 = builder.getI32Type();
  Value text =
      ir::StrOp::create(builder, loc, ir::StrType::get(builder.getContext()),
                        builder.getStringAttr(identity));
  Value count = makeInt(builder, loc, i32, heads.size());
  Value where =
      ir::RtOp::create(builder, loc, i32,
                       builder.getStringAttr("chirt_checkpoint_start"),
                       ValueRange{text, count}, StringAttr())
          .getResult(0);
  Value isActive =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, where,
                            makeInt(builder, loc, i32, 0));
  auto op = ir::IfOp::create(builder, loc, isActive);
  builder.setInsertionPointToStart(&op.getThenRegion().emplaceBlock());
  ir::GlobalStoreOp::create(builder, loc, where, kWhereName);
  func::CallOp::create(builder, loc, script, ValueRange());
  ir::ReturnOp::create(builder, loc, ValueRange());
}

LogicalResult CheckpointsPass::report(const Heads &heads, func::FuncOp script) {
  static constexpr char kText[] =
      "no checkpoint can be taken in this loop, which a tape records";
  if (heads.size() > 0) {
    for (Operation *loop : heads.inTapes())
      emitWarning(loop->getLoc(), "[W0417] ") << kText;
    return success();
  }
  if (!heads.inTapes().empty())
    return emitError(heads.inTapes().front()->getLoc(), "[E0415] ") << kText;
  return emitError(script.getLoc(), "[E0416] ")
         << "neither the script nor `main` has a loop, at whose head a "
            "checkpoint could be taken";
}

/// A checkpoint holds numbers, fields and strs. The variables that hold lists,
/// dicts, sets or files are errors.
static LogicalResult refuseObjects(ModuleOp module, func::FuncOp script,
                                   func::FuncOp main) {
  bool hasObject = false;
  auto refuse = [&](Operation *op, StringRef name, Type type) {
    if (!isa<ir::ObjectType>(type) || hasObject)
      return;
    hasObject = true;
    bool isNamed = !name.empty() && !name.starts_with(".");
    emitError(op->getLoc(), "[E0418] ")
        << "a checkpoint cannot hold "
        << (isNamed ? ("`" + name + "`").str() : std::string("this"))
        << ", which is a list, dict, set or file";
  };
  for (auto global : module.getOps<ir::GlobalOp>())
    refuse(global, global.getSymName(), global.getType());
  for (func::FuncOp function : {script, main})
    if (function)
      function.walk([&](ir::LocalOp op) {
        refuse(op, op.getName(), op.getSlot().getType().getScalar());
      });
  return failure(hasObject);
}

void CheckpointsPass::runOnOperation() {
  ModuleOp module = getOperation();
  auto script = module.lookupSymbol<func::FuncOp>(ir::kScriptName);
  if (!script)
    return;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  Copier copier(module, script, main);
  if (failed(refuseObjects(module, script, main)) ||
      failed(report(copier.getHeads(), script)) ||
      failed(copier.run(script, identity)))
    signalPassFailure();
}
