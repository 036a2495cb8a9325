//===- UnitCompiler.h - From units to code ----------------------*- C++ -*-===//
#ifndef CHI_DRIVER_COMPILE_UNITCOMPILER_H
#define CHI_DRIVER_COMPILE_UNITCOMPILER_H

#include "chi/Diagnostics/Diagnostics.h"
#include "chi/Pipeline/Pipeline.h"
#include "chi/Target/CPU/CPUTarget.h"
#include "chi/Units/EntryPoints.h"
#include "llvm/ADT/ArrayRef.h"

namespace chi::driver {

/// The options for all units of a program. Threads read them.
struct UnitSettings {
  const target::cpu::CodeOptions &code;
  const SourceFiles &sources;
  llvm::ArrayRef<units::EntryPoint> entryPoints; ///< of a library
  pipeline::Options pipeline;
};

/// The entries whose callees are in a unit; "" is the host code.
std::vector<units::EntryPoint>
entriesOf(llvm::StringRef unit, llvm::ArrayRef<units::EntryPoint> entries);

/// The first operation that makes a program load Chi's elementary functions, on
/// the processor or a device; null if there is none.
mlir::Operation *findElementary(mlir::ModuleOp module, bool forDevice);

/// A unit on its way through code generation, and what came of it.
struct UnitCode {
  std::string unit; ///< its name, "" for the host code
  std::string code; ///< text or bytes of the stage
  DiagnosticEngine diags;
  std::string fault; ///< of the compiler
};

/// Leads a unit's module from stage `llvm` to one of form Code.
void emitUnit(mlir::ModuleOp module, const UnitSettings &settings,
              pipeline::Stage stage, UnitCode &result);

/// Compiles units, which are given as bytecode at stage `optimised`, to
/// objects; as many at a time as `threads` says, each thread in a context of
/// its own. The result depends on the unit only, not on the order in which
/// threads take units. `math` is the bytecode of the elementary functions, ""
/// if the program has no use for them.
void compileUnits(llvm::MutableArrayRef<UnitCode> units,
                  std::vector<std::string> bytecodes, llvm::StringRef math,
                  const UnitSettings &settings, unsigned threads);

/// The bytecode of a module; compileUnits and the cache read it.
std::string toBytecode(mlir::ModuleOp module);

} // namespace chi::driver
#endif // CHI_DRIVER_COMPILE_UNITCOMPILER_H
