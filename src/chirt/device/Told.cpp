//===- Told.cpp - The log of kernels on a device --------------------------===//
// The threads of a kernel append pieces to its log: printed values, and
// accesses for --check=races. The host processes them in the order of their
// iterations, as one thread would have executed them.
#include "chirt/device/Kernels.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Views.h"
#include "chirt/launch/Observers.h"
#include "chirt/text/Output.h"

#include <algorithm>

namespace chirt {

namespace {
/// Words of a piece before its values: its format and, above it, how many they
/// are; its iteration.
constexpr int64_t kHeader = 2;

/// Iterations of a launch are a multiple of it.
int64_t unitOf(const chirt_device_code *code) {
  return code->partial_bytes ? CHIRT_TREE_BLOCK : 1;
}

/// Iterations of the first launch. How much an iteration with a loop logs is
/// unknown.
int64_t firstChunk(const chirt_device_code *code) {
  constexpr int64_t kCautious = 64;
  int64_t words = code->told_words, unit = unitOf(code);
  int64_t most = words < 0 ? kCautious : CHIRT_TOLD_WORDS / words;
  return std::max(most - most % unit, unit);
}

/// Iterations of the next launch, after one that logged `used` words. There is
/// room for another one like it.
int64_t nextChunk(const chirt_device_code *code, int64_t chunk, uint32_t used) {
  if (code->told_words > 0)
    return chunk;
  if (used <= CHIRT_TOLD_WORDS / 4)
    return 2 * chunk;
  bool isTight = used > CHIRT_TOLD_WORDS / 2 && chunk % (2 * unitOf(code)) == 0;
  return isTight ? chunk / 2 : chunk;
}

/// All that is there, up to the first piece that found no room.
Array<const int64_t *> piecesOf(const int64_t *told, int64_t used) {
  Array<const int64_t *> pieces;
  for (int64_t at = 0; at + kHeader <= used && told[at] != CHIRT_TOLD_END;) {
    pieces.push(told + at);
    at += kHeader + (told[at] >> 32);
  }
  return pieces;
}

bool isAccess(const int64_t *piece) { return int32_t(piece[0]) < 0; }

const chirt_site *siteOf(const chirt_device_code *code, const int64_t *piece) {
  return &code->unit->sites[~int32_t(piece[0])];
}

/// Is it the launch's first race?
bool isRace(const chirt_device_code *code, const KernelLaunch &launch,
            const int64_t *piece) {
  const int64_t *values = piece + kHeader;
  auto *field =
      reinterpret_cast<const chirt_field *>(launch.words[int32_t(values[0])]);
  return noteAccess(siteOf(code, piece), dataOfBase(field) + values[1],
                    piece[1], int32_t(values[0] >> 32));
}

/// Processes the log of the iterations up to the first one that failed.
void takePieces(const chirt_device_code *code, const KernelLaunch &launch,
                const Array<const int64_t *> &pieces) {
  int64_t end = failedIteration(launch);
  Text out;
  for (const int64_t *piece : pieces) {
    if (piece[1] > end || (isAccess(piece) && isRace(code, launch, piece)))
      break;
    if (!isAccess(piece))
      appendFormat(out, code->unit->formats[int32_t(piece[0])],
                   piece + kHeader);
  }
  writeOut(out);
}

/// There was no room for all.
void tellLost(const chirt_device_code *code,
              const Array<const int64_t *> &pieces) {
  bool isWatched = __atomic_load_n(&instrumentedLaunches, __ATOMIC_RELAXED);
  const int64_t *const *access =
      std::find_if(pieces.begin(), pieces.end(), isAccess);
  if (access != pieces.end() && isWatched && !hasTaskFailed())
    return failTask(siteOf(code, *access),
                    "the device cannot record all accesses of this loop: check "
                    "it for races with --arch=cpu",
                    nullptr, "");
  if (!std::all_of(pieces.begin(), pieces.end(), isAccess))
    writeError("warning: some output of a loop is lost: its iterations print "
               "more than the device can buffer\n");
}
} // namespace

void beginTelling(const chirt_device_code *code, KernelLaunch &launch) {
  launch.last = 0;
  launch.chunk = firstChunk(code);
  goOnTelling(launch);
}

bool goOnTelling(KernelLaunch &launch) {
  launch.first = launch.last;
  launch.last = std::min(launch.first + launch.chunk, launch.iterations);
  return launch.first < launch.last;
}

void takeTold(const chirt_device_code *code, KernelLaunch &launch,
              const int64_t *told, uint32_t used) {
  Array<const int64_t *> pieces =
      piecesOf(told, std::min<int64_t>(used, CHIRT_TOLD_WORDS));
  // Those of one iteration lie in their order.
  std::sort(pieces.begin(), pieces.end(),
            [](const int64_t *a, const int64_t *b) {
              return a[1] != b[1] ? a[1] < b[1] : a < b;
            });
  takePieces(code, launch, pieces);
  if (used > CHIRT_TOLD_WORDS)
    tellLost(code, pieces);
  launch.chunk = nextChunk(code, launch.chunk, used);
}

} // namespace chirt
