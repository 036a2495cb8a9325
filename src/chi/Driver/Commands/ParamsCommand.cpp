//===- ParamsCommand.cpp - chic params ------------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Compile/Frontend.h"
#include "chi/Launch/Files.h"
#include "llvm/Support/JSON.h"

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

static void printJson(llvm::ArrayRef<sema::ParamSummary> params,
                      llvm::raw_ostream &out) {
  llvm::json::OStream json(out, 2);
  json.array([&] {
    for (const sema::ParamSummary &p : params)
      json.object([&] {
        json.attribute("name", p.name);
        json.attribute("type", p.type);
        json.attribute("default", p.defaultText);
        json.attribute("doc", p.doc);
        if (!p.low.empty())
          json.attributeArray("range", [&] {
            json.value(p.low);
            json.value(p.high);
          });
        if (!p.choices.empty())
          json.attributeArray("choices", [&] {
            for (const std::string &choice : p.choices)
              json.value(choice);
          });
      });
  });
  out << "\n";
}

static int runParams(const ParamsOptions &options, DriverEnv &env) {
  auto text = launch::readProgram(options.file);
  if (!text)
    return ExitWorld;
  if (llvm::StringRef(*text).starts_with("\x7f"
                                         "ELF")) {
    env.err << "chic: '" << options.file
            << "' is an executable; to list its parameters, run "
            << options.file << " --help\n";
    return ExitWorld;
  }
  Frontend frontend(env, options.compile, options.diagnostics, options.file,
                    std::move(*text));
  if (!frontend.parse())
    return frontend.finish();
  auto params = frontend.params();
  if (!frontend.modules.unreadable().empty())
    return frontend.finish();
  if (options.json)
    printJson(params, env.out);
  else
    printParams(params, env.out);
  return ExitGood;
}

void chi::driver::addParamsCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<ParamsOptions>();
  CLI::App *params =
      app.add_subcommand("params", "Print the parameters of a program: types, "
                                   "defaults, ranges, descriptions");
  params->add_option("FILE", options->file, "The program; - is standard input")
      ->required();
  params->add_flag("--json", options->json, "Print a JSON array");
  launch::addDiagnosticOptions(*params, options->diagnostics);
  params->callback([options, &env] { exitWith(runParams(*options, env)); });
}
