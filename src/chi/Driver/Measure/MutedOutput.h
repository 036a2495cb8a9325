//===- MutedOutput.h - Programs that print nothing --------------*- C++ -*-===//
#ifndef CHI_DRIVER_MEASURE_MUTEDOUTPUT_H
#define CHI_DRIVER_MEASURE_MUTEDOUTPUT_H

#include "chi/Driver/DriverEnv.h"
#include "chi/Launch/Descriptor.h"
#include <string>

namespace chi::driver {

/// While it lives, what is written on the descriptor of standard output is
/// discarded, and that of standard error is kept.
class MutedOutput {
public:
  explicit MutedOutput(DriverEnv &env);
  MutedOutput(const MutedOutput &) = delete;
  ~MutedOutput();

  /// Whether both are redirected. Prints why not.
  bool isGood() const { return isOn; }
  /// What came on standard error so far, the last 64 KiB of it.
  std::string errors() const;

private:
  void restore();

  launch::Descriptor keptOut, keptErr, text;
  bool isOn = false;
};

} // namespace chi::driver
#endif // CHI_DRIVER_MEASURE_MUTEDOUTPUT_H
