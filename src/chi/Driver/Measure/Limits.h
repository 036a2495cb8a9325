//===- Limits.h - The measured limits of this machine -----------*- C++ -*-===//
#ifndef CHI_DRIVER_MEASURE_LIMITS_H
#define CHI_DRIVER_MEASURE_LIMITS_H

#include "chi/Driver/DriverEnv.h"
#include "chi/Profile/Roofline.h"

namespace chi::driver {

/// The limits of the target, device and threads that `options` name, for code
/// of their processor: from the cache, else measured, which takes about a
/// second. `again`: measures them in any case. Zeros, after a report, if they
/// cannot be measured.
profile::Roofline limitsOf(const launch::RunOptions &options, bool again,
                           DriverEnv &env);

} // namespace chi::driver
#endif // CHI_DRIVER_MEASURE_LIMITS_H
