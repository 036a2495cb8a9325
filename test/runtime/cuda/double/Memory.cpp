//===- Memory.cpp - Memory of the device, and pinned memory ---------------===//
// An allocation ends where its pages end, and no address is used twice, so that
// whatever is touched before, behind or after it faults.
#include "Double.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace cuda_double {

namespace {
struct Memory {
  std::map<Address, Allocation> device;
  std::map<uintptr_t, Allocation> pinned;
  size_t used = 0;
  int count = 0;

  ~Memory() {
    for (const auto &[address, each] : device)
      if (!each.isFreed)
        note("left at the end: #%d of %zu bytes", each.number, each.bytes);
  }
};
Memory &memory() {
  static Memory known;
  return known;
}

constexpr size_t kPage = 4096;

Allocation makePages(size_t bytes, int protection) {
  Allocation made;
  made.bytes = bytes;
  made.pageBytes = (bytes + 2 * kPage - 1) / kPage * kPage;
  void *pages = mmap(nullptr, made.pageBytes + kPage, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  made.pages = static_cast<char *>(pages);
  made.begin = made.pages + made.pageBytes - (bytes + 15) / 16 * 16;
  // NaN of f16, f32 and f64.
  constexpr uint32_t kGarbage = 0x7ff4dead;
  for (size_t at = 0; at + 4 <= bytes; at += 4)
    memcpy(made.begin + at, &kGarbage, 4);
  mprotect(made.pages, made.pageBytes, protection);
  mprotect(made.pages + made.pageBytes, kPage, PROT_NONE);
  return made;
}

Result allocate(Address *address, size_t bytes) {
  Memory &all = memory();
  if (bytes == 0)
    return kInvalidValue;
  if (all.used + bytes > settings().memory)
    return kOutOfMemory;
  Allocation made = makePages(bytes, PROT_NONE);
  made.number = ++all.count;
  all.used += bytes;
  *address = Address(made.begin);
  all.device[*address] = made;
  return kSuccess;
}

/// The allocation of `all` around a range.
template <typename Map>
const Allocation *around(const Map &all, uintptr_t address, size_t bytes) {
  auto next = all.upper_bound(address);
  if (next == all.begin())
    return nullptr;
  const Allocation &found = std::prev(next)->second;
  auto begin = reinterpret_cast<uintptr_t>(found.begin);
  return address + bytes <= begin + found.bytes ? &found : nullptr;
}

void protectAll(int protection) {
  for (const auto &[address, each] : memory().device)
    mprotect(each.pages, each.pageBytes, protection);
}
} // namespace

const Allocation *deviceMemory(Address address, size_t bytes) {
  const Allocation *found = around(memory().device, address, bytes);
  return found && !found->isFreed ? found : nullptr;
}

const Allocation *pinnedMemory(const void *address, size_t bytes) {
  return around(memory().pinned, reinterpret_cast<uintptr_t>(address), bytes);
}

std::string describe(Address address) {
  const Allocation *found = around(memory().device, address, 0);
  if (!found)
    return std::to_string(address);
  size_t offset = address - Address(found->begin);
  return "#" + std::to_string(found->number) +
         (offset ? "+" + std::to_string(offset) : "");
}

OpenMemory::OpenMemory() { protectAll(PROT_READ | PROT_WRITE); }
OpenMemory::~OpenMemory() { protectAll(PROT_NONE); }

void release(Address address) {
  Memory &all = memory();
  auto found = all.device.find(address);
  note("free #%d", found->second.number);
  all.used -= found->second.bytes;
  mprotect(found->second.pages, found->second.pageBytes, PROT_NONE);
  all.device.erase(found);
}

CUDA_DOUBLE(cuMemAlloc_v2)(Address *address, size_t bytes) {
  CUDA_DOUBLE_ENTER();
  Result result = allocate(address, bytes);
  note("cuMemAlloc %zu: %s", bytes, result ? "no" : describe(*address).c_str());
  return result;
}

CUDA_DOUBLE(cuMemFree_v2)(Address address) {
  CUDA_DOUBLE_ENTER();
  if (!memory().device.count(address))
    return kInvalidValue;
  release(address);
  return kSuccess;
}

CUDA_DOUBLE(cuMemGetInfo_v2)(size_t *left, size_t *all) {
  CUDA_DOUBLE_ENTER();
  *all = settings().memory;
  *left = *all - memory().used;
  return kSuccess;
}

CUDA_DOUBLE(cuMemHostAlloc)(void **address, size_t bytes, unsigned) {
  CUDA_DOUBLE_ENTER();
  Allocation made = makePages(bytes, PROT_READ | PROT_WRITE);
  *address = made.begin;
  memory().pinned[reinterpret_cast<uintptr_t>(made.begin)] = made;
  note("cuMemHostAlloc %zu", bytes);
  return kSuccess;
}

//===--- Pools ------------------------------------------------------------===//

CUDA_DOUBLE(cuDeviceGetDefaultMemPool)(Pool *pool, Device) {
  CUDA_DOUBLE_ENTER(false);
  *pool = reinterpret_cast<Pool>(&memory());
  return settings().pools ? kSuccess : kNotSupported;
}

CUDA_DOUBLE(cuMemPoolSetAttribute)(Pool, int which, void *value) {
  CUDA_DOUBLE_ENTER(false);
  note("cuMemPoolSetAttribute %d: %llx", which,
       *static_cast<unsigned long long *>(value));
  return which == kReleaseThreshold ? kSuccess : kInvalidValue;
}

CUDA_DOUBLE(cuMemPoolTrimTo)(Pool, size_t bytes) {
  CUDA_DOUBLE_ENTER(false);
  note("cuMemPoolTrimTo %zu", bytes);
  return kSuccess;
}

CUDA_DOUBLE(cuMemAllocAsync)(Address *address, size_t bytes, Stream) {
  CUDA_DOUBLE_ENTER();
  if (!settings().pools)
    return kNotSupported;
  Result result = allocate(address, bytes);
  note("cuMemAllocAsync %zu: %s", bytes,
       result ? "no" : describe(*address).c_str());
  return result;
}

/// What is freed is used by what was queued before.
CUDA_DOUBLE(cuMemFreeAsync)(Address address, Stream stream) {
  CUDA_DOUBLE_ENTER();
  auto found = memory().device.find(address);
  if (found == memory().device.end() || found->second.isFreed)
    return kInvalidValue;
  found->second.isFreed = true;
  note("cuMemFreeAsync %s", describe(address).c_str());
  return queue(stream, [address] {
    release(address);
    return Result(kSuccess);
  });
}

} // namespace cuda_double
