//===- KeepMaskUses.cpp - A mask that is read stays written ---------------===//

#include "chi/Target/CPU/Workarounds/KeepMaskUses.h"
#include "chi/Target/CPU/Workarounds/WorksAround.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

CHI_WORKS_AROUND_LLVM(22);

namespace {
class KeepMaskUses : public MachineFunctionPass {
public:
  static char ID;
  KeepMaskUses() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "Keep uses of masks"; }
  bool runOnMachineFunction(MachineFunction &function) override;
};
} // namespace

char KeepMaskUses::ID = 0;

/// `vpmovb2m`, `vpmovd2m` and similar instructions, by name: LLVM does not
/// install the numbers of a target's instructions.
static bool movesSignsToMask(const MachineInstr &inst,
                             const TargetInstrInfo &info) {
  StringRef name = info.getName(inst.getOpcode());
  return name.starts_with("VPMOV") && name.contains("2MZ");
}

/// Whether a block that may come next, perhaps the same again, reads the mask
/// before it writes it.
static bool isLiveOut(MCRegister mask, const MachineBasicBlock &block,
                      const TargetRegisterInfo &registers) {
  return any_of(block.successors(), [&](const MachineBasicBlock *next) {
    return any_of(next->liveins(), [&](const auto &in) {
      return registers.regsOverlap(in.PhysReg, mask);
    });
  });
}

/// The instruction of the block before which the mask that `inst` writes must
/// still be live: the next one that writes it, if that reads it, too; the end,
/// if none writes it and it is live out of the block. Nothing otherwise.
static std::optional<MachineBasicBlock::iterator>
lastNeed(MachineInstr &inst, const TargetRegisterInfo &registers) {
  MCRegister mask = inst.getOperand(0).getReg().asMCReg();
  MachineBasicBlock &block = *inst.getParent();
  for (auto next = std::next(inst.getIterator()); next != block.end(); ++next)
    if (next->modifiesRegister(mask, &registers)) {
      if (next->readsRegister(mask, &registers))
        return next;
      return std::nullopt;
    }
  if (isLiveOut(mask, block, registers))
    return block.getFirstTerminator();
  return std::nullopt;
}

bool KeepMaskUses::runOnMachineFunction(MachineFunction &function) {
  const TargetSubtargetInfo &target = function.getSubtarget();
  const TargetInstrInfo &info = *target.getInstrInfo();
  bool isChanged = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block) {
      if (!movesSignsToMask(inst, info))
        continue;
      auto need = lastNeed(inst, *target.getRegisterInfo());
      if (!need)
        continue;
      BuildMI(block, *need, inst.getDebugLoc(), info.get(TargetOpcode::KILL))
          .addReg(inst.getOperand(0).getReg());
      isChanged = true;
    }
  return isChanged;
}

MachineFunctionPass *chi::target::cpu::workarounds::createKeepMaskUsesPass() {
  return new KeepMaskUses;
}
