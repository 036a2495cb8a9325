//===- LLVMOption.h - What only LLVM's command line can tell it -*- C++ -*-===//
#ifndef CHI_TARGET_CPU_LLVMOPTION_H
#define CHI_TARGET_CPU_LLVMOPTION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

namespace chi::target::cpu {

/// Gives one of LLVM's options a value for as long as this lives. LLVM keeps
/// them in variables of the process, and what these decide has no other way
/// in; so nothing else may compile at that time. For finding faults only.
class LLVMOption {
public:
  /// Does nothing if LLVM has no option of this name.
  LLVMOption(llvm::StringRef name, llvm::StringRef value);
  ~LLVMOption();
  LLVMOption(const LLVMOption &) = delete;
  LLVMOption &operator=(const LLVMOption &) = delete;

private:
  llvm::cl::Option *option;
};

} // namespace chi::target::cpu
#endif // CHI_TARGET_CPU_LLVMOPTION_H
