//===- Workspace.h - What a tape makes for the tasks of a prologue ----*- C++
//-*-===//
#ifndef CHI_AD_PROLOGUE_WORKSPACE_H
#define CHI_AD_PROLOGUE_WORKSPACE_H

#include "chi/Dialect/Chi/ChiDialect.h"

namespace chi::ad::prologue {

/// Appends a field to what `task` captures, which is none of those that it has.
/// Results in its number.
unsigned addCaptured(ir::TaskOp task, ir::FieldType type);

/// The fields that a tape allocates for an adjoint task and for the tasks that
/// run before it. They are captured after the primal's captured values.
class Workspace {
public:
  /// For a copy of the primal, which captures them, too.
  explicit Workspace(ir::TaskOp task)
      : task(task), numPrimal(task.getNumCaptured()) {}

  /// `workspace`: the words of a chirt_workspace_field. Returns the number of
  /// the captured value.
  unsigned add(ir::FieldType type, llvm::ArrayRef<int64_t> workspace);

  /// How many captured values are the primal's.
  unsigned getNumPrimal() const { return numPrimal; }
  /// Those of all so far.
  llvm::ArrayRef<int64_t> getWords() const { return words; }

private:
  ir::TaskOp task;
  unsigned numPrimal;
  llvm::SmallVector<int64_t> words;
};

} // namespace chi::ad::prologue
#endif // CHI_AD_PROLOGUE_WORKSPACE_H
