//===- TestTasks.cpp - Facts about tasks, as remarks ----------------------===//
#include "TestPasses.h"

#include "chi/Analysis/Cost.h"
#include "chi/Analysis/Dependence.h"
#include "chi/Analysis/Races.h"
#include "chi/Analysis/RowChecks.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

namespace {
/// A pass that looks at each task of a module.
template <typename Derived>
class TaskTest : public PassWrapper<Derived, OperationPass<ModuleOp>> {
public:
  StringRef getArgument() const override { return Derived::kArgument; }
  StringRef getDescription() const override { return Derived::kDescription; }
  void runOnOperation() override {
    Ranges ranges(this->getOperation());
    for (auto task : this->getOperation().template getOps<ir::TaskOp>())
      static_cast<Derived *>(this)->look(task, ranges);
  }
};

/// Answers `ask.axes` on each of its operands: `none`, `all`, `too deep` or the
/// names of the index variables.
struct DependenceTest : TaskTest<DependenceTest> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DependenceTest)
  static constexpr StringLiteral kArgument = "chi-test-dependence";
  static constexpr StringLiteral kDescription =
      "Report the index variables that a value depends on";
  void look(ir::TaskOp task, Ranges &ranges);
};

/// Follows the iterations that the task asks for by `ask.iteration`, each from
/// the start, and says of each access what it touches. The index of an
/// iteration: its place behind the start of the domain, in the attribute `at`.
struct SamplerTest : TaskTest<SamplerTest> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SamplerTest)
  static constexpr StringLiteral kArgument = "chi-test-sampler";
  static constexpr StringLiteral kDescription =
      "Report the accesses of single iterations";
  void look(ir::TaskOp task, Ranges &ranges);
};

/// Says of each race where it is, and of a task without one `no race`.
struct RacesTest : TaskTest<RacesTest> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RacesTest)
  static constexpr StringLiteral kArgument = "chi-test-races";
  static constexpr StringLiteral kDescription =
      "Report the proved races of a task";
  void look(ir::TaskOp task, Ranges &ranges);
};

/// Says of each condition of a check that holds for a row as a whole whether
/// its index counts along the row, and of other tasks `iteration by iteration`.
struct RowChecksTest : TaskTest<RowChecksTest> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RowChecksTest)
  static constexpr StringLiteral kArgument = "chi-test-row-checks";
  static constexpr StringLiteral kDescription =
      "Report the bounds checks that are tested once per row";
  void look(ir::TaskOp task, Ranges &ranges);
};

struct CostTest : TaskTest<CostTest> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CostTest)
  static constexpr StringLiteral kArgument = "chi-test-cost";
  static constexpr StringLiteral kDescription =
      "Report the estimated cost of an iteration of a task";
  void look(ir::TaskOp task, Ranges &ranges) {
    task.emitRemark("cost ") << costOf(task, ranges) << ';';
  }
};
} // namespace

static std::string textOf(std::optional<AxisMask> axes, ir::TaskOp task) {
  if (!axes)
    return "too deep";
  if (*axes == kAllAxes)
    return "all";
  std::string text;
  for (auto [k, index] : llvm::enumerate(task.getIndexVariables()))
    if (*axes >> k & 1)
      text += (text.empty() ? "" : " ") + opt::nameOf(index);
  return text.empty() ? "none" : text;
}

void DependenceTest::look(ir::TaskOp task, Ranges &ranges) {
  // One for all questions: what is remembered of one must hold for others.
  Dependence dependence(task);
  task.walk([&](Operation *op) {
    if (op->getName().getStringRef() != "ask.axes")
      return;
    std::string text;
    for (Value value : op->getOperands())
      text +=
          (text.empty() ? "" : ", ") + textOf(dependence.axesOf(value), task);
    op->emitRemark() << text << ';';
  });
}

void SamplerTest::look(ir::TaskOp task, Ranges &ranges) {
  Sampler sampler(task, ranges);
  const TaskDomain &domain = ranges.domainOf(task);
  std::vector<Touch> touches;
  SmallVector<SmallVector<Linear, 0>> iterations;
  task.walk([&](Operation *op) {
    if (op->getName().getStringRef() != "ask.iteration")
      return;
    SmallVector<Linear, 0> &indices = iterations.emplace_back();
    auto places = op->getAttrOfType<DenseI64ArrayAttr>("at");
    for (auto [axis, place] : llvm::zip(domain.axes, places.asArrayRef()))
      indices.push_back(*axis.from.value_or(Linear()).plusConstant(place));
    if (!sampler.run(iterations.size() - 1, indices, touches))
      op->emitRemark("over the budget");
  });
  for (const Touch &touch : touches)
    touch.op->emitRemark("iteration ")
        << opt::textOf(iterations[touch.iteration]) << " touches "
        << opt::textOf(touch.index);
}

void RacesTest::look(ir::TaskOp task, Ranges &ranges) {
  std::vector<Race> races = findRaces(task, ranges);
  if (races.empty())
    task.emitRemark("no race");
  for (const Race &race : races) {
    bool isOther = race.first.op != race.second.op;
    race.first.op->emitRemark("race at ")
        << opt::textOf(race.first.index) << " of "
        << opt::textOf(race.firstIteration) << " and "
        << opt::textOf(race.secondIteration) << (isOther ? "" : " by itself");
    if (isOther)
      race.second.op->emitRemark("race with it");
  }
}

void RowChecksTest::look(ir::TaskOp task, Ranges &ranges) {
  auto checks = findRowChecks(task);
  if (!checks)
    return void(task.emitRemark("iteration by iteration"));
  for (const RowCheck &check : *checks)
    check.check->emitRemark("grows by ") << check.stride;
}

void opt::registerTasksTests() {
  PassRegistration<DependenceTest>();
  PassRegistration<SamplerTest>();
  PassRegistration<RacesTest>();
  PassRegistration<RowChecksTest>();
  PassRegistration<CostTest>();
}
