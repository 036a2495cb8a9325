//===- ProvenanceCommand.cpp - chic provenance ----------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Provenance/Check.h"

using namespace chi;
using namespace chi::driver;

namespace {
struct ProvenanceOptions {
  CheckOptions check;
  bool isChecked = false, json = false;
};
} // namespace

static int runProvenance(const ProvenanceOptions &options, DriverEnv &env) {
  bool isMissing = false;
  auto record = FileRecord::read(options.check.file, isMissing);
  if (!record) {
    env.err << "chic provenance: " << llvm::toString(record.takeError())
            << "\n";
    return isMissing ? ExitUser : ExitWorld;
  }
  if (options.isChecked)
    return checkFile(options.check, *record, env);
  if (options.json)
    record->printJson(env.out);
  else
    record->print(env.out);
  return ExitGood;
}

void chi::driver::addProvenanceCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<ProvenanceOptions>();
  CLI::App *verb = app.add_subcommand(
      "provenance", "Print how a file that a program saved was made, and the "
                    "command that makes it again");
  verb->add_option("FILE", options->check.file,
                   "A png, npz or npy file that a program saved")
      ->required();
  auto *json =
      verb->add_flag("--json", options->json, "Print the record as JSON");
  auto *check = verb->add_flag(
      "--check", options->isChecked,
      "Make the file again, in a temporary folder, and compare what it holds");
  check->excludes(json);
  verb->add_option("--program", options->check.program,
                   "The program, if it is not where it was")
      ->type_name("PATH")
      ->needs(check);
  verb->add_option("--folder", options->check.folder,
                   "Where the program runs and finds its files (default: where "
                   "it ran, if that is known, else here)")
      ->type_name("DIR")
      ->needs(check);
  verb->footer(
      "--check exits with 0 if the file is the same, 1 if it is not or "
      "cannot be made again, 2 if the program cannot be run. It "
      "replaces no file.");
  verb->callback([options, &env] { exitWith(runProvenance(*options, env)); });
}
