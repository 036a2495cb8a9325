//===- Compilation.cpp ----------------------------------------------------===//
#include "chi/Driver/Compilation.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Driver/HostCaches.h"
#include "chi/Driver/MathLibrary.h"
#include "chi/IRGen/IRGen.h"
#include "chi/Launch/Files.h"
#include "chi/Units/Key.h"
#include "chi/Units/Lines.h"
#include "chi/Units/Symbols.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/raw_ostream.h"

using namespace chi;
using namespace chi::driver;
using pipeline::Stage;

static target::cpu::CodeOptions
codeOptions(const launch::CompileOptions &from) {
  target::cpu::CodeOptions options;
  options.cpu = from.targetCPU;
  options.optLevel = from.optLevel;
  options.debugInfo = from.debugInfo;
  options.without = from.without;
  return options;
}

Compilation::Compilation(Frontend &frontend,
                         const launch::CompileOptions &options,
                         const DriverEnv &env, const launch::Cache &cache)
    : frontend(frontend), options(options), env(env), cache(cache),
      code(codeOptions(options)),
      context(mlir::MLIRContext::Threading::DISABLED) {
  context.printOpOnDiagnostic(false); // users write programs, not IR
  if (options.targetCPU == "native")
    code.caches = hostCaches();
}

bool Compilation::generate(const sema::Program &program) {
  irgen::Options irOptions;
  irOptions.fileName = frontend.sources.name(frontend.mainFile()).str();
  irOptions.doc = frontend.module().doc.str();
  irOptions.allKernels = isLibrary;
  for (llvm::StringRef check : options.checks) {
    irOptions.instrumentNaN |= check == "nan";
    irOptions.instrumentOverflow |= check == "overflow";
  }
  owned = irgen::generate(context, program, frontend.sources, irOptions);
  current = Stage::Chi;
  return true;
}

pipeline::Options Compilation::pipelineOptions() {
  pipeline::Options result;
  result.unchecked = options.unchecked;
  result.fastMath = options.floatMode == "fast";
  result.without = options.without;
  result.instrumentRaces = llvm::is_contained(options.checks, "races");
  result.records = options.records;
  return result;
}

bool chi::driver::checkTarget(const launch::CompileOptions &options,
                              DriverEnv &env) {
  if (target::cpu::isKnownProcessor(codeOptions(options)))
    return true;
  env.err << "chic: --target-cpu: there is no processor `" << options.targetCPU
          << "`; `native`, `generic`, `x86-64-v3` and the names that LLVM has "
             "are known\n";
  return false;
}

bool chi::driver::checkTargetHere(const launch::CompileOptions &options,
                                  DriverEnv &env) {
  if (!checkTarget(options, env))
    return false;
  std::string missing = target::cpu::missingFeature(codeOptions(options));
  if (missing.empty())
    return true;
  env.err << "chic: --target-cpu: code for `" << options.targetCPU
          << "` may use " << missing
          << ", which this processor does not have\n";
  return false;
}

bool Compilation::run(mlir::ModuleOp module, Stage from, Stage to) {
  if (from >= to)
    return true;
  pipeline::Options pipelineOptions = this->pipelineOptions();
  if (to > Stage::Simplified && from <= Stage::Simplified) {
    if (!loadMath())
      return false;
    pipelineOptions.mathLibrary = mathLibrary();
    pipelineOptions.device = target::cpu::deviceTraits(code);
    if (options.optLevel <= 1)
      pipelineOptions.device.vectorBytes = 0; // nothing is widened
  }
  mlir::PassManager manager(&context);
  if (printsAll)
    manager.enableIRPrinting(
        [](mlir::Pass *, mlir::Operation *) { return false; },
        [](mlir::Pass *, mlir::Operation *) { return true; },
        /*printModuleScope=*/true, /*printAfterOnlyOnChange=*/true,
        /*printAfterOnlyOnFailure=*/false, env.err);
  pipeline::buildPipeline(manager, from, to, pipelineOptions);
  return succeeded(
      pipeline::run(manager, module, frontend.sources, frontend.diags, fault));
}

bool Compilation::lowerTo(Stage stage) {
  if (!run(*owned, current, stage))
    return false;
  current = stage;
  return true;
}

//===--- Units ------------------------------------------------------------===//

bool Compilation::lowerUnit(Unit &unit, Stage stage, std::string &output) {
  using target::cpu::OutputKind;
  if (!run(*unit.module, Stage::Simplified, std::min(stage, Stage::LLVM)))
    return false;
  if (stage <= Stage::LLVM)
    return true;
  units::markSites(*unit.module);
  for (const EntryPoint &entry : entriesOf(unit))
    units::addEntryPoint(*unit.module, entry);
  units::renameSymbols(*unit.module);
  OutputKind kind = stage == Stage::LLVMIR ? OutputKind::LLVMIR
                    : stage == Stage::Asm  ? OutputKind::Assembly
                                           : OutputKind::Object;
  llvm::SmallVector<char> bytes;
  if (llvm::Error error =
          target::cpu::emitCode(*unit.module, code, kind, bytes)) {
    fault = llvm::toString(std::move(error));
    return false;
  }
  output.assign(bytes.begin(), bytes.end());
  return true;
}

/// The entries whose callees stand in the unit.
std::vector<EntryPoint> Compilation::entriesOf(const Unit &unit) const {
  std::vector<EntryPoint> found;
  for (const EntryPoint &entry : entryPoints)
    if (unit.name.empty() ? !entry.isKernel : unit.name == entry.callee)
      found.push_back(entry);
  return found;
}

launch::Hash Compilation::unitKey(Unit &unit) const {
  units::KeyFacts facts;
  facts.compiler = env.host.buildIdentity;
  facts.math = mathHash;
  facts.target = target::cpu::describeTarget(code);
  facts.floatMode = options.floatMode;
  facts.optLevel = options.optLevel;
  facts.records = options.records;
  facts.debugInfo = options.debugInfo;
  facts.checks = options.checks;
  facts.without = options.without.names<std::vector<std::string>>();
  return units::keyOf(unit, facts, entriesOf(unit));
}

bool Compilation::objectOf(Unit &unit, std::string &object, bool &isReused) {
  launch::Hash key = unitKey(unit);
  if (auto known = cache.findObject(key)) {
    isReused = true;
    object = std::move(*known);
  } else {
    isReused = false;
    if (!lowerUnit(unit, Stage::Obj, object))
      return false;
    cache.storeObject(key, object);
  }
  if (!options.debugInfo && !units::restoreLines(object, unit.lines)) {
    fault = "the table of source places of an object is malformed";
    return false;
  }
  return true;
}

/// Names for `--time`: "compiled a, b; reused c".
static std::string unitSummary(llvm::ArrayRef<std::string> compiled,
                               llvm::ArrayRef<std::string> reused) {
  auto list = [](llvm::ArrayRef<std::string> names) {
    std::string text;
    for (const std::string &name : names)
      text += (text.empty() ? "" : ", ") + name;
    return text;
  };
  std::string text;
  if (!compiled.empty())
    text = "kernels compiled: " + list(compiled);
  if (!reused.empty())
    text += (text.empty() ? "kernels reused: " : "; reused: ") + list(reused);
  return text;
}

bool Compilation::compileObjects(std::vector<std::string> &objects) {
  if (!loadMath()) // known before any key is made
    return false;
  for (EntryPoint &entry : entryPoints)
    if (!entry.isKernel)
      entry.variables = units::variablesUsedBy(*owned, entry.callee);
  std::vector<std::string> compiled, reused;
  for (Unit &unit : units::splitUnits(*owned, options.debugInfo)) {
    objects.emplace_back();
    bool isReused = false;
    if (!objectOf(unit, objects.back(), isReused))
      return false;
    (isReused ? reused : compiled)
        .push_back(unit.name.empty() ? "host code" : unit.name);
  }
  env.host.clock->mark(unitSummary(compiled, reused));
  return true;
}

//===--- Elementary functions ---------------------------------------------===//

/// The first operation that the processor does not have, or null.
static mlir::Operation *findElementary(mlir::ModuleOp module) {
  mlir::Operation *found = nullptr;
  module.walk([&](mlir::Operation *op) {
    using namespace mlir::math;
    bool isHypot = llvm::isa<chi::ir::HypotOp>(op);
    if ((!isHypot && !llvm::isa_and_present<MathDialect>(op->getDialect())) ||
        llvm::isa<AbsFOp, AbsIOp, CeilOp, CopySignOp, FloorOp, FmaOp,
                  RoundEvenOp, SqrtOp, TruncOp>(op))
      return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  return found;
}

bool Compilation::loadMath() {
  if (mathIsKnown)
    return !lacksMath;
  mathIsKnown = true;
  mlir::Operation *user = findElementary(*owned);
  if (!user)
    return true;
  std::string problem;
  math = loadMathLibrary(context, env, cache, mathHash, problem);
  env.host.clock->mark("elementary functions loaded");
  if (math)
    return true;
  lacksMath = true;
  frontend.diags
      .report(pipeline::sourceRange(user->getLoc(), frontend.sources),
              diag::MathUnusable, user->getName().stripDialect(), problem)
      .send();
  return false;
}

//===--- Faults -----------------------------------------------------------===//

int Compilation::failureStatus(int reported) {
  if (!fault.empty())
    return reportFault();
  return lacksMath ? ExitWorld : reported;
}

/// Prints "this is a bug in chic" and writes what is needed to find it to a
/// file.
int Compilation::reportFault() {
  const SourceFiles &sources = frontend.sources;
  std::string report = "fault: " + fault + "\n";
  for (uint32_t file = 0; file < sources.size(); ++file)
    report +=
        "\n=== " + sources.name(file).str() + "\n" + sources.text(file).str();
  if (owned) {
    report += "\n=== IR\n";
    llvm::raw_string_ostream out(report);
    (*owned)->print(
        out, mlir::OpPrintingFlags().enableDebugInfo().printGenericOpForm());
  }
  std::string folder = launch::makeTemporaryFolder("");
  std::string path = folder + "/reproducer.txt";
  env.err << "chic: this is a bug in chic: " << fault << "\n";
  if (!folder.empty() && launch::writeFileAtomically(path, report))
    env.err << "chic: please report it with " << path << "\n";
  return ExitBug;
}
