//===- ForwardElements.cpp - Elements that are known as values ------------===//
// One walk in the order of execution, with a list of elements whose value is
// known: from a load, or from a store of the iteration. In a task without races
// no other iteration changes an element that this one loads, so that only the
// iteration's own writes count. An atomic operation orders iterations; after
// one, no value is known.
#include "chi/Analysis/Ranges.h"
#include "chi/Dialect/Chi/MemoryOrder.h"
#include "chi/Transforms/Scalar/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace chi::scalar {
#define GEN_PASS_DEF_FORWARDELEMENTSPASS
#include "chi/Transforms/Scalar/Passes.h.inc"
} // namespace chi::scalar

using namespace mlir;
using namespace chi;
using namespace chi::analysis;

/// More known elements than are worth comparing with each access: unrolled code
/// has thousands.
static constexpr size_t kMaxKnown = 256;

namespace {
/// An index as `base + offset`, modulo its width; no base: a constant.
struct Offset {
  Value base;
  APInt offset;
};

/// The place of an access: a scalar of a field.
struct Element {
  Value field; ///< below casts
  SmallVector<Offset, 3> indices;
  Value dynamic;
  uint64_t component;

  explicit Element(ir::FieldAccessOpInterface op);
  bool isSame(const Element &other) const;
  bool mayBe(const Element &other) const;
};

class Forwarder {
public:
  void visit(Block &block);

private:
  struct Known {
    Element element;
    Value value;
  };
  using List = SmallVector<Known, 0>;

  void visitAccess(ir::FieldAccessOpInterface op);
  void visitLoad(ir::LoadOp load);
  void visitRegions(Operation &op);
  void remember(Element element, Value value);
  /// Drops the values that a write to the element may have changed.
  void forget(const Element &element);
  /// Drops what `op` and the operations in it may change.
  void forgetWritten(Operation &op);

  List known;
};
} // namespace

static Offset offsetOf(Value index) {
  unsigned width = widthOf(index.getType());
  Offset result{index, APInt::getZero(width)};
  while (Operation *op = result.base.getDefiningOp()) {
    APInt constant;
    if (matchPattern(result.base, m_ConstantInt(&constant))) {
      result.offset += constant;
      result.base = {};
      break;
    }
    if (!isa<arith::AddIOp, arith::SubIOp>(op) ||
        !matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
      break;
    if (isa<arith::AddIOp>(op))
      result.offset += constant;
    else
      result.offset -= constant;
    result.base = op->getOperand(0);
  }
  return result;
}

Element::Element(ir::FieldAccessOpInterface op)
    : field(fieldBelowCasts(op.getField())), dynamic(op.getDynamicComponent()),
      component(op.getComponent()) {
  for (Value index : op.getIndices())
    indices.push_back(offsetOf(index));
}

static bool haveOneBase(const Offset &a, const Offset &b) {
  return a.base == b.base && a.offset.getBitWidth() == b.offset.getBitWidth();
}

bool Element::isSame(const Element &other) const {
  return field == other.field && dynamic == other.dynamic &&
         component == other.component &&
         llvm::all_of(llvm::zip_equal(indices, other.indices), [](auto both) {
           auto &[a, b] = both;
           return haveOneBase(a, b) && a.offset == b.offset;
         });
}

/// Two arguments may be one field: a call may pass a field twice.
bool Element::mayBe(const Element &other) const {
  auto typeOf = [](const Element &element) {
    return cast<ir::FieldType>(element.field.getType());
  };
  if (field != other.field && !ir::mayAliasByType(typeOf(*this), typeOf(other)))
    return false;
  if (field != other.field && ir::mayBeShifted(typeOf(*this), typeOf(other)))
    return true;
  if (!dynamic && !other.dynamic && component != other.component)
    return false;
  return llvm::none_of(llvm::zip_equal(indices, other.indices), [](auto both) {
    auto &[a, b] = both;
    return haveOneBase(a, b) && a.offset != b.offset;
  });
}

void Forwarder::remember(Element element, Value value) {
  if (known.size() == kMaxKnown)
    known.erase(known.begin(), known.begin() + kMaxKnown / 2);
  known.push_back({std::move(element), value});
}

void Forwarder::forget(const Element &element) {
  llvm::erase_if(
      known, [&](const Known &each) { return each.element.mayBe(element); });
}

/// May it change elements in a way that is not written on it?
static bool isOpaque(Operation *op) {
  return op->getNumRegions() == 0 && !isa<ir::FieldAccessOpInterface>(op) &&
         !isa<ir::CheckOp, ir::PrintOp, ir::LocalOp, ir::GetOp, ir::SetOp>(
             op) &&
         !isMemoryEffectFree(op);
}

void Forwarder::forgetWritten(Operation &op) {
  op.walk([&](Operation *inner) {
    auto access = dyn_cast<ir::FieldAccessOpInterface>(inner);
    if (isOpaque(inner) ||
        (access && access.getAccessKind() == ir::AccessKind::atomic))
      known.clear();
    else if (access && access.isWrite())
      forget(Element(access));
  });
}

void Forwarder::visitLoad(ir::LoadOp load) {
  Element element(load);
  for (const Known &each : llvm::reverse(known))
    if (each.element.isSame(element) &&
        each.value.getType() == load.getType()) {
      load.replaceAllUsesWith(each.value);
      load.erase();
      return;
    }
  remember(std::move(element), load.getResult());
}

void Forwarder::visitAccess(ir::FieldAccessOpInterface op) {
  bool isWide = op.getMask() || llvm::any_of(op->getOperandTypes(), [](Type t) {
                  return isa<VectorType>(t);
                });
  if (isWide || op.getAccessKind() == ir::AccessKind::atomic) {
    if (op.isWrite())
      known.clear();
    return;
  }
  if (auto load = dyn_cast<ir::LoadOp>(op.getOperation()))
    return visitLoad(load);
  Element element(op);
  forget(element);
  if (auto store = dyn_cast<ir::StoreOp>(op.getOperation()))
    remember(std::move(element), store.getValue());
}

/// A loop's body runs again after its own writes; a branch does not.
void Forwarder::visitRegions(Operation &op) {
  if (!isa<scf::IfOp>(op))
    forgetWritten(op);
  List before = known;
  for (Region &region : op.getRegions())
    for (Block &block : region) {
      known = before;
      visit(block);
    }
  known = std::move(before);
  forgetWritten(op);
}

void Forwarder::visit(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op))
      visitAccess(access);
    else if (op.getNumRegions() != 0)
      visitRegions(op);
    else if (isOpaque(&op))
      known.clear();
  }
}

namespace {
struct ForwardElementsPass
    : scalar::impl::ForwardElementsPassBase<ForwardElementsPass> {
  void runOnOperation() override {
    for (auto task : getOperation().getOps<ir::TaskOp>())
      Forwarder().visit(task.getBody().front());
  }
};
} // namespace
