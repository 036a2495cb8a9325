//===- PlanCommand.cpp - chic plan ----------------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/CountTapes.h"
#include "chi/Driver/Program.h"
#include "chi/Launch/CompilerLibrary.h"
#include "chi/Launch/Files.h"
#include "chi/Launch/NativeMath.h"
#include "chirt/host.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace chi;
using namespace chi::driver;

namespace {
struct PlanOptions {
  launch::RunOptions run;
  bool json = false;
};

/// A place of the program, which goes with it.
struct Place {
  explicit Place(const chirt_site *site)
      : file(site ? site->file : ""), line(site ? site->line : 0) {}
  std::string file;
  int32_t line;
};

struct LoopPlan {
  Place place;
  int64_t times, turns;
};

struct TapePlan {
  Place place;
  std::vector<LoopPlan> loops;
  chirt_tape_plan numbers;
};
} // namespace

static void takePlan(void *context, const chirt_tape_plan *plan) {
  TapePlan taken{Place(plan->site), {}, *plan};
  for (int64_t k = 0; k < plan->num_loops; ++k)
    taken.loops.push_back({Place(plan->loops[k].site), plan->loops[k].times,
                           plan->loops[k].turns});
  static_cast<std::vector<TapePlan> *>(context)->push_back(std::move(taken));
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// "12.3 MB": as `memory` takes it.
static std::string bytesText(int64_t bytes) {
  static constexpr const char *units[] = {"B", "kB", "MB", "GB", "TB"};
  double amount = double(bytes);
  size_t unit = 0;
  for (; amount >= 999.5 && unit + 1 < std::size(units); ++unit)
    amount /= 1000;
  std::string text;
  llvm::raw_string_ostream out(text);
  int digits = unit == 0 || amount >= 99.95 ? 0 : amount >= 9.995 ? 1 : 2;
  out << llvm::format("%.*f", digits, amount) << " " << units[unit];
  return text;
}

static std::string counted(int64_t count, const char *one, const char *many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

static std::string turnsText(int64_t count) {
  return counted(count, "turn", "turns");
}

static void printBudget(const chirt_tape_plan &plan, llvm::raw_ostream &out) {
  if (plan.budget < 0)
    return;
  out << "  budget " << bytesText(plan.budget) << ": ";
  if (plan.is_too_small) {
    out << "too small\n";
    return;
  }
  if (plan.fits) {
    out << "all saves fit, nothing runs again\n";
    return;
  }
  double factor =
      double(plan.replays) / double(std::max<int64_t>(plan.turns, 1));
  out << counted(plan.snapshots, "snapshot", "snapshots") << " of at most "
      << bytesText(plan.state);
  if (plan.spilled)
    out << " in a file of " << bytesText(plan.spilled);
  out << ", " << turnsText(plan.replays) << " run again ("
      << llvm::format("%.2f", factor) << " times each), " << "at most "
      << bytesText(plan.bytes) << "\n";
}

static void printPlan(size_t number, const TapePlan &plan,
                      llvm::raw_ostream &out) {
  const chirt_tape_plan &numbers = plan.numbers;
  out << "tape " << number << " (" << plan.place.file << ":" << plan.place.line
      << "): " << counted(numbers.entries, "entry", "entries") << " in "
      << turnsText(numbers.turns) << "\n";
  for (const LoopPlan &loop : plan.loops)
    out << "  loop (" << loop.place.file << ":" << loop.place.line
        << "): " << turnsText(loop.turns)
        << (loop.times == 1 ? std::string()
                            : " in " + std::to_string(loop.times) + " runs")
        << "\n";
  out << "  without a budget: " << bytesText(numbers.full) << " ("
      << bytesText(numbers.saves) << " of saves, "
      << bytesText(numbers.adjoints) << " of adjoints, "
      << bytesText(numbers.log) << " of log)\n"
      << "  least budget: " << numbers.least << " B\n";
  printBudget(numbers, out);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void printPlace(llvm::json::OStream &json, const Place &place) {
  json.attribute("file", llvm::json::fixUTF8(place.file));
  json.attribute("line", place.line);
}

static void printJson(const TapePlan &plan, llvm::json::OStream &json) {
  const chirt_tape_plan &numbers = plan.numbers;
  printPlace(json, plan.place);
  json.attribute("entries", numbers.entries);
  json.attribute("turns", numbers.turns);
  json.attributeArray("loops", [&] {
    for (const LoopPlan &loop : plan.loops)
      json.object([&] {
        printPlace(json, loop.place);
        json.attribute("runs", loop.times);
        json.attribute("turns", loop.turns);
      });
  });
  json.attributeObject("full", [&] {
    json.attribute("bytes", numbers.full);
    json.attribute("saves", numbers.saves);
    json.attribute("adjoints", numbers.adjoints);
    json.attribute("log", numbers.log);
  });
  json.attribute("least", numbers.least);
  if (numbers.budget < 0)
    return;
  json.attributeObject("budget", [&] {
    json.attribute("bytes", numbers.budget);
    json.attribute("suffices", !numbers.is_too_small);
    if (numbers.is_too_small)
      return;
    json.attribute("snapshots", numbers.snapshots);
    json.attribute("snapshot_bytes", numbers.state);
    json.attribute("spilled", numbers.spilled);
    json.attribute("turns_run_again", numbers.replays);
    json.attribute("peak", numbers.bytes);
  });
}

static void print(const std::vector<TapePlan> &plans, bool isJson,
                  llvm::raw_ostream &out) {
  if (isJson) {
    llvm::json::OStream json(out, 2);
    json.array([&] {
      for (const TapePlan &plan : plans)
        json.object([&] { printJson(plan, json); });
    });
    out << "\n";
    return;
  }
  for (auto [number, plan] : llvm::enumerate(plans))
    printPlan(number + 1, plan, out);
  if (plans.empty())
    out << "the program comes to no tape outside of `with Forward()`\n";
}

//===----------------------------------------------------------------------===//
// The verb
//===----------------------------------------------------------------------===//

static int runPlan(PlanOptions &options, DriverEnv &env) {
  launch::RunOptions &run = options.run;
  auto text = launch::readProgram(run.file);
  launch::applyArch(run);
  if (!text || !launch::takeNativeMath(run.compile, run.arch) ||
      !launch::askArchitecture(run))
    return ExitWorld;
  run.text = std::move(*text);
  std::vector<TapePlan> plans;
  const chirt_tape_planner planner = {countTapes(run, env), &plans, takePlan};
  chirt_plan_tapes(&planner);
  int status = runProgram(run, env);
  chirt_plan_tapes(nullptr);
  // What was planned before the program failed, or ended by itself, stays true.
  if (status == ExitGood || !plans.empty())
    print(plans, options.json, env.out);
  return status;
}

void chi::driver::addPlanCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<PlanOptions>();
  launch::RunOptions &run = options->run;
  CLI::App *plan = app.add_subcommand(
      "plan", "Run a program up to the end of its tapes, without saves and "
              "backward passes, and print their memory: loops, saves, the "
              "least budget, snapshots and turns that run again");
  plan->add_option("FILE", run.file,
                   "The program, followed by its parameters: --name VALUE")
      ->required();
  launch::addTapeMemoryOption(*plan, run);
  plan->add_flag("--json", options->json, "Print a JSON array");
  plan->add_option("--arch", run.arch, "Target: cpu, cuda, vulkan or interp")
      ->type_name("ARCH")
      ->check(CLI::IsMember({"cpu", "cuda", "vulkan", "mirror", "interp"}));
  launch::addDeviceOption(*plan, run);
  plan->add_option("--threads", run.threads,
                   "Number of threads; 0: one for each core")
      ->type_name("N")
      ->check(CLI::Range(0, CHIRT_MAX_THREADS));
  launch::addSeedOption(*plan, run.seed);
  plan->add_flag("--no-cache", run.noCache, "Disable the cache");
  launch::addCompileOptions(*plan, run.compile);
  launch::addTargetOptions(*plan, run.compile);
  launch::addDiagnosticOptions(*plan, run.diagnostics);
  addProgramWords(*plan, run.programArgs);
  plan->callback([options, &env] { exitWith(runPlan(*options, env)); });
}
