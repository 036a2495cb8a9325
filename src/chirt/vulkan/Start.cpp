//===- Start.cpp - Finding and starting a Vulkan device -------------------===//
#include "chirt/device_code.h"
#include "chirt/vulkan/Vulkan.h"

#include "chirt/core/Text.h"
#include <cstring>
#include <dlfcn.h>

namespace chirt {

constinit Vulkan vulkan = {};

namespace {
/// The structs in which a device tells, and is told, what it can do.
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

  bool isEnough() const {
    return two.bufferDeviceAddress && all.features.shaderInt64;
  }
  Abilities abilities() const {
    return {all.features.shaderFloat64 != 0,
            all.features.shaderInt16 != 0,
            two.shaderInt8 != 0,
            two.shaderFloat16 != 0,
            two.shaderBufferInt64Atomics != 0,
            floats.shaderBufferFloat32AtomicAdd != 0,
            two.storageBuffer8BitAccess != 0,
            one.storageBuffer16BitAccess != 0};
  }
  void enable(const Abilities &abilities) {
    all.features.shaderInt64 = two.bufferDeviceAddress = VK_TRUE;
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

bool hasAtomicFloats(VkPhysicalDevice device) {
  return hasExtension(device, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
}

/// The first family of queues that compute; -1 if there is none.
int computingFamily(VkPhysicalDevice device) {
  VkQueueFamilyProperties families[16];
  uint32_t count = 16;
  vulkan.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families);
  for (uint32_t k = 0; k < count; ++k)
    if (families[k].queueFlags & VK_QUEUE_COMPUTE_BIT)
      return int(k);
  return -1;
}

/// How much a device is worth; 0 if it lacks what every kernel needs.
int rank(VkPhysicalDevice device) {
  VkPhysicalDeviceProperties properties;
  vulkan.vkGetPhysicalDeviceProperties(device, &properties);
  if (properties.apiVersion < VK_API_VERSION_1_2 || computingFamily(device) < 0)
    return 0;
  Features features(false);
  vulkan.vkGetPhysicalDeviceFeatures2(device, &features.all);
  if (!features.isEnough())
    return 0;
  switch (properties.deviceType) {
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

bool pickDevice() {
  VkPhysicalDevice devices[16];
  uint32_t count = 16;
  VkResult result =
      vulkan.vkEnumeratePhysicalDevices(vulkan.instance, &count, devices);
  if (result != VK_SUCCESS && result != VK_INCOMPLETE)
    return false;
  int best = 0;
  for (uint32_t k = 0; k < count; ++k)
    if (int worth = rank(devices[k]); worth > best) {
      best = worth;
      vulkan.physical = devices[k];
    }
  return best > 0;
}

bool makeDevice() {
  vulkan.vkGetPhysicalDeviceProperties(vulkan.physical, &vulkan.properties);
  vulkan.vkGetPhysicalDeviceMemoryProperties(vulkan.physical, &vulkan.memory);
  bool hasFloats = hasAtomicFloats(vulkan.physical);
  Features known(hasFloats), wanted(hasFloats);
  vulkan.vkGetPhysicalDeviceFeatures2(vulkan.physical, &known.all);
  vulkan.abilities = known.abilities();
  wanted.enable(vulkan.abilities);
  vulkan.family = uint32_t(computingFamily(vulkan.physical));
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = structOf<VkDeviceQueueCreateInfo>(
      VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueFamilyIndex = vulkan.family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  const char *extension = VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME;
  VkDeviceCreateInfo info =
      structOf<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.pNext = &wanted.all;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = hasFloats;
  info.ppEnabledExtensionNames = &extension;
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
  VkCommandPool made;
  if (vulkan.vkCreateCommandPool(vulkan.device, &pool, nullptr, &made) !=
      VK_SUCCESS)
    return false;
  VkCommandBufferAllocateInfo buffer = structOf<VkCommandBufferAllocateInfo>(
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  buffer.commandPool = made;
  buffer.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  buffer.commandBufferCount = 1;
  VkFenceCreateInfo fence =
      structOf<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                               CHIRT_PUSH_BYTES};
  VkPipelineLayoutCreateInfo layout = structOf<VkPipelineLayoutCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &range;
  return vulkan.vkAllocateCommandBuffers(vulkan.device, &buffer,
                                         &vulkan.commands) == VK_SUCCESS &&
         vulkan.vkCreateFence(vulkan.device, &fence, nullptr, &vulkan.fence) ==
             VK_SUCCESS &&
         vulkan.vkCreatePipelineLayout(vulkan.device, &layout, nullptr,
                                       &vulkan.layout) == VK_SUCCESS;
}

/// The loader's own functions.
struct Loader {
  PFN_vkGetInstanceProcAddr find;
  PFN_vkCreateInstance create;
};

bool load(Loader &loader) {
  void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return false;
  loader.find = reinterpret_cast<PFN_vkGetInstanceProcAddr>(
      dlsym(library, "vkGetInstanceProcAddr"));
  if (!loader.find)
    return false;
  loader.create = reinterpret_cast<PFN_vkCreateInstance>(
      loader.find(nullptr, "vkCreateInstance"));
  return loader.create;
}

bool makeInstance(const Loader &loader) {
  VkApplicationInfo application =
      structOf<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.pApplicationName = "chi";
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo info =
      structOf<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &application;
  if (loader.create(&info, nullptr, &vulkan.instance) != VK_SUCCESS)
    return false;
  bool hasAll = true;
#define CHIRT_FIND(Name)                                                       \
  vulkan.Name =                                                                \
      reinterpret_cast<PFN_##Name>(loader.find(vulkan.instance, #Name));       \
  hasAll &= vulkan.Name != nullptr;
  CHIRT_VULKAN_INSTANCE(CHIRT_FIND)
  CHIRT_VULKAN_DEVICE(CHIRT_FIND)
#undef CHIRT_FIND
  return hasAll;
}
} // namespace

const char *startVulkan() {
  if (vulkan.layout)
    return nullptr;
  Loader loader;
  if (!load(loader))
    return "no Vulkan: libvulkan.so.1 was not found; try --arch=cpu";
  if (!makeInstance(loader))
    return "no Vulkan: no driver of Vulkan 1.2 was found; try --arch=cpu";
  if (!pickDevice())
    return "no Vulkan device has what is needed: Vulkan 1.2 with compute "
           "queues, addresses of buffers and 64-bit integers; try --arch=cpu";
  if (!makeDevice() || !makeQueue())
    return "the Vulkan device cannot be used: its driver refuses; try "
           "--arch=cpu";
  return nullptr;
}

} // namespace chirt
