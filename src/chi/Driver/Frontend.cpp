//===- Frontend.cpp -------------------------------------------------------===//
#include "chi/Driver/Frontend.h"
#include "chi/Diagnostics/JsonRenderer.h"
#include "chi/Diagnostics/TextRenderer.h"
#include "chi/Diagnostics/VerifyDiagnostics.h"
#include "chi/Parse/Parse.h"
#include <cstdlib>
#include <unistd.h>

using namespace chi;
using namespace chi::driver;

Frontend::Frontend(const DriverEnv &env, const launch::CompileOptions &options,
                   const launch::DiagnosticOptions &diagnosticOptions,
                   llvm::StringRef file, std::string text)
    : modules(sources, context, diags, options.includeDirs, env.stdlibFolder()),
      env(env), diagnosticOptions(diagnosticOptions) {
  sources.add(displayName(file), std::move(text));
}

std::string chi::driver::displayName(llvm::StringRef file) {
  return file == "-" ? "<stdin>" : file.str();
}

bool Frontend::parse() {
  main = parse::parseModule(sources, mainFile(), context, diags);
  return main != nullptr;
}

std::unique_ptr<sema::Program> Frontend::check(sema::Options options) {
  return sema::check(sources, *main, types, options, modules, diags);
}

std::vector<sema::ParamSummary> Frontend::params() {
  return sema::summarizeParams(sources, *main, modules);
}

static bool wantsColor(llvm::StringRef when) {
  if (when != "auto")
    return when == "always";
  const char *refused = std::getenv("NO_COLOR");
  return !(refused && *refused) && ::isatty(STDERR_FILENO);
}

int Frontend::finish() {
  bool hasErrors = diags.hasErrors();
  if (diagnosticOptions.verify) {
    DiagnosticVerifier verifier(sources);
    diags.flush(verifier);
    return succeeded(verifier.verify(env.err)) ? ExitGood : ExitUser;
  }
  if (diagnosticOptions.format == "json") {
    JsonRenderer renderer(sources, env.err);
    diags.flush(renderer);
  } else {
    TextRenderer renderer(sources, env.err,
                          wantsColor(diagnosticOptions.color));
    diags.flush(renderer);
  }
  return hasErrors ? ExitUser : ExitGood;
}

sema::Options chi::driver::semaOptions(const launch::CompileOptions &options) {
  sema::Options result;
  result.defaultIntBits = options.defaultInt == "i64" ? 64 : 32;
  result.defaultFloatBits = options.defaultFloat == "f64" ? 64 : 32;
  result.strictTypes = options.strictTypes;
  return result;
}
