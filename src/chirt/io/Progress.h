//===- Progress.h - When lines of progress are due --------------*- C++ -*-===//
#ifndef CHIRT_IO_PROGRESS_H
#define CHIRT_IO_PROGRESS_H

#include <cstdint>

namespace chirt {

/// Whether a loop prints a line of its progress: at each 5 per cent of its
/// steps and at least once a minute, but not within 2 s of the line before.
/// `secondsSince` and `partsSince` (twentieths of the steps) count from that
/// line, or from the start of the loop.
bool isLineDue(double secondsSince, int64_t partsSince);

} // namespace chirt
#endif // CHIRT_IO_PROGRESS_H
