//===- Program.cpp - Running a program ------------------------------------===//
#include "chirt/checkpoint/Checkpoint.h"
#include "chirt/containers/Arguments.h"
#include "chirt/failure/Failure.h"
#include "chirt/gradcheck/GradCheck.h"
#include "chirt/host.h"
#include "chirt/prof/LaunchSink.h"
#include "chirt/prof/Profile.h"
#include "chirt/program/Params.h"
#include "chirt/program/TimeLimit.h"
#include "chirt/provenance/Record.h"
#include "chirt/support/Device.h"
#include "chirt/support/Random.h"
#include "chirt/support/Settings.h"
#include "chirt/support/Signals.h"
#include "chirt/tangent/Forward.h"
#include "chirt/tape/Record.h"
#include "chirt/text/Output.h"
#include "chirt/tune/LaunchChoices.h"
#include <cstdlib>
#include <sys/resource.h>

namespace chirt {

namespace {
/// Of the next run; null: none.
constinit const chirt_gradcheck *nextGradCheck = nullptr;
constinit chirt_machine nextMachine = {};
/// Measurements of each option of a choice; negative: not set.
constinit int32_t nextRounds = -1;
constinit int32_t nextProgress = CHIRT_PROGRESS_AUTO;
/// Seconds; 0: no limit.
constinit double nextLimit = 0;
/// Bytes of a tape; negative: as the program says.
constinit int64_t nextTapeMemory = -1;
constinit const chirt_tape_planner *nextPlanner = nullptr;
/// Of the launches; null: none.
constinit const chirt_launch_sink *nextSink = nullptr;

/// What a guarded step works on.
struct Step {
  const chirt_program *program;
  ParamBinder *binder;
  bool isDone = false;
};

void storeParams(void *context) {
  auto *step = static_cast<Step *>(context);
  step->isDone = step->binder->store();
}

/// A task, and those that run for it or in its place.
bool canRun(const chirt_device *device, const chirt_task *task) {
  if (!device->canRun(task))
    return false;
  for (const chirt_task *other : {task->prologue, task->recorder, task->fused,
                                  task->adjoint, task->variant})
    if (other && !canRun(device, other))
      return false;
  return true;
}

/// Reports what the device lacks before anything runs.
void checkKernels(void *context) {
  auto *program = static_cast<Step *>(context)->program;
  const chirt_device *device = settings().device;
  for (int k = 0; device->canRun && k < program->num_kernels; ++k) {
    const chirt_kernel *kernel = program->kernels[k];
    for (int t = 0; t < kernel->num_tasks; ++t)
      if (!canRun(device, kernel->tasks[t]))
        leave();
  }
}

/// Room for recursion: the kernel lets the stack of the first thread grow up to
/// the limit at that time, and keeps 128 MiB of addresses free for that.
void deepenStack() {
  constexpr rlim_t kWanted = rlim_t(120) << 20;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kWanted)
    return;
  limit.rlim_cur = limit.rlim_max < kWanted ? limit.rlim_max : kWanted;
  setrlimit(RLIMIT_STACK, &limit);
}

void runScript(void *context) {
  deepenStack();
  static_cast<Step *>(context)->program->script();
  chirt_sync();
}

void runTest(void *context) {
  deepenStack();
  static_cast<const chirt_test *>(context)->body();
  chirt_sync();
}

/// "bodies.chi: error: …"
Text messageOf(const chirt_program *program, const char *severity,
               std::string_view message) {
  Text text;
  text << (program->file ? program->file : "program") << ": " << severity
       << ": " << message << '\n';
  return text;
}

/// The program cannot begin; returns the status.
int32_t refuse(const chirt_program *program, const char *message) {
  refuseToBegin(messageOf(program, "error", message));
  return 2;
}

/// A sentence a line.
void printWarnings(const chirt_program *program, std::string_view all) {
  while (!all.empty()) {
    size_t end = all.find('\n');
    writeError(messageOf(program, "warning", slice(all, 0, end)));
    all = slice(all, end + 1);
  }
}

void printHelp(const chirt_program *program) {
  Text out;
  if (program->doc && *program->doc)
    out << program->doc << "\n\n";
  ParamTable params(program);
  appendParamHelp(out, params.data(), params.size());
  if (program->num_params == 0)
    out << "this program has no parameters\n";
  writeOut(out);
}

bool isWanted(const chirt_test &test, const chirt_options *options) {
  return !options->test_filter || strstr(test.name, options->test_filter);
}

int32_t runTests(const chirt_program *program, const chirt_options *options) {
  int passed = 0, failed = 0;
  for (int k = 0; k < program->num_tests; ++k) {
    const chirt_test &test = program->tests[k];
    if (!isWanted(test, options))
      continue;
    restartRandom(options->seed);
    double begin = chirt_time_now();
    int32_t status = chirt_guard(runTest, const_cast<chirt_test *>(&test));
    writeOut(takeCapture()); // of an example that failed
    double seconds = chirt_time_now() - begin;
    (status == 0 ? passed : failed) += 1;
    Text line, message;
    line << (status == 0 ? "ok      " : "FAILED  ") << test.name
         << (options->test_suffix ? options->test_suffix : "") << '\n';
    writeOut(line);
    message << lastFailure();
    chirt_test_result result{test.name, status, seconds, message.c_str()};
    if (options->on_test)
      options->on_test(options->test_context, &result);
  }
  Text line;
  line << passed << " passed, " << failed << " failed\n";
  writeOut(line);
  return failed ? 1 : 0;
}

/// --time: when the program's own work began, and how long it took.
void printTimes(const chirt_options *options, double begin) {
  double shift = settings().clockShift;
  double end = chirt_time_now() - shift;
  double start = options->start_time > 0 ? options->start_time : begin;
  Text out;
  if (settings().firstLaunch > 0)
    out.appendf("time: first kernel after %.3f ms\n",
                (settings().firstLaunch - shift - start) * 1e3);
  out.appendf("time: program %.3f ms, all %.3f ms\n", (end - begin) * 1e3,
              (end - start) * 1e3);
  writeError(out);
}

/// For tests of Chi: CHI_RECORD=1 makes every kernel launch by chirt_launch;
/// CHI_RECORD=mirror does, and fields are the mirror's.
bool forcesRecording() {
  const char *value = getenv("CHI_RECORD");
  return value && strcmp(value, "1") == 0;
}

const chirt_device *deviceOf(const chirt_options *options) {
  const char *value = getenv("CHI_RECORD");
  bool isForced = value && !strcmp(value, mirrorDevice.name);
  return isForced ? &mirrorDevice : findDevice(options->device);
}

/// Null, or why there is no such device.
const char *startDevice(const chirt_device *device, int32_t number) {
  if (device->start)
    return device->start(number);
  return number ? "--device: there is only one such device, number 0" : nullptr;
}

void apply(const chirt_program *program, const chirt_options *options,
           const chirt_device *device) {
  settings() = Settings();
  settings().device = device;
  settings().threads = options->threads;
  chirt_machine machine = std::exchange(nextMachine, {});
  settings().cores = machine.cores;
  settings().lastCache = machine.last_cache;
  settings().isQuiet = options->quiet_progress != 0;
  settings().progress = std::exchange(nextProgress, CHIRT_PROGRESS_AUTO);
  settings().trials = std::exchange(nextRounds, -1);
  settings().tapeMemory = std::exchange(nextTapeMemory, -1);
  settings().tapePlanner = std::exchange(nextPlanner, nullptr);
  if (settings().tapePlanner)
    muteOutput(/*results=*/true, /*errors=*/false);
  profileLaunches(options->profile != 0);
  const chirt_launch_sink *sink = std::exchange(nextSink, nullptr);
  passLaunches(sink);
  double limit = std::exchange(nextLimit, 0);
  limitTime(limit, program->file);
  bool isRecorded = options->profile != 0 || sink || limit > 0 ||
                    forcesRecording() || !device->sharesHostMemory;
  chirt_recording = isRecorded + numLivingTapes() + numForwardModes();
  beginGradCheck(std::exchange(nextGradCheck, nullptr));
  restartRandom(options->seed);
}
/// A library's function that was called too early.
[[noreturn]] void refuseCall(const char *user, const char *name) {
  failAt(nullptr, UserFault,
         "%s uses `%s`, which has no value before the program has run: "
         "call the library's `…_run` first",
         user, name);
  leave();
}
} // namespace

} // namespace chirt

using namespace chirt;

void chirt_check_gradients(const chirt_gradcheck *options) {
  nextGradCheck = options;
}

void chirt_describe_machine(chirt_machine machine) { nextMachine = machine; }

void chirt_measure_choices(int32_t rounds) { nextRounds = rounds; }

void chirt_show_progress(int32_t mode) { nextProgress = mode; }

void chirt_limit_tapes(int64_t bytes) { nextTapeMemory = bytes; }

void chirt_plan_tapes(const chirt_tape_planner *planner) {
  nextPlanner = planner;
}

void chirt_limit_time(double seconds) { nextLimit = seconds; }

void chirt_observe_launches(const chirt_launch_sink *sink) { nextSink = sink; }

void chirt_need_value(const char *user, const char *name, const void *value) {
  if (!value)
    refuseCall(user, name);
}

void chirt_need_run(const char *user, const char *name, int32_t has_run) {
  if (!has_run)
    refuseCall(user, name);
}

int32_t chirt_run(const chirt_program *program, const chirt_options *options,
                  int32_t argc, const char *const *argv) {
  if (program->abi_version != CHIRT_ABI_VERSION)
    return refuse(program,
                  "it was compiled for another version of the run time");
  const chirt_device *device = deviceOf(options);
  if (!device)
    return refuse(program, "there is no device of that name");
  if (const char *problem = startDevice(device, options->device_number))
    return refuse(program, problem);
  double begin = chirt_time_now();
  apply(program, options, device);
  installSignalHandlers();
  ParamBinder binder(program, chirt_run_flags);
  Step step{program, &binder};
  if (!binder.read(argc, argv))
    return refuse(program, binder.message());
  int first = binder.firstArgument();
  setArguments(argc - first, argv + first);
  if (binder.wantsHelp()) {
    printHelp(program);
    flushOut();
    return 0;
  }
  int32_t status = chirt_guard(checkKernels, &step);
  if (status == 0)
    status = chirt_guard(storeParams, &step);
  if (status == 0 && !step.isDone)
    return refuse(program, binder.message());
  printWarnings(program, binder.warnings());
  beginProvenance(program, options, argc - first, argv + first);
  beginCheckpoints(program);
  if (status == 0)
    status = options->run_tests ? runTests(program, options)
                                : chirt_guard(runScript, &step);
  endCheckpoints();
  endProvenance();
  if (settings().gradCheck)
    status = endGradCheck(status);
  if (settings().tapePlanner)
    muteOutput(false, false);
  limitTime(0, nullptr);
  passLaunches(nullptr);
  flushOut();
  keepTrials();
  if (settings().atEnd)
    settings().atEnd();
  if (options->time)
    printTimes(options, begin);
  // For tests of Chi: what tapes cost.
  if (const char *value = getenv("CHI_TAPE"); value && !strcmp(value, "1"))
    printTapeStatistics();
  return status;
}
