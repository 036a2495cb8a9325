//===- Write.h - All of it to a descriptor ----------------------*- C++ -*-===//
#ifndef CHIRT_TEXT_WRITE_H
#define CHIRT_TEXT_WRITE_H

#include <cstddef>

namespace chirt {

/// No call of write takes more: a signal is answered between two calls.
constexpr size_t kChunkBytes = size_t(8) << 20;

/// Writes `size` bytes to a descriptor. Waits where one that does not block is
/// full. False if it cannot; errno says why.
bool writeFully(int fd, const char *data, size_t size);
/// The same in a signal handler: gives up when the pipe stays full for a
/// moment.
bool writeInSignal(int fd, const char *data, size_t size);

} // namespace chirt
#endif // CHIRT_TEXT_WRITE_H
