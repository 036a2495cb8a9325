//===- CPUTarget.cpp - Machine code for the CPU ---------------------------===//

#include "chi/Target/CPU/CPUTarget.h"
#include "chi/Conversion/Runtime.h"
#include "chi/Target/CPU/LLVMOption.h"
#include "chi/Target/CPU/Library.h"
#include "chi/Target/CPU/Passes/ColdCalls.h"
#include "chi/Target/CPU/Passes/EstimateRoots.h"
#include "chi/Target/CPU/Passes/JoinKeys.h"
#include "chi/Target/CPU/Passes/PairGathers.h"
#include "chi/Target/CPU/Passes/ReloadNeighbours.h"
#include "chi/Target/CPU/Passes/SplitFunctions.h"
#include "chi/Target/CPU/Passes/SpreadCounters.h"
#include "chi/Target/CPU/Passes/VectorAddresses.h"
#include "chi/Target/CPU/Passes/VectorWidth.h"
#include "chi/Target/CPU/RuntimeCallee.h"
#include "chi/Target/CPU/StructConstants.h"
#include "chi/Target/CPU/Workarounds/ExpandMinMax.h"
#include "chi/Target/CPU/Workarounds/FenceMaskedStores.h"
#include "chi/Target/CPU/Workarounds/FreezeMaskedLoads.h"
#include "chi/Target/CPU/Workarounds/FreezeWrapped.h"
#include "chi/Target/CPU/Workarounds/IndirectUpdates.h"
#include "chi/Target/CPU/Workarounds/KeepMaskUses.h"
#include "chi/Target/CPU/Workarounds/LimitInterleaving.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include <mutex>

using namespace mlir;
using namespace chi;
using namespace chi::target;

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

static std::string cpuOf(const cpu::CodeOptions &options) {
  return options.cpu == "native" ? llvm::sys::getHostCPUName().str()
                                 : options.cpu;
}

/// The effect of a described register width: wider instructions are disabled,
/// and LLVM disables those that need them, too.
static void limitVectors(llvm::SubtargetFeatures &features, int64_t bits) {
  if (!bits || !llvm::Triple(llvm::sys::getDefaultTargetTriple()).isX86())
    return;
  if (bits >= 256)
    for (StringRef name : {"avx2", "fma"})
      features.AddFeature(name);
  if (bits >= 512)
    for (StringRef name : {"avx512f", "avx512dq", "avx512bw", "avx512vl"})
      features.AddFeature(name);
  else
    features.AddFeature(bits == 256 ? "avx512f" : "avx", /*Enable=*/false);
}

static std::string featuresOf(const cpu::CodeOptions &options) {
  llvm::SubtargetFeatures features(options.features);
  if (options.cpu == "native") {
    llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
    SmallVector<StringRef> names(host.keys());
    llvm::sort(names);
    for (StringRef name : names)
      features.AddFeature(name, host.lookup(name));
  }
  limitVectors(features, options.machine.vectorBits);
  return features.getString();
}

std::string cpu::describeTarget(const CodeOptions &options) {
  return llvm::sys::getDefaultTargetTriple() + " " + cpuOf(options) + " " +
         featuresOf(options) + " " + deviceTraits(options).text();
}

static llvm::CodeGenOptLevel codeGenLevel(unsigned level) {
  switch (level) {
  case 0:
    return llvm::CodeGenOptLevel::None;
  case 1:
    return llvm::CodeGenOptLevel::Less;
  case 2:
    return llvm::CodeGenOptLevel::Default;
  default:
    return llvm::CodeGenOptLevel::Aggressive;
  }
}

/// LLVM keeps a list of targets for the process; several threads may get here.
static void registerTarget() {
  static const bool isDone = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)isDone;
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
makeMachine(const cpu::CodeOptions &options) {
  registerTarget();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError(error);
  std::string name = cpuOf(options);
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!known || !known->isCPUStringValid(name))
    return llvm::createStringError("unknown processor `" + name + "`");
  // LLVM ends the process where it is asked for 64-bit code of another one.
  std::unique_ptr<llvm::MCSubtargetInfo> chosen(
      target->createMCSubtargetInfo(triple, name, ""));
  if (triple.getArch() == llvm::Triple::x86_64 &&
      !chosen->checkFeatures("+64bit"))
    return llvm::createStringError("the processor `" + name +
                                   "` has no 64-bit mode");
  llvm::TargetOptions targetOptions;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, name, featuresOf(options), targetOptions, llvm::Reloc::PIC_,
      std::nullopt,
      codeGenLevel(options.without.has(Optimisation::CodeGeneration)
                       ? 0
                       : options.optLevel)));
  if (!machine)
    return llvm::createStringError("cannot generate code for " + triple.str());
  return machine;
}

bool cpu::isKnownProcessor(const CodeOptions &options) {
  auto machine = makeMachine(options);
  if (machine)
    return true;
  llvm::consumeError(machine.takeError());
  return false;
}

std::string cpu::missingFeature(const CodeOptions &options) {
  if (options.cpu == "native" && !options.machine.vectorBits)
    return "";
  auto machine = makeMachine(options);
  if (!machine)
    return llvm::toString(machine.takeError());
  const llvm::MCSubtargetInfo &known = *(*machine)->getMCSubtargetInfo();
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  SmallVector<StringRef> names(host.keys());
  llvm::sort(names);
  for (StringRef name : names)
    if (!host.lookup(name) && known.checkFeatures(("+" + name).str()))
      return name.str();
  return "";
}

DeviceTraits cpu::deviceTraits(const CodeOptions &options) {
  DeviceTraits traits;
  traits.caches = options.machine.caches;
  traits.vectorBytes = 16;
  auto machine = makeMachine(options);
  if (!machine) {
    llvm::consumeError(machine.takeError());
    return traits;
  }
  const llvm::MCSubtargetInfo &known = *(*machine)->getMCSubtargetInfo();
  if (known.checkFeatures("+avx512f,+avx512dq,+avx512bw,+avx512vl")) {
    traits.vectorBytes = 64, traits.vectorRegisters = 32;
    traits.hasMasks = traits.castsLongs = true;
  } else if (known.checkFeatures("+avx2,+fma")) {
    traits.vectorBytes = 32;
  }
  return traits;
}

//===----------------------------------------------------------------------===//
// LLVM IR
//===----------------------------------------------------------------------===//

/// LLVM knows points, not ranges: each operation gets the start of its
/// innermost place.
static void simplifyLocations(ModuleOp module) {
  MLIRContext *context = module.getContext();
  module.walk([&](Operation *op) {
    conv::SourcePosition position = conv::positionOf(op->getLoc());
    if (position.line)
      op->setLoc(FileLineColLoc::get(context, position.file, position.line,
                                     position.column));
  });
}

static LogicalResult addDebugInfo(ModuleOp module) {
  simplifyLocations(module);
  PassManager manager(module.getContext());
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = LLVM::DIEmissionKind::LineTablesOnly;
  manager.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  return manager.run(module);
}

static llvm::Expected<std::unique_ptr<llvm::Module>>
translate(ModuleOp module, llvm::LLVMContext &context,
          const cpu::CodeOptions &options) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  if (options.debugInfo && failed(addDebugInfo(module)))
    return llvm::createStringError("cannot create debug information");
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context, module.getName().value_or("m"));
  if (!result)
    return llvm::createStringError("cannot translate the module to LLVM IR");
  if (std::string bad = cpu::fillStructConstants(module, *result); !bad.empty())
    return llvm::createStringError("the members of @" + bad +
                                   " do not match its type");
  return result;
}

static void setTarget(llvm::Module &module, llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  module.setPICLevel(llvm::PICLevel::BigPIC);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    cpu::passes::setVectorWidth(function, machine);
    cpu::passes::keepExactRoots(function);
  }
}

/// A function that no person wrote (a loop unrolled some thousand times) is
/// compiled with less effort.
static unsigned levelFor(const llvm::Module &module, unsigned asked) {
  constexpr unsigned kHuge = 30'000;
  unsigned largest = 0;
  for (const llvm::Function &function : module)
    largest = std::max(largest, function.getInstructionCount());
  return largest > kHuge ? 0 : asked;
}

/// The fast register allocator takes time that grows with the square of a
/// block. From the end, so that each instruction moves once.
static void splitLargeBlocks(llvm::Module &module) {
  constexpr size_t kLargest = 1000;
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : llvm::make_early_inc_range(function))
      for (size_t size = block.size(); size > kLargest; size -= kLargest) {
        auto first = std::prev(block.end(), kLargest);
        if (isa<llvm::PHINode>(first))
          break;
        block.splitBasicBlock(first);
      }
}

static llvm::PipelineTuningOptions tuningOf(unsigned level,
                                            OptimisationSet off) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization =
      level >= 2 && !off.has(Optimisation::LoopVectoriser);
  tuning.SLPVectorization = level >= 2 && !off.has(Optimisation::SLPVectoriser);
  tuning.LoopInterleaving = tuning.LoopUnrolling =
      level >= 1 && !off.has(Optimisation::Unrolling);
  return tuning;
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     unsigned level, OptimisationSet off) {
  if (off.has(Optimisation::LLVMPasses))
    level = 0;
  std::optional<cpu::LLVMOption> interleaving;
  if (off.has(Optimisation::InterleavedAccesses))
    interleaving.emplace("enable-interleaved-mem-accesses", "false");
  llvm::PipelineTuningOptions tuning = tuningOf(level, off);
  llvm::PassInstrumentationCallbacks callbacks;
  cpu::workarounds::freezeBeforeCombining(callbacks);
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  builder.registerVectorizerStartEPCallback(
      [off](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
        if (!off.has(Optimisation::ReloadedNeighbours))
          passes.addPass(cpu::passes::ReloadNeighboursPass());
        passes.addPass(cpu::workarounds::FreezeWrappedPass());
        if (!off.has(Optimisation::LoopVectoriser))
          passes.addPass(cpu::passes::VectorAddressesPass());
        passes.addPass(cpu::workarounds::LimitInterleavingPass());
        passes.addPass(cpu::workarounds::IndirectUpdatesPass());
      });
  auto roots = cpu::passes::RootEstimates::of(machine);
  bool areFenced = cpu::workarounds::FenceMaskedStoresPass::isNeeded(machine);
  builder.registerOptimizerLastEPCallback(
      [off, roots, areFenced](llvm::ModulePassManager &passes,
                              llvm::OptimizationLevel,
                              llvm::ThinOrFullLTOPhase) {
        passes.addPass(cpu::passes::InlineColdVariantsPass());
        if (!off.has(Optimisation::PairGathers))
          passes.addPass(llvm::createModuleToFunctionPassAdaptor(
              cpu::passes::PairGathersPass()));
        if (!off.has(Optimisation::SpreadCounters))
          passes.addPass(llvm::createModuleToFunctionPassAdaptor(
              cpu::passes::SpreadCountersPass()));
        if (!off.has(Optimisation::JoinKeys))
          passes.addPass(llvm::createModuleToFunctionPassAdaptor(
              cpu::passes::JoinKeysPass()));
        if (!off.has(Optimisation::EstimatedRoots))
          passes.addPass(llvm::createModuleToFunctionPassAdaptor(
              cpu::passes::EstimateRootsPass(roots)));
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(
            cpu::workarounds::ExpandMinMaxPass()));
        if (areFenced)
          passes.addPass(llvm::createModuleToFunctionPassAdaptor(
              cpu::workarounds::FenceMaskedStoresPass()));
      });
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::ModulePassManager passes =
      level == 0
          ? builder.buildO0DefaultPipeline(levels[0])
          : builder.buildPerModuleDefaultPipeline(levels[std::min(level, 3u)]);
  passes.run(module, modules);
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

/// TargetMachine::addPassesToEmitFile with a pass of ours in between. LLVM
/// calls back while it puts its passes together; a list of our own would lack
/// what its next version adds to that.
static bool addCodePasses(llvm::legacy::PassManager &passes,
                          llvm::TargetMachine &machine,
                          llvm::raw_pwrite_stream &stream,
                          llvm::CodeGenFileType type) {
  // LLVM's list of callbacks is one for the process, and without a lock:
  // threads enter one after the other.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<llvm::FunctionPass> before(llvm::createBreakFalseDeps());
  llvm::RegisterTargetPassConfigCallback callback(
      [&](llvm::TargetMachine &machine, llvm::PassManagerBase &,
          llvm::TargetPassConfig *config) {
        // Without optimisation the other pass is not added, and ours would have
        // no owner.
        if (machine.getOptLevel() != llvm::CodeGenOptLevel::None)
          config->insertPass(before->getPassID(),
                             cpu::workarounds::createKeepMaskUsesPass());
      });
  return !machine.addPassesToEmitFile(passes, stream, nullptr, type);
}

static llvm::Error emitFile(llvm::Module &module, llvm::TargetMachine &machine,
                            cpu::OutputKind kind,
                            llvm::raw_pwrite_stream &stream) {
  if (kind == cpu::OutputKind::LLVMIR ||
      kind == cpu::OutputKind::UnoptimizedLLVMIR) {
    module.print(stream, nullptr);
    return llvm::Error::success();
  }
  llvm::legacy::PassManager passes;
  auto type = kind == cpu::OutputKind::Object
                  ? llvm::CodeGenFileType::ObjectFile
                  : llvm::CodeGenFileType::AssemblyFile;
  if (!addCodePasses(passes, machine, stream, type))
    return llvm::createStringError("this processor has no code emitter");
  passes.run(module);
  return llvm::Error::success();
}

static llvm::Error emitModule(llvm::Module &module,
                              const cpu::CodeOptions &options,
                              cpu::OutputKind kind,
                              llvm::SmallVectorImpl<char> &output) {
  cpu::CodeOptions fitting = options;
  fitting.optLevel = levelFor(module, options.optLevel);
  cpu::passes::splitFunctions(module);
  if (fitting.optLevel == 0)
    splitLargeBlocks(module);
  auto machine = makeMachine(fitting);
  if (!machine)
    return machine.takeError();
  if (!options.without.has(Optimisation::ColdVariants))
    cpu::passes::addColdVariants(module);
  setTarget(module, **machine);
  if (kind != cpu::OutputKind::UnoptimizedLLVMIR)
    optimize(module, **machine, fitting.optLevel, options.without);
  llvm::raw_svector_ostream stream(output);
  return emitFile(module, **machine, kind, stream);
}

llvm::Error cpu::emitCode(ModuleOp module, const CodeOptions &options,
                          OutputKind kind,
                          llvm::SmallVectorImpl<char> &output) {
  llvm::LLVMContext context;
  auto translated = translate(module, context, options);
  if (!translated)
    return translated.takeError();
  return emitModule(**translated, options, kind, output);
}

/// `int NAME(int, char **)`, which hands `chi_program` to the run time.
static void addMain(llvm::Module &module, const std::string &name) {
  llvm::IRBuilder<> b(module.getContext());
  llvm::Type *i32 = b.getInt32Ty(), *ptr = b.getPtrTy();
  auto *program = new llvm::GlobalVariable(module, ptr, /*isConstant=*/true,
                                           llvm::GlobalValue::ExternalLinkage,
                                           nullptr, "chi_program");
  llvm::FunctionCallee start = cpu::runtimeFunction(module, "chirt_main");
  auto *main =
      llvm::Function::Create(llvm::FunctionType::get(i32, {i32, ptr}, false),
                             llvm::GlobalValue::ExternalLinkage, name, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", main));
  b.CreateRet(b.CreateCall(start, {program, main->getArg(0), main->getArg(1)}));
}

llvm::Error cpu::emitMainObject(const CodeOptions &options,
                                llvm::SmallVectorImpl<char> &output) {
  llvm::LLVMContext context;
  llvm::Module module("main", context);
  addMain(module, "main");
  return emitModule(module, options, OutputKind::Object, output);
}

llvm::Error cpu::emitLibraryObject(const Library &library,
                                   const CodeOptions &options,
                                   llvm::SmallVectorImpl<char> &output) {
  llvm::LLVMContext context;
  llvm::Module module("library", context);
  addMain(module, library.prefix + "main");
  addLibraryFunctions(module, library);
  return emitModule(module, options, OutputKind::Object, output);
}
