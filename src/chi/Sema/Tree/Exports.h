//===- Exports.h - What a library has for C ---------------------*- C++ -*-===//
#ifndef CHI_SEMA_TREE_EXPORTS_H
#define CHI_SEMA_TREE_EXPORTS_H

#include "chi/Sema/Tree/Tree.h"

namespace chi::sema {

/// Why C has no type for a parameter ("`u` is `field(f16, 1)`, which …") or for
/// a result of a kernel or function; "" if it has for all.
std::string problemForC(const Function &function);

/// "float" for f32; "" for what C has no portable name for.
std::string cType(TypeRef scalar);

/// Whether a library of the program has a C function for it: kernels, and
/// functions of the main module whose types C has. The script, `main` and tests
/// are none.
bool isForC(const Program &program, const Function &function);

} // namespace chi::sema
#endif // CHI_SEMA_TREE_EXPORTS_H
