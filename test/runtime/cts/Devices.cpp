//===- Devices.cpp - The devices of this machine --------------------------===//
#include "Cts.h"

std::vector<const char *> cts::devices() {
  return {"cpu", "mirror", "vulkan", "cuda"};
}
