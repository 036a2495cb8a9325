//===- Lines.h - Source lines of a unit, apart from its code ----*- C++ -*-===//
#ifndef CHI_UNITS_LINES_H
#define CHI_UNITS_LINES_H

#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace chi::units {

/// Replaces the lines of all locations by indices, from 1, in the order of
/// their first occurrence, and returns the lines.
std::vector<unsigned> numberLines(mlir::ModuleOp module);

/// Puts the constants `chirt_site` of a module of the LLVM dialect into a
/// section of their own.
void markSites(mlir::ModuleOp module);

/// Replaces the line indices in the sites of an object by lines. False if the
/// object is not what markSites led to.
bool restoreLines(std::string &object, const std::vector<unsigned> &lines);

} // namespace chi::units
#endif // CHI_UNITS_LINES_H
