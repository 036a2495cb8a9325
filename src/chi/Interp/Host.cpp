//===- Host.cpp - Globals and calls of the run time -----------------------===//

#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chi/Interp/Code.h"
#include <algorithm>
#include <bit>
#include <utility>

using namespace mlir;
using namespace chi;
using namespace chi::interp;

const chirt_site *callSite(Translator &t, Operation *op, StringRef what);

namespace {
/// A function of the run time on arguments as the registers hold them; returns
/// the bits of the result.
using AnyFunction = uint64_t (*)(const uint64_t *arguments);

struct RuntimeCall {
  AnyFunction function = nullptr;
  const chirt_site *site = nullptr;
  std::vector<Register> args;
  std::vector<unsigned> bits; ///< of an integer argument, 64 else
  /// A local array among the arguments: its scalars are packed before the
  /// call and unpacked after it.
  int local = -1;
  unsigned localCount = 0, localBytes = 0;
  unsigned resultBits = 64;
};
} // namespace

static void loadGlobal(Frame &f, const Instr &i) {
  f.r[i.dst] = *static_cast<const uint64_t *>(i.extra);
}
static void storeGlobal(Frame &f, const Instr &i) {
  *static_cast<uint64_t *>(const_cast<void *>(i.extra)) = f.r[i.a];
}
static void setNumber(Frame &f, const Instr &i) { f.r[i.dst] = i.imm; }

//===----------------------------------------------------------------------===//
// The functions of api.def
//===----------------------------------------------------------------------===//

template <class T> static T argumentOf(uint64_t bits) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(bits);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else
    return static_cast<T>(bits);
}

template <class T> static uint64_t resultBits(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uint64_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(value);
  else
    return static_cast<uint64_t>(value);
}

template <class Result, class... Parameters, size_t... Index>
static uint64_t callTyped(Result (*function)(Parameters...),
                          const uint64_t *arguments,
                          std::index_sequence<Index...>) {
  if constexpr (std::is_void_v<Result>)
    return function(argumentOf<Parameters>(arguments[Index])...), 0;
  else
    return resultBits(function(argumentOf<Parameters>(arguments[Index])...));
}
template <class Result, class... Parameters>
static uint64_t callTyped(Result (*function)(Parameters...),
                          const uint64_t *arguments) {
  return callTyped(function, arguments,
                   std::index_sequence_for<Parameters...>());
}

static AnyFunction runtimeFunction(StringRef name) {
#define CHIRT_FUNCTION(Result, Name, Parameters, Uses, Facts)                  \
  if (name == #Name)                                                           \
    return [](const uint64_t *arguments) { return callTyped(Name, arguments); };
#include "chirt/api.def"
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

template <class Result, class... Parameters>
static constexpr unsigned numParameters(Result (*)(Parameters...)) {
  return sizeof...(Parameters);
}

/// As many as any function of the run time takes.
static constexpr unsigned kMaxArguments = std::max({
#define CHIRT_FUNCTION(Result, Name, Parameters, Uses, Facts)                  \
  numParameters(Name),
#include "chirt/api.def"
});

static unsigned packArguments(Frame &f, const RuntimeCall &call,
                              uint64_t *args) {
  std::vector<char> &memory = f.machine->packed;
  unsigned count = 0;
  if (call.site)
    args[count++] = uint64_t(call.site);
  for (size_t k = 0; k < call.args.size(); ++k) {
    uint64_t value = f.r[call.args[k]];
    if (int(k) == call.local) {
      memory.resize(size_t(call.localCount) * call.localBytes);
      auto *scalars = reinterpret_cast<const uint64_t *>(value);
      for (unsigned j = 0; j < call.localCount; ++j)
        std::memcpy(memory.data() + j * call.localBytes, scalars + j,
                    call.localBytes);
      value = uint64_t(memory.data());
    } else if (call.bits[k] < 64) {
      value = uint64_t(signExtend(value, call.bits[k]));
    }
    args[count++] = value;
  }
  return count;
}

static void unpackLocal(Frame &f, const RuntimeCall &call) {
  if (call.local < 0)
    return;
  const std::vector<char> &memory = f.machine->packed;
  auto *scalars = reinterpret_cast<uint64_t *>(f.r[call.args[call.local]]);
  for (unsigned j = 0; j < call.localCount; ++j) {
    scalars[j] = 0;
    std::memcpy(scalars + j, memory.data() + j * call.localBytes,
                call.localBytes);
  }
}

static void callRuntime(Frame &f, const Instr &i) {
  auto &call = *static_cast<const RuntimeCall *>(i.extra);
  uint64_t args[kMaxArguments] = {};
  packArguments(f, call, args);
  uint64_t result = call.function(args);
  unpackLocal(f, call);
  f.r[i.dst] = result & maskOf(call.resultBits);
}

static bool translateCall(Translator &t, ir::RtOp op, Code &code) {
  auto *call = t.extra<RuntimeCall>();
  call->function = runtimeFunction(op.getFunction());
  if (!call->function)
    return false;
  if (std::optional<StringRef> what = op.getSite())
    call->site = callSite(t, op, *what);
  for (auto [k, input] : llvm::enumerate(op.getInputs())) {
    call->args.push_back(t.reg(input));
    Type type = input.getType();
    call->bits.push_back(type.isInteger() ? type.getIntOrFloatBitWidth() : 64);
    if (auto local = dyn_cast<ir::LocalType>(type)) {
      call->local = int(k);
      call->localCount = unsigned(local.getNumElements());
      call->localBytes = byteSize(local.getScalar());
    }
  }
  Register dst =
      op->getNumResults() ? t.reg(op->getResult(0)) : t.function.numRegisters++;
  if (op->getNumResults() && op->getResult(0).getType().isInteger())
    call->resultBits = op->getResult(0).getType().getIntOrFloatBitWidth();
  Instr &instr = t.emit(code, callRuntime);
  instr.dst = dst, instr.extra = call;
  return true;
}

namespace {
struct CompanionExtra {
  const chirt_site *site;
  chirt_field *(*find)(const chirt_site *site, chirt_field *field);
};
} // namespace

static void takeCompanion(Frame &f, const Instr &i) {
  auto &extra = *static_cast<const CompanionExtra *>(i.extra);
  auto *field = reinterpret_cast<chirt_field *>(f.r[i.a]);
  f.r[i.dst] = uint64_t(extra.find(extra.site, field));
}

bool Translator::translateHost(Operation *op, Code &code) {
  if (auto typed = dyn_cast<ir::CompanionOp>(op)) {
    auto name = op->getAttrOfType<StringAttr>(ir::kFieldNameAttr);
    auto *made = extra<CompanionExtra>();
    made->site = makeSite(*this, op->getLoc(), CHIRT_SITE_GRAD,
                          name ? name.getValue() : StringRef(), 0, {});
    made->find =
        op->hasAttr(ir::kDualAttr) ? chirt_field_dual : chirt_field_grad;
    Register a = reg(typed.getField()), dst = reg(typed.getResult());
    Instr &instr = emit(code, takeCompanion);
    instr.a = a, instr.dst = dst, instr.extra = made;
    return true;
  }
  if (auto typed = dyn_cast<ir::GlobalLoadOp>(op)) {
    uint64_t *at = machine.global(typed.getGlobal());
    if (!at)
      return false;
    Register dst = reg(typed.getResult());
    Instr &instr = emit(code, loadGlobal);
    instr.dst = dst, instr.extra = at;
    return true;
  }
  if (auto typed = dyn_cast<ir::GlobalStoreOp>(op)) {
    uint64_t *at = machine.global(typed.getGlobal());
    if (!at)
      return false;
    Register a = reg(typed.getValue());
    Instr &instr = emit(code, storeGlobal);
    instr.a = a, instr.extra = at;
    return true;
  }
  if (auto typed = dyn_cast<ir::NullOp>(op)) {
    emit(code, setNumber).dst = reg(typed.getResult());
    return true;
  }
  if (auto typed = dyn_cast<ir::StrOp>(op)) {
    Register dst = reg(typed.getResult());
    Instr &instr = emit(code, setNumber);
    instr.dst = dst;
    instr.imm = uint64_t(machine.keep(typed.getValue()));
    return true;
  }
  if (auto typed = dyn_cast<ir::RtOp>(op))
    return translateCall(*this, typed, code);
  return false;
}
