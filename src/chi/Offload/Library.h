//===- Library.h - What the compiler asks of the library --------*- C++ -*-===//
// Code for devices is made by a library of its own, libchic-offload.so, which
// has its own copy of MLIR and LLVM; they exchange operations as bytecode only.
//===----------------------------------------------------------------------===//
#ifndef CHI_OFFLOAD_LIBRARY_H
#define CHI_OFFLOAD_LIBRARY_H

#include "chi/Pipeline/Pipeline.h"

namespace chi::offload {

/// One unit to be brought to a stage of form Device.
struct Request {
  /// Bytecode of a module at `optimised`, elementary functions expanded.
  llvm::StringRef module;
  pipeline::Stage stage;
  llvm::StringRef arch; ///< of the device: "sm_80"
  /// The file of NVIDIA's elementary functions; "" if none is called.
  llvm::StringRef libdevice;
  bool fastMath = true;
  bool shortIndices = true;   ///< 32 bits where that is enough
  bool estimatedRoots = true; ///< reciprocals of roots, for CUDA
  bool nativeMath = false;    ///< CUDA's own approximations
  /// If `asData` is set and the stage is `ptx` or `spv`, the output is a module
  /// of constants of the LLVM dialect, as bytecode: a `chirt_device_code` named
  /// `T.device` of each task T, and its data. PTX is made for `arch` or, if
  /// that is unknown here, the best older one, which newer devices accept.
  bool asData = false;
  bool locations = false; ///< print where in the source operations come from
  const SourceFiles &sources;
  // The result.
  DiagnosticEngine &diags; ///< errors of the program
  std::string &fault;      ///< of the compiler; "" if there is none
  bool &isUnknownArch;     ///< set if no code can be made for `arch`
  std::string &output;     ///< text, or bytes, of the stage
};

} // namespace chi::offload

extern "C" {
/// Fills `output`, or `fault`, or reports to `diags`.
void chic_offload(const chi::offload::Request &request);
}
#endif // CHI_OFFLOAD_LIBRARY_H
