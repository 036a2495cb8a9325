//===- CommandTables.h - The command line as a shell completes it -*- C++
//-*-===//
#ifndef CHI_DRIVER_COMPLETION_COMMANDTABLES_H
#define CHI_DRIVER_COMPLETION_COMMANDTABLES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace chi::driver {

/// What may follow an option, or stand by itself.
enum class Operand {
  None,    ///< a flag
  Choice,  ///< one of `choices`
  Program, ///< a file of Chi
  File,
  Folder,
  Other, ///< a number, a name: nothing to propose
};

/// One option of a verb.
struct OptionEntry {
  std::vector<std::string> names; ///< with their dashes: "-o", "--output"
  std::string help;
  Operand operand = Operand::None;
  std::vector<std::string> choices;
};

/// A verb, or a verb of a verb: "sweep status".
struct VerbEntry {
  std::string name, help;
  std::vector<OptionEntry> options;
  Operand operand = Operand::None; ///< of its own words
  std::vector<std::string> choices;
  std::vector<VerbEntry> verbs;
};

/// The tables of an application of CLI11, without what its help hides. Nothing
/// else knows the verbs and options, so that completions are never stale.
VerbEntry commandTables(const CLI::App &app);

/// The script that makes a shell complete the command line; "" for a shell
/// other than bash, zsh and fish.
std::string completionScript(llvm::StringRef shell, const VerbEntry &chic);

} // namespace chi::driver
#endif // CHI_DRIVER_COMPLETION_COMMANDTABLES_H
