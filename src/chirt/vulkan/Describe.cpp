//===- Describe.cpp - Descriptions of the Vulkan devices ------------------===//
#include "chirt/text/Text.h"
#include "chirt/vulkan/Features.h"
#include <cstring>

namespace chirt {

namespace {
/// The largest heap of the device's own memory.
int64_t memoryOf(VkPhysicalDevice device) {
  VkPhysicalDeviceMemoryProperties memory;
  vulkan.vkGetPhysicalDeviceMemoryProperties(device, &memory);
  uint64_t most = 0;
  for (uint32_t k = 0; k < memory.memoryHeapCount; ++k) {
    const VkMemoryHeap &heap = memory.memoryHeaps[k];
    if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && heap.size > most)
      most = heap.size;
  }
  return int64_t(most);
}

const char *abilitiesOf(VkPhysicalDevice device) {
  Features known(
      hasExtension(device, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME));
  vulkan.vkGetPhysicalDeviceFeatures2(device, &known.all);
  Abilities has = known.abilities();
  Text text;
  auto add = [&](bool isThere, const char *name) {
    if (isThere)
      text << (text.empty() ? "" : ", ") << name;
  };
  add(has.float64, "f64");
  add(has.int64, "i64");
  add(has.float16 && has.storage16, "f16");
  add(has.int16 && has.storage16, "i16");
  add(has.int8 && has.storage8, "i8");
  add(has.int64Atomics, "atomics of i64");
  add(has.float32Atomics, "atomic sums of f32");
  return strdup(text.c_str());
}
} // namespace

int32_t describeVulkan(int32_t number, chirt_device_facts *facts) {
  if ((facts->problem = loadVulkan()))
    return 0;
  Candidate found[kMaxCandidates];
  int count = findCandidates(found);
  if (count == 0)
    facts->problem = "no Vulkan: no driver of Vulkan 1.2 was found";
  if (number >= count)
    return count;
  const Candidate &one = found[number];
  const VkPhysicalDeviceProperties &properties = one.properties;
  Text name;
  name << properties.deviceName << ", Vulkan "
       << VK_API_VERSION_MAJOR(properties.apiVersion) << '.'
       << VK_API_VERSION_MINOR(properties.apiVersion);
  if (one.worth == 1)
    name << ", emulated by the processor";
  facts->name = strdup(name.c_str());
  facts->memory = memoryOf(one.device);
  facts->problem = one.problem;
  if (!one.problem)
    facts->abilities = abilitiesOf(one.device);
  return count;
}

bool hasVulkanGPU() {
  Candidate found[kMaxCandidates];
  return !loadVulkan() && findCandidates(found) > 0 && found[0].worth > 1;
}

} // namespace chirt
