//===- CommandTables.cpp - The command line as a shell completes it -------===//
#include "chi/Driver/Completion/CommandTables.h"
#include "llvm/ADT/SmallVector.h"
#include <CLI/CLI.hpp>

using namespace chi;
using namespace chi::driver;

/// CLI11 shows the names that an option takes as "TYPE:{a,b}".
static std::vector<std::string> choicesOf(llvm::StringRef type) {
  llvm::StringRef inside = type.split('{').second;
  size_t end = inside.find('}');
  std::vector<std::string> choices;
  if (end == llvm::StringRef::npos)
    return choices;
  llvm::SmallVector<llvm::StringRef> parts;
  inside.take_front(end).split(parts, ',');
  for (llvm::StringRef part : parts)
    choices.push_back(part.trim().str());
  return choices;
}

static Operand operandOf(llvm::StringRef type, bool hasChoices) {
  if (hasChoices)
    return Operand::Choice;
  if (type.starts_with("DIR"))
    return Operand::Folder;
  if (type.starts_with("FILE") || type.starts_with("PATH"))
    return Operand::File;
  return Operand::Other;
}

/// A word of the verb that is no option: programs have the extension of Chi.
static void addPositional(const CLI::Option &option, VerbEntry &verb) {
  if (verb.operand != Operand::None)
    return;
  std::string given = option.get_name(true);
  llvm::StringRef name = given;
  verb.choices = choicesOf(option.get_type_name());
  bool isProgram = name.starts_with("FILE") || name.starts_with("PATH");
  verb.operand = !verb.choices.empty()     ? Operand::Choice
                 : isProgram               ? Operand::Program
                 : name.starts_with("DIR") ? Operand::Folder
                                           : Operand::Other;
}

VerbEntry chi::driver::commandTables(const CLI::App &app) {
  VerbEntry verb{app.get_name(), app.get_description(), {}, {}, {}, {}};
  for (const CLI::Option *option : app.get_options()) {
    if (option->get_positional())
      addPositional(*option, verb);
    if (option->get_group().empty() || !option->nonpositional())
      continue;
    OptionEntry entry;
    for (const std::string &name : option->get_snames())
      entry.names.push_back("-" + name);
    for (const std::string &name : option->get_lnames())
      entry.names.push_back("--" + name);
    entry.help = option->get_description();
    if (option->get_items_expected_max() > 0) {
      std::string type = option->get_type_name();
      entry.choices = choicesOf(type);
      entry.operand = operandOf(type, !entry.choices.empty());
    }
    verb.options.push_back(std::move(entry));
  }
  for (const CLI::App *inner :
       app.get_subcommands([](const CLI::App *) { return true; }))
    if (!inner->get_group().empty())
      verb.verbs.push_back(commandTables(*inner));
  return verb;
}
