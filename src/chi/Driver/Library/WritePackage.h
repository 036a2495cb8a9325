//===- WritePackage.h - The files of a Python package -----------*- C++ -*-===//
#ifndef CHI_DRIVER_LIBRARY_WRITEPACKAGE_H
#define CHI_DRIVER_LIBRARY_WRITEPACKAGE_H

#include "chi/Driver/Library/PythonPackage.h"
#include "llvm/Support/raw_ostream.h"

namespace chi::driver {

/// Writes the files of a package to a folder, which is made, or was made by an
/// earlier build. False after a report to `err`: a folder that has something
/// else stays as it is.
bool writePackage(const std::string &folder,
                  const std::vector<PackageFile> &files,
                  llvm::raw_ostream &err);

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_WRITEPACKAGE_H
