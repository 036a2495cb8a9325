//===- Told.cpp - What kernels of a device print --------------------------===//
// A kernel leaves pieces in the order in which its threads come by. The host
// prints them in the order of their iterations, as one thread would.
#include "chirt/core/Failure.h"
#include "chirt/core/Kernels.h"
#include "chirt/core/Output.h"

#include <algorithm>

namespace chirt {

namespace {
/// Words of a piece before its values: its format and, above it, how many they
/// are; its iteration.
constexpr int64_t kHeader = 2;

/// Iterations that are launched at a time. Of a loop in an iteration nobody
/// knows how often it prints.
int64_t chunkOf(const chirt_device_code *code) {
  int64_t words = code->told_words;
  int64_t most = words < 0 ? CHIRT_TREE_BLOCK : CHIRT_TOLD_WORDS / words;
  most -= most % CHIRT_TREE_BLOCK;
  return most > CHIRT_TREE_BLOCK ? most : CHIRT_TREE_BLOCK;
}

/// All that is there: a piece that began and found no room has none.
Array<const int64_t *> piecesOf(const int64_t *told, int64_t used) {
  Array<const int64_t *> pieces;
  for (int64_t at = 0; at + kHeader <= used;) {
    int64_t end = at + kHeader + (told[at] >> 32);
    if (end > used)
      break;
    pieces.push(told + at);
    at = end;
  }
  return pieces;
}
} // namespace

void beginTelling(const chirt_device_code *code, KernelLaunch &launch) {
  launch.last = 0;
  goOnTelling(code, launch);
}

bool goOnTelling(const chirt_device_code *code, KernelLaunch &launch) {
  launch.first = launch.last;
  launch.last = std::min(launch.first + chunkOf(code), launch.iterations);
  return launch.first < launch.last;
}

void printTold(const chirt_device_code *code, const int64_t *told,
               int32_t used) {
  Array<const int64_t *> pieces =
      piecesOf(told, std::min<int64_t>(uint32_t(used), CHIRT_TOLD_WORDS));
  // Those of one iteration lie in their order.
  std::sort(pieces.begin(), pieces.end(),
            [](const int64_t *a, const int64_t *b) {
              return a[1] != b[1] ? a[1] < b[1] : a < b;
            });
  Text out;
  for (const int64_t *piece : pieces)
    appendFormat(out, code->unit->formats[int32_t(piece[0])], piece + kHeader);
  writeOut(out);
  if (uint32_t(used) > CHIRT_TOLD_WORDS)
    writeError("warning: some of what a loop prints is lost: its iterations "
               "print more than the device has room for\n");
}

} // namespace chirt
