//===- Vulkan.h - The driver and the device that is used --------*- C++ -*-===//
// The loader, libvulkan.so.1, is loaded when a program asks for the device: no
// program needs it otherwise.
#ifndef CHIRT_VULKAN_VULKAN_H
#define CHIRT_VULKAN_VULKAN_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include "chirt/chirt.h"
#include "chirt/device_code.h"

namespace chirt {

// What is called of the instance, and of the device.
#define CHIRT_VULKAN_INSTANCE(F)                                               \
  F(vkEnumeratePhysicalDevices)                                                \
  F(vkGetPhysicalDeviceProperties)                                             \
  F(vkGetPhysicalDeviceFeatures2)                                              \
  F(vkGetPhysicalDeviceMemoryProperties)                                       \
  F(vkGetPhysicalDeviceQueueFamilyProperties)                                  \
  F(vkEnumerateDeviceExtensionProperties)                                      \
  F(vkCreateDevice)
#define CHIRT_VULKAN_DEVICE(F)                                                 \
  F(vkGetDeviceQueue)                                                          \
  F(vkCreateBuffer)                                                            \
  F(vkDestroyBuffer)                                                           \
  F(vkGetBufferMemoryRequirements)                                             \
  F(vkAllocateMemory)                                                          \
  F(vkFreeMemory)                                                              \
  F(vkBindBufferMemory)                                                        \
  F(vkMapMemory)                                                               \
  F(vkGetBufferDeviceAddress)                                                  \
  F(vkCreateShaderModule)                                                      \
  F(vkDestroyShaderModule)                                                     \
  F(vkCreatePipelineLayout)                                                    \
  F(vkCreateComputePipelines)                                                  \
  F(vkCreateCommandPool)                                                       \
  F(vkAllocateCommandBuffers)                                                  \
  F(vkBeginCommandBuffer)                                                      \
  F(vkEndCommandBuffer)                                                        \
  F(vkCmdBindPipeline)                                                         \
  F(vkCmdPushConstants)                                                        \
  F(vkCmdDispatch)                                                             \
  F(vkCmdPipelineBarrier)                                                      \
  F(vkQueueSubmit)                                                             \
  F(vkCreateFence)                                                             \
  F(vkWaitForFences)                                                           \
  F(vkResetFences)

/// A struct of Vulkan's that says what it is, and nothing else yet.
template <typename T> T structOf(VkStructureType type) {
  T result = {};
  result.sType = type;
  return result;
}

/// What a device may lack that kernels may need.
struct Abilities {
  bool float64, int16, int8, float16, int64Atomics, float32Atomics, storage8,
      storage16;
};

/// The device of the process, once it was started.
struct Vulkan {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  uint32_t family; ///< of queues that compute
  VkQueue queue;
  VkPhysicalDeviceProperties properties;
  VkPhysicalDeviceMemoryProperties memory;
  Abilities abilities;
  VkCommandBuffer commands;
  VkFence fence;
  VkPipelineLayout layout; ///< of all kernels: CHIRT_PUSH_BYTES
#define CHIRT_DECLARE(Name) PFN_##Name Name;
  CHIRT_VULKAN_INSTANCE(CHIRT_DECLARE)
  CHIRT_VULKAN_DEVICE(CHIRT_DECLARE)
#undef CHIRT_DECLARE
};
extern Vulkan vulkan;

/// Starts the device at the first call. Null, or why there is none.
const char *startVulkan();

/// Memory of the device that the host sees, with its address there.
struct DeviceBuffer {
  uint64_t address = 0; ///< 0: there is not enough
  char *mapped = nullptr;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
};
DeviceBuffer makeDeviceBuffer(int64_t bytes);
void freeDeviceBuffer(const DeviceBuffer &buffer);

/// A kernel of a task, made at the first call. Raises if the device lacks what
/// it needs.
VkPipeline pipelineOf(const chirt_task *task, const chirt_device_code *code);

} // namespace chirt
#endif // CHIRT_VULKAN_VULKAN_H
