//===- TaskFacts.cpp - What a task says of its launches -------------------===//

#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace chi::ir;

//===----------------------------------------------------------------------===//
// TaskOpInterface
//===----------------------------------------------------------------------===//

static std::optional<int64_t> knownBound(ArrayRef<KnownAttr> bounds,
                                         unsigned axis) {
  return axis < bounds.size() ? bounds[axis].getValue() : std::nullopt;
}

std::optional<int64_t> TaskOp::getKnownStart(unsigned axis) {
  if (FactsAttr facts = getFactsAttr())
    if (auto known = knownBound(facts.getFrom(), axis))
      return known;
  return getOver() ? std::optional<int64_t>(0) : std::nullopt;
}

std::optional<int64_t> TaskOp::getKnownExtent(unsigned axis) {
  if (FactsAttr facts = getFactsAttr()) {
    auto from = knownBound(facts.getFrom(), axis);
    auto to = knownBound(facts.getTo(), axis);
    auto extent = from && to ? llvm::checkedSub(*to, *from) : std::nullopt;
    if (extent)
      return std::max<int64_t>(*extent, 0);
  }
  if (!getOver())
    return std::nullopt;
  auto field = cast<FieldType>(getCaptured()[*getOver()].getType());
  if (field.isDynamicDim(axis))
    return std::nullopt;
  return field.getShape()[axis];
}

// Nothing listed: it may read and write all fields, and overwrites none
// completely.
bool TaskOp::reads(unsigned captured) {
  EffectsAttr effects = getEffectsAttr();
  return !effects || llvm::is_contained(effects.getReads(), captured);
}
bool TaskOp::writes(unsigned captured) {
  EffectsAttr effects = getEffectsAttr();
  return !effects || llvm::is_contained(effects.getWrites(), captured);
}
bool TaskOp::overwrites(unsigned captured) {
  EffectsAttr effects = getEffectsAttr();
  return effects && llvm::is_contained(effects.getOverwrites(), captured);
}

/// What a tape launches finds its fields apart, as far as they are written
/// (chirt/tape/Backward.cpp): a field that the primal writes shares memory with
/// no other one, or the tape refused the primal's launch; of what is written of
/// the primal's the task gets a copy of its own, or the field itself if it does
/// the primal's work too; workspace fields are made for the launch; and of two
/// adjoints that would be one the second is apart.
static bool isLaunchedByTape(TaskOp task) {
  return task.getNumPrimal().has_value();
}

std::optional<int64_t> TaskOp::getNumPrimal() {
  AdjointAttr adjoint = getAdjointAttr();
  if (!adjoint || adjoint.getNumPrimal() < 0)
    return std::nullopt;
  return adjoint.getNumPrimal();
}

bool TaskOp::mayAlias(unsigned a, unsigned b) {
  auto left = dyn_cast<FieldType>(getCaptured()[a].getType());
  auto right = dyn_cast<FieldType>(getCaptured()[b].getType());
  if (a == b || !left || !right || !mayAliasByType(left, right))
    return a == b;
  if (isLaunchedByTape(*this))
    return false;
  FactsAttr facts = getFactsAttr();
  if (!facts)
    return true;
  auto has = [](ArrayRef<int64_t> list, int64_t number) {
    return llvm::is_contained(list, number);
  };
  return !has(facts.getCells(), a) && !has(facts.getCells(), b) &&
         (!has(facts.getNoalias(), a) || !has(facts.getNoalias(), b));
}

FactsAttr chi::ir::factsWithTangents(TaskOp task) {
  FactsAttr facts = task.getFactsAttr();
  if (!facts)
    return {};
  auto isApart = [&](unsigned number) {
    return llvm::is_contained(facts.getNoalias(), number) ||
           llvm::is_contained(facts.getCells(), number);
  };
  SmallVector<KnownAttr> inputs(facts.getInputs());
  SmallVector<int64_t> noalias(facts.getNoalias());
  for (auto [number, value] : llvm::enumerate(task.getCaptured())) {
    auto field = dyn_cast<FieldType>(value.getType());
    if (!field || !isa<FloatType>(field.getScalar()))
      continue;
    if (isApart(number))
      noalias.push_back(inputs.size());
    inputs.push_back(KnownAttr::none(task.getContext()));
  }
  return FactsAttr::get(task.getContext(), facts.getFrom(), facts.getTo(),
                        inputs, noalias, facts.getCells());
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// Do the terms name integers and extents of captured fields, other than
/// `self`?
static LogicalResult verifyKnown(TaskOp task, KnownAttr known, StringRef what,
                                 int64_t number, int64_t self = -1) {
  auto captured = task.getCaptured();
  if (known.getLeast() > known.getGreatest())
    return task.emitOpError("has a fact on ")
           << what << ' ' << number << " with the range " << known.getLeast()
           << " to " << known.getGreatest();
  for (const LinearTerm &term : known.getTerms()) {
    bool exists = term.argument >= 0 && term.argument != self &&
                  term.argument < int64_t(captured.size());
    Type type = exists ? captured[term.argument].getType() : Type();
    auto field = dyn_cast_or_null<FieldType>(type);
    bool fits = field ? term.axis >= 0 && term.axis < field.getRank()
                      : exists && term.axis < 0 && isa<IntegerType>(type);
    if (!fits)
      return task.emitOpError("compares ")
             << what << ' ' << number << " with argument " << term.argument
             << (term.axis < 0 ? ", which is not another integer"
                               : ", which has no such extent");
  }
  return success();
}

static LogicalResult verifyFieldList(TaskOp task, ArrayRef<int64_t> numbers) {
  auto captured = task.getCaptured();
  for (int64_t number : numbers)
    if (number < 0 || number >= int64_t(captured.size()) ||
        !isa<FieldType>(captured[number].getType()))
      return task.emitOpError("lists argument ")
             << number << " as a field, which it is not";
  return success();
}

/// Two arrays of sums for each axis of a task with axes of its own.
static LogicalResult verifyAxisBounds(TaskOp task) {
  auto all = task->getAttrOfType<ArrayAttr>(kAxisBoundsAttr);
  if (!all)
    return success();
  if (!hasOwnAxes(task) || all.size() != 2 * size_t(task.getRank()))
    return task.emitOpError("has bounds for ")
           << all.size() / 2 << " axes, but "
           << (hasOwnAxes(task) ? task.getRank() : 0) << " of its own";
  for (auto [number, sums] : llvm::enumerate(all)) {
    auto known = dyn_cast<ArrayAttr>(sums);
    if (!known || !llvm::all_of(known, llvm::IsaPred<KnownAttr>))
      return task.emitOpError("has a bound that is no sum: ") << sums;
    for (auto sum : known.getAsRange<KnownAttr>())
      if (!sum.getIsSum())
        return task.emitOpError("has a bound that is no sum: ") << sum;
      else if (failed(verifyKnown(task, sum,
                                  number % 2 ? "the end of axis"
                                             : "the start of axis",
                                  number / 2)))
        return failure();
  }
  return success();
}

LogicalResult chi::ir::verifyFacts(TaskOp task) {
  if (failed(verifyAxisBounds(task)))
    return failure();
  FactsAttr facts = task.getFactsAttr();
  if (!facts)
    return success();
  size_t rank = task.getRank();
  if (facts.getFrom().size() != rank || facts.getTo().size() != rank ||
      facts.getInputs().size() != task.getNumCaptured())
    return task.emitOpError(
        "has facts for other axes or arguments than its own");
  for (auto [axis, from, to] : llvm::enumerate(facts.getFrom(), facts.getTo()))
    if (failed(verifyKnown(task, from, "the start of axis", axis)) ||
        failed(verifyKnown(task, to, "the end of axis", axis)))
      return failure();
  for (auto [number, known] : llvm::enumerate(facts.getInputs())) {
    bool isInteger = isa<IntegerType>(task.getCaptured()[number].getType());
    if (!isInteger && (known.hasRange() || known.getIsSum()))
      return task.emitOpError("has the number of argument ")
             << number << ", which is not an integer";
    if (failed(verifyKnown(task, known, "argument", number, number)))
      return failure();
  }
  return success(succeeded(verifyFieldList(task, facts.getNoalias())) &&
                 succeeded(verifyFieldList(task, facts.getCells())));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) ||
      constant.getBitWidth() > 64)
    return std::nullopt;
  // Truth values are 0 and 1.
  return constant.getBitWidth() == 1 ? int64_t(constant.getZExtValue())
                                     : constant.getSExtValue();
}

static Value belowCasts(Value field) {
  while (auto cast = field.getDefiningOp<CastFieldOp>())
    field = cast.getField();
  return field;
}

static std::optional<int64_t> valueOf(const LinearTerm &term, LaunchOp launch) {
  Value input = launch.getInputs()[term.argument];
  if (term.axis < 0)
    return constantOf(input);
  auto field = cast<FieldType>(input.getType());
  if (field.isDynamicDim(term.axis))
    field = cast<FieldType>(belowCasts(input).getType());
  if (term.axis >= field.getRank() || field.isDynamicDim(term.axis))
    return std::nullopt;
  return field.getShape()[term.axis];
}

/// The value of a sum of arguments at a launch, if these are constants.
static std::optional<int64_t> sumAt(KnownAttr known, LaunchOp launch) {
  std::optional<int64_t> sum = known.getConstant();
  for (const LinearTerm &term : known.getTerms()) {
    auto value = valueOf(term, launch);
    auto product = value ? llvm::checkedMul(*value, term.factor) : std::nullopt;
    sum = product ? llvm::checkedAdd(*sum, *product) : std::nullopt;
    if (!sum)
      return std::nullopt;
  }
  return sum;
}

/// Rejects facts that are visibly wrong; computed values are not known here.
static LogicalResult verifyPassed(LaunchOp launch, KnownAttr known, Value value,
                                  StringRef what, int64_t number) {
  auto passed = constantOf(value);
  if (!passed)
    return success();
  if (*passed < known.getLeast() || *passed > known.getGreatest())
    return launch.emitOpError("passes ")
           << *passed << " as " << what << ' ' << number << ", which "
           << launch.getTaskAttr() << " assumes to be from " << known.getLeast()
           << " to " << known.getGreatest();
  auto sum = known.getIsSum() ? sumAt(known, launch) : std::nullopt;
  if (sum && *sum != *passed)
    return launch.emitOpError("passes ")
           << *passed << " as " << what << ' ' << number << ", which "
           << launch.getTaskAttr() << " assumes to be " << *sum;
  return success();
}

/// Are two handles seen to be of one field?
static bool areSame(Value a, Value b) {
  a = belowCasts(a), b = belowCasts(b);
  auto left = a.getDefiningOp<GlobalLoadOp>(),
       right = b.getDefiningOp<GlobalLoadOp>();
  return a == b ||
         (left && right && left.getGlobalAttr() == right.getGlobalAttr());
}

static LogicalResult verifyNoalias(LaunchOp launch, FactsAttr facts) {
  for (int64_t cell : facts.getCells())
    if (belowCasts(launch.getInputs()[cell]).getDefiningOp<GlobalLoadOp>())
      return launch.emitOpError("passes a variable's field as argument ")
             << cell << ", which " << launch.getTaskAttr()
             << " assumes to be a cell";
  SmallVector<int64_t> disjoint(facts.getNoalias());
  llvm::append_range(disjoint, facts.getCells());
  for (auto [offset, a] : llvm::enumerate(disjoint))
    for (int64_t b : llvm::drop_begin(disjoint, offset + 1))
      if (areSame(launch.getInputs()[a], launch.getInputs()[b]))
        return launch.emitOpError("passes one field as arguments ")
               << a << " and " << b << ", which " << launch.getTaskAttr()
               << " assumes to be distinct";
  return success();
}

LogicalResult chi::ir::verifyAgrees(LaunchOp launch, TaskOp task) {
  FactsAttr facts = task.getFactsAttr();
  // The task's own verifier reports errors of the task itself.
  if (!facts || facts.getInputs().size() != launch.getInputs().size() ||
      facts.getFrom().size() != launch.getFrom().size() ||
      facts.getTo().size() != launch.getTo().size())
    return success();
  for (auto [axis, from, to] :
       llvm::enumerate(launch.getFrom(), launch.getTo()))
    if (failed(verifyPassed(launch, facts.getFrom()[axis], from,
                            "the start of axis", axis)) ||
        failed(verifyPassed(launch, facts.getTo()[axis], to, "the end of axis",
                            axis)))
      return failure();
  for (auto [number, input] : llvm::enumerate(launch.getInputs()))
    if (isa<IntegerType>(input.getType()) &&
        failed(verifyPassed(launch, facts.getInputs()[number], input,
                            "argument", number)))
      return failure();
  return verifyNoalias(launch, facts);
}
