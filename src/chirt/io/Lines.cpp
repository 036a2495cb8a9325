//===- Lines.cpp ----------------------------------------------------------===//
#include "chirt/io/Lines.h"

#include "chirt/provenance/Redirect.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace chirt {

namespace {
/// What one write takes is one piece for all who read the file.
int appendTo(int fd, std::string_view text) {
  ssize_t done = -1;
  do
    done = write(fd, text.data(), text.size());
  while (done < 0 && errno == EINTR);
  return done < 0 ? errno : size_t(done) < text.size() ? ENOSPC : 0;
}
} // namespace

int appendToFile(const char *path, std::string_view text) {
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0)
    return errno;
  int error = appendTo(fd, text);
  if (close(fd) != 0 && !error)
    error = errno;
  return error;
}

LineFile::LineFile(const char *path) {
  Text redirected;
  fd = open(placeToWrite(path, redirected),
            O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) {
    failure = errno;
    return;
  }
  // Not all file systems have locks: there, two that begin a file at once write
  // two headers.
  while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
    ;
  struct stat facts;
  if (fstat(fd, &facts) != 0)
    failure = errno;
  else
    size = facts.st_size;
}

LineFile::~LineFile() {
  if (fd >= 0)
    close(fd);
}

void LineFile::readFirst(Text &line) {
  constexpr off_t longest = 1 << 20;
  char chunk[4096];
  for (off_t at = 0; at < longest && !failure;) {
    ssize_t got = pread(fd, chunk, sizeof(chunk), at);
    if (got < 0 && errno != EINTR)
      failure = errno;
    if (got == 0)
      return;
    if (got < 0)
      continue;
    std::string_view text(chunk, size_t(got));
    size_t end = text.find('\n');
    line << slice(text, 0, end);
    if (end != text.npos)
      return;
    at += got;
  }
}

bool LineFile::isEnded() {
  char last = '\n';
  if (size > 0 && pread(fd, &last, 1, size - 1) < 0)
    failure = errno;
  return last == '\n';
}

void LineFile::append(std::string_view text) {
  if (!failure)
    failure = appendTo(fd, text);
}

} // namespace chirt
