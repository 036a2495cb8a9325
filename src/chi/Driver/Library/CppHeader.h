//===- CppHeader.h - The C++ header of a library ----------------*- C++ -*-===//
#ifndef CHI_DRIVER_LIBRARY_CPPHEADER_H
#define CHI_DRIVER_LIBRARY_CPPHEADER_H

#include "chi/Driver/Library/CHeader.h"

namespace chi::driver {

/// The header NAME.hpp: a namespace with a C++20 function for each operator of
/// the library that `made` describes, and for its vector-Jacobian products.
/// Views as fields, exceptions as errors. `doc`: of the program.
std::string cppHeader(const std::string &name, const std::string &doc,
                      const CHeader &made);

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_CPPHEADER_H
