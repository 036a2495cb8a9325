//===- NewCommand.cpp - chic new ------------------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/ProjectTemplate.h"
#include "chi/Launch/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>

using namespace chi;
using namespace chi::driver;

/// Whether a name can stand in a program, a page and a command line.
static bool isPlainName(llvm::StringRef name) {
  return !name.empty() && llvm::isAlpha(name.front()) &&
         llvm::all_of(name, [](char c) {
           return llvm::isAlnum(c) || c == '_' || c == '-';
         });
}

static int fail(DriverEnv &env, const std::string &sentence) {
  env.err << "chic: " << sentence << "\n";
  return ExitWorld;
}

static int makeProject(const std::string &folder, DriverEnv &env) {
  std::string name = llvm::sys::path::filename(folder).str();
  if (!isPlainName(name))
    return fail(env, "'" + name +
                         "' is no name of a project: write letters, digits, - "
                         "and _, a letter first");
  if (llvm::sys::fs::exists(folder))
    return fail(env, "'" + folder + "' exists already");
  // Not the folders above it: a wrong one is more likely than a missing one.
  if (std::error_code error = llvm::sys::fs::create_directory(folder))
    return fail(env, "'" + folder + "' cannot be made: " + error.message());
  for (const ProjectFile &file : projectFiles(name)) {
    std::string path = folder + "/" + file.name;
    if (!launch::writeFileAtomically(path, file.text))
      return fail(env,
                  "'" + path + "' cannot be written: " + std::strerror(errno));
  }
  env.out << "'" << folder << "' is a new project:\n\n    cd " << folder
          << "\n    chic run main.chi --help\n    chic run main.chi\n"
          << "    chic test main.chi\n    chic build main.chi -o " << name
          << " && ./" << name << "\n";
  return ExitGood;
}

void chi::driver::addNewCommand(CLI::App &app, DriverEnv &env) {
  auto folder = std::make_shared<std::string>();
  CLI::App *command = app.add_subcommand(
      "new", "Make a folder with a first program, its tests and a README.md");
  command
      ->add_option("NAME", *folder,
                   "The folder, which must not exist; its last part is the "
                   "name of the project")
      ->required();
  command->callback([folder, &env] {
    llvm::StringRef path = llvm::StringRef(*folder).rtrim('/');
    exitWith(makeProject(path.str(), env));
  });
}
