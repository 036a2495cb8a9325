//===- Units.cpp - A kernel is the unit of compilation --------------------===//
#include "chi/Units/Units.h"
#include "chi/Conversion/Runtime.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/DiscardableAttrs.h"
#include "chi/Units/Lines.h"
#include "chi/Units/Symbols.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace chi;
using namespace chi::units;

//===--- Cutting ----------------------------------------------------------===//

/// Adjoints of fewer operations stay with their kernel: another unit costs
/// more.
static constexpr int64_t kLeastOperations = 200;

/// Declares the task without its body.
static Operation *declareTask(ir::TaskOp task) {
  auto declared = cast<ir::TaskOp>(task->cloneWithoutRegions());
  for (auto [from, to] : llvm::zip(task->getRegions(), declared->getRegions()))
    if (!from.empty()) {
      Block &block = to.emplaceBlock();
      for (BlockArgument argument : from.getArguments())
        block.addArgument(argument.getType(), argument.getLoc());
      block.push_back(from.front().getTerminator()->clone());
    }
  ir::changeAdjoint(declared, [](ir::Adjoint &adjoint) {
    adjoint.prologue = adjoint.recorder = adjoint.fused = nullptr;
    adjoint.variant = nullptr;
    if (adjoint.numPrimal)
      adjoint.task = nullptr;
  });
  declared->removeAttr(ir::kTangentAttr);
  return declared;
}

/// A declaration of what another unit defines. Constants have none: they go
/// with their users.
static Operation *declare(Operation *symbol) {
  if (auto function = dyn_cast<func::FuncOp>(symbol)) {
    auto declared = func::FuncOp::create(function.getLoc(), function.getName(),
                                         function.getFunctionType());
    declared->setDiscardableAttrs(function->getDiscardableAttrDictionary());
    declared.setPrivate();
    declared->setAttr(ir::kExternAttr, UnitAttr::get(symbol->getContext()));
    return declared;
  }
  auto task = dyn_cast<ir::TaskOp>(symbol);
  Operation *declared = task ? declareTask(task) : symbol->clone();
  declared->setAttr(ir::kExternAttr, UnitAttr::get(symbol->getContext()));
  return declared;
}

namespace {
/// Fills one unit's module from the program.
class UnitBuilder {
public:
  UnitBuilder(ModuleOp program, SymbolTable &symbols)
      : program(program), symbols(symbols) {}

  /// A module with `roots` and the symbols that they need. `isOwn`: does this
  /// unit define the symbol?
  OwningOpRef<ModuleOp> build(ArrayRef<Operation *> roots,
                              llvm::function_ref<bool(Operation *)> isOwn) {
    OwningOpRef<ModuleOp> module =
        ModuleOp::create(program.getLoc(), program.getName());
    for (NamedAttribute attribute : program->getAttrs())
      if (attribute.getName() != SymbolTable::getSymbolAttrName())
        (*module)->setAttr(attribute.getName(), attribute.getValue());
    llvm::SetVector<StringAttr> names;
    llvm::SetVector<Operation *> done;
    for (Operation *root : roots) {
      done.insert(root);
      module->push_back(root->clone());
      collectSymbols(root, names);
    }
    for (unsigned i = 0; i < names.size(); ++i) { // grows as it goes
      Operation *symbol = symbols.lookup(names[i]);
      if (!symbol || !done.insert(symbol))
        continue;
      if (isOwn(symbol)) {
        module->push_back(symbol->clone());
        collectSymbols(symbol, names);
      } else {
        module->push_back(declare(symbol));
      }
    }
    return module;
  }

private:
  ModuleOp program;
  SymbolTable &symbols;
};
} // namespace

/// Host units keep the module's attributes (params, file, tests); kernels do
/// not depend on those.
static void dropProgramAttributes(ModuleOp module) {
  SmallVector<StringAttr> names;
  for (NamedAttribute attribute : module->getAttrs())
    if (attribute.getName() != SymbolTable::getSymbolAttrName())
      names.push_back(attribute.getName());
  for (StringAttr name : names)
    module->removeAttr(name);
}

/// The tasks of the backward pass that a kernel's tasks name, if they are worth
/// a unit of their own and nothing else names them.
static SmallVector<Operation *> findAdjoints(Operation *control,
                                             SymbolTable &symbols) {
  llvm::SetVector<StringAttr> launched;
  collectSymbols(control, launched);
  SmallVector<Operation *> found;
  for (StringAttr name : launched)
    if (auto task = symbols.lookup<ir::TaskOp>(name))
      for (FlatSymbolRefAttr ref :
           {ir::adjointOf(task), ir::fusedAdjointOf(task), ir::prologueOf(task),
            ir::recorderOf(task)})
        if (ir::TaskOp back =
                ref ? symbols.lookup<ir::TaskOp>(ref.getAttr()) : ir::TaskOp();
            back && !launched.contains(ref.getAttr()) &&
            !llvm::is_contained(found, back))
          found.push_back(back);
  int64_t operations = 0;
  for (Operation *task : found)
    task->walk([&](Operation *) { ++operations; });
  if (operations < kLeastOperations)
    found.clear();
  return found;
}

/// A control function and those that share its unit.
static SmallVector<Operation *> rootsOf(Operation *control) {
  SmallVector<Operation *> roots{control};
  StringAttr name = SymbolTable::getSymbolName(control);
  for (Operation &other : *control->getBlock())
    if (other.getAttr(ir::kUnitAttr) == name)
      roots.push_back(&other);
  return roots;
}

std::vector<Unit> chi::units::splitUnits(ModuleOp program, bool keepsLines,
                                         bool splitsAdjoints) {
  SymbolTable symbols(program);
  UnitBuilder builder(program, symbols);
  auto isTask = [](Operation *op) { return isa<ir::TaskOp>(op); };
  std::vector<Unit> units;
  std::vector<Operation *> host;
  for (Operation &op : *program.getBody()) {
    if (isTask(&op) || op.hasAttr(ir::kUnitAttr))
      continue;
    if (!op.hasAttr(ir::kControlAttr)) {
      host.push_back(&op);
      continue;
    }
    SmallVector<Operation *> adjoints;
    if (splitsAdjoints)
      adjoints = findAdjoints(&op, symbols);
    Unit unit;
    unit.name = SymbolTable::getSymbolName(&op).str();
    SmallVector<Operation *> roots = rootsOf(&op);
    unit.module = builder.build(roots, [&](Operation *symbol) {
      return isTask(symbol) && !llvm::is_contained(adjoints, symbol);
    });
    dropProgramAttributes(*unit.module);
    for (Operation *root : roots)
      unit.module->lookupSymbol<func::FuncOp>(SymbolTable::getSymbolName(root))
          .setPublic();
    units.push_back(std::move(unit));
    if (adjoints.empty())
      continue;
    Unit back;
    back.name = "adjoints of " + units.back().name;
    back.module = builder.build(adjoints, isTask);
    dropProgramAttributes(*back.module);
    for (Operation *task : adjoints)
      ir::changeAdjoint(back.module->lookupSymbol<ir::TaskOp>(
                            SymbolTable::getSymbolName(task)),
                        [](ir::Adjoint &adjoint) { adjoint.shared = true; });
    units.push_back(std::move(back));
  }
  Unit rest;
  rest.module = builder.build(host, [](Operation *) { return false; });
  units.push_back(std::move(rest));
  for (Unit &unit : units)
    if (!keepsLines)
      unit.lines = numberLines(*unit.module);
  return units;
}

std::string Unit::text() {
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out, OpPrintingFlags().enableDebugInfo().useLocalScope());
  return text;
}
