//===- Fields.cpp - Access to fields --------------------------------------===//

#include "chi/Interp/Code.h"
#include "chi/Interp/Floats.h"
#include "chirt/accumulations.h"
#include <cmath>

using namespace mlir;
using namespace chi;
using namespace chi::interp;

namespace {
struct AccessExtra {
  std::vector<Register> indices;
  std::vector<unsigned> indexBits;
  uint64_t component = 0;
  Register dynamic = 0;
  bool hasDynamic = false;
  unsigned dynamicBits = 32;
  Type scalar;
  unsigned bytes = 0;
  unsigned kind = 0; ///< AccumKind or AtomicKind
  Register expected = 0;
  int reduction = -1;               ///< number of the task's reduction target
  int32_t raceKind = 0;             ///< chirt_race_kind
  const chirt_site *site = nullptr; ///< of an instrumented access
};
} // namespace

static char *address(Frame &f, const Instr &i, bool isWritten = true) {
  auto &x = *static_cast<const AccessExtra *>(i.extra);
  auto *field = reinterpret_cast<chirt_field *>(f.r[i.a]);
  int64_t number = 0;
  for (int axis = 0; axis < field->rank; ++axis)
    number += signExtend(f.r[x.indices[axis]], x.indexBits[axis]) *
              field->strides[axis];
  int64_t component = int64_t(x.component);
  if (x.hasDynamic)
    component += signExtend(f.r[x.dynamic], x.dynamicBits);
  number += component * field->component_stride;
  return elementsOf(field, isWritten) + number * x.bytes;
}

static uint64_t readScalar(const char *from, unsigned bytes) {
  uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  return value;
}

static void load(Frame &f, const Instr &i) {
  auto &x = *static_cast<const AccessExtra *>(i.extra);
  uint64_t value = readScalar(address(f, i, /*isWritten=*/false), x.bytes);
  f.r[i.dst] = x.scalar.isInteger(1) ? value & 1 : value;
}
static void store(Frame &f, const Instr &i) {
  auto &x = *static_cast<const AccessExtra *>(i.extra);
  std::memcpy(address(f, i), &f.r[i.b], x.bytes);
}

template <typename T>
static uint64_t combineFloats(ir::AccumKind kind, uint64_t x, uint64_t y) {
  Computed<T> a(fromBits<T>(x)), b(fromBits<T>(y));
  switch (kind) {
#define CHIRT_FLOAT_ACCUM(name, ID, expression, ...)                           \
  case ir::AccumKind::name:                                                    \
    return toBits(T(expression));
#include "chirt/accumulations.def"
  default:
    llvm_unreachable("a kind of integers");
  }
}

static uint64_t readUnsigned(uint64_t value, unsigned) { return value; }
static int64_t readSigned(uint64_t value, unsigned bits) {
  return signExtend(value, bits);
}

uint64_t interp::combine(ir::AccumKind kind, Type scalar, uint64_t x,
                         uint64_t y) {
  if (isa<FloatType>(scalar))
    return withFloat(widthOf(scalar), [&](auto zero) {
      return combineFloats<decltype(zero)>(kind, x, y);
    });
  unsigned bits = scalar.getIntOrFloatBitWidth();
  switch (kind) {
#define CHIRT_INTEGER_ACCUM(name, ID, sign, expression, ...)                   \
  case ir::AccumKind::name: {                                                  \
    auto a = read##sign(x, bits), b = read##sign(y, bits);                     \
    return uint64_t(expression) & maskOf(bits);                                \
  }
#include "chirt/accumulations.def"
  }
  llvm_unreachable("accumulation");
}

static uint64_t floatBits(Type scalar, double value) {
  return withFloat(widthOf(scalar),
                   [&](auto zero) { return toBits(decltype(zero)(value)); });
}

uint64_t interp::neutral(ir::AccumKind kind, Type scalar) {
  auto number = static_cast<int32_t>(kind);
  if (isa<FloatType>(scalar))
    return floatBits(scalar, chirt::accum::neutralFloat(number));
  return chirt::accum::neutralInteger(number, scalar.getIntOrFloatBitWidth());
}

static void accumulate(Frame &f, const Instr &i) {
  auto &x = *static_cast<const AccessExtra *>(i.extra);
  auto kind = ir::AccumKind(x.kind);
  if (x.reduction >= 0) {
    ReductionState &state = (*f.machine->reductions)[x.reduction];
    state.target = address(f, i);
    uint64_t &lane = state.lanes[f.linear & 15];
    lane = combine(kind, x.scalar, lane, f.r[i.b]);
    return;
  }
  char *at = address(f, i);
  uint64_t sum = combine(kind, x.scalar, readScalar(at, x.bytes), f.r[i.b]);
  std::memcpy(at, &sum, x.bytes);
}

static void atomic(Frame &f, const Instr &i) {
  auto &x = *static_cast<const AccessExtra *>(i.extra);
  char *at = address(f, i);
  uint64_t old = readScalar(at, x.bytes), value = f.r[i.b], made = old;
  switch (ir::AtomicKind(x.kind)) {
  case ir::AtomicKind::sub:
    if (isa<FloatType>(x.scalar))
      value ^= uint64_t(1) << (x.scalar.getIntOrFloatBitWidth() - 1);
    else
      value = (0 - value) & maskOf(x.scalar.getIntOrFloatBitWidth());
    made = combine(ir::AccumKind::add, x.scalar, old, value);
    break;
  case ir::AtomicKind::exchange:
    made = value;
    break;
  case ir::AtomicKind::load:
    f.r[i.dst] = old;
    return;
  case ir::AtomicKind::cas:
    made = old == f.r[x.expected] ? value : old;
    break;
  default:
    made =
        combine(*ir::accumKindOf(ir::AtomicKind(x.kind)), x.scalar, old, value);
  }
  std::memcpy(at, &made, x.bytes);
  f.r[i.dst] = old;
}

static void dimension(Frame &f, const Instr &i) {
  auto *field = reinterpret_cast<const chirt_field *>(f.r[i.a]);
  f.r[i.dst] = uint64_t(field->extents[i.imm]) & maskOf(i.c);
}
static void copyRegister(Frame &f, const Instr &i) { f.r[i.dst] = f.r[i.a]; }

/// --check=races: reports the following access to the run time.
static void recordAccess(Frame &f, const Instr &i) {
  auto &x = *static_cast<const AccessExtra *>(i.extra);
  chirt_race_access(x.site, address(f, i), f.linear, x.raceKind);
  if (chirt_failed)
    f.machine->leaveLaunch();
}

static AccessExtra *accessExtra(Translator &t, ir::FieldAccessOpInterface op) {
  auto *x = t.extra<AccessExtra>();
  for (Value index : op.getIndices()) {
    x->indices.push_back(t.reg(index));
    x->indexBits.push_back(index.getType().getIntOrFloatBitWidth());
  }
  x->component = op.getComponent();
  if (Value dynamic = op.getDynamicComponent()) {
    x->hasDynamic = true;
    x->dynamic = t.reg(dynamic);
    x->dynamicBits = dynamic.getType().getIntOrFloatBitWidth();
  }
  x->scalar = cast<ir::FieldType>(op.getField().getType()).getScalar();
  x->bytes = byteSize(x->scalar);
  return x;
}

/// The task's reduction target of an accumulation, made if it is new.
static int reductionTarget(Translator &t, ir::AccumOp op) {
  int number = int(t.reductions.numberOf(op));
  if (size_t(number) == t.task->reductions.size())
    t.task->reductions.push_back(
        {op.getKind(),
         cast<ir::FieldType>(op.getField().getType()).getScalar()});
  return number;
}

bool Translator::translateField(Operation *op, Code &code) {
  if (auto access = dyn_cast<ir::FieldAccessOpInterface>(op)) {
    AccessExtra *x = accessExtra(*this, access);
    Register field = reg(access.getField());
    Register result = op->getNumResults() ? reg(op->getResult(0)) : 0;
    if (auto kind = access.getRaceKindAttr(); kind && task) {
      auto name = access.getFieldNameAttr();
      x->raceKind = int32_t(kind.getInt());
      x->site = makeSite(*this, op->getLoc(), CHIRT_SITE_CALL,
                         name ? name.getValue() : StringRef(), 0, {});
      task->isInstrumented = true;
      Instr &instr = emit(code, recordAccess);
      instr.a = field, instr.extra = x;
    }
    auto make = [&](Handler handler, Value value) {
      Register b = value ? reg(value) : 0;
      Instr &instr = emit(code, handler);
      instr.a = field, instr.b = b, instr.dst = result, instr.extra = x;
      return true;
    };
    if (isa<ir::LoadOp>(op))
      return make(load, nullptr);
    if (auto typed = dyn_cast<ir::StoreOp>(op))
      return make(store, typed.getValue());
    if (auto typed = dyn_cast<ir::AccumOp>(op)) {
      x->kind = unsigned(typed.getKind());
      if (typed.getStrategy() == ir::AccumStrategy::deterministic && task)
        x->reduction = reductionTarget(*this, typed);
      return make(accumulate, typed.getValue());
    }
    if (auto typed = dyn_cast<ir::AtomicOp>(op)) {
      x->kind = unsigned(typed.getKind());
      if (typed.getExpected())
        x->expected = reg(typed.getExpected());
      return make(atomic, typed.getValue());
    }
    return false;
  }
  if (auto dim = dyn_cast<ir::DimOp>(op)) {
    Register a = reg(dim.getField()), dst = reg(dim.getResult());
    Instr &instr = emit(code, dimension);
    instr.a = a, instr.dst = dst, instr.imm = dim.getAxis();
    instr.c = dim.getResult().getType().getIntOrFloatBitWidth();
    return true;
  }
  if (isa<ir::CastFieldOp, ir::StopGradientOp>(op)) {
    Register a = reg(op->getOperand(0)), dst = reg(op->getResult(0));
    Instr &instr = emit(code, copyRegister);
    instr.a = a, instr.dst = dst;
    return true;
  }
  return false;
}
