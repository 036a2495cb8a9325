//===- Frontend.cpp -------------------------------------------------------===//
#include "chi/Driver/Compile/Frontend.h"
#include "chi/Diagnostics/Collector.h"
#include "chi/Diagnostics/JsonRenderer.h"
#include "chi/Diagnostics/TextRenderer.h"
#include "chi/Diagnostics/VerifyDiagnostics.h"
#include "chi/Launch/Files.h"
#include "chi/Parse/Examples.h"
#include "chi/Parse/Parse.h"

using namespace chi;
using namespace chi::driver;

Frontend::Frontend(const DriverEnv &env, const launch::CompileOptions &options,
                   const launch::DiagnosticOptions &diagnosticOptions,
                   llvm::StringRef file, std::string text)
    : modules(sources, context, diags, options.includeDirs, env.stdlibFolder()),
      env(env), diagnosticOptions(diagnosticOptions) {
  sources.add(displayName(file), std::move(text));
  if (options.wideFloats)
    types.f16 = types.bf16 = types.f32 = types.f64;
}

std::string chi::driver::displayName(llvm::StringRef file) {
  return file == "-" ? "<stdin>" : file.str();
}

bool Frontend::parse() {
  main = parse::parseModule(sources, mainFile(), context, diags);
  return main != nullptr;
}

void Frontend::addExamples() {
  std::vector<ast::Stmt *> body(main->body);
  llvm::append_range(body,
                     parse::parseExamples(sources, *main, context, diags));
  main->body = context.copy(llvm::ArrayRef<ast::Stmt *>(body));
}

std::unique_ptr<sema::Program> Frontend::check(sema::Options options) {
  auto program = sema::check(sources, *main, types, options, modules, diags);
  return modules.unreadable().empty() ? std::move(program) : nullptr;
}

bool Frontend::isInput(const std::string &output,
                       const std::string &file) const {
  std::vector<std::string> inputs{file == "-" ? "/dev/stdin" : file};
  for (const auto &module : modules.lookups())
    if (!module.isAbsent)
      inputs.push_back(module.path);
  bool isOne = llvm::any_of(inputs, [&](const std::string &input) {
    return launch::isSameFile(output, input);
  });
  if (isOne)
    env.err << "chic: '" << output
            << "' cannot be written: it is the input program\n";
  return isOne;
}

std::vector<sema::ParamSummary> Frontend::params() {
  return sema::summarizeParams(sources, *main, modules);
}

template <typename Renderer, typename... Options>
static std::string render(const std::vector<Diagnostic> &diagnostics,
                          const SourceFiles &sources, Options... options) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Renderer renderer(sources, out, options...);
  for (const Diagnostic &diagnostic : diagnostics)
    renderer.consume(diagnostic);
  return text;
}

int Frontend::finish() {
  if (!modules.unreadable().empty()) { // the other errors follow from it
    env.err << "chic: " << modules.unreadable() << "\n";
    return ExitWorld;
  }
  bool hasErrors = diags.hasErrors();
  if (diagnosticOptions.verify) {
    DiagnosticVerifier verifier(sources);
    diags.flush(verifier);
    return succeeded(verifier.verify(env.err)) ? ExitGood : ExitUser;
  }
  DiagnosticCollector collector;
  diags.flush(collector);
  if (collector.diagnostics.empty())
    return ExitGood;
  warnings = {render<TextRenderer>(collector.diagnostics, sources, false),
              render<TextRenderer>(collector.diagnostics, sources, true),
              render<JsonRenderer>(collector.diagnostics, sources)};
  env.err << (diagnosticOptions.format == "json"      ? warnings.json
              : launch::wantsColor(diagnosticOptions) ? warnings.colored
                                                      : warnings.text);
  // A value on the command line is the world's, as where the run time refuses.
  bool isOfProgram =
      llvm::any_of(collector.diagnostics, [](const Diagnostic &diagnostic) {
        return diagnostic.severity == Severity::Error &&
               llvm::StringRef(diagnostic.code) != "E0611";
      });
  return isOfProgram ? ExitUser : hasErrors ? ExitWorld : ExitGood;
}

sema::Specialize chi::driver::specializeOf(llvm::StringRef which) {
  return which == "all"    ? sema::Specialize::All
         : which == "none" ? sema::Specialize::None
                           : sema::Specialize::Needed;
}

sema::Options chi::driver::semaOptions(const launch::CompileOptions &options) {
  sema::Options result;
  result.defaultIntBits = options.defaultInt == "i64" ? 64 : 32;
  result.defaultFloatBits =
      options.defaultFloat == "f64" || options.wideFloats ? 64 : 32;
  result.strictTypes = options.strictTypes;
  return result;
}
