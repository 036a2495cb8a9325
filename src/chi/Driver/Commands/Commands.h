//===- Commands.h - The verbs of chic ---------------------------*- C++ -*-===//
#ifndef CHI_DRIVER_COMMANDS_COMMANDS_H
#define CHI_DRIVER_COMMANDS_COMMANDS_H

#include "chi/Driver/DriverEnv.h"
#include <CLI/CLI.hpp>

namespace chi::driver {

/// Each declares its subcommand with options and help, and its action: one
/// function from parsed options to an exit status.
#define CHI_COMMAND(Name)                                                      \
  void add##Name##Command(CLI::App &app, DriverEnv &env);
#include "chi/Driver/Commands/Commands.def"
#undef CHI_COMMAND

/// A hidden option of verbs that run programs: one word of those for the
/// program.
inline constexpr const char *kProgramWord = "--program-word";

/// Declares the option for the words that runCommandLine does not recognise,
/// each after a '=', since CLI11 takes an empty word for none.
inline void addProgramWords(CLI::App &verb, std::vector<std::string> &words) {
  verb.add_option(kProgramWord, words)
      ->allow_extra_args(false)
      ->transform([](std::string word) { return word.substr(1); }, "")
      ->group("");
}

/// Ends a callback: CLI11 carries the status out of `parse`.
[[noreturn]] inline void exitWith(int status) {
  throw CLI::RuntimeError(status);
}

} // namespace chi::driver
#endif // CHI_DRIVER_COMMANDS_COMMANDS_H
