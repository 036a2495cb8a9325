//===- PacksSums.cpp - Sums over what lies side by side -------------------===//
// A particle that gathers from the grid adds, for each component, a weighted
// scalar of each neighbour. Of several such sums, each takes its lanes of the
// packs; together they take all. Then a sum of whole packs does the work of
// all.
#include "chi/Transforms/SLP/SLP.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include <map>

using namespace mlir;
using namespace chi;
using namespace chi::slp;

namespace {
/// A sum whose terms each have one factor from a pack.
struct PackSum {
  struct Term {
    int64_t position; ///< from the lowest of the pack
    Value value;
  };
  arith::AddFOp root;
  SmallVector<Value> rest;                            ///< terms of another kind
  llvm::MapVector<unsigned, SmallVector<Term>> terms; ///< by the pack
  bool isTaken = false;

  ArrayRef<Term> pattern() const { return terms.front().second; }
};

class SumPacker {
public:
  SumPacker(Block &block, PackFinder &packs, PackBuilder &packer,
            OpBuilder &builder)
      : block(block), packs(packs), packer(packer), builder(builder) {}
  void run();

private:
  std::optional<PackSum> sumAt(arith::AddFOp root);
  std::optional<PackFinder::Position> loadIn(Value term);
  void keepOnePattern(PackSum &sum);
  SmallVector<PackSum *> groupOf(PackSum &first);
  PackSum *bestFor(PackSum &first, int64_t position, ArrayRef<int64_t> covered);
  bool isUsedBefore(ArrayRef<PackSum *> group, Operation *last);
  void emit(ArrayRef<PackSum *> group);
  SmallVector<Value> addLanes(Value total, ArrayRef<PackSum *> group);

  Block &block;
  PackFinder &packs;
  PackBuilder &packer;
  OpBuilder &builder;
  std::vector<PackSum> sums;
  std::vector<VectorSum> totals;
};
} // namespace

static bool mayReassociate(arith::AddFOp op) {
  return arith::bitEnumContainsAll(op.getFastmath(),
                                   arith::FastMathFlags::reassoc |
                                       arith::FastMathFlags::nsz);
}

/// The sum that the value is a part of, if it is of that one alone.
static arith::AddFOp sumAbove(Value value) {
  if (!value.hasOneUse())
    return {};
  auto above = dyn_cast<arith::AddFOp>(*value.user_begin());
  return above && above->getBlock() == value.getParentBlock() &&
                 mayReassociate(above)
             ? above
             : arith::AddFOp();
}

/// The one element of a scattered pack that the term is computed from; nothing
/// if there are several or none.
std::optional<PackFinder::Position> SumPacker::loadIn(Value term) {
  constexpr size_t kMaxVisited = 64;
  std::optional<PackFinder::Position> found;
  llvm::SetVector<Value> seen;
  seen.insert(term);
  for (size_t k = 0; k < seen.size(); ++k) {
    Value value = seen[k];
    if (auto position = packs.positionOf(value);
        position && packs.getPacks()[position->pack].isScattered) {
      if (found)
        return std::nullopt;
      found = position;
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (seen.size() < kMaxVisited && op && op->getBlock() == &block &&
        isElementwise(op) && isa<FloatType>(value.getType()))
      seen.insert(op->operand_begin(), op->operand_end());
  }
  return found;
}

/// Sorts the terms of a pack; what takes a place that is taken goes to the
/// rest.
static std::vector<int64_t> sortPack(SmallVector<PackSum::Term> &terms,
                                     int64_t low, SmallVector<Value> &rest) {
  std::vector<int64_t> positions;
  SmallVector<PackSum::Term> kept;
  for (PackSum::Term &term : terms) {
    term.position -= low;
    if (llvm::is_contained(positions, term.position)) {
      rest.push_back(term.value);
      continue;
    }
    positions.push_back(term.position);
    kept.push_back(term);
  }
  terms = std::move(kept);
  llvm::sort(terms, [](const auto &a, const auto &b) {
    return a.position < b.position;
  });
  llvm::sort(positions);
  return positions;
}

/// Keeps the packs of which the same places are taken, as many terms as
/// possible; the others are the rest.
void SumPacker::keepOnePattern(PackSum &sum) {
  std::map<std::vector<int64_t>, size_t> count;
  SmallVector<std::vector<int64_t>> patterns;
  for (auto &[pack, terms] : sum.terms) {
    patterns.push_back(
        sortPack(terms, packs.getPacks()[pack].lowest(), sum.rest));
    if (patterns.back().back() < kMaxPack)
      count[patterns.back()] += terms.size();
  }
  auto most = std::max_element(
      count.begin(), count.end(),
      [](const auto &a, const auto &b) { return a.second < b.second; });
  size_t next = 0;
  sum.terms.remove_if([&](auto &pack) {
    if (most != count.end() && patterns[next++] == most->first)
      return false;
    for (const PackSum::Term &term : pack.second)
      sum.rest.push_back(term.value);
    return true;
  });
}

std::optional<PackSum> SumPacker::sumAt(arith::AddFOp root) {
  constexpr size_t kMaxTerms = 1024;
  if (!mayReassociate(root) || sumAbove(root.getResult()))
    return std::nullopt;
  PackSum sum;
  sum.root = root;
  SmallVector<Value> open{root.getResult()};
  size_t count = 0;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    auto add = value.getDefiningOp<arith::AddFOp>();
    if (add && add->getBlock() == &block && mayReassociate(add) &&
        (add == root || value.hasOneUse())) {
      open.push_back(add.getRhs());
      open.push_back(add.getLhs());
      continue;
    }
    if (++count > kMaxTerms)
      return std::nullopt;
    if (auto from = loadIn(value))
      sum.terms[from->pack].push_back({from->position, value});
    else if (!matchPattern(value, m_AnyZeroFloat()))
      sum.rest.push_back(value);
  }
  keepOnePattern(sum);
  if (sum.terms.size() < 2)
    return std::nullopt;
  return sum;
}

/// How much of the computation of two terms is shared; negative if they are
/// not computed alike. To share a value counts for more than to share all that
/// it is computed from.
static int likeness(Value a, Value b, PackFinder &packs, unsigned depth = 0) {
  constexpr unsigned kDeepest = 6;
  constexpr int kWorth[kDeepest + 2] = {4096 * 4, 4096, 1024, 256,
                                        64,       16,   4,    1};
  if (a == b)
    return kWorth[depth];
  if (packs.positionOf(a) && packs.positionOf(b))
    return 0;
  Operation *left = a.getDefiningOp(), *right = b.getDefiningOp();
  if (!isElementwise(left) || !right || left->getName() != right->getName() ||
      depth > kDeepest)
    return depth ? 0 : -1;
  int sum = 0;
  for (auto [x, y] : llvm::zip(left->getOperands(), right->getOperands()))
    sum += likeness(x, y, packs, depth + 1);
  return sum;
}

/// Among the sums that include `position` and no covered term, the one most
/// similar to the first.
PackSum *SumPacker::bestFor(PackSum &first, int64_t position,
                            ArrayRef<int64_t> covered) {
  PackSum *best = nullptr;
  int most = -1;
  for (PackSum &sum : sums) {
    auto takes = [&](int64_t position) {
      return llvm::any_of(sum.pattern(), [&](const auto &term) {
        return term.position == position;
      });
    };
    if (sum.isTaken || &sum == &first || !takes(position) ||
        llvm::any_of(covered, takes) ||
        sum.pattern().size() != first.pattern().size() ||
        sum.root.getType() != first.root.getType() ||
        !llvm::equal(sum.terms, first.terms, [](const auto &a, const auto &b) {
          return a.first == b.first;
        }))
      continue;
    int like = likeness(first.pattern().front().value,
                        sum.pattern().front().value, packs);
    if (like > most)
      best = &sum, most = like;
  }
  return best;
}

/// Sums that together take all lanes of a stretch; empty if there are none.
SmallVector<PackSum *> SumPacker::groupOf(PackSum &first) {
  SmallVector<PackSum *> group;
  SmallVector<int64_t> covered;
  auto take = [&](PackSum *sum) {
    group.push_back(sum);
    for (const PackSum::Term &term : sum->pattern())
      covered.push_back(term.position);
    llvm::sort(covered);
  };
  take(&first);
  for (;;) {
    std::optional<int64_t> hole;
    for (int64_t k = covered.front(); k < covered.back() && !hole; ++k)
      if (!llvm::is_contained(covered, k))
        hole = k;
    // Components after the last one that the first sum takes.
    int64_t next = covered.back() + 1;
    PackSum *more = bestFor(first, hole.value_or(next), covered);
    if (!more && hole)
      return {};
    if (!more || covered.size() >= size_t(kMaxPack))
      break;
    take(more);
  }
  return int64_t(covered.size()) >= kMinPack &&
                 int64_t(covered.size()) <= kMaxPack
             ? group
             : SmallVector<PackSum *>();
}

bool SumPacker::isUsedBefore(ArrayRef<PackSum *> group, Operation *last) {
  return llvm::any_of(group, [&](PackSum *sum) {
    return llvm::any_of(sum->root->getUsers(), [&](Operation *user) {
      Operation *here = block.findAncestorOpInBlock(*user);
      return !here || here->isBeforeInBlock(last);
    });
  });
}

/// One scalar for each sum: the lanes that are its own.
SmallVector<Value> SumPacker::addLanes(Value total, ArrayRef<PackSum *> group) {
  Location loc = group.front()->root.getLoc();
  auto flags = group.front()->root.getFastmathAttr();
  if (group.size() == 1)
    return {vector::ReductionOp::create(
        builder, loc, vector::CombiningKind::ADD, total, flags.getValue())};
  int64_t low = INT64_MAX;
  for (PackSum *sum : group)
    low = std::min(low, sum->pattern().front().position);
  Value sum;
  for (size_t k = 0; k < group.front()->pattern().size(); ++k) {
    auto positions = llvm::map_to_vector(
        group, [&](PackSum *sum) { return sum->pattern()[k].position - low; });
    Value part =
        vector::ShuffleOp::create(builder, loc, total, total, positions);
    sum =
        sum ? arith::AddFOp::create(builder, loc, sum, part, flags).getResult()
            : part;
  }
  SmallVector<Value> results;
  for (size_t k = 0; k < group.size(); ++k)
    results.push_back(vector::ExtractOp::create(builder, loc, sum, int64_t(k)));
  return results;
}

void SumPacker::emit(ArrayRef<PackSum *> group) {
  Operation *last = group.front()->root;
  for (PackSum *sum : group)
    if (last->isBeforeInBlock(sum->root))
      last = sum->root;
  if (isUsedBefore(group, last))
    return;
  builder.setInsertionPoint(last);
  auto flags = group.front()->root.getFastmathAttr();
  VectorSum whole;
  Value &total = whole.total;
  for (size_t pack = 0; pack < group.front()->terms.size(); ++pack) {
    SmallVector<PackSum::Term> terms;
    for (PackSum *sum : group)
      llvm::append_range(terms, (sum->terms.begin() + pack)->second);
    llvm::sort(terms, [](const auto &a, const auto &b) {
      return a.position < b.position;
    });
    Value part = packer.pack(
        llvm::map_to_vector(terms, [](const auto &t) { return t.value; }));
    whole.terms.push_back(part);
    total = total ? arith::AddFOp::create(builder, last->getLoc(), total, part,
                                          flags)
                        .getResult()
                  : part;
  }
  for (auto [sum, value] : llvm::zip(group, addLanes(total, group))) {
    for (Value term : sum->rest)
      value =
          arith::AddFOp::create(builder, last->getLoc(), value, term, flags);
    sum->root.replaceAllUsesWith(value);
    sum->isTaken = true;
  }
  totals.push_back(std::move(whole));
}

void SumPacker::run() {
  for (arith::AddFOp add : block.getOps<arith::AddFOp>())
    if (auto sum = sumAt(add))
      sums.push_back(std::move(*sum));
  for (PackSum &sum : sums)
    if (!sum.isTaken) {
      SmallVector<PackSum *> group = groupOf(sum);
      sum.isTaken = true;
      if (!group.empty())
        emit(group);
    }
  factorSums(totals, builder);
}

void slp::packSums(Block &block, PackFinder &packs, PackBuilder &packer,
                   OpBuilder &builder) {
  SumPacker(block, packs, packer, builder).run();
}
