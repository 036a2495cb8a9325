//===- Choose.cpp - The Vulkan devices of the machine ---------------------===//
#include "chirt/text/Text.h"
#include "chirt/vulkan/Features.h"
#include <cstring>

namespace chirt {

bool hasExtension(VkPhysicalDevice device, const char *name) {
  uint32_t count = 0;
  vulkan.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  Array<VkExtensionProperties> all;
  all.resize(count);
  vulkan.vkEnumerateDeviceExtensionProperties(device, nullptr, &count,
                                              all.data());
  for (uint32_t k = 0; k < count; ++k)
    if (!strcmp(all[k].extensionName, name))
      return true;
  return false;
}

int computingFamily(VkPhysicalDevice device) {
  VkQueueFamilyProperties families[16];
  uint32_t count = 16;
  vulkan.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families);
  for (uint32_t k = 0; k < count; ++k)
    if (families[k].queueFlags & VK_QUEUE_COMPUTE_BIT)
      return int(k);
  return -1;
}

namespace {
int worthOf(VkPhysicalDeviceType type) {
  switch (type) {
  case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
    return 4;
  case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    return 3;
  case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
    return 2;
  default:
    return 1;
  }
}

/// What every kernel needs and the device lacks; null if it has all.
const char *whatIsMissing(VkPhysicalDevice device,
                          const VkPhysicalDeviceProperties &properties) {
  if (properties.apiVersion < VK_API_VERSION_1_2 || vulkan.testing.isOld)
    return "its driver is too old: Vulkan 1.2 is required";
  if (computingFamily(device) < 0)
    return "it has no compute queue";
  Features features(false);
  vulkan.vkGetPhysicalDeviceFeatures2(device, &features.all);
  if (!features.two.bufferDeviceAddress)
    return "it has no buffer device addresses (bufferDeviceAddress)";
  const VkPhysicalDeviceLimits &limits = properties.limits;
  if (limits.maxComputeWorkGroupInvocations < CHIRT_BLOCK_SIZE ||
      limits.maxComputeWorkGroupSize[0] < CHIRT_BLOCK_SIZE)
    return "its blocks have fewer than 256 threads";
  return nullptr;
}
} // namespace

int findCandidates(Candidate (&found)[kMaxCandidates]) {
  VkPhysicalDevice devices[kMaxCandidates];
  uint32_t count = kMaxCandidates;
  VkResult result =
      vulkan.vkEnumeratePhysicalDevices(vulkan.instance, &count, devices);
  if (result != VK_SUCCESS && result != VK_INCOMPLETE)
    return 0;
  for (uint32_t k = 0; k < count; ++k) {
    Candidate one = {};
    one.device = devices[k];
    vulkan.vkGetPhysicalDeviceProperties(devices[k], &one.properties);
    one.problem = whatIsMissing(devices[k], one.properties);
    one.worth = one.problem ? 0 : worthOf(one.properties.deviceType);
    // The best first; of equals, in the order of the loader.
    uint32_t at = k;
    for (; at > 0 && found[at - 1].worth < one.worth; --at)
      found[at] = found[at - 1];
    found[at] = one;
  }
  return int(count);
}

} // namespace chirt
