//===- FreezeMaskedLoads.cpp - Masked loads stay where they are -----------===//
// Note [Selects of masked loads]
// InstCombine of LLVM 22 replaces `select(m, masked.load(p, m, any), v)` by
// `masked.load(p, m, v)`, at the place of the select: what was stored in
// between is read. The loop vectoriser makes such a select of each value that a
// branch loads and the other side computes, so that
//
//     if m[i] == 1: v = x[i]; x[i] = 0
//     else:         v = y[i] * 2
//
// had v = 0. The fold also comes up after casts and arithmetic that both sides
// share were moved behind the select, and after two masks were found to be the
// same. So masks and users are not looked at.
//
// The pass runs in the middle of LLVM's pipelines, right after the vectoriser,
// where no pass can be added. Hence the callback before each run: it changes
// the function between two passes. A freeze has the value of the load and
// touches neither memory nor control flow, so analyses stay valid.
//===----------------------------------------------------------------------===//

#include "chi/Target/CPU/Workarounds/FreezeMaskedLoads.h"
#include "chi/Target/CPU/Workarounds/WorksAround.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;

CHI_WORKS_AROUND_LLVM(22);

/// May memory be written after the load, before its value is used?
static bool mayBeReplaced(const Instruction &load) {
  const BasicBlock *block = load.getParent();
  for (const Instruction *next = load.getNextNode(); next;
       next = next->getNextNode())
    if (next->mayWriteToMemory())
      return true;
  // The value may go on to other blocks, which may write.
  return !isa<ReturnInst>(block->getTerminator()) &&
         any_of(load.users(), [&](const User *user) {
           return cast<Instruction>(user)->getParent() != block;
         });
}

static bool isFrozen(const Instruction &load) {
  return load.hasOneUse() && isa<FreezeInst>(*load.user_begin());
}

void chi::target::cpu::workarounds::freezeMaskedLoads(Function &function) {
  SmallVector<Instruction *> loads;
  for (Function &callee : *function.getParent()) {
    if (callee.getIntrinsicID() != Intrinsic::masked_load)
      continue;
    for (User *user : callee.users())
      if (auto *load = dyn_cast<CallInst>(user);
          load && load->getFunction() == &function && !isFrozen(*load) &&
          mayBeReplaced(*load))
        loads.push_back(load);
  }
  for (Instruction *load : loads) {
    auto *frozen = new FreezeInst(load, load->getName() + ".kept");
    frozen->insertAfter(load->getIterator());
    load->replaceUsesWithIf(frozen,
                            [&](Use &use) { return use.getUser() != frozen; });
  }
}

void chi::target::cpu::workarounds::freezeBeforeCombining(
    PassInstrumentationCallbacks &callbacks) {
  callbacks.registerBeforeNonSkippedPassCallback([](StringRef pass, Any ir) {
    const auto *function = any_cast<const Function *>(&ir);
    if (pass == "InstCombinePass" && function)
      freezeMaskedLoads(const_cast<Function &>(**function));
  });
}
