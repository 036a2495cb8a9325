//===- Header.cpp - Our declarations of CUDA's driver API, and cuda.h -----===//
#include "chirt/cuda/Api.h"

#include <cuda.h>
#include <type_traits>

using namespace chirt::cu;

/// Handles are pointers on both sides; enumerations are int here.
template <typename Ours, typename Theirs> constexpr bool isSame() {
  return sizeof(Ours) == sizeof(Theirs) &&
         std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>;
}

template <typename... Ours, typename... Theirs>
constexpr bool matches(Result (*)(Ours...), CUresult (*)(Theirs...)) {
  if constexpr (sizeof...(Ours) == sizeof...(Theirs))
    return (isSame<Ours, Theirs>() && ...);
  return false;
}

#define CHECK(Name, Symbol, Parameters)                                        \
  static_assert(matches(decltype(Functions::Name)(), decltype (&::Symbol)()));
CHIRT_CUDA_FUNCTIONS(CHECK)
CHIRT_CUDA_POOL_FUNCTIONS(CHECK)

static_assert(int(kSuccess) == CUDA_SUCCESS &&
              int(kInvalidValue) == CUDA_ERROR_INVALID_VALUE &&
              int(kOutOfMemory) == CUDA_ERROR_OUT_OF_MEMORY &&
              int(kStubLibrary) == CUDA_ERROR_STUB_LIBRARY &&
              int(kDeviceUnavailable) == CUDA_ERROR_DEVICE_UNAVAILABLE &&
              int(kNoDevice) == CUDA_ERROR_NO_DEVICE &&
              int(kNoBinaryForGPU) == CUDA_ERROR_NO_BINARY_FOR_GPU &&
              int(kECCUncorrectable) == CUDA_ERROR_ECC_UNCORRECTABLE &&
              int(kInvalidPTX) == CUDA_ERROR_INVALID_PTX &&
              int(kJITCompilerNotFound) == CUDA_ERROR_JIT_COMPILER_NOT_FOUND &&
              int(kUnsupportedPTXVersion) ==
                  CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
static_assert(int(kIllegalAddress) == CUDA_ERROR_ILLEGAL_ADDRESS &&
              int(kLaunchOutOfResources) ==
                  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES &&
              int(kLaunchTimeout) == CUDA_ERROR_LAUNCH_TIMEOUT &&
              int(kMisalignedAddress) == CUDA_ERROR_MISALIGNED_ADDRESS &&
              int(kLaunchFailed) == CUDA_ERROR_LAUNCH_FAILED &&
              int(kNotSupported) == CUDA_ERROR_NOT_SUPPORTED &&
              int(kSystemDriverMismatch) == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH &&
              int(kCompatNotSupported) ==
                  CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE);
static_assert(int(kMultiprocessorCount) ==
                  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT &&
              int(kComputeCapabilityMajor) ==
                  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR &&
              int(kComputeCapabilityMinor) ==
                  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR &&
              int(kMemoryPoolsSupported) ==
                  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED &&
              int(kSharedBytes) == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
static_assert(int(kErrorLog) == CU_JIT_ERROR_LOG_BUFFER &&
              int(kErrorLogBytes) == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES &&
              int(kPTX) == CU_JIT_INPUT_PTX &&
              unsigned(kNonBlockingStream) == CU_STREAM_NON_BLOCKING &&
              unsigned(kEventWithoutTiming) == CU_EVENT_DISABLE_TIMING &&
              int(kReleaseThreshold) == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
