//===- Compilation.cpp ----------------------------------------------------===//
#include "chi/Driver/Compile/Compilation.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Driver/Compile/HostMachine.h"
#include "chi/Driver/Compile/MathLibrary.h"
#include "chi/IRGen/IRGen.h"
#include "chi/Launch/Files.h"
#include "chi/Launch/Hash.h"
#include "chi/Units/Key.h"
#include "chi/Units/Lines.h"
#include "chi/Units/Symbols.h"
#include "llvm/ADT/StringExtras.h"
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
  options.machine = machineOf(from);
  return options;
}

Compilation::Compilation(Frontend &frontend,
                         const launch::CompileOptions &options,
                         const DriverEnv &env, const launch::Cache &cache)
    : frontend(frontend), options(options), env(env), cache(cache),
      code(codeOptions(options)),
      context(mlir::MLIRContext::Threading::DISABLED) {
  context.printOpOnDiagnostic(false); // users write programs, not IR
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
  // Pseudo-checks of `chic gradcheck`.
  for (llvm::StringRef order : {ir::kFirstTangents, ir::kSecondTangents})
    if (owned && llvm::is_contained(options.checks, order))
      (*owned)->setAttr(ir::kTangentsOfTapesAttr,
                        mlir::StringAttr::get(&context, order));
  current = Stage::Chi;
  return true;
}

/// Names the texts of the program and its modules, and the options on which
/// results depend.
static std::string identityOf(const SourceFiles &sources,
                              const launch::CompileOptions &options) {
  launch::KeyText key;
  for (uint32_t file = 0; file < sources.size(); ++file)
    key.add("text", sources.text(file));
  key.add("int", options.defaultInt).add("float", options.defaultFloat);
  key.add("mode", options.floatMode).add("math", options.math);
  key.add("wide", options.wideFloats).add("unchecked", options.unchecked);
  key.add("deterministic", options.deterministic);
  return key.hash().hex();
}

pipeline::Options Compilation::pipelineOptions() {
  pipeline::Options result;
  if (options.checkpoints)
    result.checkpoints = identityOf(frontend.sources, options);
  result.unchecked = options.unchecked;
  result.deterministic = options.deterministic;
  result.fastMath = options.floatMode == "fast";
  result.without = options.without;
  result.instrumentRaces = llvm::is_contained(options.checks, "races");
  result.notesKinks = llvm::is_contained(options.checks, "kinks");
  result.records = options.records;
  result.instrumentNaN = llvm::is_contained(options.checks, "nan");
  return result;
}

/// The same for the stages after `optimised`. Needs `loadMath`.
pipeline::Options Compilation::codePipelineOptions() {
  pipeline::Options result = pipelineOptions();
  result.mathLibrary = mathLibrary();
  result.device = target::cpu::deviceTraits(code);
  if (options.optLevel <= 1)
    result.device.vectorBytes = 0; // nothing is widened
  return result;
}

bool chi::driver::checkTarget(const launch::CompileOptions &options,
                              DriverEnv &env) {
  if (target::cpu::isKnownProcessor(codeOptions(options)))
    return true;
  env.err
      << "chic: --target-cpu: there is no processor `" << options.targetCPU
      << "`; use `native`, `generic`, `x86-64-v3` or another name of LLVM\n";
  return false;
}

bool chi::driver::checkTargetHere(const launch::CompileOptions &options,
                                  DriverEnv &env) {
  if (!checkTarget(options, env))
    return false;
  std::string missing = target::cpu::missingFeature(codeOptions(options));
  if (missing.empty())
    return true;
  bool isWidth = options.machine.vector > 0;
  env.err << "chic: "
          << (isWidth ? "--machine: code for vector registers of that width"
                      : "--target-cpu: code for `" + options.targetCPU + "`")
          << " may use " << missing << ", which this processor does not have\n";
  return false;
}

bool Compilation::run(mlir::ModuleOp module, Stage from, Stage to) {
  if (from >= to)
    return true;
  pipeline::Options pipelineOptions = this->pipelineOptions();
  if (to > Stage::Optimised && from <= Stage::Optimised) {
    if (!loadMath(/*forDevice=*/false))
      return false;
    pipelineOptions = codePipelineOptions();
  }
  mlir::PassManager manager(&context);
  pipeline::buildPipeline(manager, from, to, pipelineOptions);
  return run(manager, module);
}

bool Compilation::run(mlir::PassManager &manager, mlir::ModuleOp module) {
  if (printsAll)
    manager.enableIRPrinting(
        [](mlir::Pass *, mlir::Operation *) { return false; },
        [](mlir::Pass *, mlir::Operation *) { return true; },
        /*printModuleScope=*/true, /*printAfterOnlyOnChange=*/true,
        /*printAfterOnlyOnFailure=*/false, env.err);
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

UnitSettings Compilation::unitSettings() {
  return {code, frontend.sources, entryPoints, codePipelineOptions()};
}

bool Compilation::lowerUnit(Unit &unit, Stage stage, std::string &output) {
  if (!run(*unit.module, Stage::Optimised, std::min(stage, Stage::LLVM)))
    return false;
  if (stage <= Stage::LLVM)
    return true;
  UnitCode result;
  result.unit = unit.name;
  emitUnit(*unit.module, unitSettings(), stage, result);
  fault = std::move(result.fault);
  output = std::move(result.code);
  return fault.empty();
}

units::KeyFacts Compilation::keyFacts() const {
  units::KeyFacts facts;
  facts.compiler = env.host.buildIdentity;
  facts.math = mathHash;
  facts.target = target::cpu::describeTarget(code);
  facts.floatMode = options.floatMode;
  facts.optLevel = options.optLevel;
  facts.records = options.records;
  if (!options.devices.empty())
    facts.device =
        llvm::join(options.devices, " ") + " " + options.gpuArch + " " +
        launch::fileIdentity(launch::offloadLibraryPath(env.host.binaryFolder));
  if (options.math == "native")
    facts.device +=
        " " + options.libdevice + " " + launch::fileIdentity(options.libdevice);
  facts.debugInfo = options.debugInfo;
  facts.checks = options.checks;
  facts.without = options.without.names<std::vector<std::string>>();
  return facts;
}

/// How many units are compiled at a time. What `--without` does to LLVM by
/// variables of the process is for one thread (LLVMOption).
unsigned Compilation::threadsFor(size_t units) const {
  if (options.without.has(Optimisation::InterleavedAccesses))
    return 1;
  size_t cores = size_t(code.machine.cores);
  size_t most =
      options.jobs > 0 ? std::min<size_t>(options.jobs, cores) : cores;
  return std::max<size_t>(1, std::min(most, units));
}

/// Compiles what no cache has, in one context or, of several units, in as many
/// as there are threads.
bool Compilation::compileAnew(llvm::ArrayRef<Unit *> units,
                              std::vector<UnitCode> &results) {
  for (auto [unit, result] : llvm::zip_equal(units, results))
    result.unit = unit->name;
  unsigned threads = threadsFor(units.size());
  if (threads == 1) {
    for (auto [unit, result] : llvm::zip_equal(units, results))
      if (!lowerUnit(*unit, Stage::Obj, result.code))
        return false;
    return true;
  }
  std::vector<std::string> bytecodes;
  for (Unit *unit : units) {
    bytecodes.push_back(toBytecode(*unit->module));
    unit->module = {};
  }
  compileUnits(results, std::move(bytecodes), math ? toBytecode(*math) : "",
               unitSettings(), threads);
  for (UnitCode &result : results) { // in the order of the source
    for (const Diagnostic &diagnostic : result.diags.pending())
      frontend.diags.add(diagnostic);
    if (fault.empty())
      fault = std::move(result.fault);
  }
  return fault.empty() && !frontend.diags.hasErrors();
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
  if (!loadMath(!options.devices.empty())) // known before any key is made
    return false;
  for (EntryPoint &entry : entryPoints)
    if (!entry.isKernel)
      entry.variables = units::variablesUsedBy(*owned, entry.callee);
  if (!options.devices.empty() && !checkForDevices())
    return false;
  // Code for a device is compiled from a kernel's tasks and their adjoints
  // together.
  std::vector<Unit> units =
      units::splitUnits(*owned, options.debugInfo,
                        /*splitsAdjoints=*/options.devices.empty());
  units::KeyFacts facts = keyFacts();
  std::vector<launch::Hash> keys;
  std::vector<std::string> compiled, reused;
  llvm::SmallVector<Unit *> anew;
  llvm::SmallVector<size_t> numbers; // of those in `objects`
  for (Unit &unit : units) {
    keys.push_back(
        units::keyOf(unit, facts, entriesOf(unit.name, entryPoints)));
    std::optional<std::string> known = cache.findObject(keys.back());
    (known ? reused : compiled)
        .push_back(unit.name.empty() ? "host code" : unit.name);
    if (!known)
      anew.push_back(&unit), numbers.push_back(objects.size());
    objects.push_back(known ? std::move(*known) : std::string());
  }
  for (Unit *unit : anew)
    for (llvm::StringRef device : options.devices)
      if (!addDeviceCode(*unit, device))
        return false;
  std::vector<UnitCode> results(anew.size());
  if (!compileAnew(anew, results))
    return false;
  for (auto [number, result] : llvm::zip_equal(numbers, results)) {
    cache.storeObject(keys[number], result.code);
    objects[number] = std::move(result.code);
  }
  env.host.clock->mark(unitSummary(compiled, reused));
  return restoreLines(units, objects);
}

/// Puts the lines of the source into objects, which hold numbers for them.
bool Compilation::restoreLines(llvm::ArrayRef<Unit> units,
                               llvm::MutableArrayRef<std::string> objects) {
  if (options.debugInfo)
    return true;
  for (auto [unit, object] : llvm::zip_equal(units, objects))
    if (!units::restoreLines(object, unit.lines)) {
      fault = "the table of source places of an object is malformed";
      return false;
    }
  return true;
}

//===--- Elementary functions ---------------------------------------------===//

bool Compilation::loadMath(bool forDevice) {
  if (mathIsKnown)
    return !lacksMath;
  mathIsKnown = true;
  mlir::Operation *user = findElementary(*owned, forDevice);
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
  return lacksMath || lacksArch ? ExitWorld : reported;
}

/// Prints "this is a bug in chic" and writes the data for a report to a file.
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
