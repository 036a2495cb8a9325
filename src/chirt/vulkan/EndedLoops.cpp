//===- EndedLoops.cpp - Launches whose loops the driver ends --------------===//
#include "chirt/vulkan/EndedLoops.h"

#include "chirt/text/Text.h"
#include "chirt/vulkan/Memory.h"

namespace chirt {

bool mayBeEnded(const chirt_device_code *code) {
  return vulkan.endsLoops && takesParam(code, CHIRT_KERNEL_PARAM_ENDED);
}

const char *runByProcessor(const chirt_task *task, const KernelLaunch &launch) {
  Array<chirt_field> fields;
  Array<int64_t> words;
  fields.resize(size_t(task->num_arguments));
  words.resize(size_t(task->num_arguments));
  for (int32_t k = 0; k < task->num_arguments; ++k) {
    words[k] = launch.words[k];
    auto *field = reinterpret_cast<const chirt_field *>(words[k]);
    if (!task->arguments[k].is_field || !field || field->device)
      continue;
    uint64_t address = uint64_t(field->data);
    const Chunk *chunk = findChunk(address);
    if (!chunk)
      continue; // it has no elements
    if (!chunk->mapped())
      return kExceedsIterations;
    fields[k] = *field;
    fields[k].data = chunk->mapped() + (address - chunk->address());
    words[k] = reinterpret_cast<int64_t>(&fields[k]);
  }
  task->entry(task, words.data(), launch.domain);
  return nullptr;
}

} // namespace chirt
