//===- TaskBoxes.cpp - Where the accesses of a task lie -------------------===//
#include "chi/Transforms/Facts/Passes.h"

#include "chi/Analysis/AccessMaps.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "chi/Dialect/Chi/Schedule.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/CheckedArithmetic.h"

namespace chi::facts {
#define GEN_PASS_DEF_TASKBOXESPASS
#include "chi/Transforms/Facts/Passes.h.inc"
} // namespace chi::facts

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// Accesses of one argument that differ. With more of them it is as a whole.
static constexpr size_t kMaxBoxes = 16;

namespace {
using Words = SmallVector<int64_t, 0>;

/// Writes the accesses of one task as words.
class BoxWriter {
public:
  BoxWriter(ir::TaskOp task, Ranges &ranges)
      : task(task), ranges(ranges), maps(task, ranges) {}

  Words write();

private:
  std::optional<std::array<int64_t, 3>> symbolOf(const Symbol &symbol,
                                                 bool isGreatest);
  void addSum(Words &words, const Linear &sum, Operation *at, bool isGreatest);
  Words boxOf(const Access &access);

  ir::TaskOp task;
  Ranges &ranges;
  AccessMaps maps;
};
} // namespace

/// A number and an axis in the form of a chirt_box_symbol.
std::optional<std::array<int64_t, 3>> BoxWriter::symbolOf(const Symbol &symbol,
                                                          bool isGreatest) {
  auto argument = dyn_cast<BlockArgument>(symbol.value);
  if (!argument || argument.getOwner()->getParentOp() != task)
    return std::nullopt;
  int64_t number = argument.getArgNumber(), captured = task.getNumCaptured();
  int64_t known = task.getNumPrimal().value_or(captured);
  // The tape has the arguments after the primal's only when it runs backward.
  if (number >= known && number < captured)
    return std::nullopt;
  if (symbol.isExtent())
    return std::array<int64_t, 3>{CHIRT_BOX_EXTENT, number, symbol.axis};
  if (number < captured)
    return std::array<int64_t, 3>{CHIRT_BOX_SCALAR, number, 0};
  return std::array<int64_t, 3>{isGreatest ? CHIRT_BOX_LAST : CHIRT_BOX_FIRST,
                                number - captured, 0};
}

void BoxWriter::addSum(Words &words, const Linear &sum, Operation *at,
                       bool isGreatest) {
  int64_t constant = sum.getConstant();
  Words terms;
  int64_t count = 0;
  for (const Linear::Term &term : sum.getTerms()) {
    bool wantsGreatest = isGreatest == (term.factor > 0);
    if (auto symbol = symbolOf(term.symbol, wantsGreatest)) {
      llvm::append_range(terms, *symbol);
      terms.push_back(term.factor);
      ++count;
      continue;
    }
    Interval range = ranges.intervalAt(term.symbol, at);
    int64_t end = wantsGreatest ? range.hi : range.lo;
    auto product = llvm::checkedMul(end, term.factor);
    auto moved = product ? llvm::checkedAdd(constant, *product) : std::nullopt;
    // The ends of what 32 bits hold are no news.
    bool isKnown = end > INT32_MIN && end < INT32_MAX && moved;
    if (!isKnown) {
      words.push_back(-1);
      return;
    }
    constant = *moved;
  }
  words.push_back(count);
  words.push_back(constant);
  llvm::append_range(words, terms);
}

static int64_t usesOf(ir::FieldAccessOpInterface access) {
  bool reads = access.getAccessKind() != ir::AccessKind::store;
  return (reads ? CHIRT_USE_READ : 0) |
         (access.isWrite() ? CHIRT_USE_WRITE : 0);
}

Words BoxWriter::boxOf(const Access &access) {
  Words words;
  for (const Linear &sum : access.index) {
    addSum(words, sum, access.op, /*isGreatest=*/false);
    addSum(words, sum, access.op, /*isGreatest=*/true);
  }
  return words;
}

Words BoxWriter::write() {
  // By argument and use, in the order of the accesses.
  llvm::MapVector<std::pair<int64_t, int64_t>, SmallVector<Words>> boxes;
  for (const Access &access : maps.getAccesses()) {
    auto field = dyn_cast<BlockArgument>(access.field);
    if (!field || field.getOwner()->getParentOp() != task)
      continue;
    auto &known = boxes[{field.getArgNumber(), usesOf(access.op)}];
    Words box = boxOf(access);
    if (known.size() <= kMaxBoxes && !llvm::is_contained(known, box))
      known.push_back(std::move(box));
  }
  Words all;
  for (auto &[of, known] : boxes) {
    int64_t rank =
        cast<ir::FieldType>(task.getCaptured()[of.first].getType()).getRank();
    if (known.size() > kMaxBoxes)
      known.assign(1, Words(2 * rank, -1));
    for (const Words &box : known) {
      llvm::append_values(all, of.first, of.second, rank);
      llvm::append_range(all, box);
    }
  }
  return all;
}

namespace {
struct TaskBoxesPass : facts::impl::TaskBoxesPassBase<TaskBoxesPass> {
  void runOnOperation() override {
    std::optional<Ranges> ranges;
    for (auto task : getOperation().getOps<ir::TaskOp>()) {
      if (!ir::adjointOf(task) && !task.getNumPrimal())
        continue;
      if (!ranges)
        ranges.emplace(getOperation());
      Words words = BoxWriter(task, *ranges).write();
      task->setAttr(ir::kBoxesAttr,
                    DenseI64ArrayAttr::get(&getContext(), words));
    }
  }
};
} // namespace
