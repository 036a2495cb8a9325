//===- RunPass.h - A function pass on the text of a module ------*- C++ -*-===//
#ifndef CHI_TEST_UNIT_TARGET_CPU_RUNPASS_H
#define CHI_TEST_UNIT_TARGET_CPU_RUNPASS_H

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"

namespace chi::target::cpu {

/// The text of function `f` of a module after the pass; what is wrong with the
/// module if it does not parse, "invalid" if the result does not verify. Null:
/// the pass knows no machine.
template <typename Pass>
std::string textAfter(Pass pass, llvm::StringRef text,
                      llvm::TargetMachine *machine = nullptr) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(text, problem, context);
  if (!module)
    return problem.getMessage().str();
  if (machine)
    module->setDataLayout(machine->createDataLayout());
  llvm::PassBuilder builder(machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(pass)));
  passes.run(*module, modules);
  if (llvm::verifyModule(*module))
    return "invalid";
  std::string result;
  llvm::raw_string_ostream stream(result);
  module->getFunction("f")->print(stream);
  return result;
}

/// A pass, and LLVM's loop vectoriser behind it.
template <typename Pass>
struct ThenVectorise : llvm::PassInfoMixin<ThenVectorise<Pass>> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager) {
    Pass().run(function, manager);
    return llvm::LoopVectorizePass().run(function, manager);
  }
};

/// An x86-64 processor on Linux; null if no code for it can be made here.
inline std::unique_ptr<llvm::TargetMachine> x86Machine(llvm::StringRef cpu) {
  llvm::InitializeNativeTarget();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  return std::unique_ptr<llvm::TargetMachine>(
      target ? target->createTargetMachine(triple, cpu, "", {}, std::nullopt)
             : nullptr);
}

} // namespace chi::target::cpu
#endif // CHI_TEST_UNIT_TARGET_CPU_RUNPASS_H
