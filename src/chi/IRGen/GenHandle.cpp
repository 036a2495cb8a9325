//===- GenHandle.cpp - Ownership of fields and strs -----------------------===//
// Note [Owned handles]: a field is freed with the last reference to it, and so
// is a str; both are handles. In host code references are counted; kernels and
// functions that they call borrow the fields of their callers and do not count
// references. (A str in a kernel is a number: Note [Texts by number].)
//
// - A slot of a host function and a global own each handle that they hold, also
//   as a member of a tuple. `own` gives them a reference before the store, and
//   what was there before is released after it, so that `a, b = b, a` and
//   `t = t` are safe. Slots are null until they are set, and each `return`
//   releases all of them, also those of statements further down, which an
//   earlier iteration of a loop may have set. Globals live as long as the
//   program.
// - `field(…)`, `load(…)`, an f-string, a call, and a conditional value that
// was
//   made in branches hand over one reference for each handle in their value. It
//   stands in `temporaries` until `own` takes it for a slot, a global or the
//   result of the function; what is left there is released when the statement
//   ends.
// - All else (a read, a member of a tuple, an argument) is borrowed: whoever
//   keeps it, owns it by a new reference. A literal needs none.
// - A branch of a conditional value releases what was made in it (`inBranch`):
//   outside, it would not be known whether there is anything to release.

#include "chi/IRGen/Gen.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;

bool irgen::isHandle(Type type) { return isa<ir::HandleTypeInterface>(type); }

/// Does it have references? A literal has none.
static bool isCounted(mlir::Value value) {
  return irgen::isHandle(value.getType()) && !value.getDefiningOp<ir::StrOp>();
}

bool irgen::holdsHandle(sema::TypeRef type) {
  return type->holdsField() || type->holdsStr() || type->holdsObject();
}

ProgramValue FunctionGen::castFields(ProgramValue value, sema::TypeRef type) {
  if (!holdsHandle(type))
    return value;
  for (auto [member, wanted] : llvm::zip(value.members, type->members))
    member = castFields(std::move(member), wanted);
  if (type->isField() && !type->hasMembers()) {
    Type wanted = module.handleType(type);
    if (value.single().getType() != wanted)
      value.parts = {ir::CastFieldOp::create(b, here, wanted, value.single())};
  }
  value.type = type;
  return value;
}

void FunctionGen::own(const ProgramValue &value) {
  if (isDevice)
    return;
  value.eachLeaf([&](const ProgramValue &leaf) {
    for (mlir::Value part : leaf.parts) {
      auto *owned = llvm::find(temporaries, part);
      if (owned != temporaries.end())
        temporaries.erase(owned);
      else if (isCounted(part))
        rt(here,
           cast<ir::HandleTypeInterface>(part.getType()).getRetainFunction(),
           nullptr, part);
    }
  });
}

void FunctionGen::release(ArrayRef<mlir::Value> parts) {
  for (mlir::Value part : parts)
    if (isCounted(part))
      rt(here,
         cast<ir::HandleTypeInterface>(part.getType()).getReleaseFunction(),
         nullptr, part);
}

void FunctionGen::releaseHandles(func::FuncOp op) {
  if (ownedHandles.empty())
    return;
  OpBuilder::InsertionGuard guard(b);
  op.walk([&](ir::ReturnOp leave) {
    b.setInsertionPoint(leave);
    here = leave.getLoc();
    for (mlir::Value slot : ownedHandles) {
      Type held = cast<ir::LocalType>(slot.getType()).getScalar();
      mlir::Value value = ir::GetOp::create(b, here, held, slot, ValueRange{});
      release(value);
    }
  });
}

void FunctionGen::releaseTemporaries() {
  release(temporaries);
  temporaries.clear();
}

ProgramValue FunctionGen::inBranch(sema::TypeRef type,
                                   llvm::function_ref<ProgramValue()> make) {
  SmallVector<mlir::Value> outer = std::move(temporaries);
  temporaries.clear();
  ProgramValue value = make();
  own(value);
  releaseTemporaries();
  temporaries = std::move(outer);
  return castFields(std::move(value), type);
}
