//===- KernelUnits.h - A kernel is the unit of compilation ------*- C++ -*-===//
#ifndef CHI_DRIVER_KERNELUNITS_H
#define CHI_DRIVER_KERNELUNITS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <utility>
#include <vector>

namespace chi::driver {

/// A part of a program at stage `simplified` that is compiled by itself: a
/// kernel with its tasks, or the host code.
struct Unit {
  std::string name; ///< of the kernel, "" for the host code
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The source lines that the unit's locations stand for: operations carry
  /// an index into this list (from 1) in the place of the line, so that the
  /// text of a kernel does not change when it moves in its file.
  std::vector<unsigned> lines;

  /// The text that decides what is compiled.
  std::string text();
};

/// Cuts a program at stage `simplified`: one unit for each control function,
/// with the tasks that it launches, then the host code. What a unit uses of
/// another is declared in it, with the attribute `chi.extern`.
/// `keepsLines`: leave the locations as they are (`lines` stay empty).
std::vector<Unit> splitUnits(mlir::ModuleOp program, bool keepsLines);

/// Name of the object's section that holds the table of places; see below.
inline constexpr const char *kSitesSection = "chi_sites";

/// Puts the constants `chirt_site` of a module of the LLVM dialect into the
/// section kSitesSection.
void markSites(mlir::ModuleOp module);

/// Gives the functions and variables of a module of the LLVM dialect names that
/// no C library has: a program may call its own function `malloc` or `main`.
void renameSymbols(mlir::ModuleOp module);

/// A kernel or function that a library has for C.
struct EntryPoint {
  std::string callee; ///< its symbol
  std::string name;   ///< the entry's symbol
  bool isKernel = false;
  /// Variables and params of the program that a function uses, in what it calls
  /// too. Those of a kernel are found in its unit.
  std::vector<std::string> variables;
};

/// The variables and params of a program at stage `simplified` that `function`
/// uses.
std::vector<std::string> variablesUsedBy(mlir::ModuleOp program,
                                         const std::string &function);

/// Adds to the module of the LLVM dialect that has the callee the function
/// `void NAME(void **arguments, void *results)`, by which C calls it: arguments
/// are the addresses of the flattened parameters, results are written one after
/// another, 8 bytes each. It raises if the callee uses a variable of a program
/// that has not run.
void addEntryPoint(mlir::ModuleOp module, const EntryPoint &entry);

/// Replaces the line indices in the sites of an object by lines. False if the
/// object is not what markSites led to.
bool restoreLines(std::string &object, const std::vector<unsigned> &lines);

} // namespace chi::driver
#endif // CHI_DRIVER_KERNELUNITS_H
