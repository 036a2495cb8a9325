//===- JaxModule.h - Operators of jax.ffi -----------------------*- C++ -*-===//
#ifndef CHI_DRIVER_LIBRARY_JAXMODULE_H
#define CHI_DRIVER_LIBRARY_JAXMODULE_H

#include "chi/Driver/Library/PythonText.h"

namespace chi::driver {

/// The module `jax` of a package: each operator that changes no argument, and
/// whose results have shapes that follow from those of the arguments, as a
/// function of JAX that `jit`, `grad` and `vmap` take; by jax-tvm-ffi, without
/// Python in the call.
std::string jaxModule(const std::string &name,
                      const std::vector<OperatorSource> &operators,
                      const std::vector<GenericSource> &generics);

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_JAXMODULE_H
