//===- Pipelines.cpp - Kernels as a Vulkan device has them ----------------===//
#include "chirt/device_code.h"
#include "chirt/text/Text.h"
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

/// A feature that kernels may need: its description in messages, and whether
/// the device has it.
struct Need {
  chirt_need need;
  const char *said;
  bool Abilities::*has;
};
constexpr Need kNeeds[] = {
    {CHIRT_NEED_F64, "has no 64-bit floats (f64), which this loop needs",
     &Abilities::float64},
    {CHIRT_NEED_F16, "has no 16-bit floats (f16), which this loop needs",
     &Abilities::float16},
    {CHIRT_NEED_I16, "has no 16-bit integers, which this loop needs",
     &Abilities::int16},
    {CHIRT_NEED_I8, "has no 8-bit integers and bools, which this loop needs",
     &Abilities::int8},
    {CHIRT_NEED_FIELDS_16,
     "has no fields of 16-bit numbers, which this loop needs",
     &Abilities::storage16},
    {CHIRT_NEED_FIELDS_8,
     "has no fields of bools and 8-bit integers, which this loop needs",
     &Abilities::storage8},
    {CHIRT_NEED_I64,
     "has no 64-bit integers (shaderInt64), which this loop needs",
     &Abilities::int64},
    {CHIRT_NEED_ATOMICS_64,
     "has no atomics of 64-bit integers, which this loop needs",
     &Abilities::int64Atomics},
};

constexpr size_t kHeader = 5;           ///< words of a binary
constexpr uint32_t kExecutionMode = 16, ///< instructions
    kCapability = 17;

/// A binary asks that NaN, infinity and signs of zeros are kept; a device that
/// does not promise it runs the loop all the same.
void dropPromises(Array<uint32_t> &words) {
  constexpr uint32_t kCapabilityOf = 4466, kModeOf = 4461;
  const SpecialNumbers &kept = vulkan.specialNumbers;
  size_t end = words.size() < kHeader ? words.size() : kHeader;
  for (size_t at = end; at < words.size();) {
    uint32_t operation = words[at] & 0xffff, length = words[at] >> 16;
    bool isRefused = operation == kCapability
                         ? words[at + 1] == kCapabilityOf && !kept.any()
                         : operation == kExecutionMode &&
                               words[at + 2] == kModeOf &&
                               !kept.of(words[at + 3]);
    for (size_t next = at + (length ? length : 1); at < next; ++at)
      if (!isRefused)
        words[end++] = words[at];
  }
  words.resize(end);
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

const char *whatIsLacking(const chirt_device_code *code) {
  for (const Need &need : kNeeds)
    if ((code->needs & need.need) && !(vulkan.abilities.*need.has))
      return need.said;
  return nullptr;
}

/// Aligned, as the driver wants them.
static Array<uint32_t> wordsOf(const chirt_device_code *code) {
  auto *image = static_cast<const char *>(code->image);
  int64_t bytes = code->image_bytes;
  if (code->plain_bytes && !vulkan.abilities.float32Atomics) {
    image += code->image_bytes;
    bytes = code->plain_bytes;
  }
  Array<uint32_t> words;
  words.resize(size_t(bytes) / sizeof(uint32_t));
  memcpy(words.data(), image, size_t(bytes));
  return words;
}

/// The device lacks it, or its driver refuses.
static const char *makePipeline(const chirt_device_code *code,
                                VkPipeline &pipeline) {
  if (!code)
    return "has no code for this loop: the program was compiled without it";
  if (const char *problem = whatIsLacking(code))
    return problem;
  Array<uint32_t> words = wordsOf(code);
  dropPromises(words);
  pipeline = build(code, words.data(), words.size() * sizeof(uint32_t));
  if (!pipeline)
    return "rejects the code of this loop";
  auto *made = static_cast<Made *>(malloc(sizeof(Made)));
  if (!made)
    outOfMemory();
  *made = {code, pipeline, kernels};
  kernels = made;
  return nullptr;
}

const char *findPipeline(const chirt_device_code *code, VkPipeline &pipeline) {
  for (const Made *known = kernels; known; known = known->next)
    if (known->code == code) {
      pipeline = known->pipeline;
      return nullptr;
    }
  return makePipeline(code, pipeline);
}

} // namespace chirt
