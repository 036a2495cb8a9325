//===- Mirror.cpp - --arch=mirror: the pool over memory of its own --------===//
// Both copies of a field lie in pages of their own, protected so that what
// nobody has acquired cannot be touched: the device's copy but while a launch
// uses it, the host's while it is stale, and against writing while the device's
// is current too. Code that touches such a page has not acquired the field;
// it gets an error instead of working by chance. The device's memory starts as
// garbage, and so does what has become stale.
#include "chirt/support/Device.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace chirt {

namespace {
/// Pages of one copy.
struct Region {
  char *begin;
  size_t bytes, size; ///< whole pages, and what was asked for
  bool isDevice;
  int32_t current;        ///< of the field; for the host's copy
  int opened = 0;         ///< by launches; for the device's copy
  bool isWritten = false; ///< by one of them
  Region *next;
};

struct Regions {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Region *first = nullptr;
  bool isWatched = false;
  DeviceCounts counts = {};
};
constinit Regions regions;

size_t wholePages(int64_t bytes) {
  constexpr size_t page = 4096;
  return (size_t(bytes) + page - 1) & ~(page - 1);
}

/// The region that holds an address, or null.
Region *find(const void *address) {
  auto *at = static_cast<const char *>(address);
  for (Region *region = regions.first; region; region = region->next)
    if (at >= region->begin && at < region->begin + region->bytes)
      return region;
  return nullptr;
}

const char *whatIsWrong(const Region &region) {
  if (region.isDevice && region.opened)
    return "a task writes to a field that its launch only reads";
  if (region.isDevice)
    return "the device's copy of a field is accessed outside of a launch that "
           "acquired it";
  if (region.current == CHIRT_AT_DEVICE)
    return "the host's copy of a field is accessed while only the device's is "
           "current";
  return "the host's copy of a field is written while the device's is marked "
         "as current";
}

extern "C" void chirtOnFault(int number, siginfo_t *what, void *) {
  const Region *region = find(what->si_addr);
  if (!region) { // not ours: the fault comes again, and ends the process
    signal(number, SIG_DFL);
    return;
  }
  char text[256];
  int length =
      snprintf(text, sizeof(text),
               "chic: mirror: %s (byte %zu of %zu); this is a bug in chic\n",
               whatIsWrong(*region),
               size_t(static_cast<const char *>(what->si_addr) - region->begin),
               region->size);
  (void)!write(2, text, size_t(length));
  _exit(70);
}

void watchFaults() {
  if (regions.isWatched)
    return;
  regions.isWatched = true;
  struct sigaction action = {};
  action.sa_sigaction = chirtOnFault;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  sigaction(SIGSEGV, &action, nullptr);
}

/// NaNs of all widths, and large integers.
void fillWithGarbage(char *memory, size_t bytes) {
  constexpr uint32_t pattern = 0x7ff4dead;
  for (size_t at = 0; at + sizeof(pattern) <= bytes; at += sizeof(pattern))
    memcpy(memory + at, &pattern, sizeof(pattern));
}

char *mapRegion(int64_t bytes, bool isDevice) {
  size_t length = wholePages(bytes);
  void *memory = mmap(nullptr, length, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  auto *region = static_cast<Region *>(malloc(sizeof(Region)));
  if (memory == MAP_FAILED || !region)
    return nullptr;
  pthread_mutex_lock(&regions.lock);
  watchFaults();
  *region = {static_cast<char *>(memory),
             length,
             size_t(bytes),
             isDevice,
             CHIRT_AT_HOST,
             0,
             false,
             regions.first};
  regions.first = region;
  pthread_mutex_unlock(&regions.lock);
  return region->begin;
}

void unmapRegion(void *memory) {
  pthread_mutex_lock(&regions.lock);
  for (Region **link = &regions.first; *link; link = &(*link)->next)
    if (Region *region = *link; region->begin == memory) {
      *link = region->next;
      munmap(region->begin, region->bytes);
      free(region);
      break;
    }
  pthread_mutex_unlock(&regions.lock);
}

void protect(const Region &region, int how) {
  mprotect(region.begin, region.bytes, how);
}

/// What launches may do with a copy of the device's.
int protectionOf(const Region &region) {
  if (!region.opened)
    return PROT_NONE;
  return region.isWritten ? PROT_READ | PROT_WRITE : PROT_READ;
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

char *addressOf(int64_t buffer) { return reinterpret_cast<char *>(buffer); }

void *allocateHost(int64_t bytes) { return mapRegion(bytes, false); }
void freeHost(void *memory, int64_t) { unmapRegion(memory); }

int64_t allocateBuffer(int64_t bytes) {
  char *memory = mapRegion(bytes, true);
  if (!memory)
    return 0;
  fillWithGarbage(memory, wholePages(bytes));
  mprotect(memory, wholePages(bytes), PROT_NONE);
  return reinterpret_cast<int64_t>(memory);
}

void releaseBuffer(int64_t buffer, int64_t) { unmapRegion(addressOf(buffer)); }

void guardHost(void *memory, int64_t bytes, int32_t current) {
  pthread_mutex_lock(&regions.lock);
  if (Region *region = find(memory)) {
    if (current == CHIRT_AT_DEVICE) {
      protect(*region, PROT_READ | PROT_WRITE);
      fillWithGarbage(region->begin, size_t(bytes));
    }
    region->current = current;
    protect(*region, current == CHIRT_AT_DEVICE ? PROT_NONE
                     : current == CHIRT_AT_HOST ? PROT_READ | PROT_WRITE
                                                : PROT_READ);
  }
  pthread_mutex_unlock(&regions.lock);
}

void copyIn(int64_t to, const void *from, int64_t bytes) {
  pthread_mutex_lock(&regions.lock);
  Region *region = find(addressOf(to));
  protect(*region, PROT_READ | PROT_WRITE);
  memcpy(addressOf(to), from, size_t(bytes));
  regions.counts.bytesIn += bytes;
  protect(*region, protectionOf(*region));
  pthread_mutex_unlock(&regions.lock);
}

void copyOut(void *to, int64_t from, int64_t bytes) {
  pthread_mutex_lock(&regions.lock);
  Region *region = find(addressOf(from));
  // The host's copy was stale; its permitted uses are set afterwards.
  if (Region *host = find(to))
    protect(*host, PROT_READ | PROT_WRITE);
  protect(*region, PROT_READ);
  memcpy(to, addressOf(from), size_t(bytes));
  regions.counts.bytesOut += bytes;
  protect(*region, protectionOf(*region));
  pthread_mutex_unlock(&regions.lock);
}

void copyWithin(int64_t to, int64_t from, int64_t bytes) {
  pthread_mutex_lock(&regions.lock);
  Region *source = find(addressOf(from)), *target = find(addressOf(to));
  protect(*source, PROT_READ);
  protect(*target, PROT_READ | PROT_WRITE);
  memcpy(addressOf(to), addressOf(from), size_t(bytes));
  protect(*source, protectionOf(*source));
  protect(*target, protectionOf(*target));
  ++regions.counts.copies;
  pthread_mutex_unlock(&regions.lock);
}

void fillWords(int64_t buffer, uint32_t word, int64_t bytes) {
  pthread_mutex_lock(&regions.lock);
  Region *region = find(addressOf(buffer));
  protect(*region, PROT_READ | PROT_WRITE);
  for (int64_t at = 0; at < bytes; at += sizeof(word))
    memcpy(addressOf(buffer) + at, &word, sizeof(word));
  protect(*region, protectionOf(*region));
  pthread_mutex_unlock(&regions.lock);
}

DeviceCounts counts() { return regions.counts; }

void launch(const chirt_task *task, const int64_t *words,
            const chirt_domain *domain) {
  __atomic_fetch_add(&regions.counts.launches, 1, __ATOMIC_RELAXED);
  task->entry(task, words, domain);
}

void changeOpen(int64_t buffer, int change, bool isWritten) {
  pthread_mutex_lock(&regions.lock);
  if (Region *region = find(addressOf(buffer))) {
    region->opened += change;
    region->isWritten = region->opened && (region->isWritten || isWritten);
    protect(*region, protectionOf(*region));
  }
  pthread_mutex_unlock(&regions.lock);
}

void openBuffer(int64_t buffer, bool isWritten) {
  changeOpen(buffer, 1, isWritten);
}
void closeBuffer(int64_t buffer) { changeOpen(buffer, -1, false); }
} // namespace

constinit const chirt_device mirrorDevice = {
    .name = "mirror",
    .describe = nullptr,
    .isGPU = nullptr,
    .sharesHostMemory = false,
    .start = nullptr,
    .canRun = nullptr,
    .allocateHost = allocateHost,
    .freeHost = freeHost,
    .guardHost = guardHost,
    .allocate = allocateBuffer,
    .release = releaseBuffer,
    .launch = launch,
    .copyIn = copyIn,
    .copyOut = copyOut,
    .finish = nullptr,
    .raiseProblem = nullptr,
    .copy = copyWithin,
    .fill = fillWords,
    .memoryLeft = nullptr,
    .architecture = nullptr,
    .counts = counts,
    .openBuffer = openBuffer,
    .closeBuffer = closeBuffer,
};

} // namespace chirt
