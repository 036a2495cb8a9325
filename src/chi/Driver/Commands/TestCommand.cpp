//===- TestCommand.cpp - chic test ----------------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Program.h"
#include "chi/Launch/Cache.h"
#include "chi/Launch/Files.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>

using namespace chi;
using namespace chi::driver;

namespace {
struct TestOptions {
  std::vector<std::string> files;
  launch::RunOptions run;
};
} // namespace

/// The files themselves, and all programs in the folders, in order.
static std::vector<std::string>
findPrograms(const std::vector<std::string> &names) {
  std::vector<std::string> files;
  for (const std::string &name : names) {
    if (!llvm::sys::fs::is_directory(name)) {
      files.push_back(name);
      continue;
    }
    std::error_code error;
    std::vector<std::string> found;
    for (llvm::sys::fs::recursive_directory_iterator it(name, error), end;
         it != end && !error; it.increment(error))
      if (llvm::StringRef(it->path()).ends_with(".chi"))
        found.push_back(it->path());
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// Runs the tests of one file. Returns the exit status.
static int testFile(launch::RunOptions options, DriverEnv &env) {
  auto text = launch::readProgram(options.file);
  if (!text)
    return ExitWorld;
  options.text = std::move(*text);
  launch::Cache cache(!options.noCache);
  launch::CompiledProgram program;
  if (options.arch != "interp")
    if (auto known = cache.findProgram(launch::programKey(options, env.host),
                                       options.programArgs))
      program.library = *known;
  if (program.library.empty())
    compileForRun(options, env, program);
  if (program.status >= 0)
    return program.status;
  return env.host.runLibrary(program.library, options, program.temporaryFolder);
}

static int runTests(const TestOptions &options, DriverEnv &env) {
  std::vector<std::string> files = findPrograms(options.files);
  if (files.empty()) {
    env.err << "chic: there is no program in there\n";
    return ExitWorld;
  }
  int status = ExitGood;
  for (const std::string &file : files) {
    launch::RunOptions run = options.run;
    run.file = file;
    run.runTests = true;
    if (files.size() > 1)
      env.out << file << "\n";
    env.out.flush();
    status = std::max(status, testFile(std::move(run), env));
  }
  return status;
}

void chi::driver::addTestCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<TestOptions>();
  CLI::App *test =
      app.add_subcommand("test", "Run the `test \"name\":` blocks of programs");
  test->add_option("FILE", options->files, "Programs, or folders of them")
      ->required();
  test->add_option("--filter", options->run.testFilter,
                   "Only tests whose name holds this")
      ->type_name("TEXT");
  test->add_option("--arch", options->run.arch, "cpu or interp")
      ->type_name("ARCH")
      ->check(CLI::IsMember({"cpu", "interp"}));
  test->add_option("--threads", options->run.threads,
                   "Threads to use; 0: all cores")
      ->type_name("N")
      ->check(CLI::Range(0, 4096));
  test->add_option("--seed", options->run.seed, "Seed of the random numbers")
      ->type_name("N");
  test->add_flag("--no-cache", options->run.noCache,
                 "Neither use nor write the cache");
  launch::addCompileOptions(*test, options->run.compile);
  launch::addDiagnosticOptions(*test, options->run.diagnostics);
  test->callback([options, &env] { exitWith(runTests(*options, env)); });
}
