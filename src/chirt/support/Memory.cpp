//===- Memory.cpp ---------------------------------------------------------===//
// Small pieces come from malloc. Large ones are mapped, so that the kernel
// zeroes their pages when they are first touched, in huge pages where it can;
// a few freed mappings are kept, for programs that make and drop fields of the
// same size in a loop.
#include "chirt/support/Memory.h"

#include "chirt/text/Text.h"
#include <cstdio>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace chirt {

namespace {
constexpr size_t mappedFrom = size_t(1) << 18;
constexpr size_t hugeFrom = size_t(4) << 20, hugePage = size_t(2) << 20;
constexpr size_t keptAtMost = size_t(32) << 20;
constexpr int numKept = 16;

/// Lies before the memory that is handed out.
struct alignas(64) Header {
  void *base;
  size_t length;  ///< of the mapping; 0 if malloc's
  size_t payload; ///< bytes asked for
};

/// Freed mappings, oldest first.
struct Kept {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Header *blocks[numKept] = {};
  int count = 0;
  size_t bytes = 0;
  unsigned stagger = 0;
  int64_t unseen = 0; ///< asked for since freeMemory was
};
constinit Kept kept;

Header *headerOf(void *memory) { return static_cast<Header *>(memory) - 1; }

Header *allocateSmall(size_t bytes) {
  void *memory = nullptr;
  if (posix_memalign(&memory, 64, sizeof(Header) + bytes) != 0)
    return nullptr;
  Header *header = static_cast<Header *>(memory);
  *header = {memory, 0, bytes};
  return header;
}

/// A mapping that starts on a huge page, if it is large.
char *mapPages(size_t length) {
  size_t asked = length >= hugeFrom ? length + hugePage : length;
  void *result = mmap(nullptr, asked, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (result == MAP_FAILED)
    return nullptr;
  char *base = static_cast<char *>(result);
  if (asked == length)
    return base;
  size_t before =
      (hugePage - reinterpret_cast<uintptr_t>(base)) & (hugePage - 1);
  if (before)
    munmap(base, before);
  if (hugePage > before)
    munmap(base + before + length, hugePage - before);
  madvise(base + before, length, MADV_HUGEPAGE);
  return base + before;
}

/// A freed mapping of that length, or null.
Header *takeKept(size_t length) {
  Header *found = nullptr;
  pthread_mutex_lock(&kept.lock);
  for (int k = kept.count; k-- > 0 && !found;)
    if (kept.blocks[k]->length == length) {
      found = kept.blocks[k];
      --kept.count;
      for (int m = k; m < kept.count; ++m)
        kept.blocks[m] = kept.blocks[m + 1];
      kept.bytes -= length;
    }
  pthread_mutex_unlock(&kept.lock);
  return found;
}

Header *allocateMapped(size_t bytes, bool &isZero) {
  constexpr size_t page = 4096;
  if (bytes > SIZE_MAX / 2)
    return nullptr;
  size_t length = (bytes + 2 * page - 1) & ~(page - 1);
  if (Header *header = takeKept(length)) {
    header->payload = bytes;
    isZero = false;
    return header;
  }
  char *base = mapPages(length);
  if (!base)
    return nullptr;
  // Fields that all begin at the same place of a page fight for the same sets
  // of the caches when a loop walks through several of them.
  size_t room = length - bytes - sizeof(Header);
  size_t stagger =
      (__atomic_fetch_add(&kept.stagger, 9, __ATOMIC_RELAXED) % 32) * 64;
  Header *header = reinterpret_cast<Header *>(
      base + (stagger <= room ? stagger : (room & ~size_t(63))));
  *header = {base, length, bytes};
  isZero = true;
  return header;
}
} // namespace

void *allocateZeroed(size_t bytes) {
  bool isZero = false;
  Header *header =
      bytes < mappedFrom ? allocateSmall(bytes) : allocateMapped(bytes, isZero);
  if (!header)
    return nullptr;
  if (!isZero)
    memset(header + 1, 0, bytes);
  return header + 1;
}

void *allocateUncleared(size_t bytes) {
  bool isZero;
  Header *header =
      bytes < mappedFrom ? allocateSmall(bytes) : allocateMapped(bytes, isZero);
  return header ? header + 1 : nullptr;
}

void releaseMemory(void *memory) {
  if (!memory)
    return;
  Header *header = headerOf(memory);
  if (header->length == 0) {
    free(header);
    return;
  }
  if (header->length > keptAtMost / 2) {
    munmap(header->base, header->length);
    return;
  }
  pthread_mutex_lock(&kept.lock);
  while (kept.count == numKept || kept.bytes + header->length > keptAtMost) {
    Header *oldest = kept.blocks[0];
    for (int k = 1; k < kept.count; ++k)
      kept.blocks[k - 1] = kept.blocks[k];
    --kept.count;
    kept.bytes -= oldest->length;
    munmap(oldest->base, oldest->length);
  }
  kept.blocks[kept.count++] = header;
  kept.bytes += header->length;
  pthread_mutex_unlock(&kept.lock);
}

namespace {
/// Reads a small file; empty if it is not there.
std::string_view readSmall(const char *path, char (&buffer)[4096]) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return {};
  ssize_t n = read(fd, buffer, sizeof(buffer) - 1);
  close(fd);
  buffer[n > 0 ? n : 0] = '\0';
  return {buffer, size_t(n > 0 ? n : 0)};
}
} // namespace

/// What `ulimit -v` leaves.
static uint64_t freeAddresses() {
  struct rlimit limit;
  char buffer[4096];
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      readSmall("/proc/self/statm", buffer).empty())
    return UINT64_MAX;
  uint64_t used = strtoull(buffer, nullptr, 10) * uint64_t(getpagesize());
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

uint64_t freeMemory() {
  char buffer[4096];
  uint64_t available = freeAddresses();
  if (!readSmall("/proc/meminfo", buffer).empty())
    if (const char *line = strstr(buffer, "MemAvailable:"))
      if (uint64_t all = strtoull(line + 13, nullptr, 10) << 10;
          all < available)
        available = all;
  std::string_view limit = readSmall("/sys/fs/cgroup/memory.max", buffer);
  if (!limit.empty() && limit[0] >= '0' && limit[0] <= '9') {
    uint64_t most = strtoull(buffer, nullptr, 10);
    readSmall("/sys/fs/cgroup/memory.current", buffer);
    uint64_t used = strtoull(buffer, nullptr, 10);
    uint64_t left = most > used ? most - used : 0;
    available = left < available ? left : available;
  }
  return available;
}

bool fitsInMemory(int64_t bytes) {
  constexpr int64_t looked = int64_t(64) << 20; // a look costs some 20 us
  if (__atomic_add_fetch(&kept.unseen, bytes, __ATOMIC_RELAXED) < looked)
    return true;
  __atomic_store_n(&kept.unseen, 0, __ATOMIC_RELAXED);
  return uint64_t(bytes) <= freeMemory();
}

} // namespace chirt
