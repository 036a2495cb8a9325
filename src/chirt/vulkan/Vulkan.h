//===- Vulkan.h - The driver and the device that is used --------*- C++ -*-===//
// The loader, libvulkan.so.1, is loaded when a program asks for the device: no
// program needs it otherwise.
#ifndef CHIRT_VULKAN_VULKAN_H
#define CHIRT_VULKAN_VULKAN_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include "chirt/device_code.h"
#include "chirt/support/Device.h"

namespace chirt {

// What is called of the instance, and of the device.
#define CHIRT_VULKAN_INSTANCE(F)                                               \
  F(vkEnumeratePhysicalDevices)                                                \
  F(vkGetPhysicalDeviceProperties)                                             \
  F(vkGetPhysicalDeviceProperties2)                                            \
  F(vkGetPhysicalDeviceMemoryProperties2)                                      \
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
  F(vkCmdCopyBuffer)                                                           \
  F(vkCmdFillBuffer)                                                           \
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
  bool int64, float64, int16, int8, float16, int64Atomics, float32Atomics,
      storage8, storage16;
};

/// Widths of floats of which a device keeps NaN, infinity and signs of zeros if
/// a kernel asks for it.
struct SpecialNumbers {
  bool of16, of32, of64;

  /// Whether there is one of any width.
  bool any() const { return of16 || of32 || of64; }
  /// Whether there is one of `width` bits.
  bool of(uint32_t width) const {
    return width == 16 ? of16 : width == 32 ? of32 : of64;
  }
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
  SpecialNumbers specialNumbers;
  VkCommandPool commandPool;
  VkPipelineLayout layout; ///< of all kernels: CHIRT_PUSH_BYTES
  int32_t number;          ///< --device
  const char *problem;     ///< why it was not started
  uint64_t largestBlock;   ///< that the driver gives
  bool tellsBudget;        ///< the device reports its free memory
  bool endsLoops;          ///< the driver does: see EndedLoops.h
  int64_t fieldBytes;      ///< taken of it
  int64_t lacking;         ///< bytes that the latest launch could not allocate
  /// Why the device is of no use any more, once it is; and the first of the
  /// launches that were not over then, if that is known.
  VkResult lost;
  const chirt_task *lostTask;
  struct {
    bool hidesMemory, losesDevice, losesNumbers, isBare, isOld;
  } testing; ///< CHI_VULKAN
  DeviceCounts counts;
#define CHIRT_DECLARE(Name) PFN_##Name Name;
  CHIRT_VULKAN_INSTANCE(CHIRT_DECLARE)
  CHIRT_VULKAN_DEVICE(CHIRT_DECLARE)
#undef CHIRT_DECLARE
};
extern Vulkan vulkan;

/// Loads the driver at the first call. Null, or why there is none.
const char *loadVulkan();

/// A device of the machine.
struct Candidate {
  VkPhysicalDevice device;
  VkPhysicalDeviceProperties properties;
  const char *problem; ///< why it cannot be used, or null
  int worth;           ///< 1: a processor plays it, 2 or more: a GPU
};
constexpr int kMaxCandidates = 16;
/// How many there are, the best first, those of no use last. The driver is
/// loaded.
int findCandidates(Candidate (&found)[kMaxCandidates]);
/// Whether a device has the extension of that name.
bool hasExtension(VkPhysicalDevice device, const char *name);
/// The first family of queues that compute; -1 if there is none.
int computingFamily(VkPhysicalDevice device);

/// As chirt_device has them (support/Device.h).
int32_t describeVulkan(int32_t number, chirt_device_facts *facts);
/// Whether the device that is chosen by default is a GPU.
bool hasVulkanGPU();

/// Starts a device, by its number among the candidates. Null, or why it cannot
/// be used.
const char *startVulkan(int32_t number);

/// Null, or what the device lacks that a kernel needs: the end of a sentence
/// that begins with the device.
const char *whatIsLacking(const chirt_device_code *code);

/// A kernel of a task, made at the first call. Null, or the end of a sentence
/// that begins with the device.
const char *findPipeline(const chirt_device_code *code, VkPipeline &pipeline);

} // namespace chirt
#endif // CHIRT_VULKAN_VULKAN_H
