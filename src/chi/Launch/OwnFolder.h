//===- OwnFolder.h - A folder that nobody else can change -------*- C++ -*-===//
// Code that is loaded from the cache is executed, so no other user may have
// written it. Folders and files are opened without following links, and checked
// and used through one descriptor: nothing can be exchanged between the check
// and the use.
//
#ifndef CHI_LAUNCH_OWNFOLDER_H
#define CHI_LAUNCH_OWNFOLDER_H

#include "chi/Launch/Descriptor.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace chi::launch {

/// An open folder of this user's, which no one else may write to.
class OwnFolder {
public:
  /// No folder.
  OwnFolder() = default;
  /// Opens `path`, after making it and its parents (mode 0700) if `makes` is
  /// set. Otherwise isOpen() is false, and `problem` describes what is wrong
  /// with the folder ("'…' belongs to another user"), or why it cannot be made;
  /// "" if it does not exist, and `makes` is not set.
  OwnFolder(const std::string &path, bool makes, std::string &problem);
  /// The same for a folder inside.
  OwnFolder inner(const std::string &name, bool makes,
                  std::string &problem) const;

  /// Whether the folder exists and may be used.
  bool isOpen() const { return folder.isOpen(); }

  /// A file, to be read. None, and `problem` as above, if it is a link, of
  /// another user, or writable by others.
  Descriptor openFile(const std::string &name, std::string &problem) const;
  /// Writes a file (mode 0600), which appears whole, and returns it open. None
  /// if it cannot.
  Descriptor writeFile(const std::string &name, std::string_view bytes) const;

  /// The name without what writeFile() adds while the file is not whole yet;
  /// `name` itself if it has nothing of that kind.
  static std::string_view finishedName(std::string_view name);

  struct File {
    std::string name;
    uint64_t bytes = 0;
    int64_t seconds = 0; ///< when it was last changed or marked as used
  };
  /// Its entries that are no folders.
  std::vector<File> list() const;
  /// Removes a file. A failure is ignored.
  void removeFile(const std::string &name) const;

private:
  OwnFolder(Descriptor folder, std::string path)
      : folder(std::move(folder)), path(std::move(path)) {}
  static OwnFolder check(Descriptor folder, const std::string &path,
                         std::string &problem);

  Descriptor folder;
  std::string path; ///< for messages
};

} // namespace chi::launch
#endif // CHI_LAUNCH_OWNFOLDER_H
