//===- DeviceFacts.cpp - What there is to run on --------------------------===//
#include "chirt/support/Device.h"
#include "chirt/support/Memory.h"
#include <initializer_list>

namespace chirt {

namespace {
constexpr int64_t kMeasuredBytes = int64_t(32) << 20;
constexpr int kMeasurements = 5;

/// Bytes a second of the fastest of a few transfers.
template <typename F> double rateOf(const chirt_device *device, F &&transfer) {
  double least = 1e300;
  for (int k = 0; k < kMeasurements; ++k) {
    double begin = chirt_time_now();
    transfer();
    device->finish();
    double taken = chirt_time_now() - begin;
    least = taken < least ? taken : least;
  }
  return double(kMeasuredBytes) / least;
}

/// Leaves what cannot be measured at 0.
void measure(const chirt_device *device, chirt_device_facts *facts) {
  void *host = device->allocateHost(kMeasuredBytes);
  int64_t buffer = device->allocate(kMeasuredBytes);
  if (host && buffer) {
    facts->in =
        rateOf(device, [&] { device->copyIn(buffer, host, kMeasuredBytes); });
    facts->out =
        rateOf(device, [&] { device->copyOut(host, buffer, kMeasuredBytes); });
  }
  if (buffer)
    device->release(buffer, kMeasuredBytes);
  if (host)
    device->freeHost(host, kMeasuredBytes);
}
} // namespace

} // namespace chirt

using namespace chirt;

int32_t chirt_describe_device(const char *kind, int32_t number,
                              chirt_device_facts *facts) {
  const chirt_device *device = findDevice(kind);
  *facts = {"", "", 0, 0, 0, "it is not supported yet"};
  if (!device || !device->describe)
    return 0;
  facts->problem = nullptr;
  int32_t count = device->describe(number, facts);
  if (number < count && !facts->problem &&
      !(facts->problem = device->start(number)))
    measure(device, facts);
  return count;
}

const char *chirt_best_device(void) {
  for (const char *name : {"cuda", "vulkan"})
    if (const chirt_device *device = findDevice(name);
        device && device->isGPU && device->isGPU())
      return device->name;
  return cpuDevice.name;
}
