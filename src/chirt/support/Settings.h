//===- Settings.h - What the options of a run say ---------------*- C++ -*-===//
#ifndef CHIRT_SUPPORT_SETTINGS_H
#define CHIRT_SUPPORT_SETTINGS_H

#include "chirt/support/Device.h"

struct chirt_gradcheck;
struct chirt_tape_planner;

namespace chirt {

/// In Settings::observedTasks: all tasks. No flag of a task.
constexpr int32_t kEveryTask = int32_t(1) << 30;

/// Set by chirt_run before anything else; other hosts get the defaults.
struct Settings {
  int32_t threads = 0;                     ///< 0: all cores
  int32_t cores = 0;                       ///< 0: those of the system
  int64_t lastCache = 0;                   ///< bytes; 0: the system's
  const chirt_device *device = &cpuDevice; ///< of the fields made from now on
  bool isQuiet = false;                    ///< no progress is shown
  int32_t progress = 0;                    ///< chirt_progress_mode of host.h
  /// How often each option of a task's choice is measured; 0: none is;
  /// negative: as the environment says.
  int32_t trials = -1;
  /// Launches of tasks with one of these flags are observed.
  int32_t observedTasks = CHIRT_TASK_INSTRUMENTED;
  void (*atEnd)() = nullptr; ///< prints what was measured
  /// Gradients are compared with differences; null: they are not. The program
  /// writes no files then.
  const chirt_gradcheck *gradCheck = nullptr;
  /// Called in a signal handler when the time limit has passed. True: the run
  /// ends by itself, soon. Null: it ends at once.
  bool (*endsAtLimit)() = nullptr;
  /// Seconds that the program's clock is ahead of the system's: a run that goes
  /// on from a checkpoint goes on with its clock, too.
  double clockShift = 0;
  /// Bytes that a tape may take; negative: what the program says.
  int64_t tapeMemory = -1;
  /// Takes the plan of each `with Tape`, which is not run backward then; null:
  /// nobody does. The program writes no files.
  const chirt_tape_planner *tapePlanner = nullptr;
  double firstLaunch = 0; ///< time of the first chirt_parallel, or 0

  /// Is it only looked at what the program would do? It writes no files then.
  bool isTrial() const { return gradCheck || tapePlanner; }
};
extern Settings processSettings;
/// The settings of the process.
inline Settings &settings() { return processSettings; }

} // namespace chirt
#endif // CHIRT_SUPPORT_SETTINGS_H
