//===- GradReportCommand.cpp - chic grad-report ---------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Compile/Compilation.h"
#include "chi/Driver/GradReport.h"
#include "chi/Launch/Files.h"

using namespace chi;
using namespace chi::driver;

namespace {
struct GradReportOptions {
  std::string file;
  std::vector<std::string> programArgs;
  launch::CompileOptions compile;
  launch::DiagnosticOptions diagnostics;
};
} // namespace

static int runGradReport(const GradReportOptions &options, DriverEnv &env) {
  auto text = launch::readProgram(options.file);
  if (!text)
    return ExitWorld;
  Frontend frontend(env, options.compile, options.diagnostics, options.file,
                    std::move(*text));
  if (!frontend.parse())
    return frontend.finish();
  sema::Options sema = semaOptions(options.compile);
  if (!bindParams(options.file, options.programArgs, frontend.params(),
                  sema.paramValues, env.err))
    return ExitWorld;
  auto program = frontend.check(sema);
  if (!program)
    return frontend.finish();
  launch::Cache cache(/*isEnabled=*/false);
  Compilation compilation(frontend, options.compile, env, cache);
  bool isGood = compilation.generate(*program) &&
                compilation.lowerTo(pipeline::Stage::Optimised);
  int status = frontend.finish();
  if (!isGood)
    return compilation.failureStatus(status);
  if (!writeGradReport(compilation.module(), env.out))
    env.out << "no tape records a kernel\n";
  return ExitGood;
}

void chi::driver::addGradReportCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<GradReportOptions>();
  CLI::App *report = app.add_subcommand(
      "grad-report", "Report what each adjoint stores and recomputes, how it "
                     "accumulates, and its cost");
  report
      ->add_option("FILE", options->file,
                   "The program, followed by its parameters: --name VALUE")
      ->required();
  launch::addCompileOptions(*report, options->compile);
  launch::addTargetOptions(*report, options->compile);
  launch::addLaterOptions(*report);
  launch::addDiagnosticOptions(*report, options->diagnostics);
  addProgramWords(*report, options->programArgs);
  report->callback([options, &env] { exitWith(runGradReport(*options, env)); });
}
