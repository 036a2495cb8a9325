//===- Descriptor.h - An open file that closes itself -----------*- C++ -*-===//
#ifndef CHI_LAUNCH_DESCRIPTOR_H
#define CHI_LAUNCH_DESCRIPTOR_H

#include <cerrno>
#include <unistd.h>
#include <utility>

namespace chi::launch {

/// Owns a file descriptor.
class Descriptor {
public:
  Descriptor() = default;
  /// The result of `open`: below 0 is none.
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(Descriptor &&other) : fd(std::exchange(other.fd, -1)) {}
  Descriptor &operator=(Descriptor &&other) {
    std::swap(fd, other.fd);
    return *this;
  }
  /// Preserves errno, for callers that return an error.
  ~Descriptor() {
    int error = errno;
    (void)close();
    errno = error;
  }

  /// Whether there is a file.
  bool isOpen() const { return fd >= 0; }
  /// The file descriptor; -1 if there is none.
  int get() const { return fd; }
  /// Closes now; what `close` returned (0 if nothing was open).
  int close() {
    int old = std::exchange(fd, -1);
    return old >= 0 ? ::close(old) : 0;
  }

private:
  int fd = -1;
};

} // namespace chi::launch
#endif // CHI_LAUNCH_DESCRIPTOR_H
