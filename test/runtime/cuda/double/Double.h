//===- Double.h - A stand-in for NVIDIA's driver ----------------*- C++ -*-===//
// libcuda.so.1 as tests of the run time have it where there is no GPU. It does
// what the documentation of the driver API says, on the processor, and is as
// unforgiving as a device: nothing that was queued happens before it is waited
// for, memory of the device cannot be touched by the host, an address outside
// of an allocation ends the context.
//
// The variable CUDA_DOUBLE says what it plays, a list of key=value with commas:
//   devices, version (12040), capability (9.0), memory (bytes), pools (0 or 1),
//   processors, registers (of a kernel), log (a file), dump (a folder for code
//   that is loaded), block (threads of one, at most, that the driver advises),
//   refuses=1                the driver's compiler takes no PTX,
//   fail=FUNCTION:RESULT:N   the N-th call fails so.
// Kernels run if their PTX contains its source (CHI_PTX=source): the program
// CUDA_DOUBLE_COMPILER (kernels.py) compiles it to a library, in the folder
// CUDA_DOUBLE_KERNELS. Others do nothing.
//===----------------------------------------------------------------------===//
#ifndef CUDA_DOUBLE_H
#define CUDA_DOUBLE_H

#include "chirt/cuda/Api.h"
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// A function of the driver, defined under its name in C.
#define CUDA_DOUBLE(Name)                                                      \
  extern "C" __attribute__((visibility("default"))) chirt::cu::Result Name

namespace cuda_double {
using namespace chirt::cu;

// Their types are what the run time takes them for.
#define CUDA_DOUBLE_DECLARE(Name, Symbol, Parameters)                          \
  extern "C" Result Symbol Parameters;
CHIRT_CUDA_FUNCTIONS(CUDA_DOUBLE_DECLARE)
CHIRT_CUDA_POOL_FUNCTIONS(CUDA_DOUBLE_DECLARE)
#undef CUDA_DOUBLE_DECLARE

/// Results that only the double gives.
enum : Result {
  kNotInitialized = 3,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kInvalidHandle = 400,
  kNotFound = 500
};

/// What the double plays.
struct Settings {
  int devices = 1, version = 12040, major = 9, minor = 0;
  int refuses = 0, pools = 1, processors = 4, registers = 32,
      block = 1024;
  size_t memory = size_t(1) << 30;
  std::string log, dump, failing;
  Result failure = kSuccess;
  int failingCall = 0;
};
const Settings &settings();

/// Writes a line to the log.
[[gnu::format(printf, 1, 2)]] void note(const char *format, ...);

/// A call of the driver: what it gives unless it is good. Logs nothing.
/// `needsContext`: it works on the context of the calling thread.
Result enter(const char *function, bool needsContext = true);
#define CUDA_DOUBLE_ENTER(...)                                                 \
  if (Result result = enter(__func__ __VA_OPT__(, ) __VA_ARGS__))              \
  return result

/// An error of queued work: from then on every call gives it.
void stick(Result result);

//===--- Memory -----------------------------------------------------------===//

/// Memory of the device, or of the host and pinned.
struct Allocation {
  int number = 0; ///< in the log
  char *begin = nullptr;
  size_t bytes = 0;
  char *pages = nullptr; ///< around it, whole ones
  size_t pageBytes = 0;
  bool isFreed = false; ///< behind what was queued before
};
/// The allocation that holds all of a range; null if there is none.
const Allocation *deviceMemory(Address address, size_t bytes);
const Allocation *pinnedMemory(const void *address, size_t bytes);
/// "#3+16"
std::string describe(Address address);
/// Lets the processor, instead of the device, access its memory.
class OpenMemory {
public:
  OpenMemory();
  ~OpenMemory();
  OpenMemory(const OpenMemory &) = delete;
};
void release(Address address);

//===--- Streams ----------------------------------------------------------===//

using Work = std::function<Result()>;
/// Puts work behind what the stream has.
Result queue(Stream stream, Work work);
/// Does all that the stream has.
Result drain(Stream stream);

//===--- Kernels ----------------------------------------------------------===//

/// Code of a module for the processor, made when a kernel of it first runs.
struct HostCode {
  std::string source; ///< LLVM IR; "": there is none
  void *library = nullptr;

  /// Null if there is no source. Ends the process if it does not compile.
  void *load();
};
struct Kernel {
  std::string name;
  HostCode *code = nullptr;
  std::vector<int> parameterBytes;
  int maxThreads = 1024, sharedBytes = 0;
  bool hasBarriers = false;
};
/// What a library of kernels has for the device: the special registers of PTX,
/// in kernels.py's order, and what threads do at a barrier; and of one kernel
/// the function that runs a thread of it.
struct Registers {
  int thread, threads, block, blocks;
};
struct Hooks {
  Registers *registers;
  void (**meet)();
  void (*call)(void **parameters);
};
/// Runs the threads of a block that meet at barriers, in turns from one to the
/// next. kLaunchTimeout if one ends while others wait for it.
Result runBarrier(const Hooks &hooks, void **parameters);
/// Runs a grid, thread by thread. kIllegalAddress if one leaves its memory.
Result runGrid(const Kernel &kernel, unsigned blocks, unsigned threads,
               std::vector<int64_t> parameters);

} // namespace cuda_double
#endif // CUDA_DOUBLE_H
