//===- Api.h - What is used of CUDA's driver API ----------------*- C++ -*-===//
// Declarations of our own, so that no toolkit is needed to build Chi. Names and
// numbers are those of NVIDIA's documentation; test/runtime/cuda/header.test
// holds them against cuda.h where there is one.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_CUDA_API_H
#define CHIRT_CUDA_API_H

#include <cstddef>

namespace chirt::cu {

using Result = int;
using Device = int;
using Address = unsigned long long;
using Context = struct ContextTag *;
using Stream = struct StreamTag *;
using Event = struct EventTag *;
using Module = struct ModuleTag *;
using Function = struct FunctionTag *;
using Link = struct LinkTag *;
using Pool = struct PoolTag *;
using BlockMemory = size_t (*)(int blockSize);

enum Results : Result {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kStubLibrary = 34,
  kDeviceUnavailable = 46,
  kNoDevice = 100,
  kNoBinaryForGPU = 209,
  kECCUncorrectable = 214,
  kInvalidPTX = 218,
  kJITCompilerNotFound = 221,
  kUnsupportedPTXVersion = 222,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kMisalignedAddress = 716,
  kLaunchFailed = 719,
  kNotSupported = 801,
  kSystemDriverMismatch = 803,
  kCompatNotSupported = 804,
  kUnknown = 999
};

enum DeviceAttributes : int {
  kMultiprocessorCount = 16,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kMemoryPoolsSupported = 115
};

enum FunctionAttributes : int { kSharedBytes = 1 };

/// Options of cuModuleLoadDataEx and cuLinkCreate. A value is a pointer, or a
/// number that is stored like one.
enum JITOptions : int { kErrorLog = 5, kErrorLogBytes = 6 };
enum JITInputs : int { kPTX = 1 };

enum Flags : unsigned {
  kNonBlockingStream = 1, ///< does not wait for the default stream
  kEventWithoutTiming = 2
};

enum PoolAttributes : int { kReleaseThreshold = 4 };

/// The functions, each with the name under which libcuda.so.1 has it.
#define CHIRT_CUDA_FUNCTIONS(F)                                                \
  F(getErrorName, cuGetErrorName, (Result, const char **))                     \
  F(init, cuInit, (unsigned))                                                  \
  F(driverGetVersion, cuDriverGetVersion, (int *))                             \
  F(deviceGetCount, cuDeviceGetCount, (int *))                                 \
  F(deviceGet, cuDeviceGet, (Device *, int))                                   \
  F(deviceGetName, cuDeviceGetName, (char *, int, Device))                     \
  F(deviceTotalMem, cuDeviceTotalMem_v2, (size_t *, Device))                   \
  F(deviceGetAttribute, cuDeviceGetAttribute, (int *, int, Device))            \
  F(primaryRetain, cuDevicePrimaryCtxRetain, (Context *, Device))              \
  F(setCurrent, cuCtxSetCurrent, (Context))                                    \
  F(streamCreate, cuStreamCreate, (Stream *, unsigned))                        \
  F(streamSynchronize, cuStreamSynchronize, (Stream))                          \
  F(eventCreate, cuEventCreate, (Event *, unsigned))                           \
  F(eventRecord, cuEventRecord, (Event, Stream))                               \
  F(eventSynchronize, cuEventSynchronize, (Event))                             \
  F(memAlloc, cuMemAlloc_v2, (Address *, size_t))                              \
  F(memFree, cuMemFree_v2, (Address))                                          \
  F(memGetInfo, cuMemGetInfo_v2, (size_t *, size_t *))                         \
  F(memHostAlloc, cuMemHostAlloc, (void **, size_t, unsigned))                 \
  F(copyIn, cuMemcpyHtoDAsync_v2, (Address, const void *, size_t, Stream))     \
  F(copyOut, cuMemcpyDtoHAsync_v2, (void *, Address, size_t, Stream))          \
  F(copyWithin, cuMemcpyDtoDAsync_v2, (Address, Address, size_t, Stream))      \
  F(fill, cuMemsetD32Async, (Address, unsigned, size_t, Stream))               \
  F(moduleLoad, cuModuleLoadDataEx,                                            \
    (Module *, const void *, unsigned, int *, void **))                        \
  F(moduleGetFunction, cuModuleGetFunction,                                    \
    (Function *, Module, const char *))                                        \
  F(linkCreate, cuLinkCreate_v2, (unsigned, int *, void **, Link *))           \
  F(linkAddData, cuLinkAddData_v2,                                             \
    (Link, int, void *, size_t, const char *, unsigned, int *, void **))       \
  F(linkComplete, cuLinkComplete, (Link, void **, size_t *))                   \
  F(linkDestroy, cuLinkDestroy, (Link))                                        \
  F(functionGetAttribute, cuFuncGetAttribute, (int *, int, Function))          \
  F(potentialBlockSize, cuOccupancyMaxPotentialBlockSize,                      \
    (int *, int *, Function, BlockMemory, size_t, int))                        \
  F(activeBlocks, cuOccupancyMaxActiveBlocksPerMultiprocessor,                 \
    (int *, Function, int, size_t))                                            \
  F(launchKernel, cuLaunchKernel,                                              \
    (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,     \
     unsigned, Stream, void **, void **))

/// Of drivers since CUDA 11.2, where the device has pools.
#define CHIRT_CUDA_POOL_FUNCTIONS(F)                                           \
  F(defaultPool, cuDeviceGetDefaultMemPool, (Pool *, Device))                  \
  F(poolSetAttribute, cuMemPoolSetAttribute, (Pool, int, void *))              \
  F(poolTrim, cuMemPoolTrimTo, (Pool, size_t))                                 \
  F(allocAsync, cuMemAllocAsync, (Address *, size_t, Stream))                  \
  F(freeAsync, cuMemFreeAsync, (Address, Stream))

/// Where they lie in the driver's library; null before it was loaded.
struct Functions {
#define CHIRT_DECLARE(Name, Symbol, Parameters)                                \
  Result(*Name) Parameters = nullptr;
  CHIRT_CUDA_FUNCTIONS(CHIRT_DECLARE)
  CHIRT_CUDA_POOL_FUNCTIONS(CHIRT_DECLARE)
#undef CHIRT_DECLARE
};

} // namespace chirt::cu
#endif // CHIRT_CUDA_API_H
