//===- IRGen.h - Typed tree to the chi dialect ------------------*- C++ -*-===//
#ifndef CHI_IRGEN_IRGEN_H
#define CHI_IRGEN_IRGEN_H

#include "chi/Sema/Tree/Tree.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace chi::irgen {

/// The name in the location of a conditional expression's operation, an scf.if
/// or arith.select, around its place in the source: it distinguishes the
/// operation from other selects, and the places in it identify the operations
/// of its sides.
inline constexpr llvm::StringLiteral kChoiceName = "choice";

struct Options {
  std::string fileName; ///< of the program, for messages of the run time
  std::string doc;      ///< its docstring
  /// Kernels too that nothing calls: others will (chic build --lib).
  bool allKernels = false;
  bool instrumentNaN = false;      ///< --check=nan
  bool instrumentOverflow = false; ///< --check=overflow: in kernels too
};

/// Makes the `chi` stage of a program. Cannot fail: what sema let pass has a
/// translation. The context gets the dialects that are needed.
mlir::OwningOpRef<mlir::ModuleOp> generate(mlir::MLIRContext &context,
                                           const sema::Program &program,
                                           const SourceFiles &sources,
                                           const Options &options);

/// Makes the `chi` stage of a library: each function of scalars whose name ends
/// in `_f32` or `_f64` becomes a strict kernel without loops, named `exp.f32`.
/// Sema must have run with `instantiateAll`.
mlir::OwningOpRef<mlir::ModuleOp> generateLibrary(mlir::MLIRContext &context,
                                                  const sema::Program &program,
                                                  const SourceFiles &sources,
                                                  const Options &options);

} // namespace chi::irgen
#endif // CHI_IRGEN_IRGEN_H
