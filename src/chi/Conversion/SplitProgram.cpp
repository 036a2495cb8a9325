//===- SplitProgram.cpp - Kernels apart from host code --------------------===//

#include "chi/Conversion/SplitProgram.h"
#include "chi/Conversion/Runtime.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

static bool isControl(Operation *op) { return op->hasAttr(ir::kControlAttr); }
static bool isHost(Operation *op) { return op->hasAttr(ir::kHostAttr); }

/// The symbols that `root` needs, directly or not; bodies of host and control
/// functions other than `root` are not looked into.
static llvm::SetVector<Operation *> neededBy(Operation *root,
                                             SymbolTable &symbols) {
  llvm::SetVector<Operation *> needed;
  SmallVector<Operation *> work{root};
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    auto uses = SymbolTable::getSymbolUses(op);
    if (!uses)
      continue;
    for (SymbolTable::SymbolUse use : *uses) {
      Operation *target = symbols.lookup(use.getSymbolRef().getRootReference());
      if (!target || target == root || !needed.insert(target))
        continue;
      if (!isControl(target) && !isHost(target))
        work.push_back(target);
    }
  }
  return needed;
}

/// Declares a function whose definition stands in another part.
static void declare(OpBuilder &builder, func::FuncOp function) {
  auto declaration =
      func::FuncOp::create(builder, function.getLoc(), function.getSymName(),
                           function.getFunctionType());
  declaration.setPrivate();
  for (StringRef name : {ir::kControlAttr, ir::kHostAttr})
    if (Attribute attr = function->getAttr(name))
      declaration->setAttr(name, attr);
}

static OwningOpRef<ModuleOp> emptyCopy(ModuleOp module, StringRef name) {
  return ModuleOp::create(module.getLoc(), name);
}

static KernelModule makeKernel(ModuleOp module, func::FuncOp control,
                               SymbolTable &symbols) {
  KernelModule kernel{control.getSymName().str(),
                      emptyCopy(module, control.getSymName())};
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(kernel.module->getBody());
  llvm::SetVector<Operation *> needed = neededBy(control, symbols);
  // In the order of the module, so that equal kernels give equal parts.
  for (Operation &op : *module.getBody()) {
    if (&op == control) {
      builder.clone(op);
    } else if (needed.contains(&op)) {
      auto function = dyn_cast<func::FuncOp>(op);
      if (function && (isControl(&op) || isHost(&op))) {
        declare(builder, function);
        continue;
      }
      Operation *copy = builder.clone(op);
      if (isa<ir::GlobalOp>(copy))
        copy->setAttr(kExternAttr, builder.getUnitAttr());
      if (auto device = dyn_cast<func::FuncOp>(copy))
        device.setPrivate();
    }
  }
  return kernel;
}

static OwningOpRef<ModuleOp> makeHost(ModuleOp module, SymbolTable &symbols) {
  OwningOpRef<ModuleOp> host = emptyCopy(module, "host");
  for (NamedAttribute attr : module->getDiscardableAttrs())
    (*host)->setAttr(attr.getName(), attr.getValue());
  llvm::SetVector<Operation *> needed;
  for (auto function : module.getOps<func::FuncOp>())
    if (isHost(function))
      needed.insert_range(neededBy(function, symbols));
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(host->getBody());
  for (Operation &op : *module.getBody()) {
    if (isa<ir::TaskOp>(op))
      continue;
    auto function = dyn_cast<func::FuncOp>(op);
    if (function && isControl(&op)) {
      if (needed.contains(&op))
        declare(builder, function);
      continue;
    }
    if (!function || isHost(&op) || needed.contains(&op))
      builder.clone(op);
  }
  return host;
}

ProgramParts chi::conv::splitProgram(ModuleOp module) {
  SymbolTable symbols(module);
  ProgramParts parts;
  parts.host = makeHost(module, symbols);
  for (auto function : module.getOps<func::FuncOp>())
    if (isControl(function) && !function.isExternal())
      parts.kernels.push_back(makeKernel(module, function, symbols));
  return parts;
}
