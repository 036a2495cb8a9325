//===- GradcheckCommand.cpp - chic gradcheck ------------------------------===//
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Compile/Frontend.h"
#include "chi/Driver/CountTapes.h"
#include "chi/Driver/Program.h"
#include "chi/Launch/Files.h"
#include "chi/Launch/NativeMath.h"
#include "chirt/host.h"

using namespace chi;
using namespace chi::driver;

namespace {
struct GradCheckOptions {
  chirt_gradcheck check = {.tolerance = 1e-5,
                           .samples = 8,
                           .passes = 1,
                           .tape = 0,
                           .races = 0,
                           .tapes = 0,
                           .effort = 8,
                           .orders = 0};
  bool forward = false, hessian = false;
  launch::RunOptions run;
};

/// Runs a program twice: with the races of its tapes watched (unless --check
/// leaves that out), then with its gradients compared. The first form of the
/// program has accesses that the second one is spared, so that it is not what
/// shall be differentiated.
class GradChecker {
public:
  GradChecker(const GradCheckOptions &options, DriverEnv &env)
      : options(options), env(env) {}
  int run();

private:
  int runOnce(const launch::RunOptions &run, const chirt_gradcheck &check,
              llvm::raw_ostream &err);
  int32_t countWatched();
  void tellAdjoints();

  const GradCheckOptions &options;
  DriverEnv &env;
};
} // namespace

int GradChecker::runOnce(const launch::RunOptions &run,
                         const chirt_gradcheck &check, llvm::raw_ostream &err) {
  DriverEnv own{env.out, err, env.host};
  // The interpreter runs the compiled program at once.
  chirt_check_gradients(&check);
  int status = runProgram(run, own);
  chirt_check_gradients(nullptr);
  return status;
}

/// How many `with Tape` there are to be watched; 0: calls with `k.grad()` are,
/// too.
int32_t GradChecker::countWatched() {
  Frontend frontend(env, options.run.compile, options.run.diagnostics,
                    options.run.file, options.run.text);
  auto program = analyse(options.run, frontend);
  if (!program || hasKernelGradients(*program))
    return 0;
  return countTapes(options.run, env);
}

/// Derivatives that were written by hand are the first to look at.
void GradChecker::tellAdjoints() {
  Frontend frontend(env, options.run.compile, options.run.diagnostics,
                    options.run.file, options.run.text);
  auto program = analyse(options.run, frontend);
  if (!program)
    return;
  for (const auto &function : program->functions) {
    const sema::Function *adjoint =
        function->adjoint ? function->adjoint : function->callAdjoint;
    if (!adjoint)
      continue;
    SourceRange range = adjoint->range;
    env.err << frontend.sources.name(range.file) << ":"
            << frontend.sources.lineColumn(range.file, range.begin).line
            << ": note: the derivative of `" << function->display
            << "` is written by hand: `" << adjoint->display << "`\n";
  }
}

int GradChecker::run() {
  launch::RunOptions run = options.run;
  // A copy of the process has one thread only.
  run.threads = 1;
  run.compile.wideFloats = true;
  int32_t tapes = countWatched();
  bool watchesRaces = std::erase(run.compile.checks, "races") > 0;
  if (watchesRaces) {
    launch::RunOptions watched = run;
    watched.compile.checks.push_back("races");
    watched.compile.checks.push_back("kinks");
    chirt_gradcheck onlyRun = options.check;
    onlyRun.races = onlyRun.passes;
    onlyRun.tapes = tapes;
    if (int status = runOnce(watched, onlyRun, env.err))
      return status;
  }
  chirt_gradcheck compared = options.check;
  compared.tapes = tapes;
  compared.orders = options.forward | options.hessian << 1;
  if (options.hessian)
    run.compile.checks.push_back(ir::kSecondTangents.str());
  else if (options.forward)
    run.compile.checks.push_back(ir::kFirstTangents.str());
  // The first run has reported the warnings.
  std::string messages;
  llvm::raw_string_ostream second(messages);
  int status = runOnce(run, compared, watchesRaces ? second : env.err);
  if (messages.find(": error") != std::string::npos)
    env.err << messages;
  if (status == ExitUser)
    tellAdjoints();
  return status;
}

static int checkFile(GradCheckOptions &options, DriverEnv &env) {
  auto text = launch::readProgram(options.run.file);
  if (!text || !launch::takeNativeMath(options.run.compile, options.run.arch))
    return ExitWorld;
  options.run.text = std::move(*text);
  return GradChecker(options, env).run();
}

void chi::driver::addGradcheckCommand(CLI::App &app, DriverEnv &env) {
  auto options = std::make_shared<GradCheckOptions>();
  launch::RunOptions &run = options->run;
  CLI::App *check = app.add_subcommand(
      "gradcheck", "Run a program in f64 and compare its gradients with finite "
                   "differences; detect races in the checked tapes");
  check
      ->add_option("FILE", run.file,
                   "The program, followed by its parameters: --name VALUE")
      ->required();
  check->add_option("--rtol", options->check.tolerance, "Relative tolerance")
      ->type_name("X")
      ->capture_default_str();
  check
      ->add_option("--samples", options->check.samples,
                   "Number of elements of each field to check: those with the "
                   "largest gradient, and others")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  check
      ->add_option("--passes", options->check.passes,
                   "Number of runs of each `with Tape` to check")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  check
      ->add_option("--tape", options->check.tape,
                   "Check only the N-th recorded tape")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 30));
  check
      ->add_option("--effort", options->check.effort,
                   "Seconds for comparisons, and as many to watch for races; "
                   "what is left then is sampled or left out. 0: no limit")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  check->add_flag("--forward", options->forward,
                  "Compare the gradients with forward mode, too, in a "
                  "direction over all elements of each field");
  check->add_flag("--hessian", options->hessian,
                  "Compare products of second derivatives, by forward mode "
                  "over the tape, with differences of gradients, too");
  check->add_option("--arch", run.arch, "Target: cpu or interp")
      ->type_name("ARCH")
      ->check(CLI::IsMember({"cpu", "interp"}));
  launch::addSeedOption(*check, run.seed);
  check->add_flag("--no-cache", run.noCache, "Disable the cache");
  run.compile.checks = {"races"};
  launch::addCompileOptions(*check, run.compile);
  launch::addTargetOptions(*check, run.compile);
  launch::addLaterOptions(*check);
  launch::addDiagnosticOptions(*check, run.diagnostics);
  addProgramWords(*check, run.programArgs);
  check->callback([options, &env] { exitWith(checkFile(*options, env)); });
}
