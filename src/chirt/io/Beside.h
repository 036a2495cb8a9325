//===- Beside.h - A file made beside its place ------------------*- C++ -*-===//
// How `save`, the compiler and its verbs write files: to a new file with a
// random name in the folder where the file goes, then to the disk, then to its
// name. Nothing that is there is opened for writing, so that a link that
// another user planted leads nowhere.
#ifndef CHIRT_IO_BESIDE_H
#define CHIRT_IO_BESIDE_H

#include "chirt/text/Text.h"
#include <sys/stat.h>

namespace chirt {

/// Where a file goes that is written under a name.
struct Destination {
  Text target;            ///< where the links from the name end
  bool isOrdinary = true; ///< a file, be it there or not: no device, no pipe
  bool isThere = false;
  mode_t mode = 0666; ///< of the file that is there
  int problem = 0;    ///< an errno: nothing can be written there
  /// The links lead through one that another user put in a folder where
  /// everyone may: `problem` is EACCES.
  bool isPlanted = false;
};
/// Follows the links of a path. Errors are in the result.
Destination findDestination(const char *path);
/// Opens what is no ordinary file, to write to it. -1 if it cannot, or if a
/// file is there by now; errno says why.
int openDevice(const char *path, const Destination &destination);

/// A new file beside its place, which gets its name when it is committed. It is
/// removed if it is not. A lock says that its process lives: what a killed one
/// left is removed when the next file for that place is opened.
class BesideFile {
public:
  BesideFile() = default;
  ~BesideFile() { drop(); }
  BesideFile(const BesideFile &) = delete;

  /// `target` is no link. `isExact`: the mode is that, whatever the umask says.
  /// `announce` hears of each path that is tried, before it is. Returns 0, or
  /// an errno.
  int open(const char *target, mode_t mode, bool isExact,
           void (*announce)(void *context, const char *path) = nullptr,
           void *context = nullptr);
  /// -1 if none is open.
  int descriptor() const { return fd; }
  /// Brings it to the disk, if it is to be `isDurable`, and to its name.
  /// Returns 0, or an errno.
  int commit(bool isDurable = true);
  /// Removes it, if it is there.
  void drop();

private:
  int tryOpen(mode_t mode, bool isExact);

  Text name, unfinished; ///< in the folder
  int folder = -1, fd = -1;
};

} // namespace chirt
#endif // CHIRT_IO_BESIDE_H
