//===- Files.h - The little that `chic` needs of the file system -*- C++
//-*-===//
#ifndef CHI_LAUNCH_FILES_H
#define CHI_LAUNCH_FILES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace chi::launch {

/// The whole file, or none (errno says why). Folders give EISDIR, files of more
/// than `most` bytes EFBIG.
std::optional<std::string> readFile(const std::string &path,
                                    size_t most = size_t(1) << 40);

/// The file, or for "-" the standard input; where it cannot be read, or is too
/// large for a program, prints
/// `chic: '…': No such file or directory` and gives none.
std::optional<std::string> readProgram(const std::string &file);

/// Writes beside `path`, then renames: a reader sees the old file, the new
/// one or none, never a part. False if it cannot (no space, no right).
bool writeFileAtomically(const std::string &path, std::string_view bytes);

/// A new empty folder for files of one compilation, in the first place that
/// takes one: `preferred`, $TMPDIR, /tmp, /dev/shm. Empty if none does.
std::string makeTemporaryFolder(const std::string &preferred);
/// Removes a folder of files made by makeTemporaryFolder.
void removeFolder(const std::string &path);

/// Makes a folder and its parents. False if it is not there afterwards.
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
