//===- Start.cpp - Finding and starting a CUDA device ---------------------===//
#include "chirt/cuda/Cuda.h"

#include <cstdio>
#include <dlfcn.h>

namespace chirt {

[[clang::no_destroy]] constinit Cuda cuda;

namespace {
constexpr int kOldestDriver = 11000; ///< of CUDA 11.0
constexpr int kOldestMajor = 7; ///< compute capability: atomics of that memory
                                ///< model
#define CHIRT_ADVICE "try --arch=vulkan or --arch=cpu"

/// Why there is no device. Kept: what it is given to keeps the pointer.
struct Problem {
  char text[256] = "";
};
constinit Problem problem;

[[gnu::format(printf, 1, 2)]] const char *tell(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(problem.text, sizeof(problem.text), format, values);
  va_end(values);
  return problem.text;
}

/// Null, or the name of the first function that is missing.
const char *findFunctions(void *library) {
#define CHIRT_FIND(Name, Symbol, Parameters)                                   \
  cuda.Name = reinterpret_cast<decltype(cuda.Name)>(dlsym(library, #Symbol));  \
  if (!cuda.Name)                                                              \
    return #Symbol;
  CHIRT_CUDA_FUNCTIONS(CHIRT_FIND)
#undef CHIRT_FIND
  return nullptr;
}

/// All of them, or none.
bool findPoolFunctions(void *library) {
  bool hasAll = true;
#define CHIRT_FIND(Name, Symbol, Parameters)                                   \
  cuda.Name = reinterpret_cast<decltype(cuda.Name)>(dlsym(library, #Symbol));  \
  hasAll &= cuda.Name != nullptr;
  CHIRT_CUDA_POOL_FUNCTIONS(CHIRT_FIND)
#undef CHIRT_FIND
  return hasAll;
}

const char *refusal(cu::Result result) {
  switch (result) {
  case cu::kNoDevice:
    return tell("no CUDA device: the NVIDIA driver finds none; " CHIRT_ADVICE);
  case cu::kStubLibrary:
    return tell(
        "no NVIDIA driver: libcuda.so.1 is the toolkit's stub; " CHIRT_ADVICE);
  case cu::kSystemDriverMismatch:
    return tell("the NVIDIA driver cannot be used: libcuda.so.1 is not that of "
                "the kernel's module; " CHIRT_ADVICE);
  case cu::kNotSupported:
  case cu::kCompatNotSupported:
    return tell(
        "the NVIDIA driver is too old for libcuda.so.1 (%s); " CHIRT_ADVICE,
        nameOf(result));
  case cu::kDeviceUnavailable:
    return tell(
        "the CUDA device `%s` is taken by another process; " CHIRT_ADVICE,
        cuda.name);
  case cu::kOutOfMemory:
    return tell("the CUDA device `%s` has no memory left; " CHIRT_ADVICE,
                cuda.name);
  default:
    return tell("the NVIDIA driver cannot be used: %s (%d); " CHIRT_ADVICE,
                nameOf(result), result);
  }
}

int attribute(int which) {
  int value = 0;
  cuda.deviceGetAttribute(&value, which, cuda.device);
  return value;
}

/// A device by its number, as the driver orders them (CUDA_VISIBLE_DEVICES).
const char *pickDevice(int32_t number) {
  int count = 0;
  if (cu::Result result = cuda.deviceGetCount(&count))
    return refusal(result);
  if (count == 0)
    return refusal(cu::kNoDevice);
  if (number >= count)
    return tell(
        "--device=%d: there are %d CUDA devices, numbered from 0 (`chic "
        "devices` lists them)",
        number, count);
  if (cu::Result result = cuda.deviceGet(&cuda.device, number))
    return refusal(result);
  cuda.deviceGetName(cuda.name, int(sizeof(cuda.name)), cuda.device);
  int major = attribute(cu::kComputeCapabilityMajor);
  int minor = attribute(cu::kComputeCapabilityMinor);
  if (major < kOldestMajor)
    return tell("the CUDA device `%s` is too old: it has compute capability "
                "%d.%d, and %d.0 is needed; " CHIRT_ADVICE,
                cuda.name, major, minor, kOldestMajor);
  snprintf(cuda.architecture, sizeof(cuda.architecture), "sm_%d%d", major,
           minor);
  cuda.multiprocessors = attribute(cu::kMultiprocessorCount);
  return nullptr;
}

/// Freed memory stays the process's, so that the next field has it at once.
void usePool() {
  unsigned long long all = ~0ull;
  if (attribute(cu::kMemoryPoolsSupported) == 0 ||
      cuda.defaultPool(&cuda.pool, cuda.device) != cu::kSuccess ||
      cuda.poolSetAttribute(cuda.pool, cu::kReleaseThreshold, &all) !=
          cu::kSuccess)
    cuda.pool = nullptr;
}

const char *makeQueue() {
  if (cu::Result result = cuda.primaryRetain(&cuda.context, cuda.device))
    return refusal(result);
  cu::Stream stream = nullptr;
  cu::Result result = cuda.setCurrent(cuda.context);
  if (!result)
    result = cuda.streamCreate(&stream, cu::kNonBlockingStream);
  if (result)
    return refusal(result);
  cuda.stream = stream;
  return nullptr;
}

const char *start(int32_t number) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return tell("no NVIDIA driver: libcuda.so.1 was not found; " CHIRT_ADVICE);
  if (const char *symbol = findFunctions(library))
    return tell("the NVIDIA driver is too old: it has no %s; " CHIRT_ADVICE,
                symbol);
  if (cu::Result result = cuda.init(0))
    return refusal(result);
  if (cu::Result result = cuda.driverGetVersion(&cuda.version))
    return refusal(result);
  if (cuda.version < kOldestDriver)
    return tell("the NVIDIA driver is too old: it speaks CUDA %d.%d, and 11.0 "
                "is needed; " CHIRT_ADVICE,
                cuda.version / 1000, cuda.version % 1000 / 10);
  if (const char *text = pickDevice(number))
    return text;
  if (const char *text = makeQueue())
    return text;
  if (findPoolFunctions(library))
    usePool();
  return nullptr;
}
} // namespace

const char *startCuda(int32_t number) {
  if (cuda.stream)
    return nullptr;
  return problem.text[0] ? problem.text : start(number);
}

} // namespace chirt
