//===- Inspect.h - The program that a sweep runs ----------------*- C++ -*-===//
#ifndef CHI_DRIVER_SWEEP_INSPECT_H
#define CHI_DRIVER_SWEEP_INSPECT_H

#include "chi/Driver/DriverEnv.h"
#include "chi/Sweep/Workers/Request.h"

namespace chi::driver {

/// Reads the program of a request: its params, whether the words for all points
/// are of it, and its content hash. Fills in what a request says of the
/// program. `params` may be null. Returns an exit status: 0, or 1 and 2 after a
/// report.
int inspectProgram(sweep::Request &request,
                   std::vector<sweep::ParamFacts> *params, DriverEnv &env);

/// Checks one point as a run would, with all of the program: also what the
/// params that are compiled in lead to. Sets `request.specialized`, and makes
/// `request.hash` that of all files that were read.
int checkProgram(sweep::Request &request, const sweep::Point &point,
                 DriverEnv &env);

/// The flags of `chic run` that a sweep may vary.
std::vector<std::string> sweptFlags(const sweep::Request &request);

} // namespace chi::driver
#endif // CHI_DRIVER_SWEEP_INSPECT_H
