//===- Streams.cpp - Work in order, done when it is waited for ------------===//
#include "Double.h"

#include <cstring>
#include <list>

namespace chirt::cu {
struct StreamTag {
  std::deque<cuda_double::Work> work;
};
/// Whether all before the latest record of it was done.
struct EventTag {
  Stream stream = nullptr; ///< null: it was never recorded
  int records = 0, done = 0;
};
} // namespace chirt::cu

namespace cuda_double {

namespace {
struct Handles {
  std::list<StreamTag> streams;
  std::list<EventTag> events;
};
Handles &handles() {
  static Handles known;
  return known;
}

bool isStream(Stream stream) {
  for (StreamTag &each : handles().streams)
    if (&each == stream)
      return true;
  return false;
}

Result step(Stream stream) {
  Work work = std::move(stream->work.front());
  stream->work.pop_front();
  Result result = work();
  if (result)
    stick(result);
  return result;
}

Result copyNow(void *to, const void *from, size_t bytes) {
  OpenMemory open;
  memcpy(to, from, bytes);
  return kSuccess;
}
} // namespace

Result queue(Stream stream, Work work) {
  if (!isStream(stream))
    return kInvalidHandle;
  stream->work.push_back(std::move(work));
  return kSuccess;
}

Result drain(Stream stream) {
  while (!stream->work.empty())
    if (Result result = step(stream))
      return result;
  return kSuccess;
}

CUDA_DOUBLE(cuStreamCreate)(Stream *stream, unsigned flags) {
  CUDA_DOUBLE_ENTER();
  note("cuStreamCreate %u", flags);
  *stream = &handles().streams.emplace_back();
  return kSuccess;
}

CUDA_DOUBLE(cuStreamSynchronize)(Stream stream) {
  CUDA_DOUBLE_ENTER();
  if (!isStream(stream))
    return kInvalidHandle;
  note("cuStreamSynchronize");
  return drain(stream);
}

CUDA_DOUBLE(cuEventCreate)(Event *event, unsigned) {
  CUDA_DOUBLE_ENTER();
  *event = &handles().events.emplace_back();
  return kSuccess;
}

CUDA_DOUBLE(cuEventRecord)(Event event, Stream stream) {
  CUDA_DOUBLE_ENTER();
  if (!isStream(stream))
    return kInvalidHandle;
  event->stream = stream;
  int number = ++event->records;
  return queue(stream, [event, number] {
    event->done = number;
    return Result(kSuccess);
  });
}

CUDA_DOUBLE(cuEventSynchronize)(Event event) {
  CUDA_DOUBLE_ENTER();
  note("cuEventSynchronize");
  while (event->done < event->records)
    if (Result result = step(event->stream))
      return result;
  return kSuccess;
}

/// From memory that the system may move, what is copied is taken at once.
CUDA_DOUBLE(cuMemcpyHtoDAsync_v2)
(Address to, const void *from, size_t bytes, Stream stream) {
  CUDA_DOUBLE_ENTER();
  if (!deviceMemory(to, bytes))
    return kInvalidValue;
  bool isPinned = pinnedMemory(from, bytes);
  note("cuMemcpyHtoDAsync %s %zu%s", describe(to).c_str(), bytes,
       isPinned ? "" : " from pageable memory");
  if (isPinned)
    return queue(stream, [=] {
      return copyNow(reinterpret_cast<void *>(to), from, bytes);
    });
  std::string taken(static_cast<const char *>(from), bytes);
  return queue(stream, [=] {
    return copyNow(reinterpret_cast<void *>(to), taken.data(), bytes);
  });
}

/// Into such memory it is waited for.
CUDA_DOUBLE(cuMemcpyDtoHAsync_v2)
(void *to, Address from, size_t bytes, Stream stream) {
  CUDA_DOUBLE_ENTER();
  if (!deviceMemory(from, bytes))
    return kInvalidValue;
  bool isPinned = pinnedMemory(to, bytes);
  note("cuMemcpyDtoHAsync %s %zu%s", describe(from).c_str(), bytes,
       isPinned ? "" : " to pageable memory");
  Result result = queue(stream, [=] {
    return copyNow(to, reinterpret_cast<void *>(from), bytes);
  });
  return result || isPinned ? result : drain(stream);
}

CUDA_DOUBLE(cuMemsetD8Async)
(Address to, unsigned char value, size_t bytes, Stream stream) {
  CUDA_DOUBLE_ENTER();
  if (!deviceMemory(to, bytes))
    return kInvalidValue;
  note("cuMemsetD8Async %s %u %zu", describe(to).c_str(), value, bytes);
  return queue(stream, [=] {
    OpenMemory open;
    memset(reinterpret_cast<void *>(to), value, bytes);
    return Result(kSuccess);
  });
}

} // namespace cuda_double
