//===- MergeChecks.cpp - One check for neighbouring indices ---------------===//
#include "chi/Transforms/Checks/CheckMoves.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace chi;
using namespace chi::analysis;
using namespace chi::checks;

std::optional<BoundsCheck> checks::boundsOf(ir::CheckOp check) {
  auto compare = check.getOk().getDefiningOp<arith::CmpIOp>();
  if (check.getKind() != ir::CheckKind::bounds || !compare ||
      compare.getPredicate() != arith::CmpIPredicate::ult)
    return std::nullopt;
  return BoundsCheck{compare.getLhs(), compare.getRhs()};
}

bool checks::stopsChecks(Operation *op) {
  return op
      ->walk([](Operation *each) {
        auto check = dyn_cast<ir::CheckOp>(each);
        bool stops = (check && check.getKind() != ir::CheckKind::bounds) ||
                     isa<CallOpInterface, ir::PrintOp, ir::RtOp, ir::LaunchOp,
                         ir::CallOp>(each);
        return stops ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void checks::eraseDead(SmallVector<Value> candidates) {
  while (!candidates.empty()) {
    Operation *op = candidates.pop_back_val().getDefiningOp();
    if (!op || !isOpTriviallyDead(op))
      continue;
    // An op may have been named twice; it is erased once.
    llvm::erase_if(candidates,
                   [&](Value other) { return other.getDefiningOp() == op; });
    SmallVector<Value> operands(op->getOperands());
    op->erase();
    for (Value operand : operands)
      candidates.push_back(operand);
  }
}

void checks::eraseCheck(ir::CheckOp check) {
  SmallVector<Value> operands(check->getOperands());
  check->erase();
  eraseDead(std::move(operands));
}

namespace {
/// An index as a value plus a constant, which may have wrapped.
struct Offset {
  Value base;
  int64_t constant = 0;
};

/// The common properties of the checks of one group. The source location is one
/// of them, also for the copies of an unrolled loop: a failure must not point
/// at another access.
struct GroupKey {
  Value base;
  int64_t extent;
  LocationAttr position;
  bool operator==(const GroupKey &other) const = default;
};
} // namespace

template <> struct llvm::DenseMapInfo<GroupKey> {
  using Values = DenseMapInfo<Value>;
  static GroupKey getEmptyKey() { return {Values::getEmptyKey(), 0, {}}; }
  static GroupKey getTombstoneKey() {
    return {Values::getTombstoneKey(), 0, {}};
  }
  static unsigned getHashValue(const GroupKey &key) {
    return llvm::hash_combine(Values::getHashValue(key.base), key.extent,
                              key.position.getAsOpaquePointer());
  }
  static bool isEqual(const GroupKey &a, const GroupKey &b) { return a == b; }
};

/// Larger constants are no neighbours of anything.
static constexpr int64_t kMaxOffset = 1 << 20;

static Offset offsetOf(Value index) {
  Offset offset{index};
  for (unsigned nesting = 0; nesting < 8; ++nesting) {
    Operation *op = offset.base.getDefiningOp();
    if (!op || !isa<arith::AddIOp, arith::SubIOp>(op))
      break;
    auto constant = constantOf(op->getOperand(1));
    if (!constant || *constant > kMaxOffset || *constant < -kMaxOffset)
      break;
    offset.constant += isa<arith::AddIOp>(op) ? *constant : -*constant;
    offset.base = op->getOperand(0);
  }
  return offset;
}

namespace {
struct Member {
  ir::CheckOp check;
  int64_t offset;
};

/// Replaces the first member of a group by the one check of the group.
class GroupCheck {
public:
  GroupCheck(GroupKey key, ArrayRef<Member> members)
      : key(key), members(members), first(members.front().check),
        builder(first), type(key.base.getType()) {}

  /// Returns the number of checks that went.
  unsigned build() {
    SmallVector<int64_t> offsets;
    for (const Member &member : members)
      offsets.push_back(member.offset);
    llvm::sort(offsets);
    offsets.erase(llvm::unique(offsets), offsets.end());
    int64_t lo = offsets.front(), span = offsets.back() - lo;
    if (members.size() < 2 || span >= key.extent)
      return 0;
    // base + lo <u extent - span: then nothing in between wraps or leaves.
    Value lowest = plus(lo);
    Value ok = less(lowest, key.extent - span);
    // The first index outside, in the order of most programs.
    bool isDense = static_cast<int64_t>(offsets.size()) == span + 1;
    Value above = isDense ? constant(key.extent) : plus(offsets.back());
    Value reported = arith::SelectOp::create(
        builder, first.getLoc(), less(lowest, key.extent), above, lowest);
    Value extent = constant(key.extent);
    auto merged = cast<ir::CheckOp>(builder.clone(*first));
    merged.getOkMutable().assign(ok);
    merged.getValuesMutable().assign(ValueRange{reported, extent});
    for (const Member &member : members)
      eraseCheck(member.check);
    return members.size() - 1;
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, first.getLoc(),
                                     builder.getIntegerAttr(type, value));
  }
  Value plus(int64_t value) {
    if (value == 0)
      return key.base;
    return arith::AddIOp::create(builder, first.getLoc(), key.base,
                                 constant(value));
  }
  Value less(Value index, int64_t extent) {
    return arith::CmpIOp::create(builder, first.getLoc(),
                                 arith::CmpIPredicate::ult, index,
                                 constant(extent));
  }

  GroupKey key;
  ArrayRef<Member> members;
  ir::CheckOp first;
  OpBuilder builder;
  Type type;
};
} // namespace

unsigned checks::mergeChecks(Block &block) {
  unsigned gone = 0;
  using Groups = llvm::MapVector<GroupKey, SmallVector<Member>>;
  SmallVector<Groups> stretches(1);
  for (Operation &op : block) {
    auto check = dyn_cast<ir::CheckOp>(op);
    auto bounds = check ? boundsOf(check) : std::nullopt;
    auto extent = bounds ? constantOf(bounds->extent) : std::nullopt;
    if (extent && *extent > 0) {
      Offset offset = offsetOf(bounds->index);
      if (std::abs(offset.constant) <= kMaxOffset)
        stretches.back()[{offset.base, *extent, check.getLoc()}].push_back(
            {check, offset.constant});
    } else if (stopsChecks(&op) && !stretches.back().empty()) {
      stretches.emplace_back();
    }
  }
  // Last, as this erases ops that the walk would visit.
  for (Groups &groups : stretches)
    for (auto &[key, members] : groups)
      gone += GroupCheck(key, members).build();
  return gone;
}
