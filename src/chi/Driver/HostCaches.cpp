//===- HostCaches.cpp - The caches of this machine ------------------------===//
// Not by sysconf: it adds up the last caches of a processor that has several,
// of which a core reaches one.
#include "chi/Driver/HostCaches.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <optional>

using namespace chi;

/// The first line of a file of the kernel's, which have no size.
static std::optional<std::string> lineOf(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFileAsStream(path);
  if (!file)
    return std::nullopt;
  return (*file)->getBuffer().split('\n').first.trim().str();
}

/// "512K", "32M", "4096".
static int64_t bytesOf(llvm::StringRef text) {
  int64_t factor = text.consume_back("K")   ? 1 << 10
                   : text.consume_back("M") ? 1 << 20
                                            : 1;
  int64_t number = 0;
  constexpr int64_t kMost = int64_t(1) << 20; // 1 TB, in units of 1 MB
  if (text.getAsInteger(10, number) || number < 0 || number > kMost)
    return 0;
  return number * factor;
}

CacheSizes driver::cachesIn(const std::string &folder) {
  CacheSizes sizes;
  int64_t first = 0, second = 0, last = 0;
  for (unsigned index = 0; index < 16; ++index) {
    std::string cache = folder + "/index" + std::to_string(index);
    auto type = lineOf(cache + "/type");
    if (!type)
      break;
    if (*type == "Instruction")
      continue;
    int64_t bytes = bytesOf(lineOf(cache + "/size").value_or(""));
    first = first ? first : bytes;
    if (lineOf(cache + "/level") == "2")
      second = bytes;
    last = std::max(last, bytes);
  }
  if (first) {
    sizes.l1 = first, sizes.last = last;
    sizes.l2 = second ? second : std::clamp(sizes.l2, first, last);
  }
  return sizes;
}

CacheSizes driver::hostCaches() {
  return cachesIn("/sys/devices/system/cpu/cpu0/cache");
}
