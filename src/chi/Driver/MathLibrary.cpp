//===- MathLibrary.cpp ----------------------------------------------------===//
#include "chi/Driver/MathLibrary.h"
#include "chi/Driver/Frontend.h"
#include "chi/IRGen/IRGen.h"
#include "chi/Launch/Files.h"
#include "chi/Pipeline/Pipeline.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"

using namespace chi;
using namespace chi::driver;

std::string chi::driver::mathLibraryFile(const DriverEnv &env) {
  return env.stdlibFolder() + "/internal/math.chi";
}

/// Compiles the text to stage `simplified`.
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
                          pipeline::Stage::Simplified, {});
  if (failed(pipeline::run(manager, *module, frontend.sources, frontend.diags,
                           fault))) {
    frontend.finish();
    if (fault.empty())
      fault = "the library of elementary functions does not compile";
    return {};
  }
  return module;
}

mlir::OwningOpRef<mlir::ModuleOp>
chi::driver::loadMathLibrary(mlir::MLIRContext &context, const DriverEnv &env,
                             const launch::Cache &cache,
                             std::string &contentHash, std::string &fault) {
  auto text = launch::readFile(mathLibraryFile(env));
  if (!text)
    return {};
  launch::Hash key = launch::KeyText()
                         .add("math", *text)
                         .add("compiler", env.host.buildIdentity)
                         .hash();
  contentHash = key.hex();
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  if (auto bytes = cache.findObject(key))
    if (auto module = mlir::parseSourceString<mlir::ModuleOp>(*bytes, config))
      return module;
  auto module = compileLibrary(context, env, std::move(*text), fault);
  if (module) {
    std::string bytes;
    llvm::raw_string_ostream out(bytes);
    if (succeeded(mlir::writeBytecodeToFile(*module, out)))
      cache.storeObject(key, bytes);
  }
  return module;
}
