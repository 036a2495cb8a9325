//===- GenLibrary.cpp - Functions of a library module ---------------------===//

#include "chi/IRGen/Gen.h"

using namespace mlir;
using namespace chi;
using namespace chi::irgen;

OwningOpRef<ModuleOp> irgen::generateLibrary(MLIRContext &context,
                                             const sema::Program &program,
                                             const SourceFiles &sources,
                                             const Options &options) {
  return ModuleGen(context, program, sources, options).generateLibrary();
}

/// `exp_f32` is the entry `exp.f32`; nothing if a name has no such end.
static std::string entryName(StringRef name) {
  for (StringRef end : {"_f32", "_f64"})
    if (name.ends_with(end) && !name.starts_with("_"))
      return (name.drop_back(4) + "." + end.drop_front()).str();
  return {};
}

OwningOpRef<ModuleOp> ModuleGen::generateLibrary() {
  OwningOpRef<ModuleOp> owned =
      ModuleOp::create(b.getUnknownLoc(), StringRef("library"));
  module = *owned;
  b.setInsertionPointToEnd(module.getBody());
  for (const auto &function : program.functions) {
    std::string name = entryName(function->name);
    bool isScalar =
        llvm::all_of(function->params, [](const sema::Variable *param) {
          return param->type->isScalar();
        });
    if (name.empty() || function->isKernel || function->isHostOnly || !isScalar)
      continue;
    // As a kernel without loops, so that all that it calls is inlined.
    auto op = ir::KernelOp::create(b, location(function->range), name,
                                   functionType(*function));
    op.setStrict(true);
    FunctionGen(*this, function.get(), true).genKernel(op);
    b.setInsertionPointToEnd(module.getBody());
  }
  genPending();
  return owned;
}
