//===- Units.cpp - A kernel is the unit of compilation --------------------===//
#include "chi/Units/Units.h"
#include "chi/Conversion/Runtime.h"
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

/// A declaration of what another unit defines. Tasks and constants have none:
/// they go with their users.
static Operation *declare(Operation *symbol) {
  if (auto function = dyn_cast<func::FuncOp>(symbol)) {
    auto declared = func::FuncOp::create(function.getLoc(), function.getName(),
                                         function.getFunctionType());
    declared->setDiscardableAttrs(function->getDiscardableAttrDictionary());
    declared.setPrivate();
    declared->setAttr(ir::kExternAttr, UnitAttr::get(symbol->getContext()));
    return declared;
  }
  Operation *declared = symbol->clone();
  declared->setAttr(ir::kExternAttr, UnitAttr::get(symbol->getContext()));
  return declared;
}

namespace {
/// Fills one unit's module from the program.
class UnitBuilder {
public:
  UnitBuilder(ModuleOp program, SymbolTable &symbols)
      : program(program), symbols(symbols) {}

  /// A module with `roots` and what they need. `isOwn` says of a symbol if
  /// this unit defines it.
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

/// Host units keep the module's attributes (params, file, tests); kernels are
/// the same whatever those say.
static void dropProgramAttributes(ModuleOp module) {
  SmallVector<StringAttr> names;
  for (NamedAttribute attribute : module->getAttrs())
    if (attribute.getName() != SymbolTable::getSymbolAttrName())
      names.push_back(attribute.getName());
  for (StringAttr name : names)
    module->removeAttr(name);
}

std::vector<Unit> chi::units::splitUnits(ModuleOp program, bool keepsLines) {
  SymbolTable symbols(program);
  UnitBuilder builder(program, symbols);
  auto isTask = [](Operation *op) { return isa<ir::TaskOp>(op); };
  std::vector<Unit> units;
  std::vector<Operation *> host;
  for (Operation &op : *program.getBody()) {
    if (isTask(&op))
      continue;
    if (!op.hasAttr(ir::kControlAttr)) {
      host.push_back(&op);
      continue;
    }
    Unit unit;
    unit.name = SymbolTable::getSymbolName(&op).str();
    unit.module = builder.build(&op, isTask);
    dropProgramAttributes(*unit.module);
    unit.module->lookupSymbol<func::FuncOp>(unit.name).setPublic();
    units.push_back(std::move(unit));
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
