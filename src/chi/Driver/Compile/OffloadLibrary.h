//===- OffloadLibrary.h - Loads what makes code of devices ------*- C++ -*-===//
#ifndef CHI_DRIVER_COMPILE_OFFLOADLIBRARY_H
#define CHI_DRIVER_COMPILE_OFFLOADLIBRARY_H

#include "chi/Driver/DriverEnv.h"
#include "chi/Offload/Library.h"

namespace chi::driver {

/// Loads the library at its first call and hands it the request. False, with a
/// fault or a diagnostic in the request's places, if it failed; that an
/// architecture is unknown is printed.
bool offload(const DriverEnv &env, const offload::Request &request);

} // namespace chi::driver
#endif // CHI_DRIVER_COMPILE_OFFLOADLIBRARY_H
