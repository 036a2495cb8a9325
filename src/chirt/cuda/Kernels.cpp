//===- Kernels.cpp - Kernels as a CUDA device has them --------------------===//
#include "chirt/device/Kernels.h"
#include "chirt/cuda/Cuda.h"
#include "chirt/cuda/Images.h"
#include "chirt/failure/Failure.h"

#include <algorithm>
#include <cstdlib>

namespace chirt::cu {

namespace {
/// A kernel, or the code of a unit, that was loaded.
struct KnownKernel {
  CudaKernel kernel;
  KnownKernel *next;
};
struct KnownModule {
  const void *image;
  Module module;
  KnownModule *next;
};

/// Kernels by the addresses of their code: each launch looks one up.
struct Known {
  static constexpr size_t kBuckets = 256;
  KnownKernel *kernels[kBuckets] = {};
  KnownModule *modules = nullptr;

  KnownKernel *&bucketOf(const chirt_device_code *code) {
    return kernels[reinterpret_cast<uintptr_t>(code) / 16 % kBuckets];
  }
};
constinit Known known;

template <typename T> T *makeKept(T item) {
  auto *kept = static_cast<T *>(malloc(sizeof(T)));
  if (!kept)
    outOfMemory();
  *kept = item;
  return kept;
}

bool refuse(const chirt_task *task, Result result, std::string_view log) {
  if (result == kUnsupportedPTXVersion)
    return failAt(task->site, WorldFault,
                  "the NVIDIA driver is too old for the code of this loop (it "
                  "supports CUDA %d.%d); update the driver",
                  cuda.version / 1000, cuda.version % 1000 / 10);
  if (result == kJITCompilerNotFound)
    return failAt(task->site, WorldFault,
                  "the NVIDIA driver has no compiler of PTX "
                  "(libnvidia-ptxjitcompiler.so.1 was not found)");
  return failAt(task->site, WorldFault,
                "the driver of `%s` rejects the code of this loop: %s (%d)%s"
                "%.*s",
                cuda.name, nameOf(result), result, log.empty() ? "" : ": ",
                int(log.size()), log.data());
}

/// Null, with a failure recorded, if the driver refuses it.
Module moduleOf(const chirt_task *task, const chirt_device_code *code) {
  for (const KnownModule *each = known.modules; each; each = each->next)
    if (each->image == code->image)
      return each->module;
  Module module = nullptr;
  ImageLog log;
  if (Result result = loadImage(module, code->image, code->image_bytes, log)) {
    refuse(task, result, log.firstLine());
    return nullptr;
  }
  known.modules = makeKept(KnownModule{code->image, module, known.modules});
  return module;
}

/// How it is launched: by occupancy, but what shares memory in a block is made
/// for blocks of CHIRT_BLOCK_SIZE.
Result chooseBlocks(CudaKernel &kernel) {
  int least = 0, shared = 0, perProcessor = 0;
  kernel.blockSize = CHIRT_BLOCK_SIZE;
  Result result =
      cuda.functionGetAttribute(&shared, kSharedBytes, kernel.function);
  if (!result && shared == 0)
    result = cuda.potentialBlockSize(&least, &kernel.blockSize, kernel.function,
                                     nullptr, 0, CHIRT_BLOCK_SIZE);
  if (!result)
    result =
        cuda.activeBlocks(&perProcessor, kernel.function, kernel.blockSize, 0);
  if (!result && (perProcessor == 0 || kernel.blockSize == 0))
    result = kLaunchOutOfResources;
  if (!result)
    kernel.residentBlocks = std::min(perProcessor * cuda.multiprocessors,
                                     CHIRT_DEVICE_THREADS / kernel.blockSize);
  return result;
}

bool makeKernel(const chirt_task *task, CudaKernel &kernel) {
  Module module = moduleOf(task, kernel.code);
  if (!module)
    return false;
  Result result =
      cuda.moduleGetFunction(&kernel.function, module, kernel.code->name);
  if (!result)
    result = chooseBlocks(kernel);
  return result ? refuse(task, result, kernel.code->name) : true;
}
} // namespace

const CudaKernel *kernelOf(const chirt_task *task,
                           const chirt_device_code *code) {
  if (!code) {
    failAt(task->site, WorldFault,
           "this program was compiled without code for CUDA");
    return nullptr;
  }
  KnownKernel *&bucket = known.bucketOf(code);
  for (const KnownKernel *each = bucket; each; each = each->next)
    if (each->kernel.code == code)
      return &each->kernel;
  CudaKernel kernel = {code, nullptr, 0, 0, mayFail(code)};
  if (!makeKernel(task, kernel))
    return nullptr;
  bucket = makeKept(KnownKernel{kernel, bucket});
  return &bucket->kernel;
}

} // namespace chirt::cu
