//===- WrittenParameters.h - Which fields a function changes ----*- C++ -*-===//
#ifndef CHI_SEMA_PROGRAM_WRITTENPARAMETERS_H
#define CHI_SEMA_PROGRAM_WRITTENPARAMETERS_H

#include "chi/Sema/Tree/Tree.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace chi::sema {

/// Finds the parameters that stand for fields whose elements a call may change:
/// by a statement, an atomic operation, `fill`, `copy_from`, or by a function
/// that it calls; also through views and local names.
class WrittenParameters {
public:
  /// One bit for each parameter.
  const llvm::BitVector &of(const Function &function);

private:
  llvm::DenseMap<const Function *, llvm::BitVector> known;
};

} // namespace chi::sema
#endif // CHI_SEMA_PROGRAM_WRITTENPARAMETERS_H
