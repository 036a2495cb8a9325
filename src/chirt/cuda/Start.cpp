//===- Start.cpp - Finding and starting a CUDA device ---------------------===//
#include "chirt/cuda/Cuda.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>

namespace chirt::cu {

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

const char *refusal(Result result) {
  switch (result) {
  case kNoDevice:
    return tell("no CUDA device: the NVIDIA driver finds none; " CHIRT_ADVICE);
  case kStubLibrary:
    return tell(
        "no NVIDIA driver: libcuda.so.1 is the toolkit's stub; " CHIRT_ADVICE);
  case kSystemDriverMismatch:
    return tell("the NVIDIA driver cannot be used: libcuda.so.1 is not that of "
                "the kernel's module; " CHIRT_ADVICE);
  case kNotSupported:
  case kCompatNotSupported:
    return tell(
        "the NVIDIA driver is too old for libcuda.so.1 (%s); " CHIRT_ADVICE,
        nameOf(result));
  case kDeviceUnavailable:
    return tell(
        "the CUDA device `%s` is in use by another process; " CHIRT_ADVICE,
        cuda.name);
  case kOutOfMemory:
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

/// Null, or why the device of that number is of no use. They are numbered as
/// the driver orders them (CUDA_VISIBLE_DEVICES).
const char *pickDevice(int32_t number) {
  if (number >= cuda.count)
    return tell(cuda.count == 1
                    ? "--device=%d: there is %d CUDA device, number 0"
                    : "--device=%d: there are %d CUDA devices, from 0 on",
                number, cuda.count);
  if (Result result = cuda.deviceGet(&cuda.device, number))
    return refusal(result);
  cuda.deviceGetName(cuda.name, int(sizeof(cuda.name)), cuda.device);
  int major = attribute(kComputeCapabilityMajor);
  int minor = attribute(kComputeCapabilityMinor);
  snprintf(cuda.architecture, sizeof(cuda.architecture), "sm_%d%d", major,
           minor);
  cuda.multiprocessors = attribute(kMultiprocessorCount);
  if (major < kOldestMajor)
    return tell("the CUDA device `%s` is too old: it has compute capability "
                "%d.%d, and %d.0 is needed; " CHIRT_ADVICE,
                cuda.name, major, minor, kOldestMajor);
  return nullptr;
}

/// Freed memory stays the process's, so that the next field has it at once.
void usePool() {
  unsigned long long all = ~0ull;
  if (attribute(kMemoryPoolsSupported) == 0 ||
      cuda.defaultPool(&cuda.pool, cuda.device) != kSuccess ||
      cuda.poolSetAttribute(cuda.pool, kReleaseThreshold, &all) != kSuccess)
    cuda.pool = nullptr;
}

const char *makeQueue() {
  if (Result result = cuda.primaryRetain(&cuda.context, cuda.device))
    return refusal(result);
  Stream stream = nullptr;
  Result result = cuda.setCurrent(cuda.context);
  if (!result)
    result = cuda.streamCreate(&stream, kNonBlockingStream);
  if (result)
    return refusal(result);
  cuda.stream = stream;
  return nullptr;
}

/// Loads the driver and counts its devices.
const char *load() {
  cuda.library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!cuda.library)
    return tell("no NVIDIA driver: libcuda.so.1 was not found; " CHIRT_ADVICE);
  if (const char *symbol = findFunctions(cuda.library))
    return tell("the NVIDIA driver is too old: it has no %s; " CHIRT_ADVICE,
                symbol);
  if (Result result = cuda.init(0))
    return refusal(result);
  if (Result result = cuda.driverGetVersion(&cuda.version))
    return refusal(result);
  if (cuda.version < kOldestDriver)
    return tell("the NVIDIA driver is too old: it supports CUDA %d.%d, and "
                "11.0 is needed; " CHIRT_ADVICE,
                cuda.version / 1000, cuda.version % 1000 / 10);
  if (Result result = cuda.deviceGetCount(&cuda.count))
    return refusal(result);
  return cuda.count ? nullptr : refusal(kNoDevice);
}

/// Once.
const char *loadCuda() {
  if (cuda.count)
    return nullptr;
  return problem.text[0] ? problem.text : load();
}
} // namespace

const char *startCuda(int32_t number) {
  if (cuda.stream)
    return nullptr;
  if (const char *text = loadCuda())
    return text;
  if (const char *text = pickDevice(number))
    return text;
  if (const char *text = makeQueue())
    return text;
  if (findPoolFunctions(cuda.library))
    usePool();
  return nullptr;
}

int32_t describeCuda(int32_t number, chirt_device_facts *facts) {
  if ((facts->problem = loadCuda()))
    return 0;
  if (number >= cuda.count)
    return cuda.count;
  if ((facts->problem = pickDevice(number)))
    facts->problem = strdup(facts->problem);
  Text name;
  name << cuda.name << ", " << cuda.architecture << ", CUDA "
       << cuda.version / 1000 << '.' << cuda.version % 1000 / 10;
  facts->name = strdup(name.c_str());
  facts->abilities = "f64, f16, i16, i8, atomics of i64, atomic sums of f32";
  size_t bytes = 0;
  cuda.deviceTotalMem(&bytes, cuda.device);
  facts->memory = int64_t(bytes);
  return cuda.count;
}

bool hasCudaGPU() { return !loadCuda() && !pickDevice(0); }

} // namespace chirt::cu
