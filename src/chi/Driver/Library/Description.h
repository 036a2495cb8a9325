//===- Description.h - Types as the run time reads them ---------*- C++ -*-===//
#ifndef CHI_DRIVER_LIBRARY_DESCRIPTION_H
#define CHI_DRIVER_LIBRARY_DESCRIPTION_H

#include "chi/Sema/Tree/Types.h"
#include <string>

namespace chi::driver {

/// "f32", "f32:3", "f32:2x3" of a scalar, vec or mat.
std::string elementDescription(sema::TypeRef element);
/// "f32:3;soa;order=1,0" of a field.
std::string fieldDescription(sema::TypeRef field);

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_DESCRIPTION_H
