//===- FieldGraph.h - Which fields hang on which ----------------*- C++ -*-===//
#ifndef CHI_AD_FIELDGRAPH_H
#define CHI_AD_FIELDGRAPH_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace chi::ad {

/// A graph of the fields of a program: an edge where a task that a tape may
/// record stores to one what it reads of the other. Fields that a name may
/// stand for are one node, and what is not known leads everywhere: what the
/// graph does not connect is surely apart.
class FieldGraph {
public:
  explicit FieldGraph(mlir::ModuleOp module);

  /// Does the loss of a tape hang on it: by floats, or in any way?
  bool leadsToLossByFloats(mlir::Value field);
  bool leadsToLoss(mlir::Value field);
  /// Is the adjoint of it asked for by `watch=`?
  bool isWatched(mlir::Value field);

  /// The captured fields of floats of the task that surely hang on no marked or
  /// watched field, by number.
  llvm::BitVector findPassive(ir::TaskOp task);

  /// Where marked fields are made.
  llvm::ArrayRef<ir::RtOp> getMarked() const { return marked; }
  bool hasTapes() const { return !losses.empty(); }
  /// Is there a `k.grad()`, for which all fields of a kernel count?
  bool asksKernels() const { return hasKernelGrads; }

private:
  using Node = const void *;
  using Nodes = llvm::SetVector<Node>;
  using Edges = llvm::DenseMap<Node, Nodes>;

  void visit(mlir::Operation *op);
  void visitOther(mlir::Operation *op);
  void visitCall(mlir::Operation *call, llvm::StringRef callee);
  void visitEntry(llvm::StringRef callee);
  void visitRuntime(ir::RtOp call);
  void addUnknownArguments(mlir::func::FuncOp function);
  void joinAll(llvm::ArrayRef<mlir::Value> fields);
  void join(mlir::Value a, Node b);
  static Node nodeOf(mlir::Value field) { return field.getAsOpaquePointer(); }
  void addTask(ir::TaskOp task);
  void linkLeaders();
  Node leaderOf(Node node);
  Nodes reachedFrom(llvm::ArrayRef<Node> from, const Edges &edges) const;
  bool leads(mlir::Value field, const Edges &edges);

  mlir::SymbolTable symbols;
  llvm::EquivalenceClasses<Node> nodes;
  llvm::DenseSet<mlir::Operation *> entries; ///< functions with an adjoint
  llvm::DenseSet<llvm::StringRef> called;
  /// Between fields: of floats, and of anything else.
  llvm::SmallVector<std::pair<Node, Node>> floats, others;
  /// The same between leaders, the second of both.
  Edges ofFloats, ofAll;
  llvm::SmallVector<Node> losses, watched;
  llvm::SmallVector<Node> sources; ///< marked, watched, or of unknown origin
  Nodes varied;
  llvm::SmallVector<ir::RtOp> marked;
  bool hasKernelGrads = false;
};

} // namespace chi::ad
#endif // CHI_AD_FIELDGRAPH_H
