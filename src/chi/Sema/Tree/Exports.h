//===- Exports.h - What a library has for others ----------------*- C++ -*-===//
#ifndef CHI_SEMA_TREE_EXPORTS_H
#define CHI_SEMA_TREE_EXPORTS_H

#include "chi/Sema/Tree/Tree.h"

namespace chi::sema {

/// The results of a function: none, one, or the members of a tuple.
std::vector<TypeRef> resultsOf(const Function &function);

/// Why C has no type for a parameter ("`u` is `field(f16, 1)`, which …") or for
/// a result of a kernel or function; "" if it has for all.
std::string problemForC(const Function &function);

/// Why tensors of other libraries cannot be its arguments or results; "" if
/// they can. An operator also takes and gives f16, bf16 and strs, and gives
/// fields.
std::string problemForOperator(const Function &function);

/// "float" for f32; "" for what C has no portable name for.
std::string cType(TypeRef scalar);

/// Whether a library of the program has a function for it: kernels, and
/// functions of the main module whose types C or tvm-ffi has. The script,
/// `main` and tests are none.
bool isExported(const Program &program, const Function &function);

} // namespace chi::sema
#endif // CHI_SEMA_TREE_EXPORTS_H
