//===- AttachDevice.cpp - The processor that code is made for -------------===//
#include "chi/Transforms/Facts/Passes.h"

namespace chi::facts {
#define GEN_PASS_DEF_ATTACHDEVICEPASS
#include "chi/Transforms/Facts/Passes.h.inc"
} // namespace chi::facts

using namespace mlir;
using namespace chi;

namespace {
struct AttachDevicePass : facts::impl::AttachDevicePassBase<AttachDevicePass> {
  using AttachDevicePassBase::AttachDevicePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto emitError = [&] { return module.emitError(); };
    auto device = ir::DeviceAttr::getChecked(
        emitError, &getContext(), int64_t(vectorBytes),
        int64_t(vectorRegisters), bool(hasMasks), bool(castsLongs),
        int64_t(l1Bytes), int64_t(l2Bytes), int64_t(cacheBytes),
        int64_t(lineBytes));
    if (!device)
      return signalPassFailure();
    module->setAttr(ir::kDeviceAttr, device);
  }
};
} // namespace
