//===- TuneCommand.cpp - chic tune ----------------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Program.h"
#include "chi/Launch/Cache.h"
#include "chi/Launch/Files.h"
#include "chi/Launch/NativeMath.h"
#include "chirt/host.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <fcntl.h>
#include <unistd.h>

using namespace chi;
using namespace chi::driver;

namespace {
struct TuneOptions {
  int rounds = 7, runs = 20;
  launch::RunOptions run;
};

/// One line of the report.
struct Row {
  std::string task, choice, memory, times[2], kept;
};

/// What the options of chirt_choice are called.
struct ChoiceName {
  const char *name;
  const char *options[2];
};
constexpr ChoiceName kChoices[] = {
    {"streaming", {"plain", "streaming"}}, // CHIRT_CHOICE_STREAMING
    {"tiles", {"rows", "tiles"}},          // CHIRT_CHOICE_TILES
};

/// Runs a program until each choice is measured.
class Tuner {
public:
  Tuner(const TuneOptions &options, DriverEnv &env)
      : options(options), env(env) {}
  int run();

private:
  int runSilently();
  void collect();
  void print();

  const TuneOptions &options;
  DriverEnv &env;
  std::vector<Row> rows;
  int numOpen = 0, numRuns = 0;
  bool hasShort = false;
};
} // namespace

/// What the program prints goes nowhere: it may come many times.
int Tuner::runSilently() {
  env.out.flush();
  int kept = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  llvm::scope_exit restore([&] {
    if (kept >= 0) {
      ::dup2(kept, STDOUT_FILENO);
      ::close(kept);
    }
    if (nowhere >= 0)
      ::close(nowhere);
  });
  if (kept < 0 || nowhere < 0 || ::dup2(nowhere, STDOUT_FILENO) < 0) {
    env.err << "chic tune: cannot redirect standard output\n";
    return ExitWorld;
  }
  chirt_measure_choices(options.rounds);
  // Warnings are the same in each run.
  DriverEnv own{env.out, numRuns ? llvm::nulls() : env.err, env.host};
  return runProgram(options.run, own);
}

static std::string memoryText(int64_t bytes) {
  bool isLarge = bytes >= 1 << 20;
  return llvm::formatv("{0} {1}", bytes >> (isLarge ? 20 : 10),
                       isLarge ? "MiB" : "KiB");
}

static std::string timeText(const chirt_choice_result &result, int option) {
  if (result.counts[option] == 0)
    return "-";
  return llvm::formatv("{0:F3} ms", result.least[option] * 1e3);
}

static Row rowOf(const chirt_choice_result &result) {
  const ChoiceName &choice = kChoices[result.choice];
  Row row;
  row.task = llvm::formatv("{0}:{1}", result.site->kernel, result.site->line);
  row.choice = choice.name;
  row.memory = memoryText(result.bytes);
  for (int option : {0, 1})
    row.times[option] =
        std::string(choice.options[option]) + " " + timeText(result, option);
  row.kept = result.kept < 0 ? "open" : choice.options[result.kept];
  if (result.kept >= 0 && result.kept != result.usual)
    row.kept +=
        std::string(" (the model takes ") + choice.options[result.usual] + ")";
  return row;
}

void Tuner::collect() {
  rows.clear();
  numOpen = 0;
  hasShort = false;
  chirt_each_choice(
      [](void *context, const chirt_choice_result *result) {
        auto *self = static_cast<Tuner *>(context);
        if (!result->site)
          return;
        self->rows.push_back(rowOf(*result));
        self->numOpen += result->kept < 0;
        for (int option : {0, 1})
          self->hasShort |= result->kept >= 0 && !result->counts[option];
      },
      this);
}

void Tuner::print() {
  if (rows.empty()) {
    env.out << "no launch has a choice to measure\n";
    return;
  }
  auto cellsOf = [](const Row &row) {
    return std::array<const std::string *, 5>{
        &row.task, &row.choice, &row.memory, &row.times[0], &row.times[1]};
  };
  size_t widths[5] = {};
  for (const Row &row : rows)
    for (auto [width, cell] : llvm::zip(widths, cellsOf(row)))
      width = std::max(width, cell->size());
  for (const Row &row : rows) {
    for (auto [width, cell] : llvm::zip(widths, cellsOf(row)))
      env.out << llvm::left_justify(*cell, width + 2);
    env.out << row.kept << "\n";
  }
  if (numOpen)
    env.out << "open: too few launches for a measurement in " << numRuns
            << " runs\n";
  if (hasShort)
    env.out << "-: not measured, since launches take less than 0.1 ms\n";
  if (!launch::Cache(!options.run.noCache).isEnabled())
    env.out << "the results are not kept: there is no cache\n";
}

int Tuner::run() {
  chirt_forget_choices();
  do {
    if (int status = runSilently())
      return status;
    ++numRuns;
    collect();
  } while (numOpen && numRuns < options.runs);
  print();
  return ExitGood;
}

static int tuneFile(TuneOptions &options, DriverEnv &env) {
  auto text = launch::readProgram(options.run.file);
  if (!text || !launch::takeNativeMath(options.run.compile, options.run.arch))
    return ExitWorld;
  options.run.text = std::move(*text);
  options.run.measuresAgain = true;
  return Tuner(options, env).run();
}

void chi::driver::addTuneCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<TuneOptions>();
  launch::RunOptions &run = options->run;
  CLI::App *tune = app.add_subcommand(
      "tune", "Run a program until the choices of its kernels that no model "
              "settles are measured; later runs take the fastest");
  tune->add_option("FILE", run.file,
                   "The program, followed by its parameters: --name VALUE")
      ->required();
  tune->add_option("--rounds", options->rounds,
                   "Number of measurements of each option")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  tune->add_option("--runs", options->runs, "Most runs of the program")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  tune->add_option("--arch", run.arch,
                   "Target: cpu; devices have no choices to measure")
      ->type_name("ARCH")
      ->check(CLI::IsMember({"cpu"}));
  tune->add_option("--threads", run.threads,
                   "Number of threads; 0: one for each core")
      ->type_name("N")
      ->check(CLI::Range(0, CHIRT_MAX_THREADS));
  launch::addSeedOption(*tune, run.seed);
  launch::addSpecializeOption(*tune, run.specialize);
  launch::addCompileOptions(*tune, run.compile);
  launch::addTargetOptions(*tune, run.compile);
  launch::addLaterOptions(*tune);
  launch::addDiagnosticOptions(*tune, run.diagnostics);
  addProgramWords(*tune, run.programArgs);
  tune->footer("The program runs as by `chic run` and writes its files; what "
               "it prints is discarded.\nResults are kept for this program, "
               "this machine and this number of threads. In the environment "
               "of a program,\nCHI_TUNE=off takes the options of the model, "
               "CHI_TUNE=N measures each N times.");
  tune->callback([options, &env] { exitWith(tuneFile(*options, env)); });
}
