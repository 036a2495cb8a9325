//===- ParamsCommand.cpp - chic params ------------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Compile/Frontend.h"
#include "chi/Driver/ParamsJson.h"
#include "chi/Launch/Files.h"

using namespace chi;
using namespace chi::driver;

namespace {
struct ParamsOptions {
  std::string file;
  bool json = false;
  launch::CompileOptions compile;
  launch::DiagnosticOptions diagnostics;
};
} // namespace

/// What an executable says of its params.
static int printExecutable(const ParamsOptions &options, DriverEnv &env) {
  auto json = paramsOfExecutable(options.file);
  if (!json) {
    env.err << "chic: " << llvm::toString(json.takeError()) << "\n";
    return ExitWorld;
  }
  if (options.json) {
    env.out << *json;
    return ExitGood;
  }
  auto params = readParamSummaries(*json);
  if (!params) {
    env.err << "chic: '" << options.file
            << "' --params-json: " << llvm::toString(params.takeError())
            << "\n";
    return ExitWorld;
  }
  printParams(*params, env.out);
  return ExitGood;
}

static int runParams(const ParamsOptions &options, DriverEnv &env) {
  auto text = launch::readProgram(options.file);
  if (!text)
    return ExitWorld;
  if (isExecutable(*text))
    return printExecutable(options, env);
  Frontend frontend(env, options.compile, options.diagnostics, options.file,
                    std::move(*text));
  if (!frontend.parse())
    return frontend.finish();
  auto params = frontend.params();
  if (!frontend.modules.unreadable().empty())
    return frontend.finish();
  if (options.json)
    printParamsJson(params, env.out);
  else
    printParams(params, env.out);
  return ExitGood;
}

void chi::driver::addParamsCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<ParamsOptions>();
  CLI::App *params =
      app.add_subcommand("params", "Print the parameters of a program: types, "
                                   "defaults, ranges, descriptions");
  params
      ->add_option("FILE", options->file,
                   "A program, or an executable of chic build; - is standard "
                   "input")
      ->required();
  params->add_flag("--json", options->json, "Print a JSON array");
  launch::addDiagnosticOptions(*params, options->diagnostics);
  params->callback([options, &env] { exitWith(runParams(*options, env)); });
}
