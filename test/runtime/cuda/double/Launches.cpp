//===- Launches.cpp - Kernels run by the processor ------------------------===//
#include "Double.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>

namespace cuda_double {

namespace {
/// As many threads as a multiprocessor of ours has, and its registers.
constexpr int kThreads = 2048, kRegisters = 65536;

Kernel &kernelOf(Function function) {
  return *reinterpret_cast<Kernel *>(function);
}

/// The largest number of threads that registers allow, in whole warps.
int residentThreads() {
  return std::min(kThreads, kRegisters / settings().registers / 32 * 32);
}

/// Where a fault of the processor leads while it plays the device.
struct Fault {
  sigjmp_buf leave;
  struct sigaction before;
};
Fault &fault() {
  static Fault known;
  return known;
}

void onFault(int) { siglongjmp(fault().leave, 1); }

class CatchFaults {
public:
  CatchFaults() {
    struct sigaction action = {};
    action.sa_handler = onFault;
    sigaction(SIGSEGV, &action, &fault().before);
  }
  ~CatchFaults() { sigaction(SIGSEGV, &fault().before, nullptr); }
  CatchFaults(const CatchFaults &) = delete;
};

Hooks hooksOf(const Kernel &kernel) {
  void *library = kernel.code->load();
  if (!library)
    return {};
  return {static_cast<Registers *>(dlsym(library, "double_registers")),
          reinterpret_cast<void (**)()>(dlsym(library, "double_meet")),
          reinterpret_cast<void (*)(void **)>(
              dlsym(library, (kernel.name + "$call").c_str()))};
}

Result runBlock(const Kernel &kernel, const Hooks &hooks, void **parameters) {
  if (kernel.hasBarriers)
    return runBarrier(hooks, parameters);
  Registers &registers = *hooks.registers;
  for (registers.thread = 0; registers.thread < registers.threads;
       ++registers.thread)
    hooks.call(parameters);
  return kSuccess;
}

/// "fill$t0 grid 4 block 256: #2, 100": a parameter is as wide as PTX has it.
void noteLaunch(const Kernel &kernel, unsigned blocks, unsigned threads,
                const std::vector<int64_t> &parameters) {
  std::string list;
  for (size_t k = 0; k < parameters.size(); ++k) {
    bool isAddress = parameters[k] > (int64_t(1) << 40);
    list += (k ? ", " : "") + (isAddress ? describe(Address(parameters[k]))
                                         : std::to_string(parameters[k]));
  }
  note("cuLaunchKernel %s grid %u block %u: %s", kernel.name.c_str(), blocks,
       threads, list.c_str());
}
} // namespace

Result runGrid(const Kernel &kernel, unsigned blocks, unsigned threads,
               std::vector<int64_t> parameters) {
  note("runs %s", kernel.name.c_str());
  Hooks hooks = hooksOf(kernel);
  if (!hooks.call)
    return kernel.code->source.empty() ? Result(kSuccess) : Result(kNotFound);
  std::vector<void *> addresses;
  for (int64_t &each : parameters)
    addresses.push_back(&each);
  OpenMemory open;
  CatchFaults catching;
  if (sigsetjmp(fault().leave, 1))
    return kIllegalAddress;
  Registers &registers = *hooks.registers;
  registers = {0, int(threads), 0, int(blocks)};
  for (; registers.block < registers.blocks; ++registers.block)
    if (Result result = runBlock(kernel, hooks, addresses.data()))
      return result;
  return kSuccess;
}

CUDA_DOUBLE(cuFuncGetAttribute)(int *value, int which, Function function) {
  CUDA_DOUBLE_ENTER();
  if (which != kSharedBytes)
    return kInvalidValue;
  *value = kernelOf(function).sharedBytes;
  return kSuccess;
}

CUDA_DOUBLE(cuOccupancyMaxPotentialBlockSize)
(int *blocks, int *threads, Function function, BlockMemory, size_t, int limit) {
  CUDA_DOUBLE_ENTER();
  int most = std::min(kernelOf(function).maxThreads, residentThreads());
  most = limit ? std::min(limit, most) : most;
  *threads = std::min(most, settings().block);
  *blocks = residentThreads() / *threads * settings().processors;
  note("cuOccupancyMaxPotentialBlockSize %s, at most %d: %d",
       kernelOf(function).name.c_str(), limit, *threads);
  return kSuccess;
}

CUDA_DOUBLE(cuOccupancyMaxActiveBlocksPerMultiprocessor)
(int *blocks, Function, int threads, size_t) {
  CUDA_DOUBLE_ENTER();
  *blocks = residentThreads() / threads;
  return kSuccess;
}

CUDA_DOUBLE(cuLaunchKernel)
(Function function, unsigned gridX, unsigned gridY, unsigned gridZ,
 unsigned blockX, unsigned blockY, unsigned blockZ, unsigned, Stream stream,
 void **parameters, void **extra) {
  CUDA_DOUBLE_ENTER();
  const Kernel &kernel = kernelOf(function);
  if (gridX == 0 || gridY != 1 || gridZ != 1 || blockX == 0 || blockY != 1 ||
      blockZ != 1 || blockX > unsigned(kernel.maxThreads) || extra)
    return kInvalidValue;
  // They are taken at once; the caller's memory may change.
  std::vector<int64_t> taken;
  for (int bytes : kernel.parameterBytes) {
    memcpy(&taken.emplace_back(0), *parameters, size_t(bytes));
    ++parameters;
  }
  noteLaunch(kernel, gridX, blockX, taken);
  return queue(stream,
               [=, &kernel] { return runGrid(kernel, gridX, blockX, taken); });
}

} // namespace cuda_double
