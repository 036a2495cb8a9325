//===- File.h - Whole files, read and written safely ------------*- C++ -*-===//
#ifndef CHIRT_IO_FILE_H
#define CHIRT_IO_FILE_H

#include "chirt/chirt.h"
#include "chirt/failure/Failure.h"
#include "chirt/io/Beside.h"

namespace chirt {

/// A file that appears under its name only when it is complete and on the disk:
/// bytes go to a file beside it (BesideFile). What is not committed is removed,
/// also by a signal. A link is followed, unless another user may have planted
/// it. What is no ordinary file (a device, a pipe) is never replaced: the bytes
/// go into it at once.
///
/// Errors are kept: write and commit return false after the first one, which
/// `fail` describes.
class NewFile {
public:
  explicit NewFile(const char *path);
  ~NewFile();
  NewFile(const NewFile &) = delete;

  /// Appends bytes. False after an error, which `commit` reports.
  bool write(const void *data, size_t size);
  /// Bytes that were written.
  uint64_t size() const { return uint64_t(written) + buffer.size(); }
  /// Replaces bytes that were written. False after an error.
  bool overwrite(uint64_t at, const void *data, size_t size);
  /// Gives the file the attribute that says when and where it is made, if files
  /// get a record and the file system has attributes.
  void attachMaking();
  /// Its path, which is not the given one in a run that is redirected.
  const char *name() const { return path; }
  /// Whether the path is that of no device and no pipe.
  bool isOrdinary() const { return destination.isOrdinary; }
  /// Ends the file and gives it its name; if it is to be `isDurable`, when it
  /// is on the disk. False if that, or a write before it, has failed.
  bool commit(bool isDurable = true);
  /// Fails at `site` with what went wrong. Returns false.
  bool fail(const chirt_site *site) const;

private:
  bool flush();
  bool writeDirect(const char *data, size_t size);
  void startWriteback();

  Text redirected; ///< the path, where it is not the given one
  const char *path;
  Destination destination;
  BesideFile beside;
  int device = -1; ///< what is no ordinary file
  Array<char> buffer;
  int error = 0;
  off_t written = 0;      ///< bytes that the file has
  off_t started = 0;      ///< of these, bytes on their way to the disk
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
  /// The same from byte `at` on. What `read` gives next stays.
  size_t readAt(uint64_t at, void *data, size_t size);
  /// Bytes of the file, or -1 if that is not known (a pipe).
  int64_t size() const;
  /// Of these, those that were not read yet; -1 as well.
  int64_t left() const;

private:
  size_t readParts(ssize_t (*part)(int fd, void *to, size_t size, off_t at),
                   uint64_t at, void *data, size_t size);

  int fd;
  int failure = 0;
};

} // namespace chirt
#endif // CHIRT_IO_FILE_H
