//===- Staging.cpp - Copies between host and device -----------------------===//
// Fields lie in memory of the host that the system may move, which a device
// cannot copy from while the host goes on. So copies go through a ring of
// pinned memory: a segment is used again once the copies out of it are done,
// and small copies share one.
#include "chirt/cuda/Cuda.h"

#include <cstring>

namespace chirt {

namespace {
constexpr int kSegments = 4;
constexpr int64_t kSegmentBytes = int64_t(2) << 20;
/// What a copy from the device takes at a time, so that copying on to the field
/// runs beside it. Two of them are under way, which a segment's turn outlives.
constexpr int64_t kPieceBytes = kSegmentBytes / 2;

struct Ring {
  char *memory = nullptr;
  int segment = 0;
  int64_t used = 0; ///< of the segment
  cu::Event left[kSegments] = {};
  cu::Event arrived[2] = {}; ///< of copies from the device
};
constinit Ring ring;

bool makeRing() {
  if (ring.memory)
    return true;
  for (cu::Event &event : ring.left)
    if (!succeeds(cuda.eventCreate(&event, cu::kEventWithoutTiming)))
      return false;
  for (cu::Event &event : ring.arrived)
    if (!succeeds(cuda.eventCreate(&event, cu::kEventWithoutTiming)))
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
    if (!succeeds(cuda.eventSynchronize(ring.left[ring.segment])))
      return nullptr;
  }
  char *place = ring.memory + ring.segment * kSegmentBytes + ring.used;
  ring.used += (bytes + 63) & ~int64_t(63);
  return place;
}

/// A piece on its way to the host.
struct Piece {
  const char *staged = nullptr;
  char *to = nullptr;
  int64_t bytes = 0;
};

bool beginPiece(Piece &piece, cu::Address from, cu::Event arrived) {
  char *staged = stage(piece.bytes);
  piece.staged = staged;
  return staged &&
         succeeds(
             cuda.copyOut(staged, from, size_t(piece.bytes), cuda.stream)) &&
         succeeds(cuda.eventRecord(arrived, cuda.stream));
}

bool endPiece(const Piece &piece, cu::Event arrived) {
  if (!succeeds(cuda.eventSynchronize(arrived)))
    return false;
  memcpy(piece.to, piece.staged, size_t(piece.bytes));
  return true;
}

int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
} // namespace

void copyToDevice(cu::Address to, const void *from, int64_t bytes) {
  auto *at = static_cast<const char *>(from);
  for (int64_t done = 0; done < bytes;) {
    int64_t piece = least(bytes - done, kSegmentBytes);
    char *staged = stage(piece);
    if (!staged)
      return;
    memcpy(staged, at + done, size_t(piece));
    if (!succeeds(cuda.copyIn(to + cu::Address(done), staged, size_t(piece),
                              cuda.stream)))
      return;
    done += piece;
  }
}

void copyFromDevice(void *to, cu::Address from, int64_t bytes) {
  if (!makeRing())
    return;
  askForFailures(); // one wait for both
  Piece pieces[2];
  int64_t begun = 0, count = (bytes + kPieceBytes - 1) / kPieceBytes;
  auto *at = static_cast<char *>(to);
  for (int64_t k = 0; k <= count; ++k) {
    if (k < count) {
      Piece &piece = pieces[k % 2];
      piece.to = at + begun;
      piece.bytes = least(bytes - begun, kPieceBytes);
      if (!beginPiece(piece, from + cu::Address(begun), ring.arrived[k % 2]))
        return;
      begun += piece.bytes;
    }
    if (k > 0 && !endPiece(pieces[(k - 1) % 2], ring.arrived[(k - 1) % 2]))
      return;
  }
  takeFailures();
}

} // namespace chirt
