//===- TvmFunctions.h - The functions of tvm-ffi ----------------*- C++ -*-===//
#ifndef CHIRT_OPERATORS_TVMFUNCTIONS_H
#define CHIRT_OPERATORS_TVMFUNCTIONS_H

#include "chirt/tvm_ffi.h"

namespace chirt {

using TvmFunctions = chirt_tvm_functions;
/// Those of the library that the process has loaded; null if it has none yet. A
/// library of Chi may be loaded before it.
const TvmFunctions *tvmFunctions();

} // namespace chirt
#endif // CHIRT_OPERATORS_TVMFUNCTIONS_H
