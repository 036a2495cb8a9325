//===- Write.cpp ----------------------------------------------------------===//
#include "chirt/text/Write.h"

#include <cerrno>
#include <climits>
#include <poll.h>
#include <unistd.h>

namespace chirt {

/// Can the descriptor take bytes, now or within `milliseconds` (-1: ever)?
static bool isReady(int fd, int milliseconds) {
  struct pollfd one = {fd, POLLOUT, 0};
  int found;
  do
    found = poll(&one, 1, milliseconds);
  while (found < 0 && errno == EINTR && milliseconds < 0);
  return found > 0;
}

/// Takes what one call of write took off the text. False after an error.
static bool writeSome(int fd, const char *&data, size_t &size, size_t most) {
  ssize_t n = write(fd, data, size < most ? size : most);
  if (n == 0)
    errno = EIO; // nothing, and no reason: it would go on for ever
  if (n > 0)
    data += n, size -= size_t(n);
  return n > 0 || (n < 0 && errno == EINTR);
}

bool writeFully(int fd, const char *data, size_t size) {
  while (size > 0) {
    if (writeSome(fd, data, size, kChunkBytes))
      continue;
    bool isFull = errno == EAGAIN || errno == EWOULDBLOCK;
    if (!isFull || !isReady(fd, -1))
      return false;
  }
  return true;
}

bool writeInSignal(int fd, const char *data, size_t size) {
  constexpr int patience = 50; // milliseconds
  // A pipe that is ready has room for so many bytes: the call does not block.
  while (size > 0)
    if (!isReady(fd, patience) || !writeSome(fd, data, size, PIPE_BUF))
      return false;
  return true;
}

} // namespace chirt
