//===- Beside.cpp ---------------------------------------------------------===//
#include "chirt/io/Beside.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

namespace chirt {

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

namespace {
bool isBelowProc(const Text &path) { return path.view().starts_with("/proc/"); }

/// "." for a name without one.
std::string_view folderOf(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == path.npos ? "." : slash == 0 ? "/" : slice(path, 0, slash);
}

std::string_view nameOf(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == path.npos ? path : slice(path, slash + 1);
}

/// The rule of Linux (fs.protected_symlinks), for all folders in which everyone
/// may put links: follow those of the user and of the folder's owner.
bool isOthersLink(Text &path) {
  struct stat link, folder;
  Text around;
  around << folderOf(path);
  return lstat(path.c_str(), &link) == 0 &&
         stat(around.c_str(), &folder) == 0 && (folder.st_mode & S_IWOTH) &&
         link.st_uid != geteuid() && link.st_uid != folder.st_uid;
}

/// Goes from `destination.target` to where links end, be there a file or not.
void followLinks(Destination &destination) {
  constexpr int most = 40; // as the kernel
  Text &path = destination.target;
  for (int k = 0; k < most && !isBelowProc(path); ++k) {
    char name[4096];
    ssize_t size = readlink(path.c_str(), name, sizeof(name));
    if (size < 0)
      return;
    destination.isPlanted |= isOthersLink(path);
    std::string_view link(name, size_t(size)), old = path.view();
    size_t slash = old.rfind('/');
    bool isRelative = !link.starts_with('/') && slash != old.npos;
    Text next;
    next << (isRelative ? slice(old, 0, slash + 1) : "") << link;
    path.clear();
    path << next.view();
  }
}
} // namespace

Destination findDestination(const char *path) {
  Destination destination;
  destination.target << path;
  followLinks(destination);
  struct stat there;
  destination.isThere = stat(path, &there) == 0;
  if (destination.isThere)
    destination.mode = there.st_mode & 0777;
  // /dev/stdout leads to an open file, not to a name that can be replaced.
  destination.isOrdinary = !isBelowProc(destination.target) &&
                           (!destination.isThere || S_ISREG(there.st_mode) ||
                            S_ISDIR(there.st_mode));
  if (destination.isThere && S_ISDIR(there.st_mode))
    destination.problem = EISDIR;
  if (destination.isPlanted)
    destination.problem = EACCES;
  return destination;
}

int openDevice(const char *path, const Destination &destination) {
  // Only the target of /dev/stdout may be a regular file, which is truncated.
  bool isStream = isBelowProc(destination.target);
  int fd = open(path, O_WRONLY | O_CLOEXEC | (isStream ? O_TRUNC : 0));
  struct stat facts;
  if (fd < 0 || isStream || fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))
    return fd;
  close(fd);
  errno = EPERM;
  return -1;
}

//===----------------------------------------------------------------------===//
// Names of unfinished files
//===----------------------------------------------------------------------===//

namespace {
constexpr std::string_view mark = ".tmp-";
constexpr size_t digits = 16;

/// What the names of unfinished files for `name` begin with. They are no longer
/// than a name may be; a letter is not cut.
std::string_view startOf(std::string_view name) {
  size_t length = NAME_MAX - mark.size() - digits;
  if (name.size() <= length)
    return name;
  while (length > 0 && (name[length] & 0xc0) == 0x80)
    --length;
  return slice(name, 0, length);
}

bool isUnfinished(std::string_view entry, std::string_view start) {
  if (entry.size() != start.size() + mark.size() + digits ||
      !entry.starts_with(start) ||
      slice(entry, start.size(), mark.size()) != mark)
    return false;
  return slice(entry, start.size() + mark.size())
             .find_first_not_of("0123456789abcdef") == entry.npos;
}

uint64_t randomNumber() {
  uint64_t number = 0;
  if (getrandom(&number, sizeof(number), GRND_NONBLOCK) == sizeof(number))
    return number;
  // Early in the life of a machine. That the file is new is seen by open.
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t(now.tv_sec) * 1000000007 + uint64_t(now.tv_nsec)) *
             0x9e3779b97f4a7c15 +
         uint64_t(getpid());
}

/// Removes an unfinished file of this user's that no living process locks.
void removeLeftover(int folder, const char *entry) {
  struct stat named, opened;
  if (fstatat(folder, entry, &named, AT_SYMLINK_NOFOLLOW) != 0 ||
      !S_ISREG(named.st_mode) || named.st_uid != geteuid())
    return;
  int fd =
      openat(folder, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return;
  if (fstat(fd, &opened) == 0 && opened.st_ino == named.st_ino &&
      opened.st_dev == named.st_dev && flock(fd, LOCK_EX | LOCK_NB) == 0)
    unlinkat(folder, entry, 0);
  close(fd);
}

/// Removes what killed runs left of `name`.
void searchLeftovers(int folder, std::string_view name) {
  int listed = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = listed >= 0 ? fdopendir(listed) : nullptr;
  if (!entries) {
    if (listed >= 0)
      close(listed);
    return;
  }
  while (dirent *entry = readdir(entries))
    if (isUnfinished(entry->d_name, startOf(name)))
      removeLeftover(folder, entry->d_name);
  closedir(entries);
}

int64_t nanoseconds() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/// Not before then: a program that saves thousands of files to a folder with as
/// many in it spends a tenth of its time on looking for leftovers, no more.
constinit int64_t nextSearch = 0;

/// The same, unless the folder is too large to be looked through again so soon.
void removeLeftovers(int folder, std::string_view name) {
  constexpr int64_t kShort = 1000000; // a save takes as long
  int64_t begin = nanoseconds();
  if (begin < __atomic_load_n(&nextSearch, __ATOMIC_RELAXED))
    return;
  searchLeftovers(folder, name);
  int64_t end = nanoseconds(), taken = end - begin;
  __atomic_store_n(&nextSearch, taken < kShort ? 0 : end + 9 * taken,
                   __ATOMIC_RELAXED);
}
} // namespace

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// Opens `unfinished` and locks it. EAGAIN: it has to be another one.
int BesideFile::tryOpen(mode_t mode, bool isExact) {
  fd = openat(folder, unfinished.c_str(),
              O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (fd < 0)
    return errno == EEXIST ? EAGAIN : errno;
  // Not all file systems have locks: there, leftovers stay.
  struct stat facts;
  bool isTaken = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!isTaken && fstat(fd, &facts) == 0 && facts.st_nlink > 0)
    return isExact && fchmod(fd, mode) != 0 ? errno : 0;
  // Another process took it for a leftover before it was locked.
  close(fd);
  fd = -1;
  unlinkat(folder, unfinished.c_str(), 0);
  return EAGAIN;
}

int BesideFile::open(const char *target, mode_t mode, bool isExact,
                     void (*announce)(void *, const char *), void *context) {
  Text around;
  around << folderOf(target);
  name << nameOf(target);
  folder = ::open(around.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return errno;
  removeLeftovers(folder, name);
  int error = EAGAIN;
  for (int tries = 0; tries < 20 && error == EAGAIN; ++tries) {
    unfinished.clear();
    unfinished << startOf(name) << mark;
    unfinished.appendf("%016llx",
                       static_cast<unsigned long long>(randomNumber()));
    Text path;
    path << slice(target, 0, strlen(target) - name.size()) << unfinished;
    if (announce)
      announce(context, path.c_str());
    error = tryOpen(mode, isExact);
  }
  return error;
}

int BesideFile::commit(bool isDurable) {
  // Some file systems have nothing to bring to a disk.
  int error = isDurable && fsync(fd) != 0 && errno != EINVAL && errno != ENOSYS
                  ? errno
                  : 0;
  // The lock is held until it has its name: until then it looks like a
  // leftover.
  if (!error && renameat(folder, unfinished.c_str(), folder, name.c_str()) != 0)
    error = errno;
  if (error)
    unlinkat(folder, unfinished.c_str(), 0);
  if (close(fd) != 0 && !error)
    error = errno;
  fd = -1;
  return error;
}

void BesideFile::drop() {
  if (fd >= 0) {
    unlinkat(folder, unfinished.c_str(), 0);
    close(fd);
  }
  if (folder >= 0)
    close(folder);
  fd = folder = -1;
}

} // namespace chirt
