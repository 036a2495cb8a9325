//===- RunOptions.h - The options of `chic run` -----------------*- C++ -*-===//
#ifndef CHI_LAUNCH_RUNOPTIONS_H
#define CHI_LAUNCH_RUNOPTIONS_H

#include "chi/Support/Machine.h"
#include "chi/Support/Optimisations.h"
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}
struct chirt_test_result;

namespace chi::launch {

/// How sources are read and turned into code; all verbs that compile have
/// them, and they are part of the cache's key.
struct CompileOptions {
  std::vector<std::string> includeDirs; ///< -I
  bool strictTypes = false;
  /// f16 and f32 mean f64, wherever they are written.
  bool wideFloats = false;
  std::string defaultInt = "i32", defaultFloat = "f32";
  std::string floatMode = "fast"; ///< fast | strict
  std::string math = "chi";       ///< chi | native
  /// The file of the functions that `native` takes; "" if there is none.
  std::string libdevice;
  bool unchecked = false;
  bool deterministic = false;      ///< no bit depends on the number of threads
  std::vector<std::string> checks; ///< of races, nan, overflow
  int optLevel = 3;
  std::string targetCPU = "native";
  /// Properties of the machine that code is compiled for and run on: from
  /// `--machine`, or from CHI_MACHINE for this machine.
  MachineDescription machine;
  bool debugInfo = false;
  OptimisationSet without; ///< optimisations to leave out
  /// Kernels compiled at a time; 0: one on each core. It shows in the time
  /// only, so it is no part of a key.
  int jobs = 0;
  /// Tasks leave the texts of prints and messages to the host, as on a device.
  bool records = false;
  /// Host code can write and read checkpoints; the program must have a loop for
  /// them.
  bool checkpoints = false;
  /// The devices that tasks get code for, beside the processor: of cuda and
  /// vulkan.
  std::vector<std::string> devices;
  /// The architecture of code for CUDA: "sm_90".
  std::string gpuArch;

  /// Whether code is made for this device.
  bool isFor(std::string_view device) const {
    return std::find(devices.begin(), devices.end(), device) != devices.end();
  }
};

/// Where diagnostics go and how they look.
struct DiagnosticOptions {
  std::string color = "auto";  ///< auto | always | never
  std::string format = "text"; ///< text | json
  bool verify = false;
};

struct RunOptions {
  std::string file;
  CompileOptions compile;
  DiagnosticOptions diagnostics;
  std::string arch = "cpu";          ///< as --arch takes it
  int device = 0;                    ///< its number among those of the arch
  std::string specialize = "needed"; ///< needed | all | none
  int threads = 0;
  uint64_t seed = 0;
  bool profile = false;
  bool noCache = false;
  bool time = false;
  std::string progress = "auto"; ///< auto | off | bar | lines
  double timeLimit = 0;          ///< seconds; 0: none
  int64_t tapeMemory = -1;       ///< bytes of a tape; -1: as the program says
  bool compileOnly = false;      ///< into the cache
  /// What earlier runs measured of the choices of tasks is not read.
  bool measuresAgain = false;
  /// --checkpoint, --every, --resume, --resume-anyway, --allow-change.
  std::string checkpoint, resume, mayChange;
  double checkpointInterval = 600; ///< seconds
  bool resumesAnyway = false;
  std::string provenance; ///< on | full | off; "": as CHI_PROVENANCE says
  bool help = false;
  bool runTests = false;
  std::string testFilter;
  /// Printed after the names of tests.
  std::string testSuffix;
  /// Called after each test with `testContext`, or null.
  void (*onTest)(void *, const chirt_test_result *) = nullptr;
  void *testContext = nullptr;
  /// Arguments that are no options: the program's own parameters.
  std::vector<std::string> programArgs;

  /// Filled by `chic` before a compilation: the program's text, so that it is
  /// read once (standard input cannot be read twice).
  std::string text;
};

/// Declares the options on a subcommand. `options` must outlive it; its checks
/// are those of a command line without --check.
void addCompileOptions(CLI::App &app, CompileOptions &options);
/// How code is compiled, for the verbs that do so. CHI_MACHINE in the
/// environment describes this machine: it supplies what `--machine` leaves out,
/// if code is compiled for this machine.
void addTargetOptions(CLI::App &app, CompileOptions &options);
/// Flags that only later versions have, for verbs that reject unknown flags:
/// each is rejected with a message of its own.
void addLaterOptions(CLI::App &app);
/// Whether messages get colours: on a terminal, unless NO_COLOR is set.
bool wantsColor(const DiagnosticOptions &options);
/// Declares --color and --diagnostics. `options` must outlive the subcommand.
void addDiagnosticOptions(CLI::App &app, DiagnosticOptions &options);
/// Declares --device. `options` must outlive the subcommand.
void addDeviceOption(CLI::App &app, RunOptions &options);
/// Declares --seed. `seed` must outlive the subcommand.
void addSeedOption(CLI::App &app, uint64_t &seed,
                   const char *meaning = "Seed of random numbers");
/// Declares --tape-memory. `options` must outlive the subcommand.
void addTapeMemoryOption(CLI::App &app, RunOptions &options);
/// Declares --progress and --time-limit. `options` must outlive the subcommand.
void addLongRunOptions(CLI::App &app, RunOptions &options);
/// `which`: needed | all | none.
void addSpecializeOption(CLI::App &app, std::string &which);
/// Declares all options of `chic run`. `options` must outlive the subcommand.
void addRunOptions(CLI::App &app, RunOptions &options);
/// Arguments of a command line apart from its own options: the program's
/// parameters, and behind a `--` its arguments.
std::vector<std::string> programArguments(const CLI::App &app);

/// Parses what follows `chic run`. Returns -1 to go on, else the exit status
/// of a help request or a bad flag, whose text has been printed.
int parseRunOptions(int argc, const char *const *argv, RunOptions &options);

} // namespace chi::launch
#endif // CHI_LAUNCH_RUNOPTIONS_H
