//===- FindRaces.cpp - Refuse tasks that are proved to race ---------------===//
#include "chi/Transforms/Checks/Passes.h"

#include "chi/Analysis/Races.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

namespace chi::checks {
#define GEN_PASS_DEF_FINDRACESPASS
#include "chi/Transforms/Checks/Passes.h.inc"
} // namespace chi::checks

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// The numbers of a list, or nothing if one is not known as such.
static std::optional<std::string> numbers(ArrayRef<Linear> sums) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (auto [k, sum] : llvm::enumerate(sums)) {
    if (!sum.isConstant())
      return std::nullopt;
    out << (k ? ", " : "") << sum.getConstant();
  }
  return text;
}

/// "iterations i = 0 and i = 1", "iterations (0, 1) and (0, 2)" if the loop's
/// names are not known, "two iterations" if the numbers are not.
static std::string describeIterations(ir::TaskOp task, const Race &race) {
  auto first = numbers(race.firstIteration);
  auto second = numbers(race.secondIteration);
  if (!first || !second)
    return "two iterations";
  std::string names;
  auto axes = task.getAxesAttr();
  if (axes && axes.size() == race.firstIteration.size())
    for (auto [k, axis] : llvm::enumerate(axes.getAsRange<StringAttr>()))
      names += (k ? ", " : "") + axis.str();
  bool isOne = race.firstIteration.size() == 1;
  auto tuple = [&](const std::string &text) {
    return isOne ? text : "(" + text + ")";
  };
  std::string prefix = names.empty() ? "" : tuple(names) + " = ";
  return "iterations " + prefix + tuple(*first) + " and " + prefix +
         tuple(*second);
}

static StringRef verb(ir::FieldAccessOpInterface op) {
  if (isAtomicLoad(op))
    return "reads";
  switch (op.getAccessKind()) {
  case ir::AccessKind::load:
    return "reads";
  case ir::AccessKind::store:
    return "writes";
  case ir::AccessKind::accum:
  case ir::AccessKind::atomic:
    return "updates";
  }
  return "touches";
}

/// "`x[3]`", "an element of `x`" if it is not known which.
static std::string describeElement(const Touch &touch) {
  auto name = touch.op.getFieldNameAttr();
  std::string field = name && !name.empty() ? name.str() : "a field";
  auto index = numbers(touch.index);
  if (!index)
    return "an element of `" + field + "`";
  if (touch.index.empty())
    return "`" + field + "`";
  return "`" + field + "[" + *index + "]`";
}

/// The operator that does in one statement what `x = x op e` does in two
/// accesses; empty if the store is no such statement.
static StringRef updateInstead(ir::FieldAccessOpInterface access) {
  auto store = dyn_cast<ir::StoreOp>(access.getOperation());
  Operation *made = store ? store.getValue().getDefiningOp() : nullptr;
  if (!made || made->getNumOperands() != 2)
    return "";
  auto isOld = [&](Value operand) {
    auto load = operand.getDefiningOp<ir::LoadOp>();
    return load && load.getField() == store.getField() &&
           load.getIndices() == store.getIndices() &&
           load.getDynamic() == store.getDynamic() &&
           load.getComponent() == store.getComponent();
  };
  bool isFirst = isOld(made->getOperand(0));
  if (isFirst && isa<arith::SubFOp, arith::SubIOp>(made))
    return "-=";
  if (!isFirst && !isOld(made->getOperand(1)))
    return "";
  return llvm::TypeSwitch<Operation *, StringRef>(made)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return "+="; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return "*="; })
      .Case([](arith::AndIOp) { return "&="; })
      .Case([](arith::OrIOp) { return "|="; })
      .Case([](arith::XOrIOp) { return "^="; })
      .Case<arith::MinNumFOp, arith::MinSIOp, arith::MinUIOp>(
          [](auto) { return "atomic_min"; })
      .Case<arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp>(
          [](auto) { return "atomic_max"; })
      .Default(StringRef());
}

/// What to write instead.
static std::string advice(const Race &race) {
  for (const Touch *touch : {&race.first, &race.second})
    if (StringRef update = updateInstead(touch->op); !update.empty())
      return ("`" + update +
              "` updates an element that several iterations share")
          .str();
  return "`for … in serial(…):` runs the iterations one after the other";
}

static void report(ir::TaskOp task, const Race &race) {
  StringRef first = verb(race.first.op), second = verb(race.second.op);
  // Two updates of different kinds look alike in words.
  bool isMixed = updateKindOf(race.first.op) && updateKindOf(race.second.op);
  // The location only: the user does not see IR.
  InFlightDiagnostic error =
      emitError(race.first.op->getLoc(), "[E0410] ")
      << describeIterations(task, race) << " of this parallel loop race: one "
      << first << " " << describeElement(race.first) << ", the other ";
  if (isMixed)
    error << "updates it by another operation";
  else
    error << second << " it" << (first == second ? " too" : "");
  if (race.second.op != race.first.op)
    error.attachNote(race.second.op->getLoc()) << "the other access is here";
  error.attachNote(UnknownLoc::get(task.getContext())) << advice(race);
}

namespace {
struct FindRacesPass : checks::impl::FindRacesPassBase<FindRacesPass> {
  void runOnOperation() override {
    Ranges ranges(getOperation());
    bool found = false;
    for (auto task : getOperation().getOps<ir::TaskOp>())
      for (const Race &race : findRaces(task, ranges)) {
        report(task, race);
        found = true;
      }
    if (found)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
