//===- KeepMaskUses.cpp - A mask that is read stays written ---------------===//

#include "chi/Target/CPU/KeepMaskUses.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

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

/// `vpmovb2m`, `vpmovd2m` and their like, by name: LLVM does not install the
/// numbers of a target's instructions.
static bool movesSignsToMask(const MachineInstr &inst,
                             const TargetInstrInfo &info) {
  StringRef name = info.getName(inst.getOpcode());
  return name.starts_with("VPMOV") && name.contains("2MZ");
}

/// The next instruction of the block that writes what `inst` defines, if it
/// reads it too.
static MachineInstr *updateBehind(MachineInstr &inst,
                                  const TargetRegisterInfo &registers) {
  Register mask = inst.getOperand(0).getReg();
  for (auto next = std::next(inst.getIterator());
       next != inst.getParent()->end(); ++next)
    if (next->modifiesRegister(mask, &registers))
      return next->readsRegister(mask, &registers) ? &*next : nullptr;
  return nullptr;
}

bool KeepMaskUses::runOnMachineFunction(MachineFunction &function) {
  const TargetSubtargetInfo &target = function.getSubtarget();
  const TargetInstrInfo &info = *target.getInstrInfo();
  bool isChanged = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block) {
      if (!movesSignsToMask(inst, info))
        continue;
      MachineInstr *update = updateBehind(inst, *target.getRegisterInfo());
      if (!update)
        continue;
      BuildMI(block, update, update->getDebugLoc(),
              info.get(TargetOpcode::KILL))
          .addReg(inst.getOperand(0).getReg());
      isChanged = true;
    }
  return isChanged;
}

MachineFunctionPass *chi::target::cpu::createKeepMaskUsesPass() {
  return new KeepMaskUses;
}
