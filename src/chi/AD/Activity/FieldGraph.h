//===- FieldGraph.h - Which fields depend on which --------------*- C++ -*-===//
#ifndef CHI_AD_ACTIVITY_FIELDGRAPH_H
#define CHI_AD_ACTIVITY_FIELDGRAPH_H

#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace chi::ad::activity {

/// A graph of the fields of a program: it has an edge where a task that a tape
/// may record stores to one field a value that it read from another one. Fields
/// that one name may refer to are one node, and unknown operations lead
/// everywhere: fields that the graph does not connect are surely independent.
///
/// A function or task has names of its own at each of its calls (an
/// *instance*), so that the arguments of one call do not mix with those of
/// another. Recursive functions, and all calls beyond a limit, share one
/// instance.
class FieldGraph {
public:
  explicit FieldGraph(mlir::ModuleOp module);

  /// Does the loss of a tape depend on the field that the call creates: by
  /// floats, or in any way?
  bool leadsToLossByFloats(ir::RtOp made) { return leads(made, ofFloats); }
  /// Whether the field that `made` creates may affect a loss of a tape.
  bool leadsToLoss(ir::RtOp made) { return leads(made, ofAll); }
  /// Does `watch=` request its adjoint?
  bool isWatched(ir::RtOp made);

  /// The captured fields of the task that surely depend on no marked or watched
  /// field, by number: one set for each launch, duplicates removed.
  llvm::SmallVector<llvm::BitVector> findPassive(ir::TaskOp task);

  /// The meaning of a name in an instance, by the name's address.
  using Node = std::pair<unsigned, const void *>;
  /// The instances of a task.
  llvm::ArrayRef<unsigned> launchesOf(ir::TaskOp task) const;
  /// The node of a captured field, at an instance: one node for all names that
  /// may be one field.
  Node nodeAt(unsigned launch, ir::TaskOp task, unsigned captured);

  /// Fields that calls such as `copy_from` copy from one to another: nodes as
  /// of `nodeAt`, in both directions.
  llvm::SmallVector<std::pair<Node, Node>> copies();

  /// Where marked fields are made.
  llvm::ArrayRef<ir::RtOp> getMarked() const { return marked.getArrayRef(); }
  /// Whether the program has a tape with a loss.
  bool hasTapes() const { return !losses.empty(); }
  /// Is there a `k.grad()`, for which all fields of a kernel count?
  bool asksKernels() const { return hasKernelGrads; }

private:
  using Nodes = llvm::SetVector<Node>;
  using Edges = llvm::DenseMap<Node, Nodes>;
  struct Instance {
    mlir::Operation *body; ///< a function or a task; the first one: the program
    unsigned caller;
    llvm::SmallVector<unsigned> callees;
  };

  // Instances.
  void findCalled(mlir::ModuleOp module);
  void visitAll(mlir::ModuleOp module);
  void addRoot(mlir::func::FuncOp function);
  unsigned instantiate(mlir::Operation *body);
  bool isAround(mlir::Operation *body) const;

  void visit(mlir::Operation *op);
  void visitOther(mlir::Operation *op);
  void visitCall(mlir::Operation *call, llvm::StringRef callee);
  void visitLaunch(ir::LaunchOp launch);
  void visitRuntime(ir::RtOp call);
  bool visitWord(ir::RtOp call);
  void linkEntry(unsigned entry);
  void joinAll(llvm::ArrayRef<mlir::Value> fields);
  void join(mlir::Value a, Node b);
  Node nodeOf(const void *name) const { return {current, name}; }
  Node nodeOf(mlir::Value field) const {
    return nodeOf(field.getAsOpaquePointer());
  }
  Node globalOf(llvm::StringRef name) const {
    return {0, symbols.lookup(name)};
  }
  void addTask(ir::TaskOp task);
  void linkLeaders();
  Node leaderOf(Node node);
  Nodes reachedFrom(llvm::ArrayRef<Node> from, const Edges &edges) const;
  bool leads(ir::RtOp made, const Edges &edges);

  mlir::SymbolTable symbols;
  llvm::SmallVector<Instance> instances;
  unsigned current = 0; ///< the instance that is visited
  llvm::DenseMap<mlir::Operation *, unsigned> shared;
  /// Call sites of functions, and launches of tasks.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> instancesOf;
  llvm::SetVector<unsigned> entries; ///< calls of functions with an adjoint
  llvm::DenseSet<mlir::Operation *> called;
  llvm::EquivalenceClasses<Node> nodes;
  /// Between fields: of floats, and of anything else.
  llvm::SmallVector<std::pair<Node, Node>> floats, others;
  llvm::SmallVector<std::pair<Node, Node>> copied; ///< of `floats`, by calls
  /// The same between leaders, the second of both.
  Edges ofFloats, ofAll;
  llvm::SmallVector<Node> losses, watched;
  llvm::SmallVector<Node> sources; ///< marked, watched, or of unknown origin
  Nodes varied;
  llvm::SetVector<ir::RtOp> marked;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Node>> markedNodes;
  bool hasKernelGrads = false;
};

} // namespace chi::ad::activity
#endif // CHI_AD_ACTIVITY_FIELDGRAPH_H
