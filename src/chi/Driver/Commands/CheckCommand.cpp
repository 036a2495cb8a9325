//===- CheckCommand.cpp - chic check --------------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Compile/Frontend.h"
#include "chi/Driver/FindPrograms.h"
#include "chi/Launch/Files.h"

using namespace chi;
using namespace chi::driver;

namespace {
struct CheckOptions {
  std::vector<std::string> files;
  launch::CompileOptions compile;
  launch::DiagnosticOptions diagnostics;
};
} // namespace

static int runCheck(const CheckOptions &options, DriverEnv &env) {
  int status = ExitGood;
  for (const std::string &file : findPrograms(options.files, env, status)) {
    auto text = launch::readProgram(file);
    if (!text) {
      status = ExitWorld;
      continue;
    }
    Frontend frontend(env, options.compile, options.diagnostics, file,
                      std::move(*text));
    if (frontend.parse()) {
      sema::Options sema = semaOptions(options.compile);
      sema.collectTests = true;
      frontend.check(sema);
    }
    status = std::max(status, frontend.finish());
  }
  return status;
}

void chi::driver::addCheckCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App *check = app.add_subcommand(
      "check", "Parse and type-check programs, and print all errors");
  check
      ->add_option("FILE", options->files,
                   "Programs, or folders of programs; - is standard input")
      ->required();
  check->add_flag(
      "--verify-diagnostics", options->diagnostics.verify,
      "Compare the diagnostics with comments `# ^^^ error[E0203]: text`");
  launch::addCompileOptions(*check, options->compile);
  launch::addLaterOptions(*check);
  launch::addDiagnosticOptions(*check, options->diagnostics);
  check->callback([options, &env] { exitWith(runCheck(*options, env)); });
}
