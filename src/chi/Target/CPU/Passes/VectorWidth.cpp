//===- VectorWidth.cpp - How wide registers of a function are -------------===//
// Nine lanes of f32 are a register of 512 bits and a mask, or one of 256 bits
// and a scalar. Half of what the first computes is thrown away; where 512 bits
// are two passes through 256 that is all that it gains, and a masked store that
// crosses a line of the cache costs as much as two. docs/design/0051.
#include "chi/Target/CPU/Passes/VectorWidth.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

/// AVX-512 at full width where the processor has the data paths for it; LLVM's
/// own choice of 256 bits suits processors that slow down.
static StringRef preferredWidth(StringRef processor) {
  return processor == "znver5" || processor == "znver4" ? "512" : "";
}

static bool isArithmetic(const Instruction &inst) {
  if (auto *call = dyn_cast<IntrinsicInst>(&inst))
    return !call->mayReadOrWriteMemory();
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst>(inst);
}

static constexpr uint64_t kHalf = 256; ///< bits of the narrower registers

static uint64_t vectorBits(Type *type) {
  return isa<FixedVectorType>(type) ? type->getPrimitiveSizeInBits() : 0;
}

/// Caller and callee have to agree on the registers of arguments.
static bool isCallOfWide(const Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call && !isa<IntrinsicInst>(inst) &&
         (vectorBits(inst.getType()) > kHalf ||
          any_of(call->args(), [](const Use &argument) {
            return vectorBits(argument->getType()) > kHalf;
          }));
}

/// Are more operations on vectors that fill 256 bits, and 512 by three quarters
/// at most, than on longer ones?
static bool leavesLanesUnused(const Function &function) {
  constexpr uint64_t kMost = 384;
  size_t unused = 0, full = 0;
  if (any_of(function.args(), [](const Argument &argument) {
        return vectorBits(argument.getType()) > kHalf;
      }))
    return false;
  for (const Instruction &inst : instructions(function)) {
    if (isCallOfWide(inst))
      return false;
    uint64_t bits = vectorBits(inst.getType());
    if (bits > kHalf && isArithmetic(inst))
      ++(bits > kMost ? full : unused);
  }
  return unused > full;
}

void chi::target::cpu::passes::setVectorWidth(Function &function,
                                              const TargetMachine &machine) {
  StringRef width = preferredWidth(machine.getTargetCPU());
  if (machine.getMCSubtargetInfo()->checkFeatures("+avx512vl") &&
      leavesLanesUnused(function)) {
    width = "256";
    function.addFnAttr("min-legal-vector-width", width);
  }
  if (!width.empty())
    function.addFnAttr("prefer-vector-width", width);
}
