//===- FindPrograms.h - Programs in folders ---------------------*- C++ -*-===//
#ifndef CHI_DRIVER_FINDPROGRAMS_H
#define CHI_DRIVER_FINDPROGRAMS_H

#include "chi/Driver/DriverEnv.h"
#include <vector>

namespace chi::driver {

/// The files themselves and, of folders, all programs in them (*.chi) at any
/// depth, sorted by name. Prints why and adds nothing for a folder that holds
/// none; `status` becomes ExitWorld then.
std::vector<std::string> findPrograms(const std::vector<std::string> &names,
                                      DriverEnv &env, int &status);

} // namespace chi::driver
#endif // CHI_DRIVER_FINDPROGRAMS_H
