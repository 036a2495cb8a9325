//===- Binary.cpp - Kernels as a SPIR-V binary ----------------------------===//

#include "chi/Target/SPIRV/Binary.h"
#include "chirt/device_code.h"
#include "mlir/Target/SPIRV/Serialization.h"

#include <set>

using namespace mlir;

/// Zeros keep their signs, and there are NaN and infinity, in all floats that
/// an entry point computes with. True if it does with any.
static bool keepSpecialNumbers(spirv::EntryPointOp entry) {
  auto module = entry->getParentOfType<spirv::ModuleOp>();
  auto function = module.lookupSymbol<spirv::FuncOp>(entry.getFn());
  std::set<int32_t> widths;
  auto collect = [&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (isa<FloatType>(type))
        widths.insert(int32_t(type.getIntOrFloatBitWidth()));
  };
  function.walk(collect);
  auto b = OpBuilder::atBlockEnd(module.getBody());
  for (int32_t width : widths)
    spirv::ExecutionModeOp::create(
        b, entry.getLoc(), function,
        spirv::ExecutionMode::SignedZeroInfNanPreserve, width);
  return !widths.empty();
}

void chi::target::spv::repairNeeds(spirv::ModuleOp module) {
  int64_t all = needsOf(module);
  spirv::VerCapExtAttr needs = *module.getVceTriple();
  SmallVector<spirv::Capability> capabilities(needs.getCapabilities());
  // MLIR takes it that all shaders use matrices.
  llvm::erase(capabilities, spirv::Capability::Matrix);
  if (all & CHIRT_NEED_ATOMICS_64)
    capabilities.push_back(spirv::Capability::Int64Atomics);
  if (all & CHIRT_NEED_FIELDS_16)
    capabilities.push_back(spirv::Capability::StorageBuffer16BitAccess);
  if (all & CHIRT_NEED_FIELDS_8)
    capabilities.push_back(spirv::Capability::StorageBuffer8BitAccess);
  bool hasFloats = false;
  for (auto entry :
       llvm::make_early_inc_range(module.getOps<spirv::EntryPointOp>()))
    hasFloats |= keepSpecialNumbers(entry);
  if (hasFloats)
    capabilities.push_back(spirv::Capability::SignedZeroInfNanPreserve);
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

spirv::ModuleOp chi::target::spv::sumVariantOf(spirv::ModuleOp module) {
  auto name =
      module->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  auto next = dyn_cast_or_null<spirv::ModuleOp>(module->getNextNode());
  bool isVariant =
      name && next && next.getName() &&
      *next.getName() == (name.getValue() + kSumVariantSuffix).str();
  return isVariant ? next : spirv::ModuleOp();
}

/// A pointer becomes one to another type by the pair of its halves, which all
/// drivers know: SwiftShader has no cast from pointer to pointer. MLIR's
/// verifier does not let it be written before.
static void castByHalves(spirv::ModuleOp module) {
  module.walk([](spirv::BitcastOp op) {
    Value from = op.getOperand();
    if (!isa<spirv::PointerType>(from.getType()) ||
        !isa<spirv::PointerType>(op.getType()))
      return;
    OpBuilder b(op);
    auto pair = VectorType::get(2, b.getI32Type());
    op->setOperand(0, spirv::BitcastOp::create(b, op.getLoc(), pair, from));
  });
}

FailureOr<std::string> chi::target::spv::emitBinary(spirv::ModuleOp module) {
  castByHalves(module);
  SmallVector<uint32_t> words;
  if (failed(spirv::serialize(module, words)))
    return failure();
  return std::string(reinterpret_cast<const char *>(words.data()),
                     words.size() * sizeof(uint32_t));
}
