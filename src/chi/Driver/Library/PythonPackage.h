//===- PythonPackage.h - A library as a Python package ----------*- C++ -*-===//
#ifndef CHI_DRIVER_LIBRARY_PYTHONPACKAGE_H
#define CHI_DRIVER_LIBRARY_PYTHONPACKAGE_H

#include "chi/Driver/Library/Operators.h"

namespace chi::driver {

/// A text file of a package: its name in the package's folder.
struct PackageFile {
  std::string name, text;
};

/// How the first file of a package begins.
inline constexpr llvm::StringLiteral kPackageMark = "# Made by chic build";

/// What a package consists of besides its library `libNAME.so`: `__init__.py`
/// (functions on arrays and tensors of any framework), `torch.py` (operators of
/// torch.library with gradients), their stubs, and `py.typed`. `doc`: of the
/// program.
std::vector<PackageFile>
pythonPackage(const std::string &name, const std::string &doc,
              const std::vector<OperatorSource> &operators,
              const target::cpu::Library &library);

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_PYTHONPACKAGE_H
