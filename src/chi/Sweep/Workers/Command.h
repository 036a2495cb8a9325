//===- Command.h - Output of other programs ---------------------*- C++ -*-===//
#ifndef CHI_SWEEP_WORKERS_COMMAND_H
#define CHI_SWEEP_WORKERS_COMMAND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace chi::sweep {

/// Standard output of a command; its first word is a path, or a name that is
/// searched on the PATH. Fails with what it wrote to standard error if it
/// cannot be started, takes over a minute, or its exit status is not 0.
llvm::Expected<std::string> outputOf(llvm::ArrayRef<llvm::StringRef> command);

} // namespace chi::sweep
#endif // CHI_SWEEP_WORKERS_COMMAND_H
