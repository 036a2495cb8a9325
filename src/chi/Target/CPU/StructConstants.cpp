//===- StructConstants.cpp - Initialisers given as attributes -------------===//

#include "chi/Target/CPU/StructConstants.h"
#include "chi/Conversion/Runtime.h"
#include "llvm/IR/Constants.h"

using namespace mlir;
using namespace chi;
using namespace chi::target;

/// Null if the attribute is no value of the type.
static llvm::Constant *constantOf(Attribute member, llvm::Type *type,
                                  llvm::Module &module);

/// For a struct or an array.
static llvm::Constant *aggregateOf(ArrayAttr members, llvm::Type *type,
                                   llvm::Module &module) {
  auto *structType = dyn_cast<llvm::StructType>(type);
  auto *arrayType = dyn_cast<llvm::ArrayType>(type);
  uint64_t count = structType  ? structType->getNumElements()
                   : arrayType ? arrayType->getNumElements()
                               : 0;
  if (count != members.size())
    return nullptr;
  SmallVector<llvm::Constant *> values;
  for (auto [offset, member] : llvm::enumerate(members)) {
    llvm::Type *part = structType ? structType->getElementType(offset)
                                  : arrayType->getElementType();
    values.push_back(constantOf(member, part, module));
    if (!values.back())
      return nullptr;
  }
  return structType ? llvm::ConstantStruct::get(structType, values)
                    : llvm::ConstantArray::get(arrayType, values);
}

static llvm::Constant *constantOf(Attribute member, llvm::Type *type,
                                  llvm::Module &module) {
  if (auto members = dyn_cast<ArrayAttr>(member))
    return aggregateOf(members, type, module);
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
  llvm::Constant *value =
      aggregateOf(members, global.getValueType(), *global.getParent());
  if (value)
    global.setInitializer(value);
  return value;
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
