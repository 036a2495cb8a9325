//===- Cuda.h - The CUDA device of the process ------------------*- C++ -*-===//
// One context, one stream: copies, launches and frees happen in the order in
// which they were requested, and the host waits only where it reads results.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_CUDA_CUDA_H
#define CHIRT_CUDA_CUDA_H

#include "chirt/cuda/Api.h"
#include "chirt/device/Kernels.h"
#include "chirt/support/Device.h"
#include "chirt/text/Text.h"
#include <cstdint>
#include <pthread.h>

namespace chirt::cu {

/// The device, once it was started.
struct Cuda : Functions {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; ///< of what the queue has
  void *library = nullptr;
  int count = 0; ///< of devices; 0 before it was loaded
  Device device = 0;
  Context context = nullptr;
  Stream stream = nullptr;
  Pool pool = nullptr; ///< null: device or driver has none
  char name[128] = "";
  char architecture[16] = ""; ///< "sm_90"
  int version = 0;            ///< of CUDA, as the driver speaks it: 12040
  int multiprocessors = 0;
  // So far.
  int64_t launches = 0, waits = 0, copies = 0, bytesIn = 0, bytesOut = 0;
  int64_t lacking = 0; ///< bytes that the latest launch could not allocate
};
extern Cuda cuda;

/// As chirt_device has them (support/Device.h). Starts the device of that
/// number at the first call; null, or why there is none.
const char *startCuda(int32_t number);
/// How many devices there are; describes the one of that number (chirt_device).
int32_t describeCuda(int32_t number, chirt_device_facts *facts);
/// Whether the device that is chosen by default is a GPU.
bool hasCudaGPU();
/// Holds the lock of the queue, with the context made the calling thread's.
class CudaQueue {
public:
  CudaQueue() {
    pthread_mutex_lock(&cuda.lock);
    cuda.setCurrent(cuda.context);
  }
  ~CudaQueue() { pthread_mutex_unlock(&cuda.lock); }
  CudaQueue(const CudaQueue &) = delete;
};

//===--- What goes wrong --------------------------------------------------===//

/// "CUDA_ERROR_ILLEGAL_ADDRESS", as the driver calls it.
const char *nameOf(Result result);
/// What a result means for the device, in a sentence.
void appendFault(Text &out, Result result);
/// Remembers the first error of the queue; false if there is one. The context
/// is unusable after it, and chirt_device::fault reports it to the program.
bool succeeds(Result result);
/// Waits for all that was queued, or for what was before an event.
bool waitForQueue();
/// Waits for an event; false after an error of the queue.
bool waitFor(Event event);
/// Null, or the sentence about it.
const char *cudaFault();

//===--- Memory. Each with the queue held ---------------------------------===//

/// 0 if there is not enough, also after what was freed has been given back.
Address allocateOnDevice(int64_t bytes);
/// Frees memory in the order of the queue. `bytes`: as it was allocated.
void freeOnDevice(Address address, int64_t bytes);

/// Queues a copy; the host's memory may change once it returned.
void copyToDevice(Address to, const void *from, int64_t bytes);
/// Copies, and waits for all that was queued.
void copyFromDevice(void *to, Address from, int64_t bytes);
/// Queues a copy within the device, and one that makes all words that one.
void copyWithinDevice(Address to, Address from, int64_t bytes);
/// Queues a fill with a word of 4 bytes.
void fillOnDevice(Address to, uint32_t word, int64_t bytes);

//===--- Kernels ----------------------------------------------------------===//

/// A task's kernel, as the device has it.
struct CudaKernel {
  const chirt_device_code *code;
  Function function;
  int blockSize;
  int residentBlocks; ///< that the device runs at a time
  bool canFail;
};

/// One of a task's, made at the first call, with the queue held. Null, with a
/// failure recorded (failAt), if the driver refuses its code.
const CudaKernel *kernelOf(const chirt_task *task,
                           const chirt_device_code *code);

//===--- Launches. Each with the queue held -------------------------------===//

/// Queues a launch. False if that cannot be, with a failure recorded unless it
/// was for want of memory (Cuda::lacking).
bool queueLaunch(const chirt_task *task, KernelLaunch launch);
/// Queues the copy of what launches counted of their failures.
void askForFailures();
/// Keeps the failures, once that copy has arrived, and forgets the launches.
void takeFailures();
/// Waits for all that was queued, and keeps the failures of its launches.
void finishQueue();

} // namespace chirt::cu
#endif // CHIRT_CUDA_CUDA_H
