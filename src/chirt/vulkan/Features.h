//===- Features.h - Features of a Vulkan device -----------------*- C++ -*-===//
#ifndef CHIRT_VULKAN_FEATURES_H
#define CHIRT_VULKAN_FEATURES_H

#include "chirt/vulkan/Vulkan.h"

namespace chirt {

/// The structs in which a device reports its features, and in which the run
/// time enables them.
struct Features {
  VkPhysicalDeviceFeatures2 all = structOf<VkPhysicalDeviceFeatures2>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  VkPhysicalDeviceVulkan11Features one =
      structOf<VkPhysicalDeviceVulkan11Features>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  VkPhysicalDeviceVulkan12Features two =
      structOf<VkPhysicalDeviceVulkan12Features>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT floats =
      structOf<VkPhysicalDeviceShaderAtomicFloatFeaturesEXT>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT);

  explicit Features(bool hasFloats) {
    all.pNext = &one;
    one.pNext = &two;
    two.pNext = hasFloats ? &floats : nullptr;
  }
  Features(const Features &) = delete;

  /// The features that kernels depend on.
  Abilities abilities() const {
    return {all.features.shaderInt64 != 0,
            all.features.shaderFloat64 != 0,
            all.features.shaderInt16 != 0,
            two.shaderInt8 != 0,
            two.shaderFloat16 != 0,
            two.shaderBufferInt64Atomics != 0,
            floats.shaderBufferFloat32AtomicAdd != 0,
            two.storageBuffer8BitAccess != 0,
            one.storageBuffer16BitAccess != 0};
  }
  /// Requests the features in `abilities`.
  void enable(const Abilities &abilities) {
    two.bufferDeviceAddress = VK_TRUE;
    all.features.shaderInt64 = abilities.int64;
    all.features.shaderFloat64 = abilities.float64;
    all.features.shaderInt16 = abilities.int16;
    two.shaderInt8 = abilities.int8;
    two.shaderFloat16 = abilities.float16;
    two.shaderBufferInt64Atomics = abilities.int64Atomics;
    floats.shaderBufferFloat32AtomicAdd = abilities.float32Atomics;
    two.storageBuffer8BitAccess = abilities.storage8;
    one.storageBuffer16BitAccess = abilities.storage16;
  }
};

} // namespace chirt
#endif // CHIRT_VULKAN_FEATURES_H
