//===- RunCommand.cpp - chic run in `chic --help` -------------------------===//
#include "chi/Driver/Commands/Commands.h"

using namespace chi;
using namespace chi::driver;

/// `chic` handles `run` before this library is loaded (Launch/Main.cpp); the
/// verb is declared here for the list of verbs only.
void chi::driver::addRunCommand(CLI::App &app, DriverEnv &) {
  auto options = std::make_shared<launch::RunOptions>();
  CLI::App *run = app.add_subcommand(
      "run", "Compile a program, or load it from the cache, and run it");
  launch::addRunOptions(*run, *options);
  run->callback([options] { exitWith(ExitBug); });
}
