//===- Faults.cpp - What goes wrong on a CUDA device ----------------------===//
#include "chirt/cuda/Cuda.h"

namespace chirt::cu {

namespace {
struct Fault {
  Result result = kSuccess;
  Text text;
};
[[clang::no_destroy]] constinit Fault fault;

/// The descriptions of the results that a program may cause.
const char *meaningOf(Result result) {
  switch (result) {
  case kOutOfMemory:
    return "it has not enough memory left";
  case kIllegalAddress:
  case kMisalignedAddress:
    return "a loop accessed memory outside of its fields";
  case kLaunchTimeout:
    return "a loop took longer than the watchdog of its display allows";
  case kLaunchOutOfResources:
    return "a loop needs more registers or stack than it has";
  case kECCUncorrectable:
    return "its memory is damaged";
  default:
    return "it was lost";
  }
}
} // namespace

const char *nameOf(Result result) {
  const char *name = nullptr;
  if (cuda.getErrorName(result, &name) != kSuccess || !name)
    return "an unknown error";
  return name;
}

void appendFault(Text &out, Result result) {
  out << "the device `" << cuda.name << "` failed: " << meaningOf(result)
      << " (" << nameOf(result) << ", " << result << ')';
}

bool succeeds(Result result) {
  if (result != kSuccess && fault.result == kSuccess) {
    fault.result = result;
    appendFault(fault.text, result);
  }
  return fault.result == kSuccess;
}

bool waitForQueue() {
  ++cuda.waits;
  return succeeds(cuda.streamSynchronize(cuda.stream));
}

bool waitFor(Event event) {
  ++cuda.waits;
  return succeeds(cuda.eventSynchronize(event));
}

const char *cudaFault() {
  return fault.result == kSuccess ? nullptr : fault.text.c_str();
}

} // namespace chirt::cu
