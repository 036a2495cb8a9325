//===- Guard.cpp - Guarded steps ------------------------------------------===//
#include "chirt/failure/Failure.h"
#include "chirt/field/Cells.h"
#include "chirt/launch/Scratch.h"
#include "chirt/tangent/Forward.h"
#include "chirt/tape/Record.h"

using namespace chirt;

namespace {
/// What a thread holds when a guarded step begins.
struct Held {
  size_t tapes, cells;
  bool isForward;
  ScratchMark scratch;
};

void giveBack(const void *kept) {
  const Held &before = *static_cast<const Held *>(kept);
  dropTapes(before.tapes);
  if (!before.isForward)
    endForwardMode();
  scratchRelease(before.scratch);
  releaseCells(before.cells);
}
} // namespace

int32_t chirt_guard(void (*body)(void *), void *context) {
  const Held before = {numTapes(), numCells(), isInForwardMode(),
                       scratchMark()};
  return runGuarded(body, context, giveBack, &before);
}
