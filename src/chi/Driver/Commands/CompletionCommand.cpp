//===- CompletionCommand.cpp - chic completion ----------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Completion/CommandTables.h"

using namespace chi;
using namespace chi::driver;

void chi::driver::addCompletionCommand(CLI::App &app, DriverEnv &env) {
  auto shell = std::make_shared<std::string>();
  CLI::App *completion = app.add_subcommand(
      "completion", "Print a script by which a shell completes the verbs and "
                    "options of chic");
  completion
      ->add_option("SHELL", *shell,
                   "bash or zsh: eval \"$(chic completion bash)\"; fish: chic "
                   "completion fish | source")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->callback([shell, &app, &env] {
    env.out << completionScript(*shell, commandTables(app));
    exitWith(ExitGood);
  });
}
