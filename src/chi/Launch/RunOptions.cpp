//===- RunOptions.cpp -----------------------------------------------------===//
#include "chi/Launch/RunOptions.h"
#include "chi/Launch/MachineText.h"
#include "chirt/host.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <unistd.h>
#include <utility>

using namespace chi::launch;

/// `options` initially has the verb's default checks: a list on the command
/// line replaces them.
static void addCheckOption(CLI::App &app, CompileOptions &options) {
  CLI::Option *check = app.add_option_function<std::vector<std::string>>(
      "--check",
      [&options](const std::vector<std::string> &names) {
        options.checks = names;
        if (std::erase(options.checks, "none") && !options.checks.empty())
          throw CLI::ValidationError("--check", "none and " +
                                                    options.checks.front() +
                                                    " are mutually exclusive");
      },
      "Run-time checks, separated by commas: races: conflicting accesses; nan: "
      "operations that yield NaN or infinity from finite operands; overflow: "
      "overflow of signed integers in kernels; none");
  check->type_name("WHAT")->delimiter(',')->allow_extra_args(false)->check(
      CLI::IsMember({"races", "nan", "overflow", "none"}));
  if (!options.checks.empty())
    check->default_str(options.checks.front());
}

void chi::launch::addCompileOptions(CLI::App &app, CompileOptions &options) {
  app.add_option("-I", options.includeDirs,
                 "Add a folder in which imported modules are searched")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_flag("--strict-types", options.strictTypes,
               "Report narrowing stores as errors");
  app.add_option("--default-int", options.defaultInt,
                 "Type of integers without annotation: i32 or i64")
      ->type_name("TYPE")
      ->check(CLI::IsMember({"i32", "i64"}));
  app.add_option("--default-float", options.defaultFloat,
                 "Type of floats without annotation: f32 or f64")
      ->type_name("TYPE")
      ->check(CLI::IsMember({"f32", "f64"}));
  app.add_option("--float", options.floatMode,
                 "Float arithmetic: fast: sums may be reassociated; strict: "
                 "IEEE as written")
      ->type_name("MODE")
      ->check(CLI::IsMember({"fast", "strict"}));
  app.add_option(
         "--math", options.math,
         "Elementary functions: chi: those of Chi, with the same results on "
         "every target; native: on cuda, those of NVIDIA's libdevice")
      ->type_name("WHOSE")
      ->check(CLI::IsMember({"chi", "native"}));
  app.add_flag("--unchecked", options.unchecked, "Disable bounds checks");
  app.add_flag("--deterministic", options.deterministic,
               "The same bits for every number of threads: sums of floats that "
               "iterations scatter get a fixed order, results of atomic "
               "operations that of the iterations");
  addCheckOption(app, options);
}

/// The number of letters to add, drop or replace that lead from a to b
/// (Wagner and Fischer).
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < a.size(); ++i) {
    size_t corner = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      size_t replaced = corner + (a[i] != b[j]);
      corner = row[j + 1];
      row[j + 1] = std::min({replaced, corner + 1, row[j] + 1});
    }
  }
  return row.back();
}

/// One value of `--without`.
static void leaveOut(const std::string &name, chi::OptimisationSet &set) {
  if (set.add(name))
    return;
  std::string all;
  const chi::OptimisationRecord *nearest = chi::kOptimisations.data();
  for (const chi::OptimisationRecord &each : chi::kOptimisations) {
    std::string text(each.name);
    text.resize(22, ' ');
    all.append("  ").append(text).append(each.text).append("\n");
    if (editDistance(name, each.name) < editDistance(name, nearest->name))
      nearest = &each;
  }
  if (name == "help")
    throw CLI::Success("Optimisations that --without disables, in the order in "
                       "which they run:\n" +
                           all + "  all                   all optimisations",
                       CLI::ExitCodes::Success);
  throw CLI::ValidationError("--without: there is no optimisation `" + name +
                             "`; did you mean `" + std::string(nearest->name) +
                             "`? --without=help lists them");
}

/// A description from the option or variable `whose`.
static chi::MachineDescription machineOf(const std::string &whose,
                                         const std::string &text) {
  chi::MachineDescription machine;
  if (auto problem = readMachine(text, machine))
    throw CLI::ValidationError(whose + ": " + *problem);
  return machine;
}

static void addMachineOption(CLI::App &app, CompileOptions &options) {
  CLI::Option *option = app.add_option_function<std::string>(
                               "--machine",
                               [&options](const std::string &text) {
                                 options.machine = machineOf("--machine", text);
                               },
                               "Caches, vector registers and cores of the "
                               "target, instead of those of this machine: "
                               "l1=32KiB,l2=1MiB,l3=8MiB,line=64,vector=256,"
                               "cores=2, or some of these")
                            ->type_name("NUMBERS");
  app.parse_complete_callback([option, &app, &options] {
    const CLI::Option *help = app.get_option_no_throw("--help");
    if (help && !help->empty())
      return;
    const char *here = std::getenv("CHI_MACHINE");
    if (here && *here && option->empty() && options.targetCPU == "native")
      options.machine = machineOf("CHI_MACHINE", here);
  });
}

void chi::launch::addTargetOptions(CLI::App &app, CompileOptions &options) {
  app.add_option("-O", options.optLevel, "Optimisation level, 0 to 3")
      ->type_name("LEVEL")
      ->check(CLI::Range(0, 3))
      ->capture_default_str();
  app.add_option("--target-cpu", options.targetCPU,
                 "Target processor: native, generic, x86-64-v3, …")
      ->type_name("CPU")
      ->capture_default_str();
  addMachineOption(app, options);
  app.add_flag("-g", options.debugInfo, "Emit line tables for debuggers");
  app.add_option_function<std::vector<std::string>>(
         "--without",
         [&options](const std::vector<std::string> &names) {
           for (const std::string &name : names)
             leaveOut(name, options.without);
         },
         "Disable optimisations, separated by commas, or all, to find the one "
         "that causes a wrong result; help lists them")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void chi::launch::addLaterOptions(CLI::App &app) {
  for (const char *name : {"tape-memory"}) {
    std::string flag = std::string("--") + name;
    app.add_option_function<std::string>(
           flag,
           [flag, name](const std::string &) {
             throw CLI::ValidationError(
                 "`" + flag +
                 "` is not an option here: " + chirt_later_flag(name));
           })
        ->expected(0, 1)
        ->group("");
  }
}

bool chi::launch::wantsColor(const DiagnosticOptions &options) {
  if (options.color != "auto")
    return options.color == "always";
  const char *refused = std::getenv("NO_COLOR");
  return !(refused && *refused) && ::isatty(STDERR_FILENO);
}

void chi::launch::addDiagnosticOptions(CLI::App &app,
                                       DiagnosticOptions &options) {
  app.add_option("--color", options.color,
                 "Color diagnostics: auto, always or never")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_option("--diagnostics", options.format,
                 "Format of compile-time diagnostics: text, or json: one "
                 "object per line")
      ->type_name("FORM")
      ->check(CLI::IsMember({"text", "json"}));
}

void chi::launch::addDeviceOption(CLI::App &app, RunOptions &options) {
  app.add_option("--device", options.device,
                 "Number of the device of that --arch in `chic devices`")
      ->type_name("N")
      ->check(CLI::Range(0, 255));
}

void chi::launch::addSeedOption(CLI::App &app, uint64_t &seed,
                                const char *meaning) {
  // CLI11 reads -1 as the greatest number.
  auto refuseSign = [](const std::string &text) {
    return text[0] == '-' ? "`" + text + "` is not a u64" : std::string();
  };
  app.add_option("--seed", seed, meaning)->type_name("N")->check(refuseSign);
}

void chi::launch::addLongRunOptions(CLI::App &app, RunOptions &options) {
  app.add_option("--progress", options.progress,
                 "How progress(range) is shown on standard error: auto (a bar "
                 "on a terminal, else nothing), bar, lines (a line at each 5 "
                 "per cent, at least one a minute, at most one in 2 s), or off")
      ->type_name("HOW")
      ->check(CLI::IsMember({"auto", "bar", "lines", "off"}));
  app.add_option_function<std::string>(
         "--time-limit",
         [&options](const std::string &text) {
           options.timeLimit = chirt_read_duration(text.c_str());
           if (options.timeLimit <= 0)
             throw CLI::ValidationError(
                 "--time-limit",
                 text + " is no duration (90s, 1.5h, 10min, 500ms, 2d)");
         },
         "End the program after that time: 90s, 1.5h, 10min, 500ms, 2d. A "
         "message names the kernel that ran, and the exit status is 124")
      ->type_name("DURATION");
}

void chi::launch::addTapeMemoryOption(CLI::App &app, RunOptions &options) {
  app.add_option_function<std::string>(
         "--tape-memory",
         [&options](const std::string &text) {
           options.tapeMemory = chirt_read_bytes(text.c_str());
           if (options.tapeMemory <= 0)
             throw CLI::ValidationError(
                 "--tape-memory",
                 text + " is no amount of memory (64MB, 1.5GB, 512KiB)");
         },
         "Let each tape of the program take so much memory, whatever the "
         "program says: 64MB, 1.5GB, 512KiB. It launches again what it did not "
         "keep")
      ->type_name("BYTES");
}

void chi::launch::addSpecializeOption(CLI::App &app, std::string &which) {
  app.add_option("--specialize", which,
                 "Params to compile in as constants: needed, all or none")
      ->type_name("WHICH")
      ->check(CLI::IsMember({"needed", "all", "none"}));
}

/// The flags of checkpoints. What they ask of the compiler is set when all are
/// read.
static void addCheckpointOptions(CLI::App &app, RunOptions &options) {
  auto asks = [&options] { options.compile.checkpoints = true; };
  auto *checkpoint = app.add_option_function<std::string>(
      "--checkpoint",
      [&options, asks](const std::string &file) {
        options.checkpoint = file;
        asks();
      },
      "Keep the state of the run in a file, at the heads of its loops");
  checkpoint->type_name("FILE");
  app.add_option_function<std::string>(
         "--every",
         [&options](const std::string &text) {
           options.checkpointInterval = chirt_read_duration(text.c_str());
           if (options.checkpointInterval < 0)
             throw CLI::ValidationError("--every: `" + text +
                                        "` is no duration, such as 90s, 10min "
                                        "or 1h30min");
         },
         "Time between two checkpoints; 0: only at a signal")
      ->type_name("DURATION")
      ->default_str("10min")
      ->needs(checkpoint);
  auto *resume = app.add_option_function<std::string>(
      "--resume",
      [&options, asks](const std::string &file) {
        options.resume = file;
        asks();
      },
      "Go on from a checkpoint");
  resume->type_name("FILE");
  app.add_flag("--resume-anyway", options.resumesAnyway,
               "Go on also if the program's text has changed, as far as its "
               "values have the same names, types and shapes")
      ->needs(resume);
  app.add_option("--allow-change", options.mayChange,
                 "Parameters, separated by commas, that may have other values "
                 "than those of the checkpoint")
      ->type_name("NAMES")
      ->needs(resume);
}

/// The names that --arch takes. `gpu` is none, since there are several kinds.
static CLI::Validator archNames() {
  CLI::Validator known =
      CLI::IsMember({"cpu", "interp", "auto", "mirror", "cuda", "vulkan"});
  auto check = [known](std::string &name) {
    std::string problem = known(name);
    if (!problem.empty() && name == "gpu")
      problem += "; 'auto' is a GPU if there is one, else the CPU";
    return problem;
  };
  return CLI::Validator(check, known.get_description());
}

void chi::launch::addRunOptions(CLI::App &app, RunOptions &options) {
  app.set_help_flag();
  app.add_flag("-h,--help", options.help,
               "Print this help; after FILE also the program's parameters");
  app.add_option("FILE", options.file, "The program; - is standard input");
  app.add_option(
         "--arch", options.arch,
         "Target: cpu, cuda, vulkan, interp (the reference interpreter), auto "
         "(a GPU if there is one, else the CPU), or mirror (for tests of Chi: "
         "the CPU with separate device memory)")
      ->type_name("ARCH")
      ->check(archNames());
  addDeviceOption(app, options);
  app.add_option("--threads", options.threads,
                 "Number of threads; 0: one for each core")
      ->type_name("N")
      ->check(CLI::Range(0, CHIRT_MAX_THREADS));
  addSeedOption(app, options.seed);
  app.add_flag("--profile", options.profile, "Print the time of each kernel");
  addLongRunOptions(app, options);
  addTapeMemoryOption(app, options);
  addCheckpointOptions(app, options);
  app.add_option("--provenance", options.provenance,
                 "Record of how they were made in the files that the program "
                 "saves: on, off, or full: also the time and the host")
      ->type_name("HOW")
      ->check(CLI::IsMember({"on", "full", "off"}));
  addSpecializeOption(app, options.specialize);
  app.add_flag("--no-cache", options.noCache, "Disable the cache");
  app.add_flag(
      "--time", options.time,
      "Print the time of each phase and the kernels that were compiled");
  app.add_flag("--compile-only", options.compileOnly,
               "Compile the program into the cache, and do not run it");
  addCompileOptions(app, options.compile);
  addTargetOptions(app, options.compile);
  addDiagnosticOptions(app, options.diagnostics);
  app.allow_extras();
}

/// How many letters to insert, drop or change between two words.
static size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// The option of `app` that `flag` is a slip of; empty if there is none.
static std::string nearestFlag(const CLI::App &app, const std::string &flag) {
  std::string best;
  size_t least = flag.size() <= 5 ? 2 : 4;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      if (size_t distance = editDistance("--" + name, flag); distance < least)
        best = "--" + name, least = distance;
  return best;
}

/// An argument before FILE that is no option of `run` is an error: the
/// program's own parameters follow FILE. False after a report.
static bool checkFlagsBeforeFile(const CLI::App &app, int argc,
                                 const char *const *argv,
                                 const RunOptions &options) {
  const std::vector<std::string> &extras = options.programArgs;
  for (int k = 1; k < argc && options.file != argv[k]; ++k) {
    std::string arg = argv[k];
    if (arg == "--")
      return true;
    bool isUnknown =
        arg.size() > 1 && arg[0] == '-' &&
        std::find(extras.begin(), extras.end(), arg) != extras.end();
    std::string flag = arg.substr(0, arg.find('='));
    if (!isUnknown)
      continue;
    std::string best = nearestFlag(app, flag);
    std::string advice = best.empty() ? "" : "did you mean `" + best + "`? ";
    std::fprintf(stderr,
                 "chic run: unknown flag `%s` of `run`; %sparameters of the "
                 "program follow FILE\n",
                 flag.c_str(), advice.c_str());
    return false;
  }
  return true;
}

std::vector<std::string> chi::launch::programArguments(const CLI::App &app) {
  return app.remaining();
}

int chi::launch::parseRunOptions(int argc, const char *const *argv,
                                 RunOptions &options) {
  CLI::App app("Compile a program, or load it from the cache, and run it",
               "chic run");
  addRunOptions(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &reported) {
    std::puts(reported.what());
    return 0;
  } catch (const CLI::ParseError &error) {
    std::fprintf(stderr, "chic run: %s\n", error.what());
    return 2;
  }
  options.programArgs = programArguments(app);
  if (!checkFlagsBeforeFile(app, argc, argv, options))
    return 2;
  if (options.help && options.file.empty()) {
    std::fputs(app.help().c_str(), stdout);
    std::fputs("Parameters of the program follow FILE: --name VALUE\n", stdout);
    return 0;
  }
  if (options.file.empty()) {
    std::fputs("chic run: FILE is required; chic run --help\n", stderr);
    return 2;
  }
  return -1;
}
