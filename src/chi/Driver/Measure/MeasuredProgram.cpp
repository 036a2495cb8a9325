//===- MeasuredProgram.cpp - A program that runs many times ---------------===//
#include "chi/Driver/Measure/MeasuredProgram.h"

#include "chi/Driver/Measure/MutedOutput.h"
#include "chi/Driver/Program.h"
#include "chi/Launch/NativeMath.h"
#include "chi/Profile/WorkOfTask.h"
#include "chirt/host.h"
#include "llvm/ADT/StringSwitch.h"
#include <sched.h>

using namespace chi;
using namespace chi::driver;

int chi::driver::threadsOf(const launch::RunOptions &options) {
  if (options.threads > 0)
    return options.threads;
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof(set), &set);
  return std::max(1, CPU_COUNT(&set));
}

std::optional<llvm::SmallVector<std::string>>
chi::driver::measurableTargets(const std::vector<std::string> &names,
                               const char *verb, DriverEnv &env) {
  llvm::SmallVector<std::string> targets;
  for (const std::string &name : names) {
    const char *problem =
        llvm::StringSwitch<const char *>(name)
            .Cases({"cpu", "cuda", "vulkan"}, nullptr)
            .Case("interp", "the interpreter is the reference of results; its "
                            "times say nothing about the program")
            .Default("there is no such target; cpu, cuda and vulkan can be "
                     "measured");
    if (problem) {
      env.err << "chic " << verb << ": --arch=" << name << ": " << problem
              << "\n";
      return std::nullopt;
    }
    if (!llvm::is_contained(targets, name))
      targets.push_back(name);
  }
  return targets;
}

int MeasuredProgram::prepare() {
  launch::applyArch(options);
  if (!launch::takeNativeMath(options.compile, options.arch) ||
      !launch::askArchitecture(options))
    return ExitWorld;
  launch::CompiledProgram compiled;
  double begin = chirt_time_now();
  compileForRun(options, env, compiled, [&](mlir::ModuleOp module) {
    // Not part of what a compilation costs.
    double since = chirt_time_now();
    works = profile::workOfTasks(module);
    begin += chirt_time_now() - since;
  });
  compileTime = chirt_time_now() - begin;
  if (compiled.status >= 0)
    return compiled.status;
  const char *architecture = "";
  if (options.arch != "cpu")
    if (const char *problem = chirt_start_device(
            options.arch.c_str(), options.device, &architecture)) {
      env.err << "chic: " << problem << "\n";
      return ExitWorld;
    }
  program = launch::loadProgram(compiled.library);
  return program ? ExitGood : ExitBug;
}

int MeasuredProgram::run(profile::LaunchProfile *to) {
  chirt_launch_sink sink = {
      to, [](void *context, const chirt_launch_record *record) {
        static_cast<profile::LaunchProfile *>(context)->take(*record);
      }};
  std::string errors;
  int status = ExitWorld;
  {
    MutedOutput muted(env);
    if (!muted.isGood())
      return ExitWorld;
    chirt_observe_launches(to ? &sink : nullptr);
    double begin = chirt_time_now();
    status = launch::runTable(program, options);
    runTime = chirt_time_now() - begin;
    if (status != 0)
      errors = muted.errors();
  }
  env.err << errors;
  return status;
}

std::string MeasuredProgram::deviceText() const {
  if (options.arch == "cpu")
    return "cpu, " + std::to_string(threadsOf(options)) + " threads";
  chirt_device_facts facts = {};
  int count =
      chirt_describe_device(options.arch.c_str(), options.device, &facts);
  std::string name = options.device < count && facts.name ? facts.name : "";
  return options.arch + (name.empty() ? "" : ", " + name);
}
