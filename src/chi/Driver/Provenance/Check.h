//===- Check.h - A file is made again ---------------------------*- C++ -*-===//
#ifndef CHI_DRIVER_PROVENANCE_CHECK_H
#define CHI_DRIVER_PROVENANCE_CHECK_H

#include "chi/Driver/DriverEnv.h"
#include "chi/Driver/Provenance/Record.h"

namespace chi::driver {

/// The arguments of `chic provenance FILE --check`.
struct CheckOptions {
  std::string file;
  std::string program; ///< "": the one that the record names
  std::string folder;  ///< where it runs; "": as `folderOf` says
};

/// Makes a file again in a temporary folder and compares what it holds. Changes
/// the folder of the process. Returns 0 if it is the same; 1 if it is not, or
/// if the program is not the recorded one; 2 if the program cannot be read or
/// run.
int checkFile(const CheckOptions &options, const FileRecord &record,
              DriverEnv &env);

} // namespace chi::driver
#endif // CHI_DRIVER_PROVENANCE_CHECK_H
