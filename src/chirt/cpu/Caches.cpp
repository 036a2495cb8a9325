//===- Caches.cpp - The caches of this machine ----------------------------===//
// Not by sysconf: it adds up the last caches of a processor that has several,
// of which a core reaches one. The compiler reads them here too.
#include "chirt/cpu/Caches.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace chirt {

namespace {
struct Line {
  char text[1024];
  bool is(const char *other) const { return strcmp(text, other) == 0; }
};

/// The first line of a file of the kernel's; false if there is none.
bool readLine(const char *folder, int index, const char *name, Line &line) {
  char path[512];
  snprintf(path, sizeof(path), "%s/index%d/%s", folder, index, name);
  FILE *file = fopen(path, "re");
  if (!file)
    return false;
  bool isRead = fgets(line.text, sizeof(line.text), file) != nullptr;
  fclose(file);
  if (isRead)
    line.text[strcspn(line.text, "\r\n")] = 0;
  return isRead;
}

/// "512K", "32M", "4096"; 0 if it is not that.
int64_t bytesOf(const char *text) {
  constexpr int64_t most = int64_t(1) << 20; // 1 TB, in units of 1 MB
  char *end = nullptr;
  int64_t number = strtoll(text, &end, 10);
  int64_t factor = *end == 'K' ? 1 << 10 : *end == 'M' ? 1 << 20 : 1;
  bool isNumber = end != text && !end[factor != 1];
  return isNumber && number > 0 && number <= most ? number * factor : 0;
}

/// "0-3,8-11".
cpu_set_t coresOf(const char *text) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  while (*text >= '0' && *text <= '9') {
    char *end = nullptr;
    long low = strtol(text, &end, 10), high = low;
    if (*end == '-')
      high = strtol(end + 1, &end, 10);
    for (long core = low; core <= high && core < CPU_SETSIZE; ++core)
      CPU_SET(size_t(core), &cores);
    text = *end == ',' ? end + 1 : end;
  }
  return cores;
}
} // namespace

CoreCaches cachesOf(const char *folder) {
  CoreCaches caches;
  CPU_ZERO(&caches.sharers);
  Line line;
  for (int index = 0; index < 16 && readLine(folder, index, "type", line);
       ++index) {
    if (line.is("Instruction"))
      continue;
    int64_t bytes =
        readLine(folder, index, "size", line) ? bytesOf(line.text) : 0;
    caches.first = caches.first ? caches.first : bytes;
    if (readLine(folder, index, "level", line) && line.is("2"))
      caches.second = bytes;
    if (bytes <= caches.last)
      continue;
    caches.last = bytes;
    if (readLine(folder, index, "shared_cpu_list", line))
      caches.sharers = coresOf(line.text);
  }
  return caches;
}

int64_t reachedCaches(const char *folder, const cpu_set_t &cores, int threads) {
  cpu_set_t seen;
  CPU_ZERO(&seen);
  int64_t sum = 0;
  for (size_t core = 0; core < CPU_SETSIZE && threads > 0; ++core) {
    if (!CPU_ISSET(core, &cores) || CPU_ISSET(core, &seen))
      continue;
    char path[256];
    snprintf(path, sizeof(path), "%s/cpu%zu/cache", folder, core);
    CoreCaches caches = cachesOf(path);
    sum += caches.last;
    if (!CPU_ISSET(core, &caches.sharers))
      break; // unknown which cores share it: assume all
    CPU_OR(&seen, &seen, &caches.sharers);
    --threads;
  }
  return sum;
}

} // namespace chirt
