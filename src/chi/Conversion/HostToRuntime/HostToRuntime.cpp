//===- HostToRuntime.cpp - Host and control functions ---------------------===//
// First every chi operation is replaced while its operands still have chi
// types, with casts between handles and pointers where needed. Then all
// handles are retyped to pointers at once, in functions and in scf, and the
// casts fall away.

#include "chi/Conversion/HostToRuntime/HostLowering.h"
#include "chi/Conversion/Iteration/IterationLowering.h"
#include "chi/Conversion/Retype.h"
#include "chi/Conversion/Text.h"
#include "chi/Conversion/ValueOps.h"
#include "chi/Dialect/Chi/DiscardableAttrs.h"

namespace chi::conv {
#define GEN_PASS_DEF_HOSTTORUNTIMEPASS
#include "chi/Conversion/Passes.h.inc"
} // namespace chi::conv

using namespace mlir;
using namespace chi;
using namespace chi::conv;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static bool isCell(Value field) {
  return isa_and_nonnull<ir::CellOp>(field.getDefiningOp());
}

/// A field of a handle, or a cell, which is its memory.
static FieldView hostView(Emitter &emit, TypedValue<ir::FieldType> field) {
  FieldView view{field.getType(), nullptr, {}};
  Value handle = emit.reinterpret(field, emit.ptrType());
  view.data = isCell(field) ? handle : loadData(emit, handle);
  for (auto [axis, extent] : llvm::enumerate(view.type.getShape()))
    view.extents.push_back(ShapedType::isDynamic(extent)
                               ? emit.toIndex(loadExtent(emit, handle, axis))
                               : emit.index(extent));
  for (unsigned k = 0; k < ir::numStrides(view.type); ++k)
    view.strides.push_back(
        emit.toIndex(loadStride(emit, handle, view.type, k)));
  return view;
}

static Value numberOf(Emitter &emit, const FieldView &view,
                      ir::FieldAccessOpInterface access) {
  return scalarOffset(emit, view, ValueRange(access.getIndices()),
                      access.getDynamicComponent(), access.getComponent());
}

Value conv::scalarNumber(Emitter &emit, ir::FieldAccessOpInterface access) {
  FieldView view = hostView(emit, access.getField());
  return emit.toI64(numberOf(emit, view, access));
}

static Value addressOf(Emitter &emit, ir::FieldAccessOpInterface access) {
  FieldView view = hostView(emit, access.getField());
  return emit.at(view.data, memoryType(view.type.getScalar()),
                 numberOf(emit, view, access));
}

static void lowerLoad(Emitter &emit, ir::LoadOp op) {
  Type scalar = op.getResult().getType();
  Value value = emit.load(memoryType(scalar), addressOf(emit, op));
  op.replaceAllUsesWith(fromMemory(emit, value, scalar));
  op.erase();
}

static void lowerStore(Emitter &emit, ir::StoreOp op) {
  emit.store(toMemory(emit, op.getValue()), addressOf(emit, op));
  op.erase();
}

/// Host code is one thread: an update is load, operation, store.
static void lowerAccum(Emitter &emit, ir::AccumOp op) {
  Value address = addressOf(emit, op), value = toMemory(emit, op.getValue());
  Value old = emit.load(value.getType(), address);
  emit.store(
      combine(emit, op.getKind(), old, value, arith::FastMathFlags::none),
      address);
  op.erase();
}

static void lowerDim(Emitter &emit, ir::DimOp op) {
  Type type = op.getResult().getType();
  int64_t axis = op.getAxis();
  ir::FieldType field = op.getField().getType();
  Value extent =
      field.isDynamicDim(axis)
          ? emit.cast(loadExtent(
                          emit, emit.reinterpret(op.getField(), emit.ptrType()),
                          axis),
                      type)
          : emit.constant(type, field.getShape()[axis]);
  op.replaceAllUsesWith(extent);
  op.erase();
}

/// Memory in the frame of the control function; an array starts as zeros,
/// each time that it is met.
static void lowerCell(Emitter &emit, ir::CellOp op) {
  ir::FieldType type = op.getCell().getType();
  Type scalar = memoryType(type.getScalar());
  int64_t count = type.getNumElements().value_or(1) * type.getNumComponents();
  Value memory = emit.stack(scalar, count);
  if (type.getRank() != 0)
    LLVM::MemsetOp::create(emit.builder, emit.loc, memory,
                           emit.constant(emit.builder.getI8Type(), 0),
                           emit.i64(count * byteSize(scalar)),
                           /*isVolatile=*/false);
  // The lowering of users tests whether they use a cell: replaced after them.
  emit.builder.setInsertionPointAfter(op);
  for (OpOperand &use : llvm::make_early_inc_range(op->getUses()))
    if (auto cast = dyn_cast<UnrealizedConversionCastOp>(use.getOwner())) {
      cast.getResult(0).replaceAllUsesWith(memory);
      cast.erase();
    }
  assert(op->use_empty() && "a cell is loaded, stored and launched over");
  op.erase();
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static bool isHandle(Type type) { return isa<ir::HandleTypeInterface>(type); }

static Type storedType(Emitter &emit, Type type) {
  return isHandle(type) ? emit.ptrType() : memoryType(type);
}

static Value stored(Emitter &emit, Value value) {
  return isHandle(value.getType()) ? emit.reinterpret(value, emit.ptrType())
                                   : toMemory(emit, value);
}

static Value loaded(Emitter &emit, Value value, Type type) {
  return isHandle(type) ? emit.reinterpret(value, type)
                        : fromMemory(emit, value, type);
}

namespace {
/// The symbols of the module, and the addresses of its variables in the
/// function that is being lowered, each made once where the function begins.
struct HostSymbols {
  explicit HostSymbols(ModuleOp module) : table(module) {}
  Value addressOf(Operation *user, FlatSymbolRefAttr variable);

  SymbolTable table;
  func::FuncOp function;
  DenseMap<Attribute, Value> addresses;
};
} // namespace

Value HostSymbols::addressOf(Operation *user, FlatSymbolRefAttr variable) {
  auto around = user->getParentOfType<func::FuncOp>();
  if (around != function) {
    function = around;
    addresses.clear();
  }
  Value &address = addresses[variable];
  if (!address) {
    auto builder = OpBuilder::atBlockBegin(&function.getBody().front());
    address = LLVM::AddressOfOp::create(
        builder, function.getLoc(),
        LLVM::LLVMPointerType::get(builder.getContext()), variable.getValue());
  }
  return address;
}

static void lowerGlobal(ir::GlobalOp op) {
  OpBuilder builder(op);
  Emitter emit(builder, op);
  Type type = storedType(emit, op.getType());
  bool isExtern = op->hasAttr(ir::kExternAttr);
  auto global = LLVM::GlobalOp::create(
      builder, emit.loc, type, /*isConstant=*/false, LLVM::Linkage::External,
      op.getSymName(), Attribute());
  global.setVisibility_(LLVM::Visibility::Hidden);
  if (!isExtern) {
    builder.createBlock(&global.getInitializerRegion());
    Value zero = LLVM::ZeroOp::create(builder, emit.loc, type);
    LLVM::ReturnOp::create(builder, emit.loc, zero);
  }
  op.erase();
}

/// A variable that holds a field or str; it starts as none.
static void lowerHandleSlot(Emitter &emit, ir::LocalOp op) {
  Value memory = emit.stack(emit.ptrType());
  emit.store(emit.null(), memory);
  op.replaceAllUsesWith(emit.reinterpret(memory, op.getSlot().getType()));
  op.erase();
}

//===----------------------------------------------------------------------===//
// All operations
//===----------------------------------------------------------------------===//

static void lowerFormat(Emitter &emit, ir::FormatOp op) {
  emitFormat(emit, op.getParts(), op.getValues());
  Value text = callRuntime(emit, "chirt_fmt_take", {});
  op.replaceAllUsesWith(emit.reinterpret(text, op.getResult().getType()));
  op.erase();
}

/// A draw of host code takes the next one of the host's own stream.
static void lowerRandom(Emitter &emit, ir::RandomOp op) {
  Value bits =
      op.getLoop()
          ? emitRandom(emit, op, loadRuntimeVariable(emit, "chirt_seed"))
          : callRuntime(emit, "chirt_random_host", {});
  op.replaceAllUsesWith(bits);
  op.erase();
}

/// The run time knows whether the field has one.
static Value companionOf(Emitter &emit, ir::CompanionOp op) {
  Site site;
  site.position = positionOf(op.getLoc());
  site.kind = CHIRT_SITE_GRAD;
  if (auto name = op->getAttrOfType<StringAttr>(ir::kFieldNameAttr))
    site.what = name;
  Value field = emit.reinterpret(op.getField(), emit.ptrType());
  StringRef function =
      op->hasAttr(ir::kDualAttr) ? "chirt_field_dual" : "chirt_field_grad";
  Value companion =
      callRuntime(emit, function, {siteConstant(emit, site), field});
  return emit.reinterpret(companion, op.getResult().getType());
}

static LogicalResult lowerHostOp(Operation *op, HostSymbols &symbols) {
  OpBuilder builder(op);
  Emitter emit(builder, op, &symbols.table);
  auto replace = [&](Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ir::LoadOp op) { return lowerLoad(emit, op), success(); })
      .Case([&](ir::StoreOp op) { return lowerStore(emit, op), success(); })
      .Case([&](ir::AccumOp op) { return lowerAccum(emit, op), success(); })
      .Case([&](ir::DimOp op) { return lowerDim(emit, op), success(); })
      .Case([&](ir::GlobalLoadOp op) {
        Type type = op.getResult().getType();
        Value value = emit.load(storedType(emit, type),
                                symbols.addressOf(op, op.getGlobalAttr()));
        return replace(loaded(emit, value, type));
      })
      .Case([&](ir::GlobalStoreOp op) {
        emit.store(stored(emit, op.getValue()),
                   symbols.addressOf(op, op.getGlobalAttr()));
        return op.erase(), success();
      })
      .Case([&](ir::NullOp op) {
        return replace(emit.reinterpret(emit.null(), op.getResult().getType()));
      })
      .Case([&](ir::StrOp op) {
        return replace(emit.reinterpret(textConstant(emit, op.getValue()),
                                        op.getResult().getType()));
      })
      .Case([&](ir::CastFieldOp op) {
        Value handle = emit.reinterpret(op.getField(), emit.ptrType());
        return replace(emit.reinterpret(handle, op.getResult().getType()));
      })
      .Case([&](ir::CompanionOp op) { return replace(companionOf(emit, op)); })
      .Case([&](ir::RtOp op) { return lowerRuntimeCall(op, symbols.table); })
      .Case([&](ir::PrintOp op) {
        return lowerPrint(op, &symbols.table), success();
      })
      .Case([&](ir::FormatOp op) { return lowerFormat(emit, op), success(); })
      .Case([&](ir::RandomOp op) { return lowerRandom(emit, op), success(); })
      .Case([&](ir::OrdinalOp) {
        return replace(callRuntime(emit, "chirt_next_ordinal", {}));
      })
      .Case([&](ir::CallOp op) {
        auto call = func::CallOp::create(builder, emit.loc, op.getCallee(),
                                         op.getResultTypes(), op.getInputs());
        return op.replaceAllUsesWith(call), op.erase(), success();
      })
      .Case([&](ir::CheckedOp op) { return lowerChecked(emit, op), success(); })
      .Case([&](ir::CheckOp) { return success(); }) // until chi-lower-checks
      .Case(
          [&](ir::LocalOp op) { return lowerHandleSlot(emit, op), success(); })
      .Case([&](ir::GetOp op) {
        Value slot = emit.reinterpret(op.getSlot(), emit.ptrType());
        return replace(loaded(emit, emit.load(emit.ptrType(), slot),
                              op.getResult().getType()));
      })
      .Case([&](ir::SetOp op) {
        emit.store(stored(emit, op.getValue()),
                   emit.reinterpret(op.getSlot(), emit.ptrType()));
        return op.erase(), success();
      })
      .Default([](Operation *op) {
        return op->emitOpError("has no lowering in host code");
      });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void eraseDeadCasts(ModuleOp module) {
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  for (UnrealizedConversionCastOp cast : llvm::reverse(casts))
    if (cast->use_empty())
      cast.erase();
}

/// Handles are pointers from here on, and arrays that functions take are their
/// memory.
static void retypeHandles(ModuleOp module) {
  Type ptr = LLVM::LLVMPointerType::get(module.getContext());
  retypeValues(module, [&](Type type) {
    auto local = dyn_cast<ir::LocalType>(type);
    if (local && local.isScratch())
      return type;
    if (local && !isHandle(local.getScalar()))
      return Type(bufferType(local));
    return isHandle(type) ? ptr : type;
  });
}

namespace {
struct HostToRuntimePass
    : chi::conv::impl::HostToRuntimePassBase<HostToRuntimePass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registerLoweringDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    acquireHostFields(module);
    SmallVector<Operation *> work;
    SmallVector<ir::CellOp> cells;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function->hasAttr(ir::kBodyAttr))
        continue;
      function.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (auto cell = dyn_cast<ir::CellOp>(op))
          cells.push_back(cell);
        else if (isa_and_nonnull<ir::ChiDialect>(op->getDialect()))
          work.push_back(op);
      });
    }
    HostSymbols symbols(module);
    for (Operation *op : work)
      if (!lowerValueOp(op, arith::FastMathFlags::none) &&
          failed(lowerHostOp(op, symbols)))
        return signalPassFailure();
    for (ir::CellOp cell : cells) {
      OpBuilder builder(cell);
      Emitter emit(builder, cell);
      lowerCell(emit, cell);
    }
    for (auto global :
         llvm::make_early_inc_range(module.getOps<ir::GlobalOp>()))
      lowerGlobal(global);
    retypeHandles(module);
    eraseDeadCasts(module);
    emitProgramTable(module);
  }
};
} // namespace
