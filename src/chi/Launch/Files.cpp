//===- Files.cpp ----------------------------------------------------------===//
#include "chi/Launch/Files.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace chi;

/// Reads a descriptor to its end; fails with EFBIG if that is behind `most`.
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
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return std::nullopt;
  struct stat status = {};
  ::fstat(fd, &status);
  auto bytes =
      readAll(fd, S_ISREG(status.st_mode) ? status.st_size : 4096, most);
  int error = errno;
  ::close(fd);
  errno = error;
  return bytes;
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

bool launch::writeFileAtomically(const std::string &path,
                                 std::string_view bytes) {
  std::string temporary = path + ".XXXXXX";
  int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0)
    return false;
  bool isGood = true;
  while (isGood && !bytes.empty()) {
    ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR)
      continue;
    isGood = put > 0;
    if (isGood)
      bytes.remove_prefix(put);
  }
  mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(fd, 0666 & ~mask);
  isGood = ::close(fd) == 0 && isGood;
  isGood = isGood && ::rename(temporary.c_str(), path.c_str()) == 0;
  if (!isGood)
    ::unlink(temporary.c_str());
  return isGood;
}

/// True if a file of some size can be written there: a full disk still makes
/// folders.
static bool takesBytes(const std::string &folder) {
  return launch::writeFileAtomically(folder + "/probe",
                                     std::string(64 << 10, 'x'));
}

std::string launch::makeTemporaryFolder(const std::string &preferred) {
  const char *fromUser = std::getenv("TMPDIR");
  for (const std::string &place :
       {preferred, std::string(fromUser ? fromUser : ""), std::string("/tmp"),
        std::string("/dev/shm")}) {
    if (place.empty())
      continue;
    std::string folder = place + "/chic-XXXXXX";
    if (!::mkdtemp(folder.data()))
      continue;
    if (takesBytes(folder))
      return folder;
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
    ::mkdir(path.substr(0, end).c_str(), 0777);
    if (end == std::string::npos)
      break;
  }
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
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
