//===- Start.cpp - Starting a Vulkan device -------------------------------===//
#include "chirt/device_code.h"
#include "chirt/text/Text.h"
#include "chirt/vulkan/Features.h"
#include <cstdlib>
#include <cstring>

namespace chirt {

constinit Vulkan vulkan = {};

namespace {
/// For tests of Chi: CHI_VULKAN=staging hides the device's memory from the
/// host, CHI_VULKAN=lost loses the device at the first wait, CHI_VULKAN=numbers
/// hides that it keeps NaN, infinity and signs of zeros, CHI_VULKAN=bare all
/// that a device may lack, CHI_VULKAN=old that its driver is not too old.
void readTesting() {
  const char *value = getenv("CHI_VULKAN");
  vulkan.testing.hidesMemory = value && !strcmp(value, "staging");
  vulkan.testing.losesDevice = value && !strcmp(value, "lost");
  vulkan.testing.losesNumbers = value && !strcmp(value, "numbers");
  vulkan.testing.isBare = value && !strcmp(value, "bare");
  vulkan.testing.isOld = value && !strcmp(value, "old");
}

/// What is known of the device that was chosen.
void readProperties() {
  VkPhysicalDeviceVulkan11Properties one =
      structOf<VkPhysicalDeviceVulkan11Properties>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
  VkPhysicalDeviceVulkan12Properties two =
      structOf<VkPhysicalDeviceVulkan12Properties>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES);
  one.pNext = &two;
  VkPhysicalDeviceProperties2 all = structOf<VkPhysicalDeviceProperties2>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
  all.pNext = &one;
  vulkan.vkGetPhysicalDeviceProperties2(vulkan.physical, &all);
  vulkan.properties = all.properties;
  vulkan.largestBlock = one.maxMemoryAllocationSize;
  vulkan.endsLoops = two.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
  if (!vulkan.testing.losesNumbers)
    vulkan.specialNumbers = {two.shaderSignedZeroInfNanPreserveFloat16 != 0,
                             two.shaderSignedZeroInfNanPreserveFloat32 != 0,
                             two.shaderSignedZeroInfNanPreserveFloat64 != 0};
  vulkan.vkGetPhysicalDeviceMemoryProperties(vulkan.physical, &vulkan.memory);
  vulkan.tellsBudget =
      hasExtension(vulkan.physical, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
}

bool makeDevice() {
  readProperties();
  bool hasFloats =
      hasExtension(vulkan.physical, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
  Features known(hasFloats), wanted(hasFloats);
  vulkan.vkGetPhysicalDeviceFeatures2(vulkan.physical, &known.all);
  if (!vulkan.testing.isBare)
    vulkan.abilities = known.abilities();
  wanted.enable(vulkan.abilities);
  vulkan.family = uint32_t(computingFamily(vulkan.physical));
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = structOf<VkDeviceQueueCreateInfo>(
      VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueFamilyIndex = vulkan.family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  const char *extensions[2];
  uint32_t count = 0;
  if (hasFloats)
    extensions[count++] = VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME;
  if (vulkan.tellsBudget)
    extensions[count++] = VK_EXT_MEMORY_BUDGET_EXTENSION_NAME;
  VkDeviceCreateInfo info =
      structOf<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.pNext = &wanted.all;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = count;
  info.ppEnabledExtensionNames = extensions;
  return vulkan.vkCreateDevice(vulkan.physical, &info, nullptr,
                               &vulkan.device) == VK_SUCCESS;
}

/// The queue, and what each launch uses again.
bool makeQueue() {
  vulkan.vkGetDeviceQueue(vulkan.device, vulkan.family, 0, &vulkan.queue);
  VkCommandPoolCreateInfo pool = structOf<VkCommandPoolCreateInfo>(
      VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = vulkan.family;
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                               CHIRT_PUSH_BYTES};
  VkPipelineLayoutCreateInfo layout = structOf<VkPipelineLayoutCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &range;
  return vulkan.vkCreateCommandPool(vulkan.device, &pool, nullptr,
                                    &vulkan.commandPool) == VK_SUCCESS &&
         vulkan.vkCreatePipelineLayout(vulkan.device, &layout, nullptr,
                                       &vulkan.layout) == VK_SUCCESS;
}

/// The sentence lives as long as the process.
const char *keep(Text &text) { return vulkan.problem = strdup(text.c_str()); }

/// Null, or why the device of that number cannot be used.
const char *chooseDevice(int32_t number) {
  Candidate found[kMaxCandidates];
  int count = findCandidates(found);
  if (count == 0)
    return "no Vulkan: no driver of Vulkan 1.2 was found; try --arch=cpu";
  if (number >= count) {
    Text text;
    text << "--device=" << number << ": there "
         << (count == 1 ? "is one Vulkan device" : "are ");
    if (count > 1)
      text << count << " Vulkan devices";
    text << ", numbered from 0 (`chic devices` lists them)";
    return keep(text);
  }
  const Candidate &chosen = found[number];
  if (chosen.problem) {
    Text text;
    text << "the Vulkan device `" << chosen.properties.deviceName
         << "` cannot be used: " << chosen.problem << "; try --arch=cpu";
    return keep(text);
  }
  vulkan.physical = chosen.device;
  return nullptr;
}
} // namespace

const char *startVulkan(int32_t number) {
  if (vulkan.layout)
    return number == vulkan.number ? nullptr
                                   : "a process uses one Vulkan device";
  readTesting();
  if (const char *problem = loadVulkan())
    return problem;
  if (const char *problem = chooseDevice(number))
    return problem;
  vulkan.number = number;
  if (!makeDevice() || !makeQueue())
    return "the Vulkan device cannot be used: its driver reports an error; try "
           "--arch=cpu";
  return nullptr;
}

} // namespace chirt
