//===- Program.cpp --------------------------------------------------------===//
#include "chi/Driver/Program.h"
#include "chi/Driver/Compile/Compilation.h"
#include "chi/Driver/Compile/MathLibrary.h"
#include "chi/Driver/Provenance/Facts.h"
#include "chi/Interp/Interp.h"
#include "chi/Launch/Files.h"
#include "chi/Target/CPU/Link/Link.h"
#include "chirt/host.h"
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>

using namespace chi;
using namespace chi::driver;
using pipeline::Stage;

//===--- Keeping the library ----------------------------------------------===//

/// The data that the cache compares before it reuses the library.
static launch::CompilationRecord recordOf(const Frontend &frontend,
                                          const sema::Program &program,
                                          const DriverEnv &env) {
  launch::CompilationRecord record;
  record.dependencies = frontend.modules.lookups();
  std::string math = mathLibraryFile(env);
  if (auto text = launch::readFile(math))
    record.dependencies.push_back(
        {math, /*isAbsent=*/false, launch::hashBytes(*text)});
  for (const auto &param : program.params)
    record.params.push_back(
        {param->name, param->type->str() == "bool", param->isFixed});
  return record;
}

/// What files that a run saves say of the program.
static std::string provenanceOf(const Frontend &frontend,
                                const launch::RunOptions &options) {
  return membersOf({frontend.sources, options.compile, "run",
                    options.specialize, /*defines=*/{}, /*git=*/""});
}

/// The bytes of the program library, or none after printing why.
static std::optional<std::string>
linkProgram(llvm::ArrayRef<std::string> objects, const std::string &folder,
            const std::string &provenance, DriverEnv &env) {
  if (folder.empty()) {
    env.err << "chic: no writable folder for temporary files (TMPDIR, /tmp)\n";
    return std::nullopt;
  }
  target::cpu::link::LinkOptions options;
  options.scratchFolder = folder;
  options.provenance = provenance;
  auto library = target::cpu::link::linkObjects(objects, options);
  if (library)
    return std::move(*library);
  env.err << "chic: " << llvm::toString(library.takeError()) << "\n";
  return std::nullopt;
}

/// A file in `folder`, open: its name goes with the folder.
static launch::Descriptor openCopy(const std::string &folder,
                                   const std::string &bytes, DriverEnv &env) {
  std::string problem;
  launch::OwnFolder own(folder, /*makes=*/false, problem);
  if (own.isOpen())
    if (auto file = own.writeFile("program.so", bytes); file.isOpen())
      return file;
  env.err << "chic: cannot write the compiled program: "
          << (problem.empty() ? std::strerror(errno) : problem) << "\n";
  return {};
}

/// Links, and keeps the library in the cache if there is one.
static void keepProgram(llvm::ArrayRef<std::string> objects,
                        const launch::RunOptions &options,
                        const launch::CompilationRecord &record,
                        const Frontend &frontend, const launch::Cache &cache,
                        DriverEnv &env, launch::CompiledProgram &result) {
  result.status = ExitWorld;
  std::string folder = launch::makeTemporaryFolder("");
  if (auto library =
          linkProgram(objects, folder, provenanceOf(frontend, options), env)) {
    env.host.clock->mark("linked");
    result.library = cache.storeProgram(launch::programKey(options, env.host),
                                        options.programArgs, record, *library,
                                        frontend.warnings);
    if (result.library.isOpen())
      env.host.clock->mark("stored in the cache");
    else // no cache, a full disk: this run continues without it
      result.library = openCopy(folder, *library, env);
    result.status = result.library.isOpen() ? -1 : ExitWorld;
  }
  launch::removeFolder(folder);
}

//===--- Steps of a run ---------------------------------------------------===//

static sema::Options semaOptionsForRun(const launch::RunOptions &options) {
  sema::Options sema = semaOptions(options.compile);
  sema.collectTests = options.runTests;
  sema.specialize = specializeOf(options.specialize);
  return sema;
}

/// Prints `chic run FILE --help`: the program's own part first.
static int printRunHelp(const launch::RunOptions &options, Frontend &frontend,
                        DriverEnv &env) {
  CLI::App app("Compile a program, or load it from the cache, and run it",
               "chic run");
  launch::RunOptions unused;
  launch::addRunOptions(app, unused);
  if (!frontend.module().doc.empty())
    env.out << frontend.module().doc.trim() << "\n\n";
  printParams(frontend.params(), env.out);
  env.out << "\n" << app.help();
  return ExitGood;
}

/// The checked program, or null with `status` set.
static std::unique_ptr<sema::Program>
checkForRun(const launch::RunOptions &options, Frontend &frontend,
            DriverEnv &env, int &status) {
  if (!frontend.parse()) {
    status = frontend.finish();
    return nullptr;
  }
  if (options.help) {
    status = printRunHelp(options, frontend, env);
    return nullptr;
  }
  if (options.runTests)
    frontend.addExamples();
  sema::Options sema = semaOptionsForRun(options);
  std::map<std::string, std::string> values;
  if (!bindParams(options.file, options.programArgs, frontend.params(), values,
                  env.err, chirt_run_flags)) {
    status = ExitWorld;
    return nullptr;
  }
  if (sema.specialize != sema::Specialize::None)
    sema.paramValues = std::move(values);
  auto program = frontend.check(sema);
  if (!program)
    status = frontend.finish();
  return program;
}

static int interpret(const launch::RunOptions &options,
                     const Frontend &frontend, Compilation &compilation) {
  interp::Interpreter interpreter(compilation.module(),
                                  compilation.mathLibrary());
  if (!interpreter.isValid()) {
    compilation.fault = "interpreter: " + interpreter.error();
    return ExitBug;
  }
  return launch::runTable(interpreter.program(), options,
                          provenanceOf(frontend, options).c_str());
}

void chi::driver::compileForRun(const launch::RunOptions &options,
                                DriverEnv &env, launch::CompiledProgram &result,
                                llvm::function_ref<void(mlir::ModuleOp)> look) {
  Frontend frontend(env, options.compile, options.diagnostics, options.file,
                    options.text);
  auto program = checkForRun(options, frontend, env, result.status);
  if (!program)
    return;
  env.host.clock->mark("parsed and checked");
  launch::Cache cache(!options.noCache);
  launch::CompileOptions compile = options.compile;
  compile.jobs = options.threads;
  Compilation compilation(frontend, compile, env, cache);
  bool isInterpreted = options.arch == "interp";
  if (!isInterpreted && !checkTargetHere(options.compile, env)) {
    result.status = ExitWorld;
    return;
  }
  bool isGood =
      compilation.generate(*program) &&
      compilation.lowerTo(isInterpreted ? Stage::Grad : Stage::Optimised);
  env.host.clock->mark("simplified");
  std::vector<std::string> objects;
  if (isGood && look && !isInterpreted)
    look(compilation.module());
  if (isGood)
    isGood = isInterpreted ? compilation.loadMath(/*forDevice=*/false)
                           : compilation.compileObjects(objects);
  int status = frontend.finish(); // warnings too
  if (isGood && isInterpreted) {
    result.status = interpret(options, frontend, compilation);
    isGood = compilation.fault.empty();
  }
  if (!isGood)
    result.status = compilation.failureStatus(status);
  else if (!isInterpreted)
    keepProgram(objects, options, recordOf(frontend, *program, env), frontend,
                cache, env, result);
}

int chi::driver::compileToOptimised(std::string text, DriverEnv &env) {
  launch::CompileOptions options;
  launch::DiagnosticOptions diagnostics;
  launch::Cache cache(/*isEnabled=*/false);
  Frontend frontend(env, options, diagnostics, "fuzz.chi", std::move(text));
  if (!frontend.parse())
    return frontend.finish();
  sema::Options sema = semaOptions(options);
  sema.collectTests = true;
  auto program = frontend.check(sema);
  if (!program)
    return frontend.finish();
  Compilation compilation(frontend, options, env, cache);
  bool isGood =
      compilation.generate(*program) && compilation.lowerTo(Stage::Optimised);
  if (!compilation.fault.empty())
    return ExitBug;
  frontend.finish();
  return isGood ? ExitGood : ExitUser;
}

int chi::driver::runProgram(const launch::RunOptions &options, DriverEnv &env) {
  launch::CompiledProgram program;
  launch::Cache cache(!options.noCache);
  env.out.flush();
  if (options.arch != "interp")
    if (auto known = cache.findProgram(launch::programKey(options, env.host),
                                       options.programArgs)) {
      if (&env.err != &llvm::nulls())
        launch::printWarnings(known->warnings, options.diagnostics);
      program.library = std::move(known->library);
    }
  if (!program.library.isOpen())
    compileForRun(options, env, program);
  return program.status >= 0 ? program.status
                             : env.host.runLibrary(program.library, options);
}
