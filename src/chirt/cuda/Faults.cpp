//===- Faults.cpp - What goes wrong on a CUDA device ----------------------===//
#include "chirt/cuda/Cuda.h"

namespace chirt {

namespace {
struct Fault {
  cu::Result result = cu::kSuccess;
  Text text;
};
[[clang::no_destroy]] constinit Fault fault;

/// What is said of the results that a program may bring about.
const char *meaningOf(cu::Result result) {
  switch (result) {
  case cu::kOutOfMemory:
    return "it has no memory left to work with";
  case cu::kIllegalAddress:
  case cu::kMisalignedAddress:
    return "a loop used memory outside of its fields";
  case cu::kLaunchTimeout:
    return "a loop took longer than the watchdog of its display allows";
  case cu::kLaunchOutOfResources:
    return "a loop needs more registers or stack than it has";
  case cu::kECCUncorrectable:
    return "its memory is damaged";
  default:
    return "it was lost";
  }
}
} // namespace

const char *nameOf(cu::Result result) {
  const char *name = nullptr;
  if (cuda.getErrorName(result, &name) != cu::kSuccess || !name)
    return "an unknown error";
  return name;
}

void appendFault(Text &out, cu::Result result) {
  out << "the device `" << cuda.name << "` cannot go on: " << meaningOf(result)
      << " (" << nameOf(result) << ", " << result << ')';
}

bool succeeds(cu::Result result) {
  if (result != cu::kSuccess && fault.result == cu::kSuccess) {
    fault.result = result;
    appendFault(fault.text, result);
  }
  return fault.result == cu::kSuccess;
}

const char *cudaFault() {
  return fault.result == cu::kSuccess ? nullptr : fault.text.c_str();
}

} // namespace chirt
