//===- TestCommand.cpp - chic test ----------------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/FindPrograms.h"
#include "chi/Driver/JUnit.h"
#include "chi/Driver/Program.h"
#include "chi/Launch/Cache.h"
#include "chi/Launch/CompilerLibrary.h"
#include "chi/Launch/Files.h"
#include "chi/Launch/NativeMath.h"
#include "chirt/host.h"
#include <algorithm>
#include <cerrno>
#include <cstring>

using namespace chi;
using namespace chi::driver;

namespace {
struct TestOptions {
  std::vector<std::string> files;
  std::string junit;
  launch::RunOptions run;
  bool watchesByItself = false; ///< races, without --check
};

/// Runs the tests of files, one after another.
class TestRunner {
public:
  TestRunner(const TestOptions &options, DriverEnv &env)
      : options(options), env(env) {}
  int run();

private:
  std::vector<std::string> findTests(int &status);
  int runFile(const std::string &file);
  int runOn(const std::string &arch, launch::RunOptions run);
  int runTests(launch::RunOptions &run);
  int writeReport();

  const TestOptions &options;
  DriverEnv &env;
  JUnitReport report;
  bool isCacheRefused = false;
};
} // namespace

/// Where tests run: at both under `--arch=all`.
static std::vector<std::string> archesOf(const TestOptions &options) {
  if (options.run.arch == "all")
    return {"cpu", "interp"};
  return {options.run.arch};
}

int TestRunner::runTests(launch::RunOptions &run) {
  run.noCache |= isCacheRefused;
  launch::Cache cache(!run.noCache);
  launch::CompiledProgram program;
  if (run.arch != "interp")
    if (auto known = cache.findProgram(launch::programKey(run, env.host),
                                       run.programArgs)) {
      launch::printWarnings(known->warnings, run.diagnostics);
      program.library = std::move(known->library);
    }
  if (!options.run.noCache && !cache.isEnabled())
    isCacheRefused = run.noCache = true; // reported once for all files
  if (!program.library.isOpen())
    compileForRun(run, env, program);
  if (program.status >= 0)
    return program.status;
  return env.host.runLibrary(program.library, run);
}

int TestRunner::runOn(const std::string &arch, launch::RunOptions run) {
  run.arch = arch;
  launch::applyArch(run);
  // A device records accesses in a buffer, which a long iteration overflows.
  if (options.watchesByItself && (run.arch == "cuda" || run.arch == "vulkan"))
    std::erase(run.compile.checks, "races");
  run.runTests = true;
  run.testContext = &report;
  run.onTest = [](void *context, const chirt_test_result *result) {
    std::string message = result->message;
    if (message.empty())
      message = "it called exit(" + std::to_string(result->status) + ")";
    static_cast<JUnitReport *>(context)->addTest(result->name, result->seconds,
                                                 result->status == 0, message);
  };
  if (options.run.arch == "all")
    run.testSuffix = " (" + arch + ")";
  report.beginFile(run.file + run.testSuffix);
  env.out.flush();
  bool isThere =
      launch::takeNativeMath(run.compile, arch) && launch::askArchitecture(run);
  int status = isThere ? runTests(run) : int(ExitWorld);
  if (status != ExitGood && !report.hasFailures())
    report.addError("its tests did not run: exit status " +
                    std::to_string(status));
  return status;
}

int TestRunner::runFile(const std::string &file) {
  launch::RunOptions run = options.run;
  run.file = file;
  auto text = launch::readProgram(file);
  if (!text) {
    report.beginFile(file);
    report.addError("cannot read it");
    return ExitWorld;
  }
  run.text = std::move(*text);
  int status = ExitGood;
  for (const std::string &arch : archesOf(options))
    status = std::max(status, runOn(arch, run));
  return status;
}

int TestRunner::writeReport() {
  if (options.junit.empty() ||
      launch::writeFileAtomically(options.junit, report.text()))
    return ExitGood;
  env.err << "chic: '" << options.junit
          << "' cannot be written: " << std::strerror(errno) << "\n";
  return ExitWorld;
}

/// Whether a program may have tests: a `test` block, or an example in a
/// docstring.
static bool mayHaveTests(llvm::StringRef text) {
  if (text.contains(">>>"))
    return true;
  for (size_t at = 0; at != llvm::StringRef::npos; at = text.find('\n', at)) {
    llvm::StringRef line = text.substr(at).ltrim("\n");
    if (line.consume_front("test") && line.starts_with(" ") &&
        (line.ltrim(' ').starts_with("\"") || line.ltrim(' ').starts_with("'")))
      return true;
    at += at < text.size();
  }
  return false;
}

/// The files to test. Those of folders that have no tests are left out.
std::vector<std::string> TestRunner::findTests(int &status) {
  std::vector<std::string> files;
  for (const std::string &name : options.files)
    for (const std::string &file : findPrograms({name}, env, status)) {
      bool isNamed = file == name;
      auto text = isNamed ? std::nullopt : launch::readFile(file);
      if (isNamed || !text || mayHaveTests(*text))
        files.push_back(file);
    }
  return files;
}

int TestRunner::run() {
  int status = ExitGood;
  std::vector<std::string> files = findTests(status);
  for (const std::string &file : files)
    if (launch::isSameFile(options.junit, file)) {
      env.err << "chic: '" << options.junit
              << "' cannot be written: it is one of the programs\n";
      return ExitWorld;
    }
  for (const std::string &file : files) {
    if (files.size() > 1)
      env.out << file << "\n";
    status = std::max(status, runFile(file));
  }
  bool isOneRun = files.size() == 1 && archesOf(options).size() == 1;
  if (!isOneRun)
    env.out << "all: " << report.numPassed() << " passed, "
            << report.numFailed() << " failed\n";
  return std::max(status, writeReport());
}

void chi::driver::addTestCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<TestOptions>();
  CLI::App *test =
      app.add_subcommand("test", "Run the `test \"name\":` blocks of programs, "
                                 "and the examples in their docstrings");
  test->add_option("FILE", options->files,
                   "Programs, or folders in which all programs with tests are "
                   "run, followed by their parameters: --name VALUE")
      ->required();
  test->add_option("--filter", options->run.testFilter,
                   "Run only tests whose name contains this text")
      ->type_name("TEXT");
  test->add_option("--junit", options->junit,
                   "Write the results to this file, as JUnit XML")
      ->type_name("FILE");
  test->add_option(
          "--arch", options->run.arch,
          "Target: cpu, cuda, vulkan, interp, all (cpu and interp), or mirror "
          "(for tests of Chi: the CPU with separate device memory)")
      ->type_name("ARCH")
      ->check(
          CLI::IsMember({"cpu", "interp", "all", "mirror", "cuda", "vulkan"}));
  launch::addDeviceOption(*test, options->run);
  test->add_option("--threads", options->run.threads,
                   "Number of threads; 0: one for each core")
      ->type_name("N")
      ->check(CLI::Range(0, CHIRT_MAX_THREADS));
  launch::addSeedOption(*test, options->run.seed);
  test->add_flag("--no-cache", options->run.noCache, "Disable the cache");
  // Tests are where a race shall be found that happens to give the right sum.
  options->run.compile.checks = {"races"};
  launch::addCompileOptions(*test, options->run.compile);
  launch::addTargetOptions(*test, options->run.compile);
  launch::addLaterOptions(*test);
  launch::addDiagnosticOptions(*test, options->run.diagnostics);
  addProgramWords(*test, options->run.programArgs);
  test->callback([options, test, &env] {
    options->watchesByItself = test->count("--check") == 0;
    exitWith(TestRunner(*options, env).run());
  });
}
