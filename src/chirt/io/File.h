//===- File.h - Whole files, read and written safely ------------*- C++ -*-===//
#ifndef CHIRT_IO_FILE_H
#define CHIRT_IO_FILE_H

#include "chirt/chirt.h"
#include "chirt/core/Failure.h"
#include <sys/stat.h>

namespace chirt {

/// A file that appears under its name only when it is complete: bytes go to a
/// temporary file beside it. What is not committed is removed. A link is
/// followed. What is no ordinary file (a device, a pipe) is never replaced: the
/// bytes go into it at once.
///
/// Errors are kept: write and commit return false after the first one, which
/// `fail` describes.
class NewFile {
public:
  explicit NewFile(const char *path);
  ~NewFile();
  NewFile(const NewFile &) = delete;

  bool write(const void *data, size_t size);
  bool commit();
  /// Fails at `site` with what went wrong. Returns false.
  bool fail(const chirt_site *site) const;

private:
  void openBeside(const struct stat *old);
  bool flush();
  bool writeDirect(const char *data, size_t size);

  const char *path;
  Text target;    ///< where links end
  Text temporary; ///< empty: the bytes go to the target
  Array<char> buffer;
  int fd = -1;
  int error = 0;
  bool isClaimed = false; ///< a signal removes it
};

/// A file that is read from its beginning.
class OpenFile {
public:
  explicit OpenFile(const char *path);
  ~OpenFile();
  OpenFile(const OpenFile &) = delete;

  /// 0, or the errno of opening or reading.
  int error() const { return failure; }
  /// Reads up to `size` bytes; fewer only at the end of the file.
  size_t read(void *data, size_t size);
  /// Bytes of the file, or -1 if that is not known (a pipe).
  int64_t size() const;

private:
  int fd;
  int failure = 0;
};

} // namespace chirt
#endif // CHIRT_IO_FILE_H
