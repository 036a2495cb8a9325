//===- NoVulkan.cpp - The run time of built programs ----------------------===//
// Those that were built without code for Vulkan.
#include "chirt/support/Device.h"

const chirt_device *chirt::vulkanDevice() { return nullptr; }
