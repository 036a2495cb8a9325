//===- Program.h - From a command line to a program that runs ---*- C++ -*-===//
#ifndef CHI_DRIVER_PROGRAM_H
#define CHI_DRIVER_PROGRAM_H

#include "chi/Driver/DriverEnv.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace chi::driver {

/// Compiles what `options` name for this machine, into the cache if there is
/// one; or runs it by the interpreter; or prints its parameters under
/// `--help`. Sets `program.status` if nothing is left to run. `look` is called
/// with the module at stage `optimised`, unless the interpreter runs it.
void compileForRun(const launch::RunOptions &options, DriverEnv &env,
                   launch::CompiledProgram &program,
                   llvm::function_ref<void(mlir::ModuleOp)> look = nullptr);

/// Runs what `options` name, which is taken from the cache or compiled. Returns
/// the exit status of the program, or of its compilation. Warnings of the
/// compiler are printed unless `env.err` discards them.
int runProgram(const launch::RunOptions &options, DriverEnv &env);

/// Compiles a text to stage `optimised` with all verifiers on, for tests.
/// Returns 0, 1 if it was refused, 70 if the compiler is at fault.
int compileToOptimised(std::string text, DriverEnv &env);

} // namespace chi::driver
#endif // CHI_DRIVER_PROGRAM_H
