//===- Check.cpp - A file is made again -----------------------------------===//
#include "chi/Driver/Provenance/Check.h"
#include "chi/Driver/Compile/Frontend.h"
#include "chi/Driver/Provenance/Facts.h"
#include "chi/Launch/Files.h"
#include "chi/Support/Version.h"
#include "chirt/host.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>
#include <unistd.h>

using namespace chi;
using namespace chi::driver;

extern char **environ;

namespace {
/// One check. Everything that it makes is in a folder of its own.
class Checker {
public:
  Checker(const CheckOptions &options, const FileRecord &record, DriverEnv &env)
      : options(options), record(record), env(env) {}
  ~Checker() {
    if (!scratch.empty())
      llvm::sys::fs::remove_directories(scratch);
  }

  int run();

private:
  bool enterFolder();
  int checkProgram();
  int checkParams(llvm::ArrayRef<sema::ParamSummary> known);
  int execute(std::vector<std::string> words);
  int compare();
  int refuse(const llvm::Twine &problem, int status = ExitWorld) {
    env.err << "chic provenance: " << problem << "\n";
    return status;
  }

  const CheckOptions &options;
  const FileRecord &record;
  DriverEnv &env;
  std::string file;    ///< absolute
  std::string program; ///< as the folder names it
  std::string scratch;
};
} // namespace

/// Goes to the folder in which the program ran, if that is known and there.
bool Checker::enterFolder() {
  file = launch::absolutePath(options.file);
  program = options.program.empty() ? record.text("program").str()
                                    : launch::absolutePath(options.program);
  std::string folder = options.folder;
  if (folder.empty() && llvm::sys::fs::is_directory(record.made("folder")))
    folder = record.made("folder").str();
  if (folder.empty() || ::chdir(folder.c_str()) == 0)
    return true;
  refuse("cannot enter '" + folder + "': " + std::strerror(errno));
  return false;
}

/// 0 if the record names params of the program alone: other words would be
/// flags of the run.
int Checker::checkParams(llvm::ArrayRef<sema::ParamSummary> known) {
  for (const std::string &name : record.params())
    if (llvm::none_of(known, [&](const sema::ParamSummary &param) {
          return param.name == name;
        }))
      return refuse("the record in `" + options.file +
                        "` is malformed: the program has no parameter `" +
                        name + "`",
                    ExitUser);
  return ExitGood;
}

/// 0 if the program is the recorded one.
int Checker::checkProgram() {
  if (program == "<stdin>")
    return refuse("the program came from the standard input; --program names a "
                  "file with its text");
  auto text = launch::readFile(program);
  if (!text)
    return refuse("cannot read the program '" + program +
                  "': " + std::strerror(errno) +
                  "; --program and --folder name "
                  "others");
  launch::CompileOptions compile;
  compile.includeDirs = record.includeDirs();
  launch::DiagnosticOptions diagnostics;
  DriverEnv silent{env.out, llvm::nulls(), env.host};
  Frontend frontend(silent, compile, diagnostics, program, std::move(*text));
  if (frontend.parse())
    (void)frontend.check(semaOptions(compile)); // reads the modules
  if (hashOfTexts(frontend.sources) == record.text("hash"))
    return checkParams(frontend.params());
  return refuse("'" + program + "' is not the program that made `" +
                    options.file +
                    "`: its text, or that of a module that it imports, has "
                    "changed since",
                ExitUser);
}

/// Runs a command with its files below the scratch folder. Returns its status
/// after printing what it wrote to standard error if that is not 0.
int Checker::execute(std::vector<std::string> words) {
  std::string path =
      words[0] == "chic" ? env.host.binaryFolder + "/chic" : words[0];
  std::vector<std::string> variables = {"CHI_SAVE_UNDER=" + scratch + "/files",
                                        "CHI_PROVENANCE=off"};
  for (char **word = environ; *word; ++word) {
    llvm::StringRef name = llvm::StringRef(*word).split('=').first;
    if (name != "CHI_PROVENANCE" && name != "CHI_REPORT")
      variables.push_back(*word);
  }
  std::vector<llvm::StringRef> arguments(words.begin(), words.end());
  std::vector<llvm::StringRef> environment(variables.begin(), variables.end());
  std::string errors = scratch + "/stderr", problem;
  std::optional<llvm::StringRef> streams[] = {
      llvm::StringRef(), llvm::StringRef(), llvm::StringRef(errors)};
  int status = llvm::sys::ExecuteAndWait(path, arguments, environment, streams,
                                         0, 0, &problem);
  if (status == 0)
    return 0;
  if (auto text = launch::readFile(errors))
    env.err << *text;
  refuse("the program could not be run again: " +
         (problem.empty()
              ? words[0] + " ended with status " + std::to_string(status)
              : problem));
  return status;
}

int Checker::compare() {
  llvm::SmallString<256> path(launch::absolutePath(record.text("file").str()));
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  std::string made = scratch + "/files" + path.str().str();
  if (!llvm::sys::fs::exists(made))
    return refuse("the program did not write '" + record.text("file") +
                      "' this time",
                  ExitUser);
  char *text = nullptr;
  int32_t status = chirt_compare_files(file.c_str(), made.c_str(), &text);
  llvm::StringRef lines(text);
  if (status == 0)
    env.out << options.file << ": the same\n";
  else
    env.out << options.file << (status == 1 ? ": differs\n" : "\n") << lines;
  std::free(text);
  return status;
}

int Checker::run() {
  if (std::string other = record.otherState(); !other.empty())
    return refuse("`" + options.file +
                      "` cannot be made again: its run went on from a "
                      "checkpoint of a run with another " +
                      other,
                  ExitUser);
  if (!enterFolder())
    return ExitWorld;
  if (int status = checkProgram())
    return status;
  if (record.text("chic") != version())
    env.err << "chic provenance: warning: `" << options.file
            << "` was made by chic " << record.text("chic") << "\n";
  scratch = launch::makeTemporaryFolder("");
  if (scratch.empty() || llvm::sys::fs::create_directory(scratch + "/files"))
    return refuse("no writable folder for temporary files (TMPDIR, /tmp)");
  std::string executable = scratch + "/program";
  for (std::vector<std::string> &words : record.commands(program, executable))
    if (execute(std::move(words)) != 0)
      return ExitWorld;
  return compare();
}

int chi::driver::checkFile(const CheckOptions &options,
                           const FileRecord &record, DriverEnv &env) {
  return Checker(options, record, env).run();
}
