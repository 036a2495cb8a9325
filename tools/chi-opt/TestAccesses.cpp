//===- TestAccesses.cpp - Which accesses may meet, as remarks -------------===//
#include "TestPasses.h"

#include "chi/Analysis/AccessMaps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// What a test calls an access: its attribute `as`, else its number.
static std::string labelOf(const Access &access, unsigned number) {
  if (auto label = access.op->getAttrOfType<StringAttr>("as"))
    return label.str();
  return "#" + std::to_string(number);
}

namespace {
/// Says of each access what it touches, and the accesses by which another
/// iteration may touch the same: `meets` if it is one field, `may meet` if two
/// fields are taken for one. Answers `ask.uniform` (`uniform` or `varies`),
/// `ask.single` (`single` or `many`) and `ask.alike`: for each access in order
/// the label of the first one that is alike.
class AccessesTest : public PassWrapper<AccessesTest, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AccessesTest)
  StringRef getArgument() const override { return "chi-test-accesses"; }
  StringRef getDescription() const override {
    return "Report which accesses of a task may alias";
  }
  void runOnOperation() override {
    Ranges ranges(getOperation());
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      AccessMaps maps(task, ranges);
      for (const Access &access : maps.getAccesses())
        describe(access, maps);
      task.walk([&](Operation *op) { answer(op, maps); });
    }
  }

private:
  void describe(const Access &access, AccessMaps &maps);
  void answer(Operation *op, AccessMaps &maps);
};
} // namespace

void AccessesTest::describe(const Access &access, AccessMaps &maps) {
  std::string component =
      access.component ? std::to_string(*access.component) : "?";
  InFlightDiagnostic remark = access.op->emitRemark();
  remark << ir::stringifyAccessKind(access.op.getAccessKind()) << ' '
         << opt::nameOf(access.field) << opt::textOf(access.index) << '.'
         << component;
  if (auto kind = updateKindOf(access.op))
    remark << ' ' << ir::stringifyAtomicKind(*kind);
  std::string meets, mayMeet;
  for (auto [number, other] : llvm::enumerate(maps.getAccesses())) {
    if (!maps.isDisjoint(access, other))
      meets += " " + labelOf(other, number);
    else if (!maps.isDisjointAsOneField(access, other))
      mayMeet += " " + labelOf(other, number);
  }
  remark << (meets.empty() ? ", apart" : ", meets" + meets);
  if (!mayMeet.empty())
    remark << ", may meet" << mayMeet;
  remark << ';';
}

void AccessesTest::answer(Operation *op, AccessMaps &maps) {
  StringRef name = op->getName().getStringRef();
  if (name == "ask.uniform")
    for (Value value : op->getOperands())
      op->emitRemark(maps.isUniform(value) ? "uniform" : "varies");
  if (name == "ask.single")
    op->emitRemark(maps.isSingle() ? "single" : "many");
  if (name != "ask.alike")
    return;
  SmallVector<const Access *> accesses;
  for (const Access &access : maps.getAccesses())
    accesses.push_back(&access);
  std::string text = "alike:";
  for (unsigned first : AccessMaps::firstAlike(accesses))
    text += " " + labelOf(*accesses[first], first);
  op->emitRemark() << text << ';';
}

void opt::registerAccessesTest() { PassRegistration<AccessesTest>(); }
