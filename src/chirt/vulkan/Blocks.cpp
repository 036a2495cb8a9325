//===- Blocks.cpp - Memory that the driver gives --------------------------===//
#include "chirt/vulkan/Memory.h"

namespace chirt {

namespace {
constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kSeen =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

/// The first kind of memory with these properties; -1 if there is none.
int findType(uint32_t allowed, VkMemoryPropertyFlags wanted) {
  for (uint32_t k = 0; k < vulkan.memory.memoryTypeCount; ++k)
    if ((allowed >> k & 1) &&
        (vulkan.memory.memoryTypes[k].propertyFlags & wanted) == wanted)
      return int(k);
  return -1;
}

/// The kind of memory for a use. The device's own is the host's too only where
/// the host reads it as fast as any: elsewhere it is behind the bus.
int memoryType(uint32_t allowed, BlockUse use) {
  const VkMemoryPropertyFlags fields[] = {kLocal | kSeen | kCached, kLocal, 0};
  const VkMemoryPropertyFlags transfers[] = {kSeen | kCached, kSeen, kSeen};
  bool isField = use == BlockUse::Fields;
  for (VkMemoryPropertyFlags wanted : isField ? fields : transfers)
    if (int type = findType(allowed, wanted); type >= 0)
      return type;
  return -1;
}

bool isSeen(int type) {
  auto has = vulkan.memory.memoryTypes[type].propertyFlags;
  return (has & (kSeen | kCached)) == (kSeen | kCached);
}

bool allocateFor(Block &made, BlockUse use) {
  VkMemoryRequirements needs;
  vulkan.vkGetBufferMemoryRequirements(vulkan.device, made.buffer, &needs);
  int type = memoryType(needs.memoryTypeBits, use);
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
  if (vulkan.vkAllocateMemory(vulkan.device, &info, nullptr, &made.memory) !=
          VK_SUCCESS ||
      vulkan.vkBindBufferMemory(vulkan.device, made.buffer, made.memory, 0) !=
          VK_SUCCESS)
    return false;
  bool isMapped = use == BlockUse::Transfers ||
                  (isSeen(type) && !vulkan.testing.hidesMemory);
  void *mapped = nullptr;
  if (isMapped && vulkan.vkMapMemory(vulkan.device, made.memory, 0,
                                     VK_WHOLE_SIZE, 0, &mapped) != VK_SUCCESS)
    return false;
  made.mapped = static_cast<char *>(mapped);
  return true;
}
} // namespace

Block makeBlock(int64_t bytes, BlockUse use) {
  VkBufferCreateInfo info =
      structOf<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = uint64_t(bytes);
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
               VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  Block made;
  made.bytes = bytes;
  if (uint64_t(bytes) > vulkan.largestBlock ||
      vulkan.vkCreateBuffer(vulkan.device, &info, nullptr, &made.buffer) !=
          VK_SUCCESS)
    return {};
  if (!allocateFor(made, use)) {
    freeBlock(made);
    return {};
  }
  VkBufferDeviceAddressInfo where = structOf<VkBufferDeviceAddressInfo>(
      VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
  where.buffer = made.buffer;
  made.address = vulkan.vkGetBufferDeviceAddress(vulkan.device, &where);
  return made;
}

void freeBlock(const Block &block) {
  vulkan.vkDestroyBuffer(vulkan.device, block.buffer, nullptr);
  vulkan.vkFreeMemory(vulkan.device, block.memory, nullptr);
}

int64_t memoryLeft() {
  int type = memoryType(UINT32_MAX, BlockUse::Fields);
  if (type < 0)
    return 0;
  uint32_t heap = vulkan.memory.memoryTypes[type].heapIndex;
  auto size = int64_t(vulkan.memory.memoryHeaps[heap].size);
  if (!vulkan.tellsBudget)
    return size - vulkan.fieldBytes;
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget =
      structOf<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  VkPhysicalDeviceMemoryProperties2 all =
      structOf<VkPhysicalDeviceMemoryProperties2>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2);
  all.pNext = &budget;
  vulkan.vkGetPhysicalDeviceMemoryProperties2(vulkan.physical, &all);
  int64_t left =
      int64_t(budget.heapBudget[heap]) - int64_t(budget.heapUsage[heap]);
  return left > 0 ? left : 0;
}

} // namespace chirt
