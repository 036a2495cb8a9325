//===- TorchModule.h - Operators of torch.library ---------------*- C++ -*-===//
#ifndef CHI_DRIVER_LIBRARY_TORCHMODULE_H
#define CHI_DRIVER_LIBRARY_TORCHMODULE_H

#include "chi/Driver/Library/PythonText.h"

namespace chi::driver {

/// The module `NAME.torch`: each operator as torch.library.custom_op, with the
/// shapes of its results (resultShape; what host code decides in another way is
/// a dynamic size) and, where the library has its vector-Jacobian product, its
/// gradient.
std::string torchModule(const std::string &name,
                        const std::vector<OperatorSource> &operators,
                        const std::vector<GenericSource> &generics);

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_TORCHMODULE_H
