//===- Staging.cpp - Copies between host and device -----------------------===//
// Fields lie in memory of the host that the system may move, which a device
// cannot copy from while the host goes on. So copies go through a ring of
// pinned memory: a segment is used again once the copies out of it are done,
// and small copies share one.
#include "chirt/cuda/Cuda.h"

#include <cstring>

namespace chirt::cu {

namespace {
constexpr int kSegments = 4;
constexpr int64_t kSegmentBytes = int64_t(2) << 20;
/// What a copy from the device takes at a time, so that copying on to the field
/// runs beside it. Two of them are under way, which a segment's turn outlives.
constexpr int64_t kChunkBytes = kSegmentBytes / 2;

struct Ring {
  char *memory = nullptr;
  int segment = 0;
  int64_t used = 0; ///< of the segment
  Event left[kSegments] = {};
  Event arrived[2] = {}; ///< of copies from the device
};
constinit Ring ring;

bool makeRing() {
  if (ring.memory)
    return true;
  for (Event &event : ring.left)
    if (!succeeds(cuda.eventCreate(&event, kEventWithoutTiming)))
      return false;
  for (Event &event : ring.arrived)
    if (!succeeds(cuda.eventCreate(&event, kEventWithoutTiming)))
      return false;
  void *memory = nullptr;
  if (!succeeds(cuda.memHostAlloc(&memory, kSegments * kSegmentBytes, 0)))
    return false;
  ring.memory = static_cast<char *>(memory);
  return true;
}

/// Pinned memory that no copy uses any more; null if the queue has failed.
/// `bytes`: at most kSegmentBytes.
char *stage(int64_t bytes) {
  if (!makeRing())
    return nullptr;
  if (ring.used + bytes > kSegmentBytes) {
    if (!succeeds(cuda.eventRecord(ring.left[ring.segment], cuda.stream)))
      return nullptr;
    ring.segment = (ring.segment + 1) % kSegments;
    ring.used = 0;
    // An event that was never recorded has happened.
    if (!waitFor(ring.left[ring.segment]))
      return nullptr;
  }
  char *place = ring.memory + ring.segment * kSegmentBytes + ring.used;
  ring.used += (bytes + 63) & ~int64_t(63);
  return place;
}

/// A chunk on its way to the host.
struct Chunk {
  const char *staged = nullptr;
  char *to = nullptr;
  int64_t bytes = 0;
};

bool beginChunk(Chunk &chunk, Address from, Event arrived) {
  char *staged = stage(chunk.bytes);
  chunk.staged = staged;
  return staged &&
         succeeds(
             cuda.copyOut(staged, from, size_t(chunk.bytes), cuda.stream)) &&
         succeeds(cuda.eventRecord(arrived, cuda.stream));
}

bool endChunk(const Chunk &chunk, Event arrived) {
  if (!waitFor(arrived))
    return false;
  memcpy(chunk.to, chunk.staged, size_t(chunk.bytes));
  return true;
}

int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
} // namespace

void copyToDevice(Address to, const void *from, int64_t bytes) {
  auto *at = static_cast<const char *>(from);
  ++cuda.copies;
  cuda.bytesIn += bytes;
  for (int64_t done = 0; done < bytes;) {
    int64_t chunk = least(bytes - done, kSegmentBytes);
    char *staged = stage(chunk);
    if (!staged)
      return;
    memcpy(staged, at + done, size_t(chunk));
    if (!succeeds(cuda.copyIn(to + Address(done), staged, size_t(chunk),
                              cuda.stream)))
      return;
    done += chunk;
  }
}

void copyFromDevice(void *to, Address from, int64_t bytes) {
  if (!makeRing())
    return;
  ++cuda.copies;
  cuda.bytesOut += bytes;
  askForFailures(); // one wait for both
  Chunk chunks[2];
  int64_t begun = 0, count = (bytes + kChunkBytes - 1) / kChunkBytes;
  auto *at = static_cast<char *>(to);
  for (int64_t k = 0; k <= count; ++k) {
    if (k < count) {
      Chunk &chunk = chunks[k % 2];
      chunk.to = at + begun;
      chunk.bytes = least(bytes - begun, kChunkBytes);
      if (!beginChunk(chunk, from + Address(begun), ring.arrived[k % 2]))
        return;
      begun += chunk.bytes;
    }
    if (k > 0 && !endChunk(chunks[(k - 1) % 2], ring.arrived[(k - 1) % 2]))
      return;
  }
  takeFailures();
}

void copyWithinDevice(Address to, Address from, int64_t bytes) {
  succeeds(cuda.copyWithin(to, from, size_t(bytes), cuda.stream));
}

void fillOnDevice(Address to, uint32_t word, int64_t bytes) {
  succeeds(cuda.fill(to, word, size_t(bytes) / sizeof(word), cuda.stream));
}

} // namespace chirt::cu
