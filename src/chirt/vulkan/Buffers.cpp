//===- Buffers.cpp - Memory of a Vulkan device ----------------------------===//
#include "chirt/vulkan/Vulkan.h"

namespace chirt {

namespace {
/// The kind of memory that the host sees without flushing; best that of the
/// device itself. -1 if there is none for these requirements.
int memoryType(uint32_t allowed) {
  constexpr VkMemoryPropertyFlags seen = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                         VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  constexpr VkMemoryPropertyFlags best =
      seen | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  const VkMemoryPropertyFlags choices[] = {best, seen};
  for (VkMemoryPropertyFlags wanted : choices)
    for (uint32_t k = 0; k < vulkan.memory.memoryTypeCount; ++k) {
      auto has = vulkan.memory.memoryTypes[k].propertyFlags;
      if ((allowed >> k & 1) && (has & wanted) == wanted)
        return int(k);
    }
  return -1;
}

bool allocateFor(DeviceBuffer &made, int64_t bytes) {
  VkMemoryRequirements needs;
  vulkan.vkGetBufferMemoryRequirements(vulkan.device, made.buffer, &needs);
  int type = memoryType(needs.memoryTypeBits);
  if (type < 0)
    return false;
  VkMemoryAllocateFlagsInfo flags = structOf<VkMemoryAllocateFlagsInfo>(
      VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo info =
      structOf<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  info.pNext = &flags;
  info.allocationSize = needs.size;
  info.memoryTypeIndex = uint32_t(type);
  void *mapped = nullptr;
  if (vulkan.vkAllocateMemory(vulkan.device, &info, nullptr, &made.memory) !=
          VK_SUCCESS ||
      vulkan.vkBindBufferMemory(vulkan.device, made.buffer, made.memory, 0) !=
          VK_SUCCESS ||
      vulkan.vkMapMemory(vulkan.device, made.memory, 0, uint64_t(bytes), 0,
                         &mapped) != VK_SUCCESS)
    return false;
  made.mapped = static_cast<char *>(mapped);
  return true;
}
} // namespace

DeviceBuffer makeDeviceBuffer(int64_t bytes) {
  VkBufferCreateInfo info =
      structOf<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = uint64_t(bytes);
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
               VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  DeviceBuffer made;
  if (vulkan.vkCreateBuffer(vulkan.device, &info, nullptr, &made.buffer) !=
      VK_SUCCESS)
    return {};
  if (!allocateFor(made, bytes)) {
    freeDeviceBuffer(made);
    return {};
  }
  VkBufferDeviceAddressInfo where = structOf<VkBufferDeviceAddressInfo>(
      VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
  where.buffer = made.buffer;
  made.address = vulkan.vkGetBufferDeviceAddress(vulkan.device, &where);
  return made;
}

void freeDeviceBuffer(const DeviceBuffer &buffer) {
  vulkan.vkDestroyBuffer(vulkan.device, buffer.buffer, nullptr);
  vulkan.vkFreeMemory(vulkan.device, buffer.memory, nullptr);
}

} // namespace chirt
