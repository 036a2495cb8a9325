//===- PTX.cpp - Code of kernels for NVIDIA's devices ---------------------===//

#include "chi/Target/NVVM/PTX.h"
#include "chi/Target/NVVM/Libdevice.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace mlir;
using namespace chi;

static const llvm::Triple &triple() {
  static const llvm::Triple known("nvptx64-nvidia-cuda");
  return known;
}

/// LLVM keeps a list of targets for the process; several threads may get here.
static const llvm::Target *findTarget() {
  static const llvm::Target *const target = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    std::string error;
    return llvm::TargetRegistry::lookupTarget(triple(), error);
  }();
  return target;
}

bool chi::target::nvvm::isKnownArchitecture(StringRef arch) {
  const llvm::Target *target = findTarget();
  if (!target)
    return false;
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple(), "", ""));
  return known && known->isCPUStringValid(arch);
}

/// The number of "sm_90"; 0 if there is none, or the code runs on one device
/// alone ("sm_90a").
static unsigned numberOf(StringRef arch) {
  unsigned number = 0;
  return arch.consume_front("sm_") && !arch.getAsInteger(10, number) ? number
                                                                     : 0;
}

std::string chi::target::nvvm::nearestArchitecture(StringRef arch) {
  unsigned wanted = numberOf(arch), best = 0;
  if (wanted == 0 || isKnownArchitecture(arch))
    return arch.str();
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      findTarget()->createMCSubtargetInfo(triple(), "", ""));
  for (const llvm::SubtargetSubTypeKV &each :
       known->getAllProcessorDescriptions())
    if (unsigned number = numberOf(each.Key); number < wanted)
      best = std::max(best, number);
  return best ? "sm_" + std::to_string(best) : arch.str();
}

static std::unique_ptr<llvm::TargetMachine> makeMachine(StringRef arch) {
  const llvm::Target *target = findTarget();
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple(), arch, /*Features=*/"", llvm::TargetOptions(), std::nullopt,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

/// For tests of Chi: with CHI_PTX=source in the environment the LLVM IR that
/// PTX is compiled from follows it in comments; the test double of the driver
/// compiles it for the processor (test/runtime/cuda/double).
static std::string commentsFor(const llvm::Module &module) {
  const char *form = std::getenv("CHI_PTX");
  if (!form || llvm::StringRef(form) != "source")
    return "";
  std::string ir, comments = "\n// LLVM IR:\n";
  llvm::raw_string_ostream(ir) << module;
  for (llvm::StringRef line : llvm::split(ir, '\n'))
    comments += ("// " + line + "\n").str();
  return comments;
}

llvm::Expected<std::string>
chi::target::nvvm::emitPTX(ModuleOp kernels, const PTXTarget &target) {
  std::unique_ptr<llvm::TargetMachine> machine = makeMachine(target.arch);
  if (!machine)
    return llvm::createStringError("cannot generate code for " +
                                   target.arch.str());
  registerBuiltinDialectTranslation(*kernels.getContext());
  registerLLVMDialectTranslation(*kernels.getContext());
  // Before the translation, which queries the alignment of integers: by LLVM's
  // own layout each access to an i64 would be two.
  std::string layout = machine->createDataLayout().getStringRepresentation();
  kernels->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                   StringAttr::get(kernels.getContext(), layout));
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(kernels, context, "kernels");
  if (!module)
    return llvm::createStringError("cannot translate the kernels to LLVM IR");
  if (auto error = linkLibdevice(*module, target.libdevice))
    return error;
  std::string comments = commentsFor(*module);
  module->setTargetTriple(triple());
  module->setDataLayout(machine->createDataLayout());
  optimize(*module, *machine);
  for (llvm::Function &function : *module)
    expandQuotients(function, target.quotients);
  llvm::SmallVector<char> text;
  llvm::raw_svector_ostream out(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("LLVM has no PTX emitter");
  passes.run(*module);
  return std::string(text.begin(), text.end()) + comments;
}
