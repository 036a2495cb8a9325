//===- CPUTarget.h - Machine code for the CPU -------------------*- C++ -*-===//
#ifndef CHI_TARGET_CPU_CPUTARGET_H
#define CHI_TARGET_CPU_CPUTARGET_H

#include "chi/Support/Machine.h"
#include "chi/Support/Optimisations.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>

namespace chi::target::cpu {

struct Library;

/// The options of the generated code.
struct CodeOptions {
  /// LLVM's name of a processor; "native": the one that this runs on.
  std::string cpu = "native";
  /// Features beyond those of the processor ("+avx2,-fma").
  std::string features;
  unsigned optLevel = 3;   ///< 0 to 3
  bool debugInfo = false;  ///< line tables
  OptimisationSet without; ///< optimisations to leave out
  /// This one, if code is made for it; else a usual one.
  Machine machine;
};

enum class OutputKind { Object, Assembly, LLVMIR, UnoptimizedLLVMIR };

/// The processor and its features as LLVM names them, for cache keys.
std::string describeTarget(const CodeOptions &options);

/// Whether code can be made for options.cpu.
bool isKnownProcessor(const CodeOptions &options);

/// A feature that code for options.cpu may use and this machine lacks; "" if
/// that code runs here.
std::string missingFeature(const CodeOptions &options);

/// The properties of the processor for passes: SSE's registers if it is
/// unknown.
DeviceTraits deviceTraits(const CodeOptions &options);

/// Turns a module in the LLVM dialect into position independent code. The
/// module may be changed (locations). Fails if the module does not translate
/// or the processor is unknown.
llvm::Error emitCode(mlir::ModuleOp module, const CodeOptions &options,
                     OutputKind kind, llvm::SmallVectorImpl<char> &output);

/// The object with `main` of a built executable, which hands `chi_program` to
/// the run time.
llvm::Error emitMainObject(const CodeOptions &options,
                           llvm::SmallVectorImpl<char> &output);

/// The object with the exports of a library (Target/CPU/Library.h).
llvm::Error emitLibraryObject(const Library &library,
                              const CodeOptions &options,
                              llvm::SmallVectorImpl<char> &output);

} // namespace chi::target::cpu
#endif // CHI_TARGET_CPU_CPUTARGET_H
