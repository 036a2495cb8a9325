//===- PhaseClock.h - Lines of `--time` -------------------------*- C++ -*-===//
#ifndef CHI_LAUNCH_PHASECLOCK_H
#define CHI_LAUNCH_PHASECLOCK_H

#include <cstdio>
#include <ctime>
#include <string>

namespace chi::launch {

/// Prints how long each phase took, since the start of the process and since
/// the phase before:
///
///   time:    12.34 ms (+  3.21)  parsed
class PhaseClock {
public:
  PhaseClock() : start(now()), last(start) {}

  /// Prints phases from now on.
  void enable() { isOn = true; }
  /// Whether phases are printed.
  bool isEnabled() const { return isOn; }
  /// A phase has ended.
  void mark(const std::string &what) {
    if (!isOn)
      return;
    double time = now();
    std::fprintf(stderr, "time: %8.2f ms (+%7.2f)  %s\n", time - start,
                 time - last, what.c_str());
    last = time;
  }

private:
  static double now() {
    timespec t;
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec;
  }
  double start, last;
  bool isOn = false;
};

} // namespace chi::launch
#endif // CHI_LAUNCH_PHASECLOCK_H
