//===- Symbols.cpp - Names of a program and what uses them ----------------===//
#include "chi/Units/Symbols.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace chi;
using namespace chi::units;

void chi::units::collectSymbols(Operation *op,
                                llvm::SetVector<StringAttr> &names) {
  op->walk([&](Operation *inner) {
    inner->getAttrDictionary().walk(
        [&](FlatSymbolRefAttr ref) { names.insert(ref.getAttr()); });
  });
}

bool chi::units::isOfProgram(Operation &op) {
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return function.getVisibility_() == LLVM::Visibility::Hidden;
  if (auto global = dyn_cast<LLVM::GlobalOp>(op))
    return global.getVisibility_() == LLVM::Visibility::Hidden;
  return false;
}

void chi::units::renameSymbols(ModuleOp module) {
  DenseMap<StringAttr, StringAttr> names;
  for (Operation &op : *module.getBody()) {
    if (!isOfProgram(op))
      continue;
    StringAttr name = SymbolTable::getSymbolName(&op);
    auto renamed =
        StringAttr::get(module.getContext(), "program." + name.getValue());
    names[name] = renamed;
    SymbolTable::setSymbolName(&op, renamed);
  }
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FlatSymbolRefAttr ref) -> Attribute {
    StringAttr renamed = names.lookup(ref.getAttr());
    return renamed ? FlatSymbolRefAttr::get(renamed) : ref;
  });
  module.walk([&](Operation *op) {
    // Nearly all that name symbols: asked for theirs alone.
    if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
      if (auto renamed = names.lookup(address.getGlobalNameAttr().getAttr()))
        address.setGlobalName(renamed);
    } else if (Attribute members = op->getAttr(ir::kMembersAttr)) {
      op->setAttr(ir::kMembersAttr, replacer.replace(members));
    } else if (isa<SymbolUserOpInterface>(op)) {
      replacer.replaceElementsIn(op);
    }
  });
}

std::vector<std::string>
chi::units::variablesUsedBy(ModuleOp program, const std::string &function) {
  SymbolTable symbols(program);
  llvm::SetVector<StringAttr> names;
  names.insert(StringAttr::get(program.getContext(), function));
  std::vector<std::string> variables;
  for (unsigned i = 0; i < names.size(); ++i) { // grows as it goes
    Operation *symbol = symbols.lookup(names[i]);
    if (isa_and_present<ir::GlobalOp>(symbol))
      variables.push_back(names[i].str());
    else if (symbol)
      collectSymbols(symbol, names);
  }
  return variables;
}
