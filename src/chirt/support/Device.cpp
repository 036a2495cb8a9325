//===- Device.cpp - The devices by their names ----------------------------===//
#include "chirt/support/Device.h"

#include <cstring>
#include <initializer_list>

namespace chirt {

const chirt_device *findDevice(const char *name) {
  for (const chirt_device *device :
       {&cpuDevice, &mirrorDevice, vulkanDevice(), cudaDevice()})
    if (device && !strcmp(name ? name : cpuDevice.name, device->name))
      return device;
  return nullptr;
}

} // namespace chirt
