//===- Pipelines.cpp - Kernels as a Vulkan device has them ----------------===//
#include "chirt/core/Failure.h"
#include "chirt/device_code.h"
#include "chirt/vulkan/Vulkan.h"

#include <cstring>

namespace chirt {

namespace {
/// A kernel that was made.
struct Made {
  const chirt_device_code *code;
  VkPipeline pipeline;
  Made *next;
};
constinit Made *kernels = nullptr;

/// A number of SPIR-V's `Capability`, what a user calls it, and whether the
/// device has it.
struct Need {
  uint32_t number;
  const char *name;
  bool Abilities::*has;
};
constexpr Need kNeeds[] = {
    {9, "16-bit floats (f16)", &Abilities::float16},
    {10, "64-bit floats (f64)", &Abilities::float64},
    {12, "atomics of 64-bit integers", &Abilities::int64Atomics},
    {22, "16-bit integers", &Abilities::int16},
    {39, "8-bit integers", &Abilities::int8},
    {4433, "fields of 16-bit numbers", &Abilities::storage16},
    {4448, "fields of bools and 8-bit integers", &Abilities::storage8},
    {6033, "atomic sums of f32", &Abilities::float32Atomics},
};

/// The first thing that a binary needs and the device lacks; null if it has
/// all.
const char *missing(const uint32_t *words, size_t count) {
  constexpr size_t kHeader = 5;
  constexpr uint32_t kCapability = 17;
  for (size_t at = kHeader; at + 1 < count;) {
    uint32_t operation = words[at] & 0xffff, length = words[at] >> 16;
    if (operation != kCapability || length == 0)
      break; // they all come first
    for (const Need &need : kNeeds)
      if (words[at + 1] == need.number && !(vulkan.abilities.*need.has))
        return need.name;
    at += length;
  }
  return nullptr;
}

VkPipeline build(const chirt_device_code *code, const uint32_t *words,
                 size_t bytes) {
  VkShaderModuleCreateInfo module = structOf<VkShaderModuleCreateInfo>(
      VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  module.codeSize = bytes;
  module.pCode = words;
  VkShaderModule shader;
  if (vulkan.vkCreateShaderModule(vulkan.device, &module, nullptr, &shader) !=
      VK_SUCCESS)
    return VK_NULL_HANDLE;
  VkComputePipelineCreateInfo info = structOf<VkComputePipelineCreateInfo>(
      VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = shader;
  info.stage.pName = code->name;
  info.layout = vulkan.layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkResult result = vulkan.vkCreateComputePipelines(
      vulkan.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  vulkan.vkDestroyShaderModule(vulkan.device, shader, nullptr);
  return result == VK_SUCCESS ? pipeline : VkPipeline(VK_NULL_HANDLE);
}
} // namespace

/// False, with a failure recorded, if there is no kernel.
static bool makePipeline(const chirt_task *task, const chirt_device_code *code,
                         VkPipeline &pipeline) {
  if (!code)
    return failAt(task->site, WorldFault,
                  "this program was compiled for the CPU alone");
  Array<uint32_t> words; // aligned, as the driver wants them
  words.resize(size_t(code->image_bytes) / sizeof(uint32_t));
  memcpy(words.data(), code->image, size_t(code->image_bytes));
  if (const char *name = missing(words.data(), words.size()))
    return failAt(task->site, WorldFault,
                  "the device `%s` has no %s, which this loop needs",
                  vulkan.properties.deviceName, name);
  pipeline = build(code, words.data(), size_t(code->image_bytes));
  if (!pipeline)
    return failAt(task->site, WorldFault,
                  "the driver of `%s` refuses the code of this loop",
                  vulkan.properties.deviceName);
  auto *made = static_cast<Made *>(malloc(sizeof(Made)));
  if (!made)
    outOfMemory();
  *made = {code, pipeline, kernels};
  kernels = made;
  return true;
}

VkPipeline pipelineOf(const chirt_task *task, const chirt_device_code *code) {
  for (const Made *known = kernels; known; known = known->next)
    if (known->code == code)
      return known->pipeline;
  VkPipeline pipeline = VK_NULL_HANDLE;
  if (!makePipeline(task, code, pipeline))
    leave();
  return pipeline;
}

} // namespace chirt
