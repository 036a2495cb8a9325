//===- Loader.cpp - Vulkan's loader ---------------------------------------===//
#include "chirt/vulkan/Vulkan.h"

#include <dlfcn.h>

namespace chirt {

namespace {
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

const char *loadVulkan() {
  if (vulkan.instance)
    return nullptr;
  Loader loader;
  if (!load(loader))
    return "no Vulkan: libvulkan.so.1 was not found; try --arch=cpu";
  if (!makeInstance(loader))
    return "no Vulkan: no driver of Vulkan 1.2 was found; try --arch=cpu";
  return nullptr;
}

} // namespace chirt
