//===- Streams.h - Where bytes of a format go and come from -----*- C++ -*-===//
#ifndef CHIRT_IO_STREAMS_H
#define CHIRT_IO_STREAMS_H

#include <cstddef>

namespace chirt {

/// Takes the bytes of a file or of a member of one, in order.
struct ByteSink {
  bool (*take)(void *context, const void *data, size_t size);
  void *context;
  /// False after an error, which the context knows.
  bool write(const void *data, size_t size) const {
    return take(context, data, size);
  }
};

/// Gives the bytes of a file or of a member of one, in order.
struct ByteSource {
  size_t (*give)(void *context, void *data, size_t size);
  void *context;
  /// Reads up to `size` bytes; fewer only at the end or after an error.
  size_t read(void *data, size_t size) const {
    return give(context, data, size);
  }
};

} // namespace chirt
#endif // CHIRT_IO_STREAMS_H
