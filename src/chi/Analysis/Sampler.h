//===- Sampler.h - Single iterations of a task, followed exactly *- C++ -*-===//
#ifndef CHI_ANALYSIS_SAMPLER_H
#define CHI_ANALYSIS_SAMPLER_H

#include "chi/Analysis/AccessMaps.h"

namespace chi::analysis {

/// An access that an iteration is known to execute.
struct Touch {
  /// A handle; its accessors are not const.
  mutable ir::FieldAccessOpInterface op;
  unsigned iteration;
  llvm::SmallVector<Linear, 0> index;
  /// For a store: a number that identifies the computation of its value, equal
  /// for equal values in all likelihood; 0 if it is not known.
  uint64_t valueHash = 0;
};

/// Follows single iterations of a task as far as integers and guards are known:
/// a small interpreter whose numbers are constants plus values that all
/// iterations share. What it does not know it leaves out.
class Sampler {
public:
  Sampler(ir::TaskOp task, Ranges &ranges);

  /// Runs an iteration and appends the elements that it surely touches. False
  /// if the budget is used up.
  bool run(unsigned iteration, llvm::ArrayRef<Linear> indices,
           std::vector<Touch> &touches);

private:
  using Known = std::optional<Linear>;

  void execute(mlir::Block &block);
  void execute(mlir::Operation &op);
  void executeIf(mlir::scf::IfOp branch);
  void executeFor(mlir::scf::ForOp loop);
  void executeWhile(mlir::scf::WhileOp loop);
  void executeAccess(ir::FieldAccessOpInterface access);
  Known evaluate(mlir::Operation &op);
  Known evaluateBinary(mlir::Operation &op, const Linear &a, const Linear &b);
  Known compare(mlir::arith::CmpIOp op, const Linear &a, const Linear &b);
  Known get(mlir::Value value);
  std::optional<bool> isTrue(mlir::Value condition);
  void set(mlir::Value value, const Known &known) { values[value] = known; }
  /// Hashes of the values below a store, and how deep the search is.
  struct Hashes {
    llvm::DenseMap<mlir::Value, uint64_t> known;
    unsigned nesting = 0;
  };
  uint64_t hashOf(mlir::Value value, Hashes &hashes);

  ir::TaskOp task;
  Ranges &ranges;
  llvm::DenseMap<mlir::Value, Known> values;
  std::vector<Touch> *touches = nullptr;
  unsigned iteration = 0;
  llvm::SmallVector<mlir::Value, 4> written;
  /// Ops that may still be executed, over all iterations.
  int64_t budget = 300000;
};

} // namespace chi::analysis
#endif // CHI_ANALYSIS_SAMPLER_H
