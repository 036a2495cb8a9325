//===- MathLibrary.h - Chi's elementary functions ---------------*- C++ -*-===//
#ifndef CHI_DRIVER_COMPILE_MATHLIBRARY_H
#define CHI_DRIVER_COMPILE_MATHLIBRARY_H

#include "chi/Driver/DriverEnv.h"
#include "chi/Launch/Cache.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace chi::driver {

/// The functions of stdlib/internal/math.chi at stage `optimised`, named
/// `exp.f32` and so on; as the build of chic made them, or from the cache.
/// `contentHash` identifies their text. Null, with `problem` set, if the file
/// is not there or does not compile.
mlir::OwningOpRef<mlir::ModuleOp> loadMathLibrary(mlir::MLIRContext &context,
                                                  const DriverEnv &env,
                                                  const launch::Cache &cache,
                                                  std::string &contentHash,
                                                  std::string &problem);

/// Compiles the functions to the file that loadMathLibrary reads first, which
/// lies beside the standard library; part of building chic. Returns the exit
/// status.
int writeMathLibrary(const DriverEnv &env);

/// The file that it is made from.
std::string mathLibraryFile(const DriverEnv &env);

} // namespace chi::driver
#endif // CHI_DRIVER_COMPILE_MATHLIBRARY_H
