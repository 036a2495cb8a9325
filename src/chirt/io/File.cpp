//===- File.cpp -----------------------------------------------------------===//
#include "chirt/io/File.h"

#include "chirt/provenance/Record.h"
#include "chirt/provenance/Redirect.h"
#include "chirt/support/Settings.h"
#include "chirt/support/Signals.h"
#include "chirt/text/Write.h"
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace chirt {

namespace {
constexpr size_t bufferSize = size_t(1) << 18;

/// Where a program's files go: nowhere while its gradients are checked, so that
/// results of an ordinary run stay.
const char *givenPath(const char *path, Text &redirected) {
  return settings().isTrial() ? "/dev/null" : placeToWrite(path, redirected);
}

/// The path that a signal removes is the one that is tried.
void announce(void *isClaimed, const char *path) {
  auto &claimed = *static_cast<bool *>(isClaimed);
  if (claimed)
    releaseUnfinishedFile();
  claimed = claimUnfinishedFile(path);
}
} // namespace

NewFile::NewFile(const char *given)
    : path(givenPath(given, redirected)), destination(findDestination(path)),
      error(destination.problem) {
  buffer.reserve(bufferSize);
  if (error)
    return;
  if (!destination.isOrdinary && (device = openDevice(path, destination)) < 0)
    error = errno;
  if (destination.isOrdinary) // who may read the old file may read the new one
    error = beside.open(destination.target.c_str(), destination.mode,
                        destination.isThere, announce, &isClaimed);
}

NewFile::~NewFile() {
  beside.drop();
  if (device >= 0)
    close(device);
  if (isClaimed)
    releaseUnfinishedFile();
}

/// What was written begins its way to the disk, and what was written before it
/// ends that: when the file is committed little is left to wait for, which no
/// signal can interrupt.
void NewFile::startWriteback() {
  int fd = beside.descriptor();
  if (fd < 0 || written - started < off_t(kChunkBytes))
    return;
  sync_file_range(fd, started, written - started, SYNC_FILE_RANGE_WRITE);
  if (started > 0)
    sync_file_range(fd, 0, started,
                    SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                        SYNC_FILE_RANGE_WAIT_AFTER);
  started = written;
}

bool NewFile::writeDirect(const char *data, size_t size) {
  int fd = device >= 0 ? device : beside.descriptor();
  while (size > 0 && !error) {
    size_t chunk = size < kChunkBytes ? size : kChunkBytes;
    if (!writeFully(fd, data, chunk))
      error = errno;
    data += chunk, size -= chunk, written += off_t(chunk);
    startWriteback();
  }
  return !error;
}

bool NewFile::flush() {
  bool isFine = writeDirect(buffer.data(), buffer.size());
  buffer.clear();
  return isFine;
}

bool NewFile::write(const void *data, size_t size) {
  if (error)
    return false;
  const char *bytes = static_cast<const char *>(data);
  if (buffer.size() + size > bufferSize && !flush())
    return false;
  if (size >= bufferSize)
    return writeDirect(bytes, size);
  buffer.append(bytes, size);
  return true;
}

bool NewFile::overwrite(uint64_t at, const void *data, size_t size) {
  const char *bytes = static_cast<const char *>(data);
  int fd = device >= 0 ? device : beside.descriptor();
  while (size > 0 && !error && at < uint64_t(written)) {
    size_t before = size_t(written) - at, chunk = size < before ? size : before;
    ssize_t n = pwrite(fd, bytes, chunk, off_t(at));
    if (n < 0 && errno != EINTR)
      error = errno;
    if (n > 0)
      bytes += n, size -= size_t(n), at += uint64_t(n);
  }
  if (size > 0 && !error)
    memcpy(buffer.data() + (at - uint64_t(written)), bytes, size);
  return !error;
}

void NewFile::attachMaking() {
  if (error || beside.descriptor() < 0 || !recordsProvenance())
    return;
  Text made;
  appendMaking(made);
  (void)fsetxattr(beside.descriptor(), kMakingAttribute, made.view().data(),
                  made.size(), 0);
}

bool NewFile::commit(bool isDurable) {
  if (error || !flush())
    return false;
  if (device < 0)
    error = beside.commit(isDurable);
  else if (close(device) != 0)
    error = errno;
  device = -1;
  return !error;
}

bool NewFile::fail(const chirt_site *site) const {
  if (destination.isPlanted)
    return failAt(site, WorldFault,
                  "cannot write `%s`: it is a symbolic link of another user in "
                  "a folder that all users can write to",
                  path);
  return failAt(site, WorldFault, "cannot write `%s`: %s", path,
                error ? strerror(error) : "it cannot be encoded");
}

OpenFile::OpenFile(const char *path) {
  Text redirected;
  fd = open(placeToRead(path, redirected), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    failure = errno;
}

OpenFile::~OpenFile() {
  if (fd >= 0)
    close(fd);
}

size_t OpenFile::readParts(ssize_t (*part)(int, void *, size_t, off_t),
                           uint64_t at, void *data, size_t size) {
  char *to = static_cast<char *>(data);
  size_t done = 0;
  while (done < size && !failure) {
    ssize_t n = part(fd, to + done, size - done, off_t(at + done));
    if (n == 0)
      break;
    if (n < 0 && errno != EINTR)
      failure = errno;
    if (n > 0)
      done += size_t(n);
  }
  return done;
}

size_t OpenFile::read(void *data, size_t size) {
  return readParts([](int from, void *to, size_t wanted,
                      off_t) { return ::read(from, to, wanted); },
                   0, data, size);
}

size_t OpenFile::readAt(uint64_t at, void *data, size_t size) {
  return readParts(pread, at, data, size);
}

int64_t OpenFile::size() const {
  struct stat facts;
  if (fd < 0 || fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))
    return -1;
  return facts.st_size;
}

int64_t OpenFile::left() const {
  int64_t all = size(), at = lseek(fd, 0, SEEK_CUR);
  return all < 0 || at < 0 ? -1 : all > at ? all - at : 0;
}

} // namespace chirt
