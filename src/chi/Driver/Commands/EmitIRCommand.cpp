//===- EmitIRCommand.cpp - chic emit-ir -----------------------------------===//
#include "chi/AST/Dump.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Compile/Compilation.h"
#include "chi/Launch/Files.h"
#include "chi/Launch/NativeMath.h"
#include "chi/Parse/Parse.h"
#include "chi/Target/CPU/Link/Link.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace chi;
using namespace chi::driver;
using pipeline::Stage;

namespace {
struct EmitIROptions {
  std::string file, stageName = "simplified", kernel, output = "-";
  std::string gpuArch = "sm_75", specialize = "needed";
  std::vector<std::string> defines;
  bool printAfterAll = false, locations = false;
  launch::CompileOptions compile;
  launch::DiagnosticOptions diagnostics;
};

/// Writes one stage of one program as text.
class StagePrinter {
public:
  StagePrinter(const EmitIROptions &options, DriverEnv &env, std::string text)
      : options(options), env(env), cache(false),
        frontend(env, options.compile, options.diagnostics, options.file,
                 std::move(text)),
        compilation(frontend, options.compile, env, cache), out(result) {}

  int run(Stage stage);

private:
  bool print(Stage stage);
  bool printFront(Stage stage);
  bool printUnits(Stage stage);
  bool refuseKernel(llvm::ArrayRef<std::string> names);
  bool lowerForDevice(mlir::ModuleOp module, Stage stage, std::string &code);
  bool joinObjects(llvm::ArrayRef<std::string> objects);
  std::unique_ptr<sema::Program> check();
  void printIR(mlir::Operation *op);
  int write();

  const EmitIROptions &options;
  DriverEnv &env;
  launch::Cache cache;
  Frontend frontend;
  Compilation compilation;
  std::string result;
  llvm::raw_string_ostream out;
};
} // namespace

static bool isDevice(Stage stage) {
  return pipeline::stageForm(stage) == pipeline::StageForm::Device;
}

std::unique_ptr<sema::Program> StagePrinter::check() {
  if (!frontend.parse())
    return nullptr;
  sema::Options sema = semaOptions(options.compile);
  sema.specialize = specializeOf(options.specialize);
  if (!bindParams(options.file, options.defines, frontend.params(),
                  sema.paramValues, env.err))
    return nullptr;
  return frontend.check(sema);
}

bool StagePrinter::printFront(Stage stage) {
  if (stage == Stage::Tokens) {
    parse::printTokens(frontend.sources, frontend.mainFile(), out,
                       frontend.diags);
    return !frontend.diags.hasErrors();
  }
  if (stage == Stage::Ast) {
    if (frontend.parse())
      ast::dump(frontend.module(), out);
    return !frontend.diags.hasErrors();
  }
  auto program = check();
  if (program)
    sema::dump(*program, out);
  return program != nullptr;
}

void StagePrinter::printIR(mlir::Operation *op) {
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo(options.locations);
  op->print(out, flags);
  out << "\n";
}

bool StagePrinter::lowerForDevice(mlir::ModuleOp module, Stage stage,
                                  std::string &code) {
  return compilation.offloadModule(
      module,
      {.stage = stage, .arch = options.gpuArch, .locations = options.locations},
      code);
}

/// There is no such kernel; false.
bool StagePrinter::refuseKernel(llvm::ArrayRef<std::string> names) {
  env.err << "chic: the program has no kernel '" << options.kernel << "'; ";
  if (names.empty())
    env.err << "it has none\n";
  else
    env.err << "it has " << llvm::join(names, ", ") << "\n";
  return false;
}

/// One kernel at stage `simplified` or later, or all of a stage of code.
bool StagePrinter::printUnits(Stage stage) {
  bool isFound = false, isForDevice = isDevice(stage);
  std::vector<std::string> names;
  std::vector<std::string> objects;
  for (Unit &unit : units::splitUnits(compilation.module(),
                                      /*keepsLines=*/true)) {
    names.push_back(unit.name);
    if (!options.kernel.empty() && unit.name != options.kernel)
      continue;
    isFound = true;
    std::string code;
    if (isForDevice ? !lowerForDevice(*unit.module, stage, code)
                    : !compilation.lowerUnit(unit, stage, code))
      return false;
    if (stage == Stage::Obj) {
      objects.push_back(std::move(code));
    } else if (stage > Stage::LLVM) {
      out << code;
    } else {
      printIR(*unit.module);
    }
  }
  if (!isFound)
    return refuseKernel(names);
  if (stage != Stage::Obj)
    return true;
  return joinObjects(objects);
}

/// The objects as one, in `result`.
bool StagePrinter::joinObjects(llvm::ArrayRef<std::string> objects) {
  target::cpu::link::LinkOptions link;
  link.kind = target::cpu::link::LinkKind::Object;
  link.scratchFolder = launch::makeTemporaryFolder("");
  if (link.scratchFolder.empty()) {
    env.err << "chic: no writable folder for temporary files (TMPDIR, /tmp)\n";
    return false;
  }
  auto joined = target::cpu::link::linkObjects(objects, link);
  launch::removeFolder(link.scratchFolder);
  if (joined)
    result = std::move(*joined);
  else
    env.err << "chic: " << llvm::toString(joined.takeError()) << "\n";
  return joined ? true : false;
}

bool StagePrinter::print(Stage stage) {
  if (stage < Stage::Chi)
    return printFront(stage);
  auto program = check();
  if (!program)
    return false;
  if (options.printAfterAll)
    compilation.printAfterAll();
  compilation.generate(*program);
  if (stage == Stage::Chi) {
    mlir::Operation *op = compilation.module();
    if (!options.kernel.empty() &&
        !(op = compilation.module().lookupSymbol(options.kernel))) {
      std::vector<std::string> names;
      for (auto kernel : compilation.module().getOps<ir::KernelOp>())
        names.push_back(kernel.getSymName().str());
      return refuseKernel(names);
    }
    printIR(op);
    return true;
  }
  // Units are cut there at the latest.
  if (!compilation.lowerTo(std::min(stage, Stage::Optimised)))
    return false;
  if (isDevice(stage) && options.kernel.empty()) {
    // One module, and one report of all that no device can execute.
    std::string code;
    bool isGood = lowerForDevice(compilation.module(), stage, code);
    out << code;
    return isGood;
  }
  if (!options.kernel.empty() || stage > Stage::LLVM)
    return printUnits(stage);
  if (!compilation.lowerTo(stage))
    return false;
  printIR(compilation.module());
  return true;
}

int StagePrinter::write() {
  if (options.output == "-") {
    env.out << result;
    return ExitGood;
  }
  if (frontend.isInput(options.output, options.file))
    return ExitWorld;
  if (launch::writeFileAtomically(options.output, result))
    return ExitGood;
  env.err << "chic: '" << options.output
          << "' cannot be written: " << std::strerror(errno) << "\n";
  return ExitWorld;
}

int StagePrinter::run(Stage stage) {
  if ((stage == Stage::Obj || stage == Stage::SPV) && options.output == "-" &&
      ::isatty(1)) {
    env.err << "chic: " << (stage == Stage::Obj ? "an object" : "a binary")
            << " is not printed to a terminal; use -o FILE\n";
    return ExitWorld;
  }
  bool isGood = print(stage);
  int status = frontend.finish();
  if (isGood)
    return write();
  return compilation.failureStatus(status == ExitGood ? ExitWorld : status);
}

void chi::driver::addEmitIRCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<EmitIROptions>();
  CLI::App *emit =
      app.add_subcommand("emit-ir", "Print a stage of the compilation");
  emit->add_option("FILE", options->file, "The program; - is standard input")
      ->required();
  emit->add_option("--stage", options->stageName,
                   "One of " + pipeline::stageNames())
      ->type_name("STAGE")
      ->capture_default_str();
  emit->add_option("--kernel", options->kernel, "Print only this kernel")
      ->type_name("NAME");
  emit->add_option("-o,--output", options->output,
                   "Output file; - is standard output")
      ->type_name("FILE");
  emit->add_option(
          "--gpu-arch", options->gpuArch,
          "Target device of the stages gpu, nvvm and ptx: sm_75, sm_80, …")
      ->type_name("ARCH")
      ->capture_default_str();
  emit->add_flag(
      "--print-after-all", options->printAfterAll,
      "Print the IR after each pass that changes it, to standard error");
  emit->add_flag("--locations", options->locations,
                 "Print the source location of each operation");
  launch::addSpecializeOption(*emit, options->specialize);
  launch::addCompileOptions(*emit, options->compile);
  launch::addTargetOptions(*emit, options->compile);
  launch::addDiagnosticOptions(*emit, options->diagnostics);
  emit->allow_extras();
  emit->footer("Parameters of the program may follow FILE: --name VALUE");
  emit->callback([options, emit, &env] {
    options->defines = launch::programArguments(*emit);
    auto stage = pipeline::stageByName(options->stageName);
    if (!stage)
      throw CLI::ValidationError(
          "--stage", "there is no stage '" + options->stageName +
                         "'; the stages are " + pipeline::stageNames());
    if (*stage == Stage::NVVM || *stage == Stage::PTX)
      options->compile.devices = {"cuda"};
    auto text = launch::readProgram(options->file);
    if (!text || !checkTarget(options->compile, env) ||
        !launch::takeNativeMath(options->compile,
                                "--stage=" + options->stageName))
      exitWith(ExitWorld);
    exitWith(StagePrinter(*options, env, std::move(*text)).run(*stage));
  });
}
