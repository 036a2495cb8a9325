//===- Memory.cpp - Flat memrefs become pointers --------------------------===//
// The memrefs of this stage have one dimension, no offset and stride 1, so a
// pointer can replace the descriptor.

#include "chi/Conversion/LoopsToCPU/LoopsToCPU.h"
#include "chi/Conversion/Retype.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

static Type elementOf(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType();
}

static Value addressOf(Emitter &emit, Value memref, ValueRange indices) {
  Value base = emit.reinterpret(memref, emit.ptrType());
  return emit.at(base, elementOf(memref), indices.front());
}

static LLVM::AtomicBinOp binaryOf(arith::AtomicRMWKind kind) {
  using K = arith::AtomicRMWKind;
  switch (kind) {
  case K::addf:
    return LLVM::AtomicBinOp::fadd;
  case K::addi:
    return LLVM::AtomicBinOp::add;
  case K::assign:
    return LLVM::AtomicBinOp::xchg;
  case K::maxs:
    return LLVM::AtomicBinOp::max;
  case K::maxu:
    return LLVM::AtomicBinOp::umax;
  case K::mins:
    return LLVM::AtomicBinOp::min;
  case K::minu:
    return LLVM::AtomicBinOp::umin;
  case K::andi:
    return LLVM::AtomicBinOp::_and;
  case K::ori:
    return LLVM::AtomicBinOp::_or;
  case K::xori:
    return LLVM::AtomicBinOp::_xor;
  default:
    llvm_unreachable("convert-chi-to-loops makes no other kind");
  }
}

/// Only the end of the launch orders iterations.
static constexpr auto kRelaxed = LLVM::AtomicOrdering::monotonic;

static void lowerAtomic(Emitter &emit, memref::AtomicRMWOp op) {
  Value address = addressOf(emit, op.getMemref(), op.getIndices());
  Value old =
      LLVM::AtomicRMWOp::create(emit.builder, emit.loc, binaryOf(op.getKind()),
                                address, op.getValue(), kRelaxed);
  op.replaceAllUsesWith(old);
  op.erase();
}

/// do { new = f(old) } while (!compare_exchange(old, new))
static void lowerGeneric(Emitter &emit, memref::GenericAtomicRMWOp op) {
  OpBuilder &b = emit.builder;
  Type type = op.getResult().getType();
  Type bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  auto cast = [&](Value value, Type to) -> Value {
    if (value.getType() == to)
      return value;
    return LLVM::BitcastOp::create(b, emit.loc, to, value);
  };
  Value address = addressOf(emit, op.getMemref(), op.getIndices());
  Operation *yield = op.getBody()->getTerminator();
  if (yield->getOperand(0) == op.getCurrentValue()) {
    // No update: an atomic load.
    Value loaded = LLVM::LoadOp::create(
        b, emit.loc, bits, address, bits.getIntOrFloatBitWidth() / 8,
        /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
        /*isInvariantGroup=*/false, kRelaxed);
    op.replaceAllUsesWith(cast(loaded, type));
    op.erase();
    return;
  }
  Value first = emit.load(bits, address);
  Block *before = op->getBlock();
  Block *after = before->splitBlock(op);
  Block *loop = b.createBlock(after, {bits}, {emit.loc});
  b.setInsertionPointToEnd(before);
  cf::BranchOp::create(b, emit.loc, loop, ValueRange{first});
  b.setInsertionPointToStart(loop);
  Value oldBits = loop->getArgument(0), old = cast(oldBits, type);
  IRMapping mapping;
  mapping.map(op.getCurrentValue(), old);
  for (Operation &inner : op.getBody()->without_terminator())
    b.clone(inner, mapping);
  Value next =
      mapping.lookupOrDefault(op.getBody()->getTerminator()->getOperand(0));
  Value result = LLVM::AtomicCmpXchgOp::create(
      b, emit.loc, address, oldBits, cast(next, bits), kRelaxed, kRelaxed);
  Value seen = LLVM::ExtractValueOp::create(b, emit.loc, result, 0);
  Value done = LLVM::ExtractValueOp::create(b, emit.loc, result, 1);
  cf::CondBranchOp::create(b, emit.loc, done, after, ValueRange(), loop,
                           ValueRange{seen});
  op.replaceAllUsesWith(old);
  op.erase();
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// Address of the first lane. No promise that it is inside: that lane may be
/// dead.
static Value laneAddress(Emitter &emit, Value memref, Value index) {
  Value base = emit.reinterpret(memref, emit.ptrType());
  return LLVM::GEPOp::create(emit.builder, emit.loc, emit.ptrType(),
                             elementOf(memref), base,
                             ValueRange{emit.toI64(index)});
}

/// Addresses of all lanes.
static Value laneAddresses(Emitter &emit, Value memref, Value index,
                           Value offsets) {
  auto lanes = cast<VectorType>(offsets.getType()).getShape();
  return LLVM::GEPOp::create(
      emit.builder, emit.loc, VectorType::get(lanes, emit.ptrType()),
      elementOf(memref), laneAddress(emit, memref, index), ValueRange{offsets});
}

/// Alignment of one element: lanes start anywhere.
static unsigned alignmentOf(Value memref) {
  return std::max<unsigned>(elementOf(memref).getIntOrFloatBitWidth() / 8, 1);
}

/// Loads and stores of all lanes, which lie side by side.
static bool lowerWholeVector(Emitter &emit, Operation *op) {
  OpBuilder &b = emit.builder;
  auto alignment = [&](auto access) -> unsigned {
    return access.getAlignment().value_or(alignmentOf(access.getBase()));
  };
  if (auto load = dyn_cast<vector::LoadOp>(op)) {
    Value result = LLVM::LoadOp::create(
        b, emit.loc, load.getType(),
        addressOf(emit, load.getBase(), load.getIndices()), alignment(load));
    load.replaceAllUsesWith(result);
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    LLVM::StoreOp::create(b, emit.loc, store.getValueToStore(),
                          addressOf(emit, store.getBase(), store.getIndices()),
                          alignment(store));
  } else {
    return false;
  }
  op->erase();
  return true;
}

/// Lowers loads and stores of lanes to LLVM's masked intrinsics.
static bool lowerLaneMemory(Emitter &emit, Operation *op) {
  OpBuilder &b = emit.builder;
  Location loc = emit.loc;
  if (lowerWholeVector(emit, op))
    return true;
  Value result;
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
    result = LLVM::MaskedLoadOp::create(
        b, loc, load.getType(),
        laneAddress(emit, load.getBase(), load.getIndices().front()),
        load.getMask(), load.getPassThru(), alignmentOf(load.getBase()));
  else if (auto gather = dyn_cast<vector::GatherOp>(op))
    result = LLVM::masked_gather::create(
        b, loc, gather.getType(),
        laneAddresses(emit, gather.getBase(), gather.getOffsets().front(),
                      gather.getIndices()),
        gather.getMask(), ValueRange{gather.getPassThru()},
        alignmentOf(gather.getBase()));
  else if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    LLVM::MaskedStoreOp::create(
        b, loc, store.getValueToStore(),
        laneAddress(emit, store.getBase(), store.getIndices().front()),
        store.getMask(), alignmentOf(store.getBase()));
  else if (auto scatter = dyn_cast<vector::ScatterOp>(op))
    LLVM::masked_scatter::create(
        b, loc, scatter.getValueToStore(),
        laneAddresses(emit, scatter.getBase(), scatter.getOffsets().front(),
                      scatter.getIndices()),
        scatter.getMask(), alignmentOf(scatter.getBase()));
  else
    return false;
  if (result)
    op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  return true;
}

/// It may lie outside. In bytes: lines are a constant apart then.
static void lowerPrefetch(Emitter &emit, memref::PrefetchOp op) {
  Value base = emit.reinterpret(op.getMemref(), emit.ptrType());
  Value bytes = emit.mul(op.getIndices().front(),
                         emit.index(alignmentOf(op.getMemref())));
  Value address = LLVM::GEPOp::create(emit.builder, emit.loc, emit.ptrType(),
                                      emit.builder.getI8Type(), base,
                                      ValueRange{emit.toI64(bytes)});
  LLVM::Prefetch::create(emit.builder, emit.loc, address, op.getIsWrite(),
                         op.getLocalityHint(), op.getIsDataCache());
  op.erase();
}

/// The alias scopes of an access.
static void keepScopes(Operation *access, Operation *lowered) {
  for (StringRef name : {"alias_scopes", "noalias_scopes"})
    if (Attribute scopes = access->getAttr(name))
      lowered->setAttr(name, scopes);
}

/// It takes whole lines, so that vectors of it are not split.
static constexpr unsigned kTableAlignment = 64;

static void lowerTableOp(OpBuilder &b, memref::GlobalOp table) {
  MemRefType type = table.getType();
  auto array =
      LLVM::LLVMArrayType::get(type.getElementType(), type.getNumElements());
  auto global = LLVM::GlobalOp::create(
      b, table.getLoc(), array, /*isConstant=*/true, LLVM::Linkage::Internal,
      table.getSymName(), *table.getInitialValue(), kTableAlignment);
  global.setUnnamedAddr(LLVM::UnnamedAddr::Global);
  table.erase();
}

static void lowerMemoryOp(Operation *op) {
  OpBuilder builder(op);
  Emitter emit(builder, op);
  if (lowerLaneMemory(emit, op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](memref::LoadOp op) {
        Value value =
            emit.load(elementOf(op.getMemRef()),
                      addressOf(emit, op.getMemRef(), op.getIndices()));
        keepScopes(op, value.getDefiningOp());
        op.replaceAllUsesWith(value);
        op.erase();
      })
      .Case([&](memref::StoreOp op) {
        emit.store(op.getValueToStore(),
                   addressOf(emit, op.getMemRef(), op.getIndices()));
        keepScopes(op, op->getPrevNode());
        op.erase();
      })
      .Case([&](memref::AllocaOp op) {
        MemRefType type = op.getType();
        Value count = emit.i64(type.getNumElements());
        Value memory = LLVM::AllocaOp::create(builder, emit.loc, emit.ptrType(),
                                              type.getElementType(), count,
                                              op.getAlignment().value_or(0));
        op.replaceAllUsesWith(emit.reinterpret(memory, type));
        op.erase();
      })
      .Case([&](memref::GlobalOp op) { lowerTableOp(builder, op); })
      .Case([&](memref::GetGlobalOp op) {
        Value address = LLVM::AddressOfOp::create(builder, emit.loc,
                                                  emit.ptrType(), op.getName());
        op.replaceAllUsesWith(emit.reinterpret(address, op.getType()));
        op.erase();
      })
      .Case([&](memref::ExtractAlignedPointerAsIndexOp op) {
        Value base = emit.reinterpret(op.getSource(), emit.ptrType());
        Value bits = LLVM::PtrToIntOp::create(builder, emit.loc,
                                              builder.getI64Type(), base);
        op.replaceAllUsesWith(emit.toIndex(bits));
        op.erase();
      })
      .Case([&](memref::PrefetchOp op) { lowerPrefetch(emit, op); })
      .Case([&](memref::AtomicRMWOp op) { lowerAtomic(emit, op); })
      .Case([&](memref::GenericAtomicRMWOp op) { lowerGeneric(emit, op); });
}

/// All memrefs are pointers from here on.
static void retypeMemory(ModuleOp module) {
  Type ptr = LLVM::LLVMPointerType::get(module.getContext());
  retypeValues(module,
               [&](Type type) { return isa<MemRefType>(type) ? ptr : type; });
}

static bool isLaneMemory(Operation *op) {
  return isa<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
             vector::MaskedStoreOp, vector::GatherOp, vector::ScatterOp>(op);
}

LogicalResult chi::conv::lowerMemory(ModuleOp module) {
  SmallVector<Operation *> work;
  module.walk([&](Operation *op) {
    if (isLaneMemory(op) ||
        (isa_and_nonnull<memref::MemRefDialect>(op->getDialect()) &&
         !isa<memref::AtomicYieldOp>(op)))
      work.push_back(op);
  });
  for (Operation *op : work) {
    if (!isLaneMemory(op) &&
        !isa<memref::LoadOp, memref::StoreOp, memref::AllocaOp,
             memref::PrefetchOp, memref::ExtractAlignedPointerAsIndexOp,
             memref::GlobalOp, memref::GetGlobalOp, memref::AtomicRMWOp,
             memref::GenericAtomicRMWOp>(op))
      return op->emitOpError("is not an operation of this stage");
    lowerMemoryOp(op);
  }
  retypeMemory(module);
  return success();
}
