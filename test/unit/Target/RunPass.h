//===- RunPass.h - A function pass on the text of a module ------*- C++ -*-===//
#ifndef CHI_TEST_UNIT_TARGET_RUNPASS_H
#define CHI_TEST_UNIT_TARGET_RUNPASS_H

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

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

} // namespace chi::target::cpu
#endif // CHI_TEST_UNIT_TARGET_RUNPASS_H
