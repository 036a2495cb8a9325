//===- EachPass.h - Each pass on each part of many files --------*- C++ -*-===//
#ifndef CHI_OPT_EACHPASS_H
#define CHI_OPT_EACHPASS_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/ArrayRef.h"

namespace chi::opt {

/// Runs each of the passes by itself on each part of each file (parts end at
/// `// -----`), in processes that may crash. A run ends well if the pass
/// succeeds, or fails with an error that it reports; parts that do not parse
/// are passed over. Prints each other run, and how many there were. Returns the
/// exit status: 1 if a run did not end well.
int runEachPass(const mlir::DialectRegistry &registry,
                llvm::ArrayRef<llvm::StringRef> passes,
                llvm::ArrayRef<llvm::StringRef> files);

} // namespace chi::opt
#endif // CHI_OPT_EACHPASS_H
