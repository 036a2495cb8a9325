//===- MeasuredProgram.h - A program that runs many times -------*- C++ -*-===//
#ifndef CHI_DRIVER_MEASURE_MEASUREDPROGRAM_H
#define CHI_DRIVER_MEASURE_MEASUREDPROGRAM_H

#include "chi/Driver/DriverEnv.h"
#include "chi/Profile/LaunchProfile.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

struct chirt_program;

namespace chi::driver {

/// A program that is compiled and loaded once, and runs in this process any
/// number of times. The fields of a run go when the next one makes its own.
class MeasuredProgram {
public:
  /// `options.text` is the program.
  MeasuredProgram(const launch::RunOptions &options, DriverEnv &env)
      : options(options), env(env) {}

  /// Compiles without the cache of programs and starts the device. Returns the
  /// exit status; diagnostics are printed.
  int prepare();
  /// Seconds that the compilation took.
  double compileSeconds() const { return compileTime; }
  /// The work of its tasks. Once only.
  std::vector<profile::TaskWork> takeWorks() { return std::move(works); }

  /// Runs it; what it prints is discarded, unless it fails: then what it wrote
  /// to standard error is printed. `profile`: gets its launches, which wait
  /// for their ends then. Returns its exit status.
  int run(profile::LaunchProfile *profile = nullptr);
  /// Seconds of the latest run, from the first statement to the last.
  double seconds() const { return runTime; }
  /// "cpu, 2 threads", or the name of a device as its driver has it.
  std::string deviceText() const;

private:
  launch::RunOptions options;
  DriverEnv &env;
  const chirt_program *program = nullptr;
  std::vector<profile::TaskWork> works;
  double compileTime = 0, runTime = 0;
};

/// The number of threads that `--threads` stands for.
int threadsOf(const launch::RunOptions &options);

/// The targets that can be measured, from what --arch says: "cpu,vulkan".
/// Prints and returns nothing for others.
std::optional<llvm::SmallVector<std::string>>
measurableTargets(const std::vector<std::string> &names, const char *verb,
                  DriverEnv &env);

} // namespace chi::driver
#endif // CHI_DRIVER_MEASURE_MEASUREDPROGRAM_H
