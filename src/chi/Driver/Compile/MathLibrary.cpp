//===- MathLibrary.cpp ----------------------------------------------------===//
#include "chi/Driver/Compile/MathLibrary.h"
#include "chi/Driver/Compile/Frontend.h"
#include "chi/Driver/Compile/UnitCompiler.h"
#include "chi/IRGen/IRGen.h"
#include "chi/Launch/Files.h"
#include "chi/Pipeline/Pipeline.h"
#include "mlir/Parser/Parser.h"

using namespace chi;
using namespace chi::driver;

std::string chi::driver::mathLibraryFile(const DriverEnv &env) {
  return env.stdlibFolder() + "/internal/math.chi";
}

/// Compiles the text to stage `optimised`.
static mlir::OwningOpRef<mlir::ModuleOp>
compileLibrary(mlir::MLIRContext &context, const DriverEnv &env,
               std::string text, std::string &fault) {
  launch::CompileOptions options;
  launch::DiagnosticOptions diagnostics;
  Frontend frontend(env, options, diagnostics, mathLibraryFile(env),
                    std::move(text));
  std::unique_ptr<sema::Program> program;
  if (frontend.parse()) {
    sema::Options sema = semaOptions(options);
    sema.instantiateAll = true;
    program = frontend.check(sema);
  }
  if (!program) {
    frontend.finish();
    fault = "the library of elementary functions does not compile";
    return {};
  }
  irgen::Options irOptions;
  irOptions.fileName = "math.chi";
  auto module =
      irgen::generateLibrary(context, *program, frontend.sources, irOptions);
  mlir::PassManager manager(&context);
  pipeline::buildPipeline(manager, pipeline::Stage::Chi,
                          pipeline::Stage::Optimised, {});
  if (failed(pipeline::run(manager, *module, frontend.sources, frontend.diags,
                           fault))) {
    frontend.finish();
    if (fault.empty())
      fault = "the library of elementary functions does not compile";
    return {};
  }
  return module;
}

static std::string builtFile(const DriverEnv &env) {
  return env.host.binaryFolder + "/../share/chi/math.mlirbc";
}

static launch::Hash libraryKey(const std::string &text, const DriverEnv &env) {
  return launch::KeyText()
      .add("math", text)
      .add("compiler", env.host.buildIdentity)
      .hash();
}

/// The bytecode of the functions: the built file, which begins with its key,
/// or the cache's.
static std::optional<std::string> findLibrary(const launch::Hash &key,
                                              const DriverEnv &env,
                                              const launch::Cache &cache) {
  if (auto built = launch::readFile(builtFile(env)))
    if (llvm::StringRef(*built).starts_with(key.hex()))
      return built->substr(key.hex().size());
  return cache.findObject(key);
}

int chi::driver::writeMathLibrary(const DriverEnv &env) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto text = launch::readFile(mathLibraryFile(env));
  std::string fault = "stdlib/internal/math.chi not found";
  if (text) {
    std::string key = libraryKey(*text, env).hex();
    fault.clear();
    auto module = compileLibrary(context, env, std::move(*text), fault);
    if (module &&
        launch::writeFileAtomically(builtFile(env), key + toBytecode(*module)))
      return ExitGood;
  }
  env.err << "chic: the elementary functions were not compiled: " << fault
          << "\n";
  return ExitBug;
}

mlir::OwningOpRef<mlir::ModuleOp>
chi::driver::loadMathLibrary(mlir::MLIRContext &context, const DriverEnv &env,
                             const launch::Cache &cache,
                             std::string &contentHash, std::string &problem) {
  auto text = launch::readFile(mathLibraryFile(env));
  if (!text) {
    problem = "'" + mathLibraryFile(env) + "' cannot be read";
    return {};
  }
  launch::Hash key = libraryKey(*text, env);
  contentHash = key.hex();
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  // A damaged file is rebuilt silently.
  mlir::ScopedDiagnosticHandler silent(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  if (auto bytes = findLibrary(key, env, cache))
    if (auto module = mlir::parseSourceString<mlir::ModuleOp>(*bytes, config))
      return module;
  std::string fault;
  auto module = compileLibrary(context, env, std::move(*text), fault);
  if (module)
    cache.storeObject(key, toBytecode(*module));
  else
    problem = "'" + mathLibraryFile(env) + "' is damaged";
  return module;
}
