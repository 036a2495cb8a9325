//===- CodeCache.cpp - Code that a device's driver made -------------------===//
#include "chirt/device/CodeCache.h"

#include "chirt/host.h"
#include "chirt/support/Device.h"

namespace chirt {

namespace {
constinit const chirt_code_cache *codes = nullptr;
}

bool keepsCode() { return codes != nullptr; }

void *findCode(const char *target, const void *image, int64_t imageBytes,
               int64_t *bytes) {
  return codes->find(codes->context, target, image, imageBytes, bytes);
}

void keepCode(const char *target, const void *image, int64_t imageBytes,
              const void *made, int64_t madeBytes) {
  codes->keep(codes->context, target, image, imageBytes, made, madeBytes);
}

} // namespace chirt

using namespace chirt;

void chirt_keep_code(const chirt_code_cache *cache) { codes = cache; }

const char *chirt_start_device(const char *name, int32_t number,
                               const char **architecture) {
  const chirt_device *device = findDevice(name);
  *architecture = "";
  if (!device)
    return "there is no device of that name";
  if (const char *problem = device->start ? device->start(number) : nullptr)
    return problem;
  if (device->architecture)
    *architecture = device->architecture();
  return nullptr;
}
