//===- KeepMaskUsesTest.cpp - A mask that is read stays written -----------===//
#include "chi/Target/CPU/Workarounds/KeepMaskUses.h"
#include "chi/Target/CPU/CPUTarget.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace chi::target;

/// The machine code of a function of these blocks after the pass; what is wrong
/// if it does not parse.
static std::string textAfter(llvm::StringRef blocks) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string problem;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return problem;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, "graniterapids", "", llvm::TargetOptions(), std::nullopt));
  std::string text = R"(--- |
  define void @f() { ret void }
...
---
name: f
tracksRegLiveness: true
body: |
)" + blocks.str() + "...\n";
  llvm::LLVMContext context;
  auto parser =
      llvm::createMIRParser(llvm::MemoryBuffer::getMemBuffer(text), context);
  std::unique_ptr<llvm::Module> module = parser->parseIRModule();
  if (!module)
    return "the module does not parse";
  module->setDataLayout(machine->createDataLayout());
  auto *memory = new llvm::MachineModuleInfoWrapperPass(machine.get());
  if (parser->parseMachineFunctions(*module, memory->getMMI())) {
    delete memory;
    return "the function does not parse";
  }
  std::string result;
  llvm::raw_string_ostream stream(result);
  llvm::legacy::PassManager passes;
  passes.add(memory);
  passes.add(cpu::workarounds::createKeepMaskUsesPass());
  passes.add(llvm::createMachineFunctionPrinterPass(stream));
  passes.run(*module);
  return result;
}

/// Whether the lines stand in the text in this order.
static bool holds(const std::string &text,
                  std::initializer_list<llvm::StringRef> lines) {
  llvm::StringRef rest = text;
  for (llvm::StringRef line : lines) {
    size_t at = rest.find(line);
    if (at == rest.npos)
      return false;
    rest = rest.substr(at + line.size());
  }
  return true;
}

TEST(KeepMaskUses, BeforeAnUpdateInTheBlock) {
  std::string text = textAfter(R"(
  bb.0:
    liveins: $xmm0
    $k0 = VPMOVB2MZ128kr $xmm0
    $eax = KMOVDrk $k0
    $k0 = KSHIFTRWki $k0, 1
    $ecx = KMOVDrk killed $k0
    RET64 $eax, $ecx
)");
  EXPECT_TRUE(holds(text, {"VPMOVB2M", "KMOVD", "KILL $k0", "KSHIFTRW"}))
      << text;
}

// A loop of one block reads at its top what it wrote at its bottom.
TEST(KeepMaskUses, ForTheNextIteration) {
  std::string text = textAfter(R"(
  bb.0:
    successors: %bb.1
    liveins: $xmm0, $k0
  bb.1:
    successors: %bb.1, %bb.2
    liveins: $xmm0, $k0
    $ecx = KMOVDrk $k0
    $k0 = VPMOVB2MZ128kr $xmm0
    $eax = KMOVDrk $k0
    TEST32rr $eax, $ecx, implicit-def $eflags
    JCC_1 %bb.1, 5, implicit killed $eflags
  bb.2:
    RET64
)");
  EXPECT_TRUE(holds(text, {"VPMOVB2M", "KMOVD", "KILL $k0", "JCC_1"})) << text;
}

TEST(KeepMaskUses, ForTheNextBlock) {
  std::string text = textAfter(R"(
  bb.0:
    successors: %bb.1
    liveins: $xmm0
    $k0 = VPMOVB2MZ128kr $xmm0
    $eax = KMOVDrk $k0
    JMP_1 %bb.1
  bb.1:
    liveins: $k0, $eax
    $ecx = KMOVDrk killed $k0
    RET64 $eax, $ecx
)");
  EXPECT_TRUE(holds(text, {"VPMOVB2M", "KMOVD", "KILL $k0", "JMP_1"})) << text;
}

// One use, and a mask that is written again: the compression may do its work.
TEST(KeepMaskUses, NotWithoutNeed) {
  std::string text = textAfter(R"(
  bb.0:
    successors: %bb.1
    liveins: $xmm0, $xmm1
    $k0 = VPMOVB2MZ128kr $xmm0
    $eax = KMOVDrk killed $k0
    $k0 = VPMOVB2MZ128kr $xmm1
    $ecx = KMOVDrk killed $k0
  bb.1:
    liveins: $eax, $ecx
    RET64 $eax, $ecx
)");
  EXPECT_TRUE(holds(text, {"VPMOVB2M", "KMOVD", "VPMOVB2M"})) << text;
  EXPECT_FALSE(holds(text, {"KILL"})) << text;
}
