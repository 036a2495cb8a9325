//===- ResultShapes.h - Shapes of results from those of arguments *- C++ -*===//
#ifndef CHI_DRIVER_LIBRARY_RESULTSHAPES_H
#define CHI_DRIVER_LIBRARY_RESULTSHAPES_H

#include "chi/Sema/Tree/Tree.h"
#include <optional>

namespace chi::driver {

/// The extents of a function's result number `result`, a field, as expressions
/// of Python in the parameters: {"k.shape[0]", "n + 2 * pad"}. None if host
/// code decides them in another way than by arithmetic on extents and integers.
std::optional<std::vector<std::string>>
resultShape(const sema::Function &function, size_t result);

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_RESULTSHAPES_H
