//===- Binary.cpp - Kernels as a SPIR-V binary ----------------------------===//

#include "chi/Offload/SPIRV/Binary.h"
#include "mlir/Target/SPIRV/Serialization.h"

using namespace mlir;

namespace {
/// Widths of what a module does.
struct Widths {
  bool atomics64 = false, stores16 = false, stores8 = false;

  void look(Operation *op) {
    if (op->getNumResults() != 1)
      return;
    Type type = op->getResult(0).getType();
    atomics64 |=
        op->getName().getStringRef().contains("Atomic") && type.isInteger(64);
    auto pointer = dyn_cast<spirv::PointerType>(type);
    if (!pointer ||
        pointer.getStorageClass() != spirv::StorageClass::PhysicalStorageBuffer)
      return;
    Type element = pointer.getPointeeType();
    if (!element.isIntOrFloat())
      return;
    stores16 |= element.getIntOrFloatBitWidth() == 16;
    stores8 |= element.getIntOrFloatBitWidth() == 8;
  }
};
} // namespace

void chi::offload::repairNeeds(spirv::ModuleOp module) {
  Widths widths;
  module.walk([&](Operation *op) { widths.look(op); });
  spirv::VerCapExtAttr needs = *module.getVceTriple();
  SmallVector<spirv::Capability> capabilities(needs.getCapabilities());
  if (widths.atomics64)
    capabilities.push_back(spirv::Capability::Int64Atomics);
  if (widths.stores16)
    capabilities.push_back(spirv::Capability::StorageBuffer16BitAccess);
  if (widths.stores8)
    capabilities.push_back(spirv::Capability::StorageBuffer8BitAccess);
  SmallVector<spirv::Extension> extensions;
  for (spirv::Extension each : needs.getExtensions())
    // Part of version 1.5; the validation layers refuse the name.
    if (each != spirv::Extension::SPV_EXT_physical_storage_buffer &&
        each != spirv::Extension::SPV_KHR_physical_storage_buffer)
      extensions.push_back(each);
  // Entry points list all their variables, which is so from 1.4 on.
  module.setVceTripleAttr(spirv::VerCapExtAttr::get(
      spirv::Version::V_1_5, capabilities, extensions, module.getContext()));
}

FailureOr<std::string> chi::offload::emitBinary(spirv::ModuleOp module) {
  SmallVector<uint32_t> words;
  if (failed(spirv::serialize(module, words)))
    return failure();
  return std::string(reinterpret_cast<const char *>(words.data()),
                     words.size() * sizeof(uint32_t));
}
