//===- SweepCommand.cpp - chic sweep --------------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chi/Driver/Sweep/RunSweep.h"

using namespace chi;
using namespace chi::driver;

static void addPointOptions(CLI::App &sweep, SweepWords &words) {
  sweep
      .add_option("FILE", words.file,
                  "The program, or an executable of chic build, followed by "
                  "what is the same for all points: --name VALUE of params, "
                  "and flags of chic run")
      ->type_name("");
  sweep
      .add_option("--over", words.overs,
                  "Values of a param or of a flag of run: NAME=a,b,c, "
                  "NAME=lo..hi[..step], NAME=lin(lo,hi,count), "
                  "NAME=log(lo,hi,count), NAME=@file.csv, @file.csv; with "
                  "--sample NAME=uniform(lo,hi), loguniform(lo,hi), "
                  "choice(a,b). Several --over make a grid")
      ->type_name("NAME=LIST")
      ->allow_extra_args(false);
  sweep.add_flag("--zip", words.zips,
                 "Take the values of several --over side by side");
  sweep
      .add_option("--sample", words.samples,
                  "Draw N points of the distributions, by Sobol's sequence")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  launch::addSeedOption(sweep, words.seed,
                        "Seed from which each point's own seed is derived");
  sweep.add_flag("--same-seed", words.hasSameSeed,
                 "All points get --seed itself");
  sweep
      .add_option("--input", words.inputs,
                  "A file that the program loads: linked into the folder of "
                  "each point, and part of the identity of the sweep")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

static void addRunningOptions(CLI::App &sweep, SweepWords &words) {
  sweep
      .add_option("--out", words.out,
                  "Folder of the sweep: its table, logs, files of points")
      ->type_name("DIR");
  sweep
      .add_option("--resume", words.resume,
                  "Go on with the sweep of this folder")
      ->type_name("DIR");
  sweep.add_flag("--mixed", words.isMixed,
                 "Go on with the table although the program has changed");
  sweep.add_flag("--retry-failed", words.retriesFailed,
                 "Run points that failed again");
  sweep
      .add_option("--retries", words.retries,
                  "How often a point is run again that ended by a signal, by "
                  "exit status 2, or with its worker (default: 2)")
      ->type_name("N")
      ->check(CLI::Range(0, 1000));
  sweep
      .add_option("--jobs", words.jobs,
                  "Points at a time (default: one for each core, or GPU)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  sweep
      .add_option("--threads", words.threads,
                  "Threads of each point (default: the cores divided by the "
                  "points at a time)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  sweep
      .add_option("--gpus", words.gpus,
                  "Numbers of GPUs, of which each point at a time gets one")
      ->type_name("N,N")
      ->delimiter(',')
      ->allow_extra_args(false);
  sweep
      .add_option("--every", words.every,
                  "Time between two checkpoints of a point, for programs that "
                  "take --checkpoint (default: 10min)")
      ->type_name("TIME");
}

static void addSlurmOptions(CLI::App &sweep, SweepWords &words) {
  sweep::SlurmRequest &slurm = words.slurm;
  auto text = [&](const char *name, std::string &value, const char *type,
                  const char *help) {
    sweep.add_option(name, value, help)->type_name(type);
  };
  sweep.add_flag("--slurm", words.isSlurm,
                 "Run the points as array jobs of Slurm");
  text("--time", slurm.time, "LIMIT", "With --slurm: time limit of a task");
  text("--partition", slurm.partition, "NAME", "With --slurm: the partition");
  text("--account", slurm.account, "NAME", "With --slurm: the account");
  text("--gpus-per-task", slurm.gpus, "N", "With --slurm: GPUs of a point");
  text("--cpus-per-task", slurm.cpus, "N", "With --slurm: threads of a point");
  sweep
      .add_option("--sbatch", slurm.sbatch,
                  "With --slurm: a further option of sbatch")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  text("--chunk-time", words.chunkTime, "TIME",
       "With --slurm: how long a task should take, in which points run one "
       "after another (default: 10min)");
  sweep
      .add_option("--chunk", slurm.chunk,
                  "With --slurm: points of a task, whatever time they take")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  sweep.add_option("--worker", words.worker)->group(""); // of the script
}

static void addStatusCommand(CLI::App &sweep, DriverEnv &env) {
  auto folder = std::make_shared<std::string>();
  CLI::App *status = sweep.add_subcommand(
      "status", "Print how far a sweep is, and what failed");
  status->add_option("DIR", *folder, "Folder of the sweep")->required();
  status->callback([folder, &env] { exitWith(showStatus(*folder, env)); });
}

static void addTableCommand(CLI::App &sweep, DriverEnv &env) {
  auto words = std::make_shared<TableWords>();
  CLI::App *table = sweep.add_subcommand(
      "table", "Print params, states and reported values of all points");
  table->add_option("DIR", words->folder, "Folder of the sweep")->required();
  auto *csv =
      table->add_flag("--csv", words->isCsv, "As CSV, with all columns");
  auto *json = table->add_flag("--json", words->isJson,
                               "As a JSON array of objects, with all columns");
  csv->excludes(json);
  table
      ->add_option("--npz", words->npz,
                   "Write an array for each column into a file of NumPy")
      ->type_name("FILE")
      ->excludes(csv)
      ->excludes(json);
  table
      ->add_option("--where", words->where,
                   "Only rows for which a condition holds, an expression of "
                   "SQLite: \"dt < 1e-4 and state = 'done'\"")
      ->type_name("CONDITION");
  table->add_flag("--all", words->isFull,
                  "Also seed, attempts, host, start, exit status, error");
  table->callback([words, &env] { exitWith(showTable(*words, env)); });
}

static void addPlotCommand(CLI::App &sweep, DriverEnv &env) {
  auto words = std::make_shared<PlotWords>();
  CLI::App *plot = sweep.add_subcommand(
      "plot", "Draw a column of the table over another one");
  plot->add_option("DIR", words->folder, "Folder of the sweep")->required();
  auto text = [&](const char *name, std::string &value, const char *type,
                  const char *help) {
    return plot->add_option(name, value, help)->type_name(type);
  };
  text("--x", words->x, "COLUMN",
       "Column of the horizontal axis (default: the first swept number)");
  text("--y", words->y, "COLUMN",
       "Column of the vertical axis (default: the first reported number, else "
       "seconds)");
  text("--by", words->by, "COLUMN",
       "A curve for each value of this column (default, without --x: another "
       "swept param of at most 8 values)");
  text("--log", words->log, "AXES", "Logarithmic axes: x, y or xy")
      ->check(CLI::IsMember({"x", "y", "xy"}));
  text("--title", words->title, "TEXT", "Title (default: the program)");
  text("--where", words->where, "CONDITION",
       "Only rows for which a condition holds, as for table");
  text("-o,--output", words->output, "FILE",
       "The picture: .png, .svg or .pdf (default: DIR/plot.png)");
  plot->callback([words, &env] { exitWith(plotSweep(*words, env)); });
}

/// What must be given together; throws what CLI11 reports.
static void checkWords(const SweepWords &words) {
  bool isNew = words.resume.empty();
  if (isNew && words.file.empty())
    throw CLI::ValidationError("FILE or --resume DIR is required");
  if (!isNew && (!words.file.empty() || !words.overs.empty()))
    throw CLI::ValidationError(
        "--resume takes the program and its points from the table: FILE and "
        "--over are for new sweeps");
  if (isNew && words.out.empty())
    throw CLI::ValidationError("--out DIR is required");
}

void chi::driver::addSweepCommand(CLI::App &app, DriverEnv &env) {
  auto words = std::make_shared<SweepWords>();
  CLI::App *sweep = app.add_subcommand(
      "sweep", "Run a program for many values of its params, in one table of "
               "results that can be resumed");
  sweep->require_subcommand(0, 1);
  addPointOptions(*sweep, *words);
  addRunningOptions(*sweep, *words);
  addSlurmOptions(*sweep, *words);
  addStatusCommand(*sweep, env);
  addTableCommand(*sweep, env);
  addPlotCommand(*sweep, env);
  sweep->allow_extras();
  sweep->callback([sweep, words, &env] {
    if (!words->worker.empty())
      exitWith(runWorkerOf(words->worker, env));
    words->fixed = launch::programArguments(*sweep);
    std::erase(words->fixed, "--"); // points have params, no arguments
    checkWords(*words);
    exitWith(runSweep(*words, env));
  });
}
