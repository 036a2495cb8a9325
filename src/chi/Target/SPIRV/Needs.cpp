//===- Needs.cpp - What kernels need of a device --------------------------===//

#include "chi/Target/SPIRV/Binary.h"
#include "chirt/device_code.h"

using namespace mlir;
using namespace chi;

namespace {
/// Looks at operations, and at what functions that are called do.
class NeedsFinder {
public:
  int64_t found = 0;

  void look(Operation *root) {
    root->walk([&](Operation *op) { lookAt(op); });
  }

private:
  void lookAt(Operation *op);
  void lookAt(Type type, bool isField);

  llvm::SmallPtrSet<Operation *, 4> called;
};
} // namespace

void NeedsFinder::lookAt(Type type, bool isField) {
  if (auto pointer = dyn_cast<spirv::PointerType>(type))
    return lookAt(pointer.getPointeeType(),
                  pointer.getStorageClass() ==
                      spirv::StorageClass::PhysicalStorageBuffer);
  if (auto composite = dyn_cast<spirv::StructType>(type)) {
    for (unsigned k = 0; k < composite.getNumElements(); ++k)
      lookAt(composite.getElementType(k), isField);
    return;
  }
  if (auto array = dyn_cast<spirv::RuntimeArrayType>(type))
    return lookAt(array.getElementType(), isField);
  if (auto array = dyn_cast<spirv::ArrayType>(type))
    return lookAt(array.getElementType(), isField);
  if (auto vector = dyn_cast<VectorType>(type))
    return lookAt(vector.getElementType(), isField);
  if (!type.isIntOrFloat())
    return;
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 64)
    found |= isa<FloatType>(type) ? CHIRT_NEED_F64 : CHIRT_NEED_I64;
  if (width == 16)
    found |= isa<FloatType>(type) ? CHIRT_NEED_F16 : CHIRT_NEED_I16;
  if (width == 8)
    found |= CHIRT_NEED_I8;
  if (isField && width == 16)
    found |= CHIRT_NEED_FIELDS_16;
  if (isField && width == 8)
    found |= CHIRT_NEED_FIELDS_8;
}

void NeedsFinder::lookAt(Operation *op) {
  for (Type type : op->getResultTypes())
    lookAt(type, /*isField=*/false);
  if (auto variable = dyn_cast<spirv::GlobalVariableOp>(op))
    lookAt(variable.getType(), /*isField=*/false);
  if (isa<spirv::EXTAtomicFAddOp>(op))
    found |= CHIRT_NEED_SUMS_F32;
  if (op->getName().getStringRef().contains("Atomic") &&
      op->getNumResults() == 1 && op->getResult(0).getType().isInteger(64))
    found |= CHIRT_NEED_ATOMICS_64;
  auto call = dyn_cast<spirv::FunctionCallOp>(op);
  if (!call)
    return;
  auto module = op->getParentOfType<spirv::ModuleOp>();
  Operation *callee = module.lookupSymbol(call.getCallee());
  if (called.insert(callee).second)
    look(callee);
}

int64_t chi::target::spv::needsOf(Operation *code) {
  NeedsFinder needs;
  needs.look(code);
  return needs.found;
}
