//===- DriverEnv.h - The outside world as a command sees it -----*- C++ -*-===//
#ifndef CHI_DRIVER_DRIVERENV_H
#define CHI_DRIVER_DRIVERENV_H

#include "chi/Launch/CompilerLibrary.h"
#include "llvm/Support/raw_ostream.h"

namespace chi::driver {

/// Exit statuses of every verb.
enum ExitStatus { ExitGood = 0, ExitUser = 1, ExitWorld = 2, ExitBug = 70 };

/// No code below the driver touches the standard streams, the environment or
/// the disk.
struct DriverEnv {
  llvm::raw_ostream &out;
  llvm::raw_ostream &err;
  const launch::ChicHost &host;

  /// Folder of the standard library's modules, those of `import`.
  std::string stdlibFolder() const;
  /// Folder of the pages on diagnostics ("E0203.md").
  std::string errorPagesFolder() const;
  /// The file that says what built-in names mean (docs/reference/words.txt).
  std::string builtinWordsFile() const;
};

} // namespace chi::driver
#endif // CHI_DRIVER_DRIVERENV_H
