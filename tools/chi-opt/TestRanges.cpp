//===- TestRanges.cpp - What is known of integers, as remarks -------------===//
#include "TestPasses.h"

#include "chi/Analysis/Ranges.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// The name of a task's value depends on its place.
static std::string nameOfArgument(ir::TaskOp task, BlockArgument arg) {
  unsigned captured = task.getNumCaptured(), number = arg.getArgNumber();
  if (number < captured)
    return "c" + std::to_string(number);
  number -= captured;
  if (auto axes = task.getAxesAttr(); axes && number < axes.size())
    return cast<StringAttr>(axes[number]).str();
  return "i" + std::to_string(number);
}

std::string opt::nameOf(Value value) {
  if (auto named = dyn_cast<NameLoc>(value.getLoc()))
    return named.getName().str();
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (auto task = dyn_cast<ir::TaskOp>(arg.getOwner()->getParentOp()))
      return nameOfArgument(task, arg);
    return "arg" + std::to_string(arg.getArgNumber());
  }
  return value.getDefiningOp()->getName().stripDialect().str();
}

static std::string nameOf(const Symbol &symbol) {
  std::string name = opt::nameOf(symbol.value);
  if (!symbol.isExtent())
    return name;
  return "extent(" + name + ", " + std::to_string(symbol.axis) + ")";
}

std::string opt::textOf(const Linear &sum) {
  std::vector<std::pair<std::string, int64_t>> terms;
  for (const Linear::Term &term : sum.getTerms())
    terms.push_back({::nameOf(term.symbol), term.factor});
  llvm::sort(terms);
  if (sum.getConstant() != 0 || terms.empty())
    terms.push_back({"", sum.getConstant()});
  std::string text;
  for (const auto &[name, factor] : terms) {
    bool isNegative = factor < 0;
    // Read as unsigned: the smallest number has no positive one.
    uint64_t size = isNegative ? -uint64_t(factor) : factor;
    text += text.empty() ? (isNegative ? "-" : "") : isNegative ? " - " : " + ";
    if (name.empty() || size != 1)
      text += std::to_string(size) + (name.empty() ? "" : " * ");
    text += name;
  }
  return "'" + text + "'";
}

std::string opt::textOf(ArrayRef<Linear> sums) {
  std::string text;
  for (const Linear &sum : sums)
    text += (text.empty() ? "" : ", ") + textOf(sum);
  return "[" + text + "]";
}

static std::string textOf(Interval interval) {
  return "[" + std::to_string(interval.lo) + ", " +
         std::to_string(interval.hi) + "]";
}

static std::string textOf(const std::optional<Linear> &bound) {
  return bound ? opt::textOf(*bound) : "unknown";
}

namespace {
/// Answers, before the op that asks:
///   ask.interval  where each operand lies
///   ask.linear    each operand as a sum
///   ask.true      does the condition hold? `holds` or `open`
///   ask.wraps     may the op that makes the operand wrap? `exact by
///                 intervals`, `exact by facts` or `may wrap`
///   ask.domain    the axes of the task around it, and what it captures
class RangesTest : public PassWrapper<RangesTest, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RangesTest)
  StringRef getArgument() const override { return "chi-test-ranges"; }
  StringRef getDescription() const override {
    return "Report what is known of integers where a test queries it";
  }
  void runOnOperation() override {
    Ranges ranges(getOperation());
    getOperation().walk([&](Operation *op) {
      if (op->getName().getStringRef().starts_with("ask."))
        answer(op, ranges);
    });
  }

private:
  void answer(Operation *op, Ranges &ranges);
  std::string answerOne(StringRef question, Value value, Operation *at,
                        Ranges &ranges);
  std::string domain(ir::TaskOp task, Ranges &ranges);
};
} // namespace

void RangesTest::answer(Operation *op, Ranges &ranges) {
  StringRef question = op->getName().stripDialect();
  std::string text;
  if (question == "domain")
    text = domain(op->getParentOfType<ir::TaskOp>(), ranges);
  for (Value value : op->getOperands())
    text += (text.empty() ? "" : ", ") + answerOne(question, value, op, ranges);
  op->emitRemark() << text;
}

std::string RangesTest::answerOne(StringRef question, Value value,
                                  Operation *at, Ranges &ranges) {
  if (question == "interval")
    return ::textOf(ranges.intervalAt(value, at));
  if (question == "linear")
    return opt::textOf(ranges.linearAt(value, at));
  if (question == "true")
    return ranges.provesTrue(value, at) ? "holds" : "open";
  if (question == "wraps") {
    Operation *op = value.getDefiningOp();
    if (ranges.neverWraps(op, /*thorough=*/false))
      return "exact by intervals";
    return ranges.neverWraps(op, /*thorough=*/true) ? "exact by facts"
                                                    : "may wrap";
  }
  return "no such question";
}

std::string RangesTest::domain(ir::TaskOp task, Ranges &ranges) {
  const TaskDomain &domain = ranges.domainOf(task);
  std::string text = task.getFacts() ? "launched" : "not launched";
  for (auto [index, axis] : llvm::zip(task.getIndexVariables(), domain.axes))
    text += "; " + opt::nameOf(index) + " in " + ::textOf(axis.values) +
            " from " + ::textOf(axis.from) + " to " + ::textOf(axis.to);
  for (auto [value, interval, alias] :
       llvm::zip(task.getCaptured(), domain.captured, domain.aliases)) {
    if (!widthOf(value.getType()))
      continue;
    text += "; " + opt::nameOf(value) + " in " + ::textOf(interval);
    if (alias)
      text += " is " + opt::textOf(*alias);
  }
  return text;
}

void opt::registerRangesTest() { PassRegistration<RangesTest>(); }
