//===- CHeader.h - The C header of a library --------------------*- C++ -*-===//
#ifndef CHI_DRIVER_CHEADER_H
#define CHI_DRIVER_CHEADER_H

#include "chi/Sema/Tree.h"
#include <string>

namespace chi::driver {

/// The text of NAME.h: how C and C++ run the program and call its kernels.
std::string cHeader(const sema::Program &program, const std::string &name);

} // namespace chi::driver
#endif // CHI_DRIVER_CHEADER_H
