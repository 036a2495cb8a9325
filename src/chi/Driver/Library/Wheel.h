//===- Wheel.h - A Python package as one file -------------------*- C++ -*-===//
#ifndef CHI_DRIVER_LIBRARY_WHEEL_H
#define CHI_DRIVER_LIBRARY_WHEEL_H

#include "chi/Driver/Library/PythonPackage.h"
#include "llvm/Support/Error.h"

namespace chi::driver {

struct WheelOptions {
  std::string name, version;
  std::string summary; ///< one line
  /// Where temporary files may be written.
  std::string scratchFolder;
};

/// "conv-0.1.0-py3-none-manylinux_2_29_x86_64.whl": the tag is of the oldest
/// glibc that has the symbols which the library uses (PEP 600).
llvm::Expected<std::string> wheelName(const WheelOptions &options,
                                      llvm::StringRef library);
/// The bytes of the wheel (PyPA's binary distribution format 1.0): the files of
/// the package, and their list with hashes. The same for the same files.
llvm::Expected<std::string> makeWheel(const WheelOptions &options,
                                      const std::string &wheel,
                                      const std::vector<PackageFile> &files);

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_WHEEL_H
