//===- StructConstants.cpp - Initialisers given as attributes -------------===//

#include "chi/Target/CPU/StructConstants.h"
#include "chi/Conversion/Runtime.h"
#include "llvm/IR/Constants.h"

using namespace mlir;
using namespace chi;
using namespace chi::target;

/// Null if the attribute is no value of the type.
static llvm::Constant *constantOf(Attribute member, llvm::Type *type,
                                  llvm::Module &module) {
  if (auto number = dyn_cast<IntegerAttr>(member))
    return type->isIntegerTy(number.getValue().getBitWidth())
               ? llvm::ConstantInt::get(type, number.getValue())
               : nullptr;
  if (!type->isPointerTy())
    return nullptr;
  if (auto symbol = dyn_cast<FlatSymbolRefAttr>(member))
    return module.getNamedValue(symbol.getValue());
  return isa<UnitAttr>(member) ? llvm::Constant::getNullValue(type) : nullptr;
}

static bool fill(llvm::GlobalVariable &global, ArrayAttr members) {
  auto *type = dyn_cast<llvm::StructType>(global.getValueType());
  if (!type || type->getNumElements() != members.size())
    return false;
  SmallVector<llvm::Constant *> values;
  for (auto [member, part] : llvm::zip_equal(members, type->elements())) {
    values.push_back(constantOf(member, part, *global.getParent()));
    if (!values.back())
      return false;
  }
  global.setInitializer(llvm::ConstantStruct::get(type, values));
  return true;
}

std::string cpu::fillStructConstants(ModuleOp from, llvm::Module &to) {
  for (auto op : from.getOps<LLVM::GlobalOp>()) {
    auto members = op->getAttrOfType<ArrayAttr>(ir::kMembersAttr);
    llvm::GlobalVariable *global =
        members ? to.getNamedGlobal(op.getSymName()) : nullptr;
    if (members && (!global || !fill(*global, members)))
      return op.getSymName().str();
  }
  return "";
}
