//===- File.cpp -----------------------------------------------------------===//
#include "chirt/io/File.h"

#include "chirt/core/Settings.h"
#include "chirt/core/Signals.h"
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace chirt {

namespace {
constexpr size_t bufferSize = size_t(1) << 18;
} // namespace

namespace {
bool isBelowProc(const Text &path) { return path.view().starts_with("/proc/"); }

/// Where the links from `path` end, be there a file or not.
Text followLinks(const char *start) {
  constexpr int most = 40; // as the kernel
  Text path;
  path << start;
  for (int k = 0; k < most && !isBelowProc(path); ++k) {
    char name[4096];
    ssize_t size = readlink(path.c_str(), name, sizeof(name));
    if (size < 0)
      break;
    std::string_view link(name, size_t(size)), old = path.view();
    size_t slash = old.rfind('/');
    bool isRelative = !link.starts_with('/') && slash != old.npos;
    Text next;
    next << (isRelative ? old.substr(0, slash + 1) : "") << link;
    path.clear();
    path << next.view();
  }
  return path;
}
} // namespace

/// Where a program's files go: nowhere while its gradients are checked, so that
/// results of an ordinary run stay.
static const char *placeOf(const char *path) {
  return settings().gradCheck ? "/dev/null" : path;
}

NewFile::NewFile(const char *given)
    : path(placeOf(given)), target(followLinks(path)) {
  struct stat there;
  bool isThere = stat(path, &there) == 0;
  // /dev/stdout leads to an open file, not to a name that could be given anew.
  if (isBelowProc(target) ||
      (isThere && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode)))
    fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
  else
    openBeside(isThere ? &there : nullptr);
  if (fd < 0)
    error = errno;
  buffer.reserve(bufferSize);
}

/// Who may read the old file may read the new one.
void NewFile::openBeside(const struct stat *old) {
  // Two threads of a host may write to one path.
  temporary << target.view() << ".tmp" << int(gettid());
  isClaimed = claimUnfinishedFile(temporary.c_str());
  fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd >= 0 && old && fchmod(fd, old->st_mode & 0777) != 0)
    error = errno;
}

NewFile::~NewFile() {
  if (fd >= 0) {
    close(fd);
    if (temporary.size() > 0)
      unlink(temporary.c_str());
  }
  if (isClaimed)
    releaseUnfinishedFile();
}

bool NewFile::writeDirect(const char *data, size_t size) {
  while (size > 0 && !error) {
    ssize_t n = ::write(fd, data, size);
    if (n < 0 && errno != EINTR)
      error = errno;
    if (n > 0)
      data += n, size -= size_t(n);
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

bool NewFile::commit() {
  if (error || !flush())
    return false;
  if (close(fd) != 0)
    error = errno;
  fd = -1;
  if (temporary.size() == 0)
    return !error;
  if (!error && rename(temporary.c_str(), target.c_str()) != 0)
    error = errno;
  if (error)
    unlink(temporary.c_str());
  return !error;
}

bool NewFile::fail(const chirt_site *site) const {
  return failAt(site, WorldFault, "cannot write `%s`: %s", path,
                error ? strerror(error) : "it cannot be encoded");
}

OpenFile::OpenFile(const char *path) : fd(open(path, O_RDONLY | O_CLOEXEC)) {
  if (fd < 0)
    failure = errno;
}

OpenFile::~OpenFile() {
  if (fd >= 0)
    close(fd);
}

size_t OpenFile::read(void *data, size_t size) {
  char *to = static_cast<char *>(data);
  size_t done = 0;
  while (done < size && !failure) {
    ssize_t n = ::read(fd, to + done, size - done);
    if (n == 0)
      break;
    if (n < 0 && errno != EINTR)
      failure = errno;
    if (n > 0)
      done += size_t(n);
  }
  return done;
}

int64_t OpenFile::size() const {
  struct stat facts;
  if (fd < 0 || fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))
    return -1;
  return facts.st_size;
}

} // namespace chirt
