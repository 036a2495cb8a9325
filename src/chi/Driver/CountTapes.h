//===- CountTapes.h - The tapes of a program --------------------*- C++ -*-===//
#ifndef CHI_DRIVER_COUNTTAPES_H
#define CHI_DRIVER_COUNTTAPES_H

#include "chi/Driver/Compile/Frontend.h"
#include "chi/Driver/DriverEnv.h"
#include "chi/Launch/RunOptions.h"

namespace chi::driver {

/// Parses and checks a program with its parameters. Null if it has errors,
/// which are reported elsewhere.
std::unique_ptr<sema::Program> analyse(const launch::RunOptions &run,
                                       Frontend &frontend);

/// How many `with Tape` the program may come to, without those of its tests; 0
/// if it has errors.
int32_t countTapes(const launch::RunOptions &run, DriverEnv &env);
/// Does it differentiate a kernel by `k.grad()`?
bool hasKernelGradients(const sema::Program &program);

} // namespace chi::driver
#endif // CHI_DRIVER_COUNTTAPES_H
