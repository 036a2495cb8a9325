//===- Compilation.h - From the typed tree to objects -----------*- C++ -*-===//
#ifndef CHI_DRIVER_COMPILE_COMPILATION_H
#define CHI_DRIVER_COMPILE_COMPILATION_H

#include "chi/Driver/Compile/Frontend.h"
#include "chi/Driver/Compile/UnitCompiler.h"
#include "chi/Launch/Cache.h"
#include "chi/Units/Key.h"
#include "mlir/IR/MLIRContext.h"

namespace chi::driver {

using units::EntryPoint;
using units::Unit;

/// The middle and the end of a compilation. Each step returns false when it
/// failed: then either the diagnostics of the front end contain an error, or
/// `fault` describes an error of the compiler; `failureStatus` distinguishes
/// them.
class Compilation {
public:
  Compilation(Frontend &frontend, const launch::CompileOptions &options,
              const DriverEnv &env, const launch::Cache &cache);

  /// Stage `chi` of a checked program.
  bool generate(const sema::Program &program);
  /// Leads the whole module to a stage of form IR.
  bool lowerTo(pipeline::Stage stage);
  /// The object code of the module, which must be at stage `optimised`: one
  /// object a kernel, those compiled before from the cache, the others on as
  /// many threads as `jobs` allows.
  bool compileObjects(std::vector<std::string> &objects);

  /// Leads one unit to a stage of form IR or Code; `output` gets the text or
  /// bytes of the latter.
  bool lowerUnit(Unit &unit, pipeline::Stage stage, std::string &output);
  /// The requested output of a module for a device.
  struct DeviceStage {
    pipeline::Stage stage; ///< of form Device
    llvm::StringRef arch = "sm_75";
    bool asData = false, locations = false; ///< as of offload::Request
  };
  /// Leads a module at `optimised`, the program's or a unit's, to a stage of
  /// form Device; `output` gets its text or bytes.
  bool offloadModule(mlir::ModuleOp module, const DeviceStage &wanted,
                     std::string &output);

  /// Loads Chi's elementary functions, if the program needs any of them on the
  /// processor or on a device.
  bool loadMath(bool forDevice);
  /// The elementary functions, or null if none is needed. Needs `loadMath`.
  mlir::ModuleOp mathLibrary() { return math ? *math : mlir::ModuleOp(); }

  /// The module at the current stage.
  mlir::ModuleOp module() { return *owned; }
  /// The current stage of the module.
  pipeline::Stage stage() const { return current; }
  /// Prints the IR after every pass to stderr.
  void printAfterAll() { printsAll = true; }

  /// Makes kernels and functions callable from C (chi/Units/EntryPoints.h).
  /// Before `generate`.
  void exportForC(std::vector<EntryPoint> points) {
    isLibrary = true;
    entryPoints = std::move(points);
  }

  /// The exit status after a step that failed; `reported` is that of the
  /// diagnostics. Reports a fault of the compiler.
  int failureStatus(int reported);

  std::string fault;

private:
  bool run(mlir::ModuleOp module, pipeline::Stage from, pipeline::Stage to);
  bool run(mlir::PassManager &manager, mlir::ModuleOp module);
  bool compileAnew(llvm::ArrayRef<Unit *> units,
                   std::vector<UnitCode> &results);
  bool restoreLines(llvm::ArrayRef<Unit> units,
                    llvm::MutableArrayRef<std::string> objects);
  bool checkForDevices();
  bool checkNativeMath(mlir::ModuleOp module);
  /// Puts the code of a unit's tasks for a device into the unit.
  bool addDeviceCode(Unit &unit, llvm::StringRef device);
  unsigned threadsFor(size_t units) const;
  units::KeyFacts keyFacts() const;
  UnitSettings unitSettings();
  pipeline::Options pipelineOptions();
  pipeline::Options codePipelineOptions();
  int reportFault();

  Frontend &frontend;
  const launch::CompileOptions &options;
  const DriverEnv &env;
  const launch::Cache &cache;
  target::cpu::CodeOptions code;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> owned, math;
  bool mathIsKnown = false, lacksMath = false;
  bool lacksArch = false; ///< no code can be made for it
  bool printsAll = false;
  bool isLibrary = false;
  std::vector<EntryPoint> entryPoints; ///< of a library
  std::string mathHash;
  pipeline::Stage current = pipeline::Stage::Chi;
};

/// False, after printing so, if `--target-cpu` names no processor.
bool checkTarget(const launch::CompileOptions &options, DriverEnv &env);

/// Also prints, and returns false, if this machine cannot run code for it.
bool checkTargetHere(const launch::CompileOptions &options, DriverEnv &env);

} // namespace chi::driver
#endif // CHI_DRIVER_COMPILE_COMPILATION_H
