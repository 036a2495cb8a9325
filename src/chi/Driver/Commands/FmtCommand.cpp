//===- FmtCommand.cpp - chic fmt ------------------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Compile/Frontend.h"
#include "chi/Driver/FindPrograms.h"
#include "chi/Format/Format.h"
#include "chi/Launch/Files.h"
#include <cerrno>
#include <cstring>

using namespace chi;
using namespace chi::driver;

namespace {
struct FmtOptions {
  std::vector<std::string> files;
  bool check = false;
  launch::CompileOptions compile;
  launch::DiagnosticOptions diagnostics;
};
} // namespace

static int formatFile(const FmtOptions &options, const std::string &file,
                      DriverEnv &env) {
  auto text = launch::readProgram(file);
  if (!text)
    return ExitWorld;
  Frontend frontend(env, options.compile, options.diagnostics, file, *text);
  auto formatted = format::formatSource(frontend.sources, frontend.mainFile(),
                                        frontend.diags);
  if (int status = frontend.finish(); status || !formatted)
    return status ? status : ExitUser;
  if (options.check) {
    if (*formatted != *text)
      env.out << displayName(file) << "\n";
    return *formatted == *text ? ExitGood : ExitUser;
  }
  if (file == "-") {
    env.out << *formatted;
    return ExitGood;
  }
  if (*formatted == *text || launch::writeFileAtomically(file, *formatted))
    return ExitGood;
  env.err << "chic: '" << file
          << "' cannot be written: " << std::strerror(errno) << "\n";
  return ExitWorld;
}

static int runFmt(const FmtOptions &options, DriverEnv &env) {
  int status = ExitGood;
  for (const std::string &file : findPrograms(options.files, env, status))
    status = std::max(status, formatFile(options, file, env));
  return status;
}

void chi::driver::addFmtCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<FmtOptions>();
  CLI::App *fmt = app.add_subcommand("fmt", "Format programs");
  fmt->add_option("FILE", options->files,
                  "Programs, or folders of programs, to format in place; - "
                  "formats standard input to standard output")
      ->required();
  fmt->add_flag(
      "--check", options->check,
      "Print the files that are not formatted, without changing them");
  launch::addDiagnosticOptions(*fmt, options->diagnostics);
  fmt->callback([options, &env] { exitWith(runFmt(*options, env)); });
}
