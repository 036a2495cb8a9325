//===- Files.cpp ----------------------------------------------------------===//
#include "chi/Launch/Files.h"
#include "chirt/text/Write.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace chi;

/// Reads a descriptor to its end; fails with EFBIG if it has more than `most`
/// bytes.
static std::optional<std::string> readAll(int fd, size_t expected,
                                          size_t most) {
  std::string bytes;
  size_t used = 0;
  for (bytes.resize(std::min(expected, most) + 1);;) {
    if (used > most) {
      errno = EFBIG;
      return std::nullopt;
    }
    ssize_t got = ::read(fd, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return std::nullopt;
    if (got == 0)
      break;
    used += got;
    if (used == bytes.size())
      bytes.resize(bytes.size() * 2 + 4096);
  }
  bytes.resize(used);
  return bytes;
}

std::optional<std::string> launch::readFile(const std::string &path,
                                            size_t most) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file.isOpen() ? readFile(file, most) : std::nullopt;
}

std::optional<std::string> launch::readFile(const Descriptor &file,
                                            size_t most) {
  struct stat status = {};
  ::fstat(file.get(), &status);
  return readAll(file.get(), S_ISREG(status.st_mode) ? status.st_size : 4096,
                 most);
}

/// More than any program; less than what positions in it can count.
static constexpr size_t kLargestProgram = size_t(256) << 20;

std::optional<std::string> launch::readProgram(const std::string &file) {
  auto text = file == "-" ? readAll(0, 4096, kLargestProgram)
                          : readFile(file, kLargestProgram);
  if (!text)
    std::fprintf(stderr, "chic: '%s': %s\n", file.c_str(),
                 std::strerror(errno));
  return text;
}

std::optional<std::string> launch::readModule(const std::string &path,
                                              std::string &problem) {
  // Without O_NONBLOCK a pipe would be waited for here already.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status = {};
  if (file.isOpen() && ::fstat(file.get(), &status) == 0 &&
      !S_ISREG(status.st_mode)) {
    problem = "it is not a regular file";
    return std::nullopt;
  }
  auto text = file.isOpen()
                  ? readAll(file.get(), status.st_size, kLargestProgram)
                  : std::nullopt;
  if (!text)
    problem = std::strerror(errno);
  return text;
}

bool launch::writeAll(int fd, std::string_view bytes) {
  return chirt::writeFully(fd, bytes.data(), bytes.size());
}

bool launch::isOrdinary(const std::string &path) {
  chirt::Destination destination = chirt::findDestination(path.c_str());
  return destination.isOrdinary && destination.problem != EISDIR;
}

int launch::writeProblem(const std::string &path) {
  struct stat there;
  chirt::Destination destination = chirt::findDestination(path.c_str());
  if (destination.problem)
    return destination.problem;
  if (!destination.isOrdinary)
    return ::access(path.c_str(), W_OK) == 0 ? 0 : errno;
  std::string target = destination.target.c_str();
  size_t slash = target.rfind('/');
  std::string folder = slash == std::string::npos ? "."
                       : slash == 0               ? "/"
                                                  : target.substr(0, slash);
  if (::stat(folder.c_str(), &there) != 0)
    return errno;
  if (!S_ISDIR(there.st_mode))
    return ENOTDIR;
  return ::access(folder.c_str(), W_OK) == 0 ? 0 : errno;
}

bool launch::isSameFile(const std::string &one, const std::string &other) {
  struct stat a, b;
  return ::stat(one.c_str(), &a) == 0 && ::stat(other.c_str(), &b) == 0 &&
         S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

launch::NewFile::NewFile(const std::string &name, std::string_view content,
                         bool isProgram)
    : path(name), bytes(content) {
  chirt::Destination destination = chirt::findDestination(path.c_str());
  problem = destination.problem;
  if (!problem && destination.isOrdinary)
    writeBeside(destination, isProgram);
}

void launch::NewFile::writeBeside(chirt::Destination &destination,
                                  bool isProgram) {
  mode_t mask = ::umask(0);
  ::umask(mask);
  // The new file has the permissions of the old one.
  mode_t mode = destination.isThere ? destination.mode : 0666 & ~mask;
  if (isProgram)
    mode |= 0111 & ~mask;
  problem = beside.open(destination.target.c_str(), mode, /*isExact=*/true);
  if (!problem && !writeAll(beside.descriptor(), bytes))
    problem = errno;
}

bool launch::NewFile::commit() {
  if (problem)
    return false;
  if (beside.descriptor() >= 0) {
    problem = beside.commit();
    return !problem;
  }
  chirt::Destination destination = chirt::findDestination(path.c_str());
  Descriptor file(chirt::openDevice(path.c_str(), destination));
  if (!file.isOpen() || !writeAll(file.get(), bytes) || file.close() != 0)
    problem = errno;
  return !problem;
}

bool launch::writeFileAtomically(const std::string &path,
                                 std::string_view bytes) {
  NewFile file(path, bytes);
  bool isGood = file.commit();
  errno = file.error();
  return isGood;
}

/// True if a file of some size can be written there: a full disk still makes
/// folders.
static bool takesBytes(const std::string &folder) {
  std::string probe = folder + "/probe";
  launch::Descriptor file(
      ::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  return file.isOpen() &&
         launch::writeAll(file.get(), std::string(64 << 10, 'x')) &&
         file.close() == 0;
}

/// The latest temporary folder of the process, "" if there is none; fixed
/// memory, for removeUnfinished.
static char *unfinishedFolder() {
  static char path[4096];
  return path;
}

/// Opens the folder by the memory of the stack only.
void launch::removeUnfinished() {
  struct Entry { // as the kernel writes it
    uint64_t number;
    int64_t offset;
    unsigned short size;
    unsigned char type;
    char name[256];
  };
  alignas(Entry) char entries[4096];
  int folder = ::open(unfinishedFolder(), O_RDONLY | O_DIRECTORY);
  auto read = [&]() -> long {
    return folder < 0
               ? 0
               : ::syscall(SYS_getdents64, folder, entries, sizeof(entries));
  };
  for (long got; (got = read()) > 0;)
    for (long at = 0; at < got;) {
      auto *entry = reinterpret_cast<Entry *>(entries + at);
      ::unlinkat(folder, entry->name, 0);
      at += entry->size;
    }
  ::rmdir(unfinishedFolder());
}

std::string launch::makeTemporaryFolder(const std::string &preferred) {
  const char *fromUser = std::getenv("TMPDIR");
  for (const std::string &destination :
       {preferred, std::string(fromUser ? fromUser : ""), std::string("/tmp"),
        std::string("/dev/shm")}) {
    if (destination.empty())
      continue;
    std::string folder = destination + "/chic-XXXXXX";
    if (!::mkdtemp(folder.data()))
      continue;
    if (takesBytes(folder)) {
      std::snprintf(unfinishedFolder(), 4096, "%s", folder.c_str());
      return folder;
    }
    removeFolder(folder);
  }
  return "";
}

void launch::removeFolder(const std::string &path) {
  if (path.empty())
    return;
  if (DIR *folder = ::opendir(path.c_str())) {
    while (dirent *entry = ::readdir(folder)) {
      std::string name = entry->d_name;
      if (name != "." && name != "..")
        ::unlink((path + "/" + name).c_str());
    }
    ::closedir(folder);
  }
  ::rmdir(path.c_str());
}

bool launch::makeFolders(const std::string &path) {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    std::string folder = path.substr(0, end);
    int problem = ::mkdir(folder.c_str(), 0700) == 0 ? 0 : errno;
    struct stat status;
    if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
      errno = problem == EEXIST ? ENOTDIR : problem;
      return false;
    }
    if (end == std::string::npos)
      return true;
  }
}

std::string launch::binaryFolder() {
  std::string path(4096, '\0');
  ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  path.resize(size > 0 ? size : 0);
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string launch::absolutePath(const std::string &path) {
  if (!path.empty() && path[0] == '/')
    return path;
  char *here = ::getcwd(nullptr, 0);
  std::string absolute = (here ? std::string(here) : ".") + "/" + path;
  std::free(here);
  return absolute;
}

std::string launch::fileIdentity(const std::string &path) {
  struct stat s;
  if (::stat(path.c_str(), &s) != 0)
    return "";
  return std::to_string(s.st_size) + "." + std::to_string(s.st_ino) + "." +
         std::to_string(s.st_mtim.tv_sec) + "." +
         std::to_string(s.st_mtim.tv_nsec);
}
