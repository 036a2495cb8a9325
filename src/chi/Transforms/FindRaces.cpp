//===- FindRaces.cpp - Refuse tasks that are proved to race ---------------===//
#include "chi/Transforms/Passes.h"

#include "chi/Analysis/Races.h"
#include "llvm/Support/raw_ostream.h"

namespace chi::transforms {
#define GEN_PASS_DEF_FINDRACESPASS
#include "chi/Transforms/Passes.h.inc"
} // namespace chi::transforms

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

/// "iteration (i, j) = (0, 1)", or without numbers.
static std::string describeIteration(ir::TaskOp task, ArrayRef<Linear> at,
                                     StringRef otherwise) {
  auto values = numbers(at);
  if (!values)
    return otherwise.str();
  std::string names;
  if (auto axes = task.getAxesAttr(); axes && axes.size() == at.size())
    for (auto [k, axis] : llvm::enumerate(axes.getAsRange<StringAttr>()))
      names += (k ? ", " : "") + axis.str();
  bool isOne = at.size() == 1;
  std::string open = isOne ? "" : "(", close = isOne ? "" : ")";
  std::string text = "iteration ";
  if (!names.empty())
    text += open + names + close + " = ";
  return text + open + *values + close;
}

static StringRef verb(ir::FieldAccessOpInterface op) {
  switch (modeOf(op)) {
  case AccessMode::Load: return "reads";
  case AccessMode::Store: return "stores to";
  case AccessMode::Accum:
  case AccessMode::Atomic: return "updates";
  }
  return "touches";
}

/// "`x[3]`", "an element of `x`" if it is not known which.
static std::string describeElement(const Touch &touch) {
  auto name = touch.op->getAttrOfType<StringAttr>("chi.name");
  std::string field = name && !name.empty() ? name.str() : "a field";
  auto index = numbers(touch.index);
  if (!index)
    return "an element of `" + field + "`";
  if (touch.index.empty())
    return "`" + field + "`";
  return "`" + field + "[" + *index + "]`";
}

static void report(ir::TaskOp task, const Race &race) {
  std::string one =
      describeIteration(task, race.firstIteration, "one iteration");
  std::string other =
      describeIteration(task, race.secondIteration, "another");
  // Two different updates look alike in words.
  bool isMixed = modeOf(race.first.op) == AccessMode::Accum &&
                 modeOf(race.second.op) == AccessMode::Accum;
  InFlightDiagnostic error =
      race.first.op->emitError("[E0410] iterations of this parallel loop race: ")
      << one << " " << verb(race.first.op) << " "
      << describeElement(race.first) << ", which " << other << " "
      << verb(race.second.op) << (isMixed ? " in another way" : " too");
  if (modeOf(race.second.op) != modeOf(race.first.op) || isMixed ||
      race.second.op != race.first.op)
    error.attachNote(race.second.op->getLoc())
        << "the other access is here";
}

namespace {
struct FindRacesPass : transforms::impl::FindRacesPassBase<FindRacesPass> {
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
