//===- BenchCommand.cpp - chic bench --------------------------------------===//
#include "chi/Bench/Result.h"
#include "chi/Bench/Rule.h"
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Measure/MachineFacts.h"
#include "chi/Driver/Measure/MeasuredProgram.h"
#include "chi/Launch/Files.h"
#include "chi/Profile/Report.h"
#include "chi/Support/Version.h"
#include "chirt/host.h"
#include "llvm/Support/FormatVariadic.h"

using namespace chi;
using namespace chi::driver;

namespace {
struct BenchOptions {
  std::vector<std::string> targets = {"cpu"};
  std::string json, versus;
  bench::Rule rule;
  double tolerance = 0.05;
  launch::RunOptions run;
};
} // namespace

/// Runs apart from the others, since waiting for each launch takes time.
static constexpr int kProfiledRuns = 3;

//===--- Measuring --------------------------------------------------------===//

/// The median time that the launches of each kernel take in a run.
static int measureKernels(MeasuredProgram &program, bench::Series &series) {
  std::map<std::string, std::vector<double>> times;
  std::map<std::string, int64_t> launches;
  for (int k = 0; k < kProfiledRuns; ++k) {
    profile::LaunchProfile profile({});
    if (int status = program.run(&profile))
      return status;
    for (const profile::Row &row : profile.rows()) {
      times[row.name].push_back(row.seconds);
      launches[row.name] = row.calls;
    }
  }
  for (const auto &[name, seconds] : times)
    series.kernels.push_back(
        {name, launches[name], bench::medianOf(seconds).value});
  llvm::sort(series.kernels, [](const auto &a, const auto &b) {
    return a.seconds > b.seconds;
  });
  return ExitGood;
}

static int measureTarget(const BenchOptions &options, const std::string &arch,
                         bench::Series &series, DriverEnv &env) {
  launch::RunOptions run = options.run;
  run.arch = arch;
  run.noCache = true; // the compilation is measured, too
  run.progress = "off";
  MeasuredProgram program(run, env);
  if (int status = program.prepare())
    return status;
  series.arch = arch, series.device = program.deviceText();
  series.compileSeconds = program.compileSeconds();
  if (int status = program.run()) // brings code and files to memory
    return status;
  size_t look = 1;
  while (true) {
    if (int status = program.run())
      return status;
    series.runs.push_back(program.seconds());
    if (series.runs.size() < look)
      continue;
    if (bench::isEnough(options.rule, series.runs))
      break;
    look = bench::nextLook(series.runs);
  }
  return measureKernels(program, series);
}

//===--- Output -----------------------------------------------------------===//

static void print(const bench::Series &series, const BenchOptions &options,
                  llvm::raw_ostream &out) {
  bench::Median median = bench::medianOf(series.runs);
  out << series.device << ": " << profile::timeText(median.value)
      << ", 95% interval " << profile::timeText(median.low) << " to "
      << profile::timeText(median.high) << " (median of " << series.runs.size()
      << " runs); compilation " << profile::timeText(series.compileSeconds)
      << "\n";
  if (median.relativeError() > options.rule.precision)
    out << llvm::formatv(
        "  the interval is wider than +-{0:F1}%: the time for runs was over\n",
        options.rule.precision * 100);
  for (const bench::KernelTime &kernel : series.kernels)
    out << "  " << kernel.name << ": " << profile::timeText(kernel.seconds)
        << " in " << kernel.launches
        << (kernel.launches == 1 ? " launch\n" : " launches\n");
}

static void print(const bench::Result &result, const BenchOptions &options,
                  llvm::raw_ostream &out) {
  const bench::MachineFacts &machine = result.machine;
  out << result.program << " (chic " << result.version << ") on "
      << machine.processor << ", " << machine.cores
      << (machine.cores == 1 ? " core, " : " cores, ") << machine.system
      << "\n";
  for (const bench::Series &series : result.series)
    print(series, options, out);
}

/// Compares with the file of `--vs`; the exit status.
static int compareWith(const bench::Result &before, const bench::Result &after,
                       const BenchOptions &options, DriverEnv &env) {
  if (before.machine.processor != after.machine.processor ||
      before.machine.host != after.machine.host)
    env.err << "chic bench: warning: '" << options.versus
            << "' was measured on another machine: " << before.machine.processor
            << ", " << before.machine.host << "\n";
  if (before.arguments != after.arguments)
    env.err << "chic bench: warning: '" << options.versus
            << "' was measured with other parameters\n";
  auto verdicts = bench::compare(before, after, options.tolerance);
  if (verdicts.empty()) {
    env.err << "chic bench: '" << options.versus
            << "' has no runs on these targets\n";
    return ExitWorld;
  }
  bool isRegression = false;
  for (const bench::Comparison &verdict : verdicts) {
    double ratio = verdict.before > 0 ? verdict.after / verdict.before : 1;
    env.out << verdict.arch
            << llvm::formatv(": {0:F3} x the time of '{1}', {2} to {3}; ",
                             ratio, options.versus,
                             profile::timeText(verdict.before),
                             profile::timeText(verdict.after));
    if (verdict.isRegression)
      env.out << llvm::formatv("a regression beyond {0:F1}% (p = {1:e1})\n",
                               options.tolerance * 100, verdict.probability);
    else
      env.out << llvm::formatv("no regression beyond {0:F1}%\n",
                               options.tolerance * 100);
    isRegression |= verdict.isRegression;
  }
  return isRegression ? ExitUser : ExitGood;
}

static bool writeResult(const bench::Result &result,
                        const BenchOptions &options, DriverEnv &env) {
  if (options.json.empty())
    return true;
  std::error_code error;
  llvm::raw_fd_ostream file(options.json, error);
  if (!error) {
    bench::writeJson(result, file);
    file.close();
    error = file.error();
    file.clear_error();
  }
  if (error)
    env.err << "chic bench: cannot write '" << options.json
            << "': " << error.message() << "\n";
  return !error;
}

//===--- The verb ---------------------------------------------------------===//

/// The result of `--vs`, or none after a report.
static std::optional<bench::Result> readVersus(const BenchOptions &options,
                                               DriverEnv &env) {
  auto text = launch::readFile(options.versus);
  if (!text) {
    env.err << "chic bench: cannot read '" << options.versus
            << "': " << std::strerror(errno) << "\n";
    return std::nullopt;
  }
  auto result = bench::readJson(*text);
  if (result)
    return std::move(*result);
  env.err << "chic bench: '" << options.versus << "' "
          << llvm::toString(result.takeError()) << "\n";
  return std::nullopt;
}

static int benchFile(BenchOptions &options, DriverEnv &env) {
  auto targets = measurableTargets(options.targets, "bench", env);
  std::optional<bench::Result> before;
  if (targets && !options.versus.empty())
    before = readVersus(options, env);
  if (!targets || (!options.versus.empty() && !before))
    return ExitWorld;
  auto text = launch::readProgram(options.run.file);
  if (!text)
    return ExitWorld;
  options.run.text = std::move(*text);
  bench::Result result;
  result.program = options.run.file, result.version = version().str();
  result.arguments = options.run.programArgs;
  result.machine = machineFacts();
  for (const std::string &arch : *targets)
    if (int status =
            measureTarget(options, arch, result.series.emplace_back(), env))
      return status;
  print(result, options, env.out);
  if (!writeResult(result, options, env))
    return ExitWorld;
  return before ? compareWith(*before, result, options, env) : ExitGood;
}

/// "5%" or 0.05.
static double partOf(const char *flag, const std::string &text) {
  llvm::StringRef number = text;
  bool isPercent = number.consume_back("%");
  double value = -1;
  if (number.getAsDouble(value) || !(value >= 0 && value < 1e9))
    throw CLI::ValidationError(flag, text + " is no part (5% or 0.05)");
  return isPercent ? value / 100 : value;
}

static void addRuleOptions(CLI::App &app, BenchOptions &options) {
  app.add_option("--min-runs", options.rule.leastRuns, "Fewest runs")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option_function<std::string>(
         "--precision",
         [&options](const std::string &text) {
           options.rule.precision = partOf("--precision", text);
         },
         "Runs go on until the 95% confidence interval of the median is within "
         "so much of it")
      ->type_name("PART")
      ->default_str("1%");
  app.add_option_function<std::string>(
         "--max-time",
         [&options](const std::string &text) {
           options.rule.mostSeconds = chirt_read_duration(text.c_str());
           if (options.rule.mostSeconds <= 0)
             throw CLI::ValidationError("--max-time",
                                        text + " is no duration (90s, 5min)");
         },
         "Most time of all runs on a target")
      ->type_name("DURATION")
      ->default_str("300s");
  app.add_option_function<std::string>(
         "--tolerance",
         [&options](const std::string &text) {
           options.tolerance = partOf("--tolerance", text);
         },
         "What --vs allows a median to grow by")
      ->type_name("PART")
      ->default_str("5%");
}

void chi::driver::addBenchCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<BenchOptions>();
  launch::RunOptions &run = options->run;
  CLI::App *verb = app.add_subcommand(
      "bench", "Run a program until the confidence interval of its time is "
               "small, and compare with an earlier result");
  verb->add_option("FILE", run.file,
                   "The program, followed by its parameters: --name VALUE")
      ->required();
  verb->add_option("--json", options->json, "Write the result as JSON")
      ->type_name("FILE");
  verb->add_option("--vs", options->versus,
                   "An earlier result: exit status 1 if the median is longer "
                   "by more than --tolerance, and significantly so")
      ->type_name("FILE");
  verb->add_option("--arch", options->targets,
                   "Targets, separated by commas: cpu, cuda, vulkan")
      ->type_name("ARCHS")
      ->delimiter(',')
      ->allow_extra_args(false);
  addRuleOptions(*verb, *options);
  launch::addDeviceOption(*verb, run);
  verb->add_option("--threads", run.threads,
                   "Number of threads; 0: one for each core")
      ->type_name("N")
      ->check(CLI::Range(0, CHIRT_MAX_THREADS));
  launch::addSeedOption(*verb, run.seed);
  launch::addSpecializeOption(*verb, run.specialize);
  launch::addCompileOptions(*verb, run.compile);
  launch::addTargetOptions(*verb, run.compile);
  launch::addLaterOptions(*verb);
  launch::addDiagnosticOptions(*verb, run.diagnostics);
  addProgramWords(*verb, run.programArgs);
  verb->footer(
      "The program runs as by `chic run`, in one process, and writes its "
      "files; what it prints is discarded.\nThe first run does not count. "
      "There are at least --min-runs more, and 0.5 s of them. Times of kernels "
      "are those of three\nmore runs, in which each launch is waited for.");
  verb->callback([options, &env] { exitWith(benchFile(*options, env)); });
}
