//===- ProfileCommand.cpp - chic profile ----------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Measure/Limits.h"
#include "chi/Driver/Measure/MeasuredProgram.h"
#include "chi/Launch/Files.h"
#include "chi/Profile/Report.h"
#include "chirt/chirt.h"

using namespace chi;
using namespace chi::driver;

namespace {
struct ProfileOptions {
  std::string html, trace, json;
  bool measuresAgain = false;
  launch::RunOptions run;
};

using Writer = llvm::function_ref<void(llvm::raw_ostream &)>;
} // namespace

/// Launches of a trace: more make a file that no viewer opens.
static constexpr size_t kMostEvents = 1000000;

/// False, after a report, if the file cannot be written.
static bool writeFile(const std::string &path, DriverEnv &env, Writer write) {
  if (path.empty())
    return true;
  std::string text;
  llvm::raw_string_ostream out(text);
  write(out);
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (!error) {
    file << text;
    file.close();
    error = file.error();
    file.clear_error();
  }
  if (error)
    env.err << "chic profile: cannot write '" << path
            << "': " << error.message() << "\n";
  return !error;
}

/// The sources of the kernels, as far as they can be read.
static std::map<std::string, std::string>
sourcesOf(const profile::LaunchProfile &launches,
          const ProfileOptions &options) {
  std::map<std::string, std::string> sources;
  for (const profile::Row &row : launches.rows()) {
    if (row.file.empty() || sources.count(row.file))
      continue;
    auto text = launch::readFile(row.file);
    if (options.run.file == "-")
      text = options.run.text;
    if (text)
      sources[row.file] = std::move(*text);
  }
  return sources;
}

static bool writeFiles(const ProfileOptions &options,
                       const profile::Report &report, DriverEnv &env) {
  bool isGood = writeFile(options.html, env, [&](llvm::raw_ostream &out) {
    profile::writeHtml(report, sourcesOf(report.profile, options), out);
  });
  isGood &= writeFile(options.trace, env, [&](llvm::raw_ostream &out) {
    profile::writeTrace(report, out);
  });
  isGood &= writeFile(options.json, env, [&](llvm::raw_ostream &out) {
    profile::writeJson(report, out);
  });
  return isGood;
}

static int profileFile(ProfileOptions &options, DriverEnv &env) {
  auto text = launch::readProgram(options.run.file);
  auto targets = measurableTargets({options.run.arch}, "profile", env);
  if (!text || !targets)
    return ExitWorld;
  options.run.text = std::move(*text);
  MeasuredProgram program(options.run, env);
  if (int status = program.prepare())
    return status;
  profile::LaunchProfile launches(program.takeWorks(),
                                  options.trace.empty() ? 0 : kMostEvents);
  if (int status = program.run(&launches))
    return status;
  launches.sort();
  profile::Report report = {options.run.file, program.deviceText(),
                            program.seconds(), profile::Roofline(), launches};
  if (!launches.rows().empty())
    report.roofline = limitsOf(options.run, options.measuresAgain, env);
  profile::writeTable(report, env.out);
  return writeFiles(options, report, env) ? ExitGood : ExitWorld;
}

static void addReports(CLI::App &app, ProfileOptions &options) {
  app.add_option("--html", options.html,
                 "Write a page with the source, annotated line by line")
      ->type_name("FILE");
  app.add_option("--trace", options.trace,
                 "Write the launches in Chrome's trace event format, for "
                 "chrome://tracing and Perfetto")
      ->type_name("FILE");
  app.add_option("--json", options.json, "Write the figures as JSON")
      ->type_name("FILE");
  app.add_flag("--measure-limits", options.measuresAgain,
               "Measure the bandwidth and the peaks of the machine again");
}

void chi::driver::addProfileCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<ProfileOptions>();
  launch::RunOptions &run = options->run;
  CLI::App *profile = app.add_subcommand(
      "profile", "Run a program and report the time, bytes and flops of each "
                 "kernel, next to the measured limits of the machine");
  profile
      ->add_option("FILE", run.file,
                   "The program, followed by its parameters: --name VALUE")
      ->required();
  addReports(*profile, *options);
  profile
      ->add_option("--arch", run.arch,
                   "Target: cpu, cuda or vulkan; on devices the time of a "
                   "launch is that of the host until its end")
      ->type_name("ARCH");
  launch::addDeviceOption(*profile, run);
  profile
      ->add_option("--threads", run.threads,
                   "Number of threads; 0: one for each core")
      ->type_name("N")
      ->check(CLI::Range(0, CHIRT_MAX_THREADS));
  launch::addSeedOption(*profile, run.seed);
  launch::addSpecializeOption(*profile, run.specialize);
  launch::addCompileOptions(*profile, run.compile);
  launch::addTargetOptions(*profile, run.compile);
  launch::addLaterOptions(*profile);
  launch::addDiagnosticOptions(*profile, run.diagnostics);
  addProgramWords(*profile, run.programArgs);
  profile->footer("The program runs once, as by `chic run`, and writes its "
                  "files; what it prints is discarded.\nTimes are measured, "
                  "with a wait after each launch. Bytes and flops are counted "
                  "from the code.\nThe limits of the machine are measured once "
                  "and kept in the cache.");
  profile->callback([options, &env] { exitWith(profileFile(*options, env)); });
}
