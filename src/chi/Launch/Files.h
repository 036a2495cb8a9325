//===- Files.h - What `chic` needs of the file system -----------*- C++ -*-===//
#ifndef CHI_LAUNCH_FILES_H
#define CHI_LAUNCH_FILES_H

#include "chi/Launch/Descriptor.h"
#include "chirt/io/Beside.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace chi::launch {

/// The whole file, or none (errno says why). Folders give EISDIR, files of more
/// than `most` bytes EFBIG.
std::optional<std::string> readFile(const std::string &path,
                                    size_t most = size_t(1) << 40);
/// The rest of an open file.
std::optional<std::string> readFile(const Descriptor &file,
                                    size_t most = size_t(1) << 40);

/// An imported module, or none; `problem` says why ("File too large"). Only a
/// regular file is read: a pipe may block, a device has no end.
std::optional<std::string> readModule(const std::string &path,
                                      std::string &problem);

/// The file, or for "-" the standard input; where it cannot be read, or is too
/// large for a program, prints
/// `chic: '…': No such file or directory` and gives none.
std::optional<std::string> readProgram(const std::string &file);

/// Writes all of it to a descriptor. False if it cannot; errno says why.
bool writeAll(int fd, std::string_view bytes);

/// A file that appears under its name when it is committed, whole: a reader
/// sees the old one, the new one or none, never a part. What is not committed
/// is removed (chirt::BesideFile). A link is followed. What is no ordinary file
/// (a device, a pipe) is never replaced: the bytes go into it when it is
/// committed.
class NewFile {
public:
  /// `isProgram`: others may execute it.
  NewFile(const std::string &path, std::string_view bytes,
          bool isProgram = false);
  /// Makes the file appear under its name. False on failure; see `error()`.
  bool commit();
  /// 0, or the errno of what went wrong so far.
  int error() const { return problem; }

private:
  void writeBeside(chirt::Destination &destination, bool isProgram);

  std::string path;
  std::string_view bytes;
  chirt::BesideFile beside;
  int problem = 0;
};

/// Whether `path` is, or would be, an ordinary file.
bool isOrdinary(const std::string &path);
/// The errno of what keeps a file from being written, before work is spent on
/// it; 0 if nothing is known.
int writeProblem(const std::string &path);

/// Whether the two names lead to one ordinary file that is there.
bool isSameFile(const std::string &one, const std::string &other);

/// A NewFile, committed at once. False if it cannot be written; errno says why.
bool writeFileAtomically(const std::string &path, std::string_view bytes);

/// A new empty folder for files of one compilation, in the first place that
/// takes one: `preferred`, $TMPDIR, /tmp, /dev/shm. Empty if none does.
std::string makeTemporaryFolder(const std::string &preferred);
/// Removes the folder that makeTemporaryFolder made last, if it still exists:
/// for code that ends the process at once, without further allocations.
void removeUnfinished();
/// Removes a folder of files made by makeTemporaryFolder.
void removeFolder(const std::string &path);

/// Makes a folder and its parents, for this user only. False if it does not
/// exist afterwards; errno says why.
bool makeFolders(const std::string &path);

/// The folder of the running binary, without links ("/usr/bin").
std::string binaryFolder();
/// `path` under `base`, where it is relative.
std::string absolutePath(const std::string &path);

/// Identifies one build of a file without reading it: size, inode and time of
/// its last change. "" if it is not there.
std::string fileIdentity(const std::string &path);

} // namespace chi::launch
#endif // CHI_LAUNCH_FILES_H
