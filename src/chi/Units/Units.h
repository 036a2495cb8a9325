//===- Units.h - A kernel is the unit of compilation ------------*- C++ -*-===//
#ifndef CHI_UNITS_UNITS_H
#define CHI_UNITS_UNITS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <vector>

namespace chi::units {

/// A part of a program at stage `optimised` that is compiled by itself: a
/// kernel with its tasks, their adjoints, or the host code.
struct Unit {
  std::string name; ///< of the kernel, "" for the host code
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The source lines that the unit's locations stand for: operations carry
  /// an index into this list (from 1) instead of the line, so that the text of
  /// a kernel does not change when it moves in its file.
  std::vector<unsigned> lines;

  /// The text that determines the code.
  std::string text();
};

/// Cuts a program at stage `optimised`: one unit for each control function,
/// with the tasks that it launches, then the host code. What a unit uses of
/// another is declared in it, with the attribute `chi.extern`.
/// `keepsLines`: leave the locations as they are (`lines` stay empty).
/// `splitsAdjoints`: large adjoints of a kernel's tasks, with what runs before
/// them, are a unit behind that of the kernel, so that both are compiled at the
/// same time.
std::vector<Unit> splitUnits(mlir::ModuleOp program, bool keepsLines,
                             bool splitsAdjoints = false);

} // namespace chi::units
#endif // CHI_UNITS_UNITS_H
