//===- Pipeline.h - The order of the passes ---------------------*- C++ -*-===//
#ifndef CHI_PIPELINE_PIPELINE_H
#define CHI_PIPELINE_PIPELINE_H

#include "chi/Diagnostics/Diagnostics.h"
#include "chi/Support/DeviceTraits.h"
#include "chi/Support/Optimisations.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <optional>

namespace chi::pipeline {

enum class Stage {
#define CHI_STAGE(Name, Flag, Form, Text) Name,
#include "chi/Pipeline/Stage.def"
};
enum class StageForm { Front, IR, Code, Device };

/// The stage of a flag's text; nothing if there is none.
std::optional<Stage> stageByName(llvm::StringRef name);
/// The name of a stage as `--stage` takes it.
llvm::StringRef stageName(Stage stage);
/// The form in which a stage is printed.
StageForm stageForm(Stage stage);
/// "tokens, ast, …" for messages and help.
std::string stageNames();

struct Options {
  bool unchecked = false;     ///< no bounds checks
  bool fastMath = true;       ///< --float=fast
  bool deterministic = false; ///< --deterministic
  DeviceTraits device;        ///< the processor that code is made for
  bool instrumentRaces = false;
  bool notesKinks = false;    ///< of tasks that a tape may record
  bool instrumentNaN = false; ///< of a module that IRGen made for it
  /// Tasks leave the texts of prints and messages to the host (--arch=mirror).
  bool records = false;
  /// Verify the postconditions after each pass (chi-verify-stage).
#ifdef NDEBUG
  bool verify = false;
#else
  bool verify = true;
#endif
  /// Optimisations to leave out (--without).
  OptimisationSet without;
  /// Checkpoints can be taken of the program, whose text this names; "": they
  /// cannot. A program without a loop for them is an error.
  std::string checkpoints;
  /// Chi's elementary functions at stage `optimised`, or null.
  mlir::ModuleOp mathLibrary = nullptr;
  /// Its file instead; for chi-opt.
  std::string mathFile;
  /// Code for devices calls the device's own elementary functions
  /// (--math=native).
  bool nativeMath = false;
};

/// Adds the passes that lead from stage `from` to stage `to` (both of form
/// IR, `from` before `to`).
void buildPipeline(mlir::OpPassManager &manager, Stage from, Stage to,
                   const Options &options);

/// Adds the passes that put the elementary functions into a module at
/// `optimised`, which it stays: what code for devices starts from. Do they
/// round quotients and fused operations as a processor does?
void buildElementary(mlir::OpPassManager &manager, const Options &options,
                     bool hasExactFloats);

/// Runs passes over a module. What passes report about the user's program
/// ("[E0410] …" at a place of the source) goes to `diags` with its range;
/// other errors are faults of the compiler and go to `fault`. Fails if there
/// was either.
mlir::LogicalResult run(mlir::PassManager &manager, mlir::ModuleOp module,
                        const SourceFiles &sources, DiagnosticEngine &diags,
                        std::string &fault);

/// The source range of an operation; invalid if it has none.
SourceRange sourceRange(mlir::Location loc, const SourceFiles &sources);

/// Registers `--chi-to-simplified` and the pipelines of the other stages for
/// chi-opt, with the options that `chic` gives: their output equals `chic
/// emit-ir --stage=…`.
void registerPipelines();

} // namespace chi::pipeline
#endif // CHI_PIPELINE_PIPELINE_H
