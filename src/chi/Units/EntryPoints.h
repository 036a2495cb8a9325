//===- EntryPoints.h - What C calls of a library ----------------*- C++ -*-===//
#ifndef CHI_UNITS_ENTRYPOINTS_H
#define CHI_UNITS_ENTRYPOINTS_H

#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace chi::units {

/// A kernel or function that a library has for C.
struct EntryPoint {
  std::string callee; ///< its symbol
  std::string name;   ///< the entry's symbol
  bool isKernel = false;
  /// Variables and params of the program that a function uses, also in its
  /// callees. Those of a kernel are found in its unit.
  std::vector<std::string> variables;
  /// For each argument of a function that is the address of an array: its
  /// number among the arguments, and how many numbers the array has.
  struct Array {
    size_t argument;
    int64_t count;
    bool ofBools;
  };
  std::vector<Array> arrays;
};

/// Adds to the module of the LLVM dialect that has the callee the function
/// `void NAME(void **arguments, void *results)`, by which C calls it: arguments
/// are the addresses of the flattened parameters, those of an array one after
/// another; results are written one after another, 8 bytes each. It raises if
/// the callee uses a variable of a program that has not run.
void addEntryPoint(mlir::ModuleOp module, const EntryPoint &entry);

} // namespace chi::units
#endif // CHI_UNITS_ENTRYPOINTS_H
