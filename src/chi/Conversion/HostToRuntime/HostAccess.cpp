//===- HostAccess.cpp - Host code acquires the fields that it touches -----===//
// The elements of a field may be current on a device only, so each access of
// host code needs a test. A test holds as long as nothing is launched: it
// precedes the outermost loop without a launch, once for the loop and the code
// after it. An access outside of such loops acquires its element alone.

#include "chi/Conversion/HostToRuntime/HostLowering.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

static bool isField(Type type) { return isa<ir::FieldType>(type); }

static bool isLoop(Operation *op) { return isa<scf::ForOp, scf::WhileOp>(op); }

static StringRef calleeOf(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCallee();
  if (auto call = dyn_cast<ir::CallOp>(op))
    return call.getCallee();
  return "";
}

/// A function of the run time that may leave the elements of a field to a
/// device.
static bool mayMoveFields(ir::RtOp op) {
  const ir::RuntimeFunction *function =
      ir::findRuntimeFunction(op.getFunction());
  return !function || function->mayLaunch ||
         llvm::any_of(function->parameters, [](auto parameter) {
           return parameter.type == ir::RuntimeType::Field &&
                  (parameter.use == ir::RuntimeUse::Written ||
                   parameter.use == ir::RuntimeUse::Updated);
         });
}

namespace {
/// The subject of a test: a variable that holds a field, by its symbol, or a
/// value.
using FieldKey = llvm::PointerUnion<Attribute, Value>;

/// The possible effects of the operations in the regions of one.
struct Effects {
  bool launches = false;
  SmallPtrSet<const void *, 4> assigned; ///< variables, by their symbols
};

/// One test, before `anchor`.
struct Test {
  Operation *anchor;
  Value field; ///< as it is accessed
  FieldKey key;
  bool isWritten = false;
  /// Whose element is wanted; null: all of the field.
  ir::FieldAccessOpInterface element;
  unsigned before = 0; ///< elements that were wanted before, one by one
};

/// Plans the tests of a module's functions, then makes them.
class HostAccess {
public:
  explicit HostAccess(ModuleOp module) : module(module) {}
  void run();

private:
  using Held = llvm::SmallDenseMap<FieldKey, size_t, 8>;

  void findLaunchers();
  bool mayLaunch(Operation *op);
  const Effects &effectsOf(Operation *op);
  void visit(Block &block, const llvm::SmallDenseSet<FieldKey> &covered);
  void visitLoop(Operation *loop, Held &held,
                 llvm::SmallDenseSet<FieldKey> covered);
  void note(Held &held, Operation *anchor, ir::FieldAccessOpInterface access);
  void emit(const Test &test);
  void emitAcquire(Emitter &emit, const Test &test, Value handle);

  ModuleOp module;
  llvm::StringSet<> launchers; ///< functions that may launch, or assign a field
  DenseMap<Operation *, Effects> effects;
  std::vector<Test> tests;
};
} // namespace

static FieldKey keyOf(Value field) {
  while (auto same = field.getDefiningOp<ir::CastFieldOp>())
    field = same.getField();
  if (auto load = field.getDefiningOp<ir::GlobalLoadOp>())
    return Attribute(load.getGlobalAttr());
  return field;
}

bool HostAccess::mayLaunch(Operation *op) {
  if (auto call = dyn_cast<ir::RtOp>(op))
    return mayMoveFields(call);
  StringRef callee = calleeOf(op);
  return isa<ir::LaunchOp, LLVM::CallOp, func::CallIndirectOp>(op) ||
         (!callee.empty() && launchers.contains(callee));
}

/// Until nothing changes: a function launches if one that it calls does.
void HostAccess::findLaunchers() {
  SmallVector<func::FuncOp> quiet;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || function->hasAttr(ir::kBodyAttr))
      launchers.insert(function.getSymName());
    else
      quiet.push_back(function);
  }
  auto isLauncher = [&](func::FuncOp function) {
    return function
        .walk([&](Operation *op) {
          auto store = dyn_cast<ir::GlobalStoreOp>(op);
          bool assigns = store && isField(store.getValue().getType());
          return assigns || mayLaunch(op) ? WalkResult::interrupt()
                                          : WalkResult::advance();
        })
        .wasInterrupted();
  };
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    llvm::erase_if(quiet, [&](func::FuncOp function) {
      if (!isLauncher(function))
        return false;
      launchers.insert(function.getSymName());
      return isChanged = true;
    });
  }
}

const Effects &HostAccess::effectsOf(Operation *op) {
  auto known = effects.find(op);
  if (known != effects.end())
    return known->second;
  Effects found;
  op->walk([&](Operation *inner) {
    found.launches |= mayLaunch(inner);
    if (auto store = dyn_cast<ir::GlobalStoreOp>(inner))
      found.assigned.insert(
          Attribute(store.getGlobalAttr()).getAsOpaquePointer());
  });
  return effects.try_emplace(op, std::move(found)).first->second;
}

/// Elements that are acquired one by one.
static constexpr unsigned kMostElements = 16;

/// Whether both access one element, by the same values.
static bool isSameElement(ir::FieldAccessOpInterface a,
                          ir::FieldAccessOpInterface b) {
  return a.getField() == b.getField() &&
         llvm::equal(a.getIndices(), b.getIndices());
}

void HostAccess::note(Held &held, Operation *anchor,
                      ir::FieldAccessOpInterface access) {
  Value field = access.getField();
  FieldKey key = keyOf(field);
  Test test{anchor, field, key, false, nullptr, 0};
  // One of rank 0 has no other element.
  if (!isLoop(anchor) && access.getField().getType().getRank() > 0)
    test.element = access;
  auto at = held.try_emplace(key, tests.size()).first;
  if (at->second < tests.size()) {
    const Test &known = tests[at->second];
    bool isEnough =
        !known.element ||
        (test.element && isSameElement(known.element, test.element));
    if (!isEnough) {
      at->second = tests.size();
      test.before = known.before + 1;
    }
  }
  // Then the run time takes the field (chirt_field_element): one test for the
  // rest, however long the script is.
  if (test.before >= kMostElements)
    test.element = nullptr;
  if (at->second == tests.size())
    tests.push_back(test);
  tests[at->second].isWritten |= !isa<ir::LoadOp>(access);
}

/// Tests before a loop the fields that are the same in all its iterations, if
/// nothing is launched there; the others at their accesses.
void HostAccess::visitLoop(Operation *loop, Held &held,
                           llvm::SmallDenseSet<FieldKey> covered) {
  const Effects &inside = effectsOf(loop);
  if (!inside.launches) {
    llvm::SmallDenseSet<FieldKey> same;
    loop->walk([&](ir::FieldAccessOpInterface access) {
      FieldKey key = keyOf(access.getField());
      bool isSame = false;
      if (auto value = dyn_cast<Value>(key))
        isSame = !loop->isAncestor(value.getParentBlock()->getParentOp());
      else
        isSame = !inside.assigned.contains(
            cast<Attribute>(key).getAsOpaquePointer());
      if (!isSame || covered.contains(key) ||
          access.getField().getDefiningOp<ir::CellOp>())
        return;
      note(held, loop, access);
      same.insert(key);
    });
    covered.insert(same.begin(), same.end());
  }
  for (Region &region : loop->getRegions())
    for (Block &block : region)
      visit(block, covered);
}

/// `covered`: fields that are tested before a loop round the block.
void HostAccess::visit(Block &block,
                       const llvm::SmallDenseSet<FieldKey> &covered) {
  Held held;
  for (Operation &op : block) {
    if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op)) {
      if (!access.getField().getDefiningOp<ir::CellOp>() &&
          !covered.contains(keyOf(access.getField())))
        note(held, &op, access);
    } else if (isLoop(&op)) {
      visitLoop(&op, held, covered);
    } else {
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner, covered);
    }
    const Effects &after = effectsOf(&op);
    if (after.launches)
      held.clear();
    for (const void *variable : after.assigned)
      held.erase(FieldKey(Attribute::getFromOpaquePointer(variable)));
  }
}

void HostAccess::emitAcquire(Emitter &emit, const Test &test, Value handle) {
  OpBuilder &builder = emit.builder;
  Value current = loadCurrent(emit, handle), host = emit.i32(CHIRT_AT_HOST);
  Value mode = emit.i32(test.isWritten ? CHIRT_TO_UPDATE : CHIRT_TO_READ);
  Value stale = test.isWritten
                    ? emit.compare(arith::CmpIPredicate::ne, current, host)
                    : emit.compare(arith::CmpIPredicate::eq,
                                   arith::AndIOp::create(builder, emit.loc,
                                                         current, host),
                                   emit.i32(0));
  emit.when(stale, [&] {
    if (test.element)
      callRuntime(emit, "chirt_field_element",
                  {handle, scalarNumber(emit, test.element), mode});
    else
      callRuntime(emit, "chirt_field_acquire", {handle, host, mode});
  });
}

void HostAccess::emit(const Test &test) {
  OpBuilder builder(test.anchor);
  Emitter emit(builder, test.anchor);
  Value field = test.field;
  if (isLoop(test.anchor))
    field = dyn_cast<Attribute>(test.key)
                ? ir::GlobalLoadOp::create(
                      builder, emit.loc, field.getType(),
                      cast<FlatSymbolRefAttr>(cast<Attribute>(test.key)))
                : cast<Value>(test.key);
  Value handle = emit.reinterpret(field, emit.ptrType());
  if (!isLoop(test.anchor))
    return emitAcquire(emit, test, handle);
  // The loop may have no iterations, and the variable no value yet.
  emit.when(LLVM::ICmpOp::create(builder, emit.loc, LLVM::ICmpPredicate::ne,
                                 handle, emit.null()),
            [&] { emitAcquire(emit, test, handle); });
}

void HostAccess::run() {
  findLaunchers();
  for (auto function : module.getOps<func::FuncOp>())
    if (!function->hasAttr(ir::kBodyAttr))
      for (Block &block : function.getBody())
        visit(block, {});
  for (const Test &test : tests)
    emit(test);
}

void chi::conv::acquireHostFields(ModuleOp module) { HostAccess(module).run(); }
