//===- LowerAtomics.cpp - Atomic updates in SPIR-V ------------------------===//
// Operations with an instruction in SPIR-V become that instruction. All others
// become a compare-exchange loop on the bits of the value, or on the word
// around it. So do sums of f32 in modules for devices without an instruction
// for them (AddSumVariants.cpp). Device addresses let a pointer change its
// type.

#include "chi/Conversion/ValueOps.h"
#include "chi/Dialect/Chi/Accumulations.h"
#include "chi/Target/SPIRV/Steps.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;
using namespace chi::target::spv;

namespace {
/// The new value of an old one.
using Update = llvm::function_ref<Value(Value)>;

/// Lowers one update.
class AtomicLowering {
public:
  AtomicLowering(OpBuilder &builder, Operation *op,
                 const SPIRVTypeConverter &types, bool hasFloatSums)
      : b(builder), emit(builder, op), types(types),
        hasFloatSums(hasFloatSums) {
    b.setInsertionPoint(op);
  }

  Value lower(memref::AtomicRMWOp op);
  Value lower(memref::GenericAtomicRMWOp op);

private:
  static constexpr auto kScope = spirv::Scope::Device;
  static constexpr auto kRelaxed = spirv::MemorySemantics::None;

  Value elementPtr(Value memref, Value index);
  Value wordAt(Value pointer, Type bits);
  Value wordOf(Value memref, Value number);
  Value bitcast(Value value, Type to) {
    return value.getType() == to
               ? value
               : arith::BitcastOp::create(b, emit.loc, to, value).getResult();
  }
  template <typename Op> Value native(Value pointer, Value value) {
    return Op::create(b, emit.loc, value.getType(), pointer, kScope, kRelaxed,
                      value);
  }
  Value nativeInteger(arith::AtomicRMWKind kind, Value pointer, Value value);
  Value updated(arith::AtomicRMWKind kind, Value old, Value value);
  /// Others may change the word any number of times.
  static void mayRunLong(Operation *op) {
    op->getParentOfType<mlir::gpu::GPUFuncOp>()->removeAttr(
        conv::kernels::kFewIterationsAttr);
  }
  Value exchangeLoop(Value memref, Value index, Type type, Update update);
  Value narrowLoop(Value memref, Value index, Type type, Update update);
  Value loop(Value word, Update next);
  Value loadAligned(Value word, Type bits) {
    auto aligned = spirv::MemoryAccessAttr::get(b.getContext(),
                                                spirv::MemoryAccess::Aligned);
    return spirv::LoadOp::create(
        b, emit.loc, word, aligned,
        b.getI32IntegerAttr(bits.getIntOrFloatBitWidth() / 8));
  }

  OpBuilder &b;
  Emitter emit;
  const SPIRVTypeConverter &types;
  bool hasFloatSums; ///< as an instruction
};
} // namespace

static bool isShared(Value memref) {
  Attribute space = cast<MemRefType>(memref.getType()).getMemorySpace();
  if (auto known = dyn_cast_or_null<mlir::gpu::AddressSpaceAttr>(space))
    return known.getValue() == mlir::gpu::AddressSpace::Workgroup;
  auto known = dyn_cast_or_null<spirv::StorageClassAttr>(space);
  return known && known.getValue() == spirv::StorageClass::Workgroup;
}

bool chi::target::spv::isFloatSum(memref::AtomicRMWOp op) {
  return op.getKind() == arith::AtomicRMWKind::addf &&
         op.getValue().getType().isF32() && !isShared(op.getMemref());
}

/// The values become SPIR-V's with the rest; casts replace them until then.
Value AtomicLowering::elementPtr(Value memref, Value index) {
  auto type = cast<MemRefType>(memref.getType());
  Value base = emit.reinterpret(memref, types.convertType(type));
  Value offset = emit.reinterpret(index, types.getIndexType());
  return spirv::getElementPtr(types, type, base, offset, emit.loc, b);
}

/// For memory of 8 or 16 bits an element, a word of 32.
Value AtomicLowering::wordOf(Value memref, Value number) {
  auto type = cast<MemRefType>(memref.getType());
  auto words =
      MemRefType::get({ShapedType::kDynamic}, b.getI32Type(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  Value base = spirv::BitcastOp::create(
      b, emit.loc, types.convertType(words),
      emit.reinterpret(memref, types.convertType(type)));
  Value offset = emit.reinterpret(number, types.getIndexType());
  return spirv::getElementPtr(types, words, base, offset, emit.loc, b);
}

/// Values in a block's memory are words already: its pointers never change
/// their type.
Value AtomicLowering::wordAt(Value pointer, Type bits) {
  auto type = cast<spirv::PointerType>(pointer.getType());
  if (type.getPointeeType() == bits)
    return pointer;
  return spirv::BitcastOp::create(
      b, emit.loc, spirv::PointerType::get(bits, type.getStorageClass()),
      pointer);
}

Value AtomicLowering::nativeInteger(arith::AtomicRMWKind kind, Value pointer,
                                    Value value) {
  using K = arith::AtomicRMWKind;
  switch (kind) {
  case K::addi:
    return native<spirv::AtomicIAddOp>(pointer, value);
  case K::maxs:
    return native<spirv::AtomicSMaxOp>(pointer, value);
  case K::maxu:
    return native<spirv::AtomicUMaxOp>(pointer, value);
  case K::mins:
    return native<spirv::AtomicSMinOp>(pointer, value);
  case K::minu:
    return native<spirv::AtomicUMinOp>(pointer, value);
  case K::andi:
    return native<spirv::AtomicAndOp>(pointer, value);
  case K::ori:
    return native<spirv::AtomicOrOp>(pointer, value);
  case K::xori:
    return native<spirv::AtomicXorOp>(pointer, value);
  case K::assign:
    return native<spirv::AtomicExchangeOp>(pointer, value);
  default:
    llvm_unreachable("an iteration makes no other kind of integers");
  }
}

Value AtomicLowering::updated(arith::AtomicRMWKind kind, Value old,
                              Value value) {
  if (kind == arith::AtomicRMWKind::assign)
    return value;
  return combine(emit, *ir::accumKindOf(kind), old, value,
                 arith::FastMathFlags::none);
}

/// do { new = next(old) } while (!exchanged(old, new)); gives the old word.
Value AtomicLowering::loop(Value word, Update next) {
  Type bits = cast<spirv::PointerType>(word.getType()).getPointeeType();
  bool isField = cast<spirv::PointerType>(word.getType()).getStorageClass() ==
                 spirv::StorageClass::PhysicalStorageBuffer;
  Value first = isField ? loadAligned(word, bits)
                        : spirv::LoadOp::create(b, emit.loc, word).getResult();
  auto exchange =
      scf::WhileOp::create(b, emit.loc, TypeRange{bits}, ValueRange{first});
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&exchange.getBefore(), {}, {bits}, {emit.loc});
  Value old = before->getArgument(0);
  Value seen = spirv::AtomicCompareExchangeOp::create(
      b, emit.loc, bits, word, kScope, kRelaxed, kRelaxed, next(old), old);
  Value lost = emit.compare(arith::CmpIPredicate::ne, seen, old);
  scf::ConditionOp::create(b, emit.loc, lost, ValueRange{seen});
  Block *after = b.createBlock(&exchange.getAfter(), {}, {bits}, {emit.loc});
  scf::YieldOp::create(b, emit.loc, after->getArguments());
  return exchange.getResult(0);
}

Value AtomicLowering::exchangeLoop(Value memref, Value index, Type type,
                                   Update update) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 32)
    return narrowLoop(memref, index, type, update);
  Type bits = b.getIntegerType(width);
  Value word = wordAt(elementPtr(memref, index), bits);
  return bitcast(loop(word,
                      [&](Value old) {
                        return bitcast(update(bitcast(old, type)), bits);
                      }),
                 type);
}

/// A value of 8 or 16 bits in the aligned word of 32 around it: the elements of
/// all memory begin with a word.
Value AtomicLowering::narrowLoop(Value memref, Value index, Type type,
                                 Update update) {
  unsigned width = type.getIntOrFloatBitWidth();
  int64_t perWord = 32 / width;
  Type bits = b.getIntegerType(width), i32 = b.getI32Type();
  Value number =
      arith::DivUIOp::create(b, emit.loc, index, emit.index(perWord));
  Value offset =
      arith::AndIOp::create(b, emit.loc, index, emit.index(perWord - 1));
  Value word = wordOf(memref, number);
  Value shift = emit.mul(emit.cast(offset, i32), emit.constant(i32, width));
  Value mask = arith::ShLIOp::create(
      b, emit.loc, emit.constant(i32, (int64_t(1) << width) - 1), shift);
  Value others =
      arith::XOrIOp::create(b, emit.loc, mask, emit.constant(i32, -1));
  auto part = [&](Value whole) {
    Value low = arith::ShRUIOp::create(b, emit.loc, whole, shift);
    return bitcast(arith::TruncIOp::create(b, emit.loc, bits, low), type);
  };
  Value old = loop(word, [&](Value whole) -> Value {
    Value next = bitcast(update(part(whole)), bits);
    next = arith::ShLIOp::create(
        b, emit.loc, arith::ExtUIOp::create(b, emit.loc, i32, next), shift);
    Value kept = arith::AndIOp::create(b, emit.loc, whole, others);
    return arith::OrIOp::create(b, emit.loc, kept, next);
  });
  return part(old);
}

Value AtomicLowering::lower(memref::AtomicRMWOp op) {
  Value memref = op.getMemref(), index = op.getIndices().front();
  Value value = op.getValue();
  Type type = value.getType();
  bool isAssigned = op.getKind() == arith::AtomicRMWKind::assign;
  unsigned width = type.getIntOrFloatBitWidth();
  if (isFloatSum(op) && hasFloatSums)
    return native<spirv::EXTAtomicFAddOp>(elementPtr(memref, index), value);
  if (width >= 32 && (isa<IntegerType>(type) || isAssigned)) {
    Type bits = b.getIntegerType(width);
    Value word = wordAt(elementPtr(memref, index), bits);
    return bitcast(nativeInteger(op.getKind(), word, bitcast(value, bits)),
                   type);
  }
  // Both variants of a kernel have the same parameters.
  if (!isFloatSum(op))
    mayRunLong(op);
  return exchangeLoop(memref, index, type, [&](Value old) {
    return updated(op.getKind(), old, value);
  });
}

Value AtomicLowering::lower(memref::GenericAtomicRMWOp op) {
  Type type = op.getResult().getType();
  Value index = op.getIndices().front();
  mayRunLong(op);
  return exchangeLoop(op.getMemref(), index, type, [&](Value old) {
    IRMapping mapping;
    mapping.map(op.getCurrentValue(), old);
    for (Operation &inner : op.getBody()->without_terminator())
      b.clone(inner, mapping);
    return mapping.lookupOrDefault(
        op.getBody()->getTerminator()->getOperand(0));
  });
}

/// Floats in a block's memory that are updated atomically lie there as words:
/// a pointer to a float could not be one to its bits.
static void keepAsWords(memref::AllocOp op) {
  auto isAtomic = [](Operation *user) {
    return isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(user);
  };
  MemRefType type = op.getType();
  Type scalar = type.getElementType();
  if (!isa<FloatType>(scalar) || llvm::none_of(op->getUsers(), isAtomic))
    return;
  OpBuilder b(op);
  Type bits = b.getIntegerType(scalar.getIntOrFloatBitWidth());
  op.getResult().setType(MemRefType::get(
      type.getShape(), bits, type.getLayout(), type.getMemorySpace()));
  for (Operation *user : op->getUsers()) {
    b.setInsertionPointAfter(user);
    if (auto load = dyn_cast<memref::LoadOp>(user)) {
      load.getResult().setType(bits);
      Value value = arith::BitcastOp::create(b, load.getLoc(), scalar, load);
      load.getResult().replaceAllUsesExcept(value, value.getDefiningOp());
    } else if (auto store = dyn_cast<memref::StoreOp>(user)) {
      b.setInsertionPoint(store);
      store.getValueMutable().assign(arith::BitcastOp::create(
          b, store.getLoc(), bits, store.getValueToStore()));
    }
  }
}

void chi::target::spv::lowerAtomics(mlir::gpu::GPUModuleOp kernels,
                                    const SPIRVTypeConverter &types) {
  OpBuilder builder(kernels.getContext());
  bool hasFloatSums = !kernels->hasAttr(kExchangeSumsAttr);
  kernels.walk([](memref::AllocOp op) { keepAsWords(op); });
  SmallVector<Operation *> work;
  kernels.walk([&](Operation *op) {
    if (isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(op))
      work.push_back(op);
  });
  for (Operation *op : work) {
    AtomicLowering lowering(builder, op, types, hasFloatSums);
    auto plain = dyn_cast<memref::AtomicRMWOp>(op);
    Value old = plain ? lowering.lower(plain)
                      : lowering.lower(cast<memref::GenericAtomicRMWOp>(op));
    op->replaceAllUsesWith(ValueRange{old});
    op->erase();
  }
}
