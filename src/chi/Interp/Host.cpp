//===- Host.cpp - Globals and calls of the run time -----------------------===//

#include "chi/Interp/Code.h"

using namespace mlir;
using namespace chi;
using namespace chi::interp;

const chirt_site *callSite(Translator &t, Operation *op, StringRef what);

namespace {
struct RuntimeCall {
  void *function = nullptr;
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

/// Integer and pointer arguments share one calling convention on the targets
/// we run on, so that one signature serves all functions of the run time
/// without floats. UBSan's check of function types stays out of such calls.
using AnyFunction = uint64_t (*)(uint64_t, uint64_t, uint64_t, uint64_t,
                                 uint64_t, uint64_t, uint64_t, uint64_t,
                                 uint64_t, uint64_t, uint64_t);
using RealFunction = double (*)(uint64_t, uint64_t, uint64_t);

#define CHI_ANY_SIGNATURE __attribute__((no_sanitize("function")))

static constexpr unsigned kMaxArguments = 11;

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

CHI_ANY_SIGNATURE static void callRuntime(Frame &f, const Instr &i) {
  auto &call = *static_cast<const RuntimeCall *>(i.extra);
  uint64_t args[kMaxArguments] = {};
  packArguments(f, call, args);
  uint64_t result = reinterpret_cast<AnyFunction>(call.function)(
      args[0], args[1], args[2], args[3], args[4], args[5], args[6], args[7],
      args[8], args[9], args[10]);
  unpackLocal(f, call);
  f.r[i.dst] = result & maskOf(call.resultBits);
}

CHI_ANY_SIGNATURE static void callReal(Frame &f, const Instr &i) {
  auto &call = *static_cast<const RuntimeCall *>(i.extra);
  uint64_t args[kMaxArguments] = {};
  packArguments(f, call, args);
  f.r[i.dst] = toBits(
      reinterpret_cast<RealFunction>(call.function)(args[0], args[1], args[2]));
}

/// The functions that compiled programs call by `chi.rt`.
static void *runtimeFunction(StringRef name) {
#define CHI_RT(Name)                                                           \
  if (name == #Name)                                                           \
    return reinterpret_cast<void *>(&Name);
  CHI_RT(chirt_field_new)
  CHI_RT(chirt_field_retain)
  CHI_RT(chirt_field_release)
  CHI_RT(chirt_field_fill)
  CHI_RT(chirt_field_copy)
  CHI_RT(chirt_field_sum)
  CHI_RT(chirt_field_sum_wide)
  CHI_RT(chirt_field_min)
  CHI_RT(chirt_field_max)
  CHI_RT(chirt_field_argmax)
  CHI_RT(chirt_field_dot)
  CHI_RT(chirt_save)
  CHI_RT(chirt_load)
  CHI_RT(chirt_load_cast)
  CHI_RT(chirt_fmt_str)
  CHI_RT(chirt_fmt_field)
  CHI_RT(chirt_fmt_print)
  CHI_RT(chirt_str_equal)
  CHI_RT(chirt_str_compare)
  CHI_RT(chirt_random_host)
  CHI_RT(chirt_time_now)
  CHI_RT(chirt_exit)
  CHI_RT(chirt_progress_begin)
  CHI_RT(chirt_progress_step)
  CHI_RT(chirt_progress_end)
  CHI_RT(chirt_report)
#undef CHI_RT
  return nullptr;
}

static bool translateCall(Translator &t, ir::RtOp op, Code &code) {
  auto *call = t.extra<RuntimeCall>();
  call->function = runtimeFunction(op.getFunction());
  if (!call->function || op.getInputs().size() + 1 > kMaxArguments)
    return false;
  if (auto what = op->getAttrOfType<StringAttr>("chi.site"))
    call->site = callSite(t, op, what.getValue());
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
  bool isReal = op->getNumResults() && op->getResult(0).getType().isF64();
  Register dst =
      op->getNumResults() ? t.reg(op->getResult(0)) : t.function.numRegisters++;
  if (op->getNumResults() && op->getResult(0).getType().isInteger())
    call->resultBits = op->getResult(0).getType().getIntOrFloatBitWidth();
  Instr &instr = t.emit(code, isReal ? callReal : callRuntime);
  instr.dst = dst, instr.extra = call;
  return true;
}

bool Translator::translateHost(Operation *op, Code &code) {
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
