//===- OwnFolder.cpp ------------------------------------------------------===//
#include "chi/Launch/OwnFolder.h"
#include "chi/Launch/Files.h"
#include <cerrno>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

using namespace chi::launch;

static constexpr int kFolderFlags =
    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/// Why others could have changed it; null if only this user could. Lists of
/// rights beyond the mode show in the bits of the group.
static const char *distrust(const struct stat &status) {
  if (status.st_uid != ::geteuid())
    return "belongs to another user";
  if (status.st_mode & (S_IWGRP | S_IWOTH))
    return "is writable by others";
  return nullptr;
}

static std::string say(const std::string &path, const char *what,
                       int error = 0) {
  return "'" + path + "' " + what + (error ? std::strerror(error) : "");
}

static bool isLink(int folder, const std::string &name) {
  struct stat status;
  return ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISLNK(status.st_mode);
}

/// The error for a file that could not be opened, from `error`; "" if there is
/// no file.
static std::string openProblem(int folder, const std::string &name,
                               const std::string &path, int error) {
  if (isLink(folder, name))
    return say(path, "is a link");
  struct stat status;
  if (error == ENOTDIR &&
      ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
    return say(path, "is not a folder");
  return error == ENOENT ? "" : say(path, "cannot be opened: ", error);
}

OwnFolder OwnFolder::check(Descriptor folder, const std::string &path,
                           std::string &problem) {
  struct stat status;
  if (::fstat(folder.get(), &status) != 0)
    return {};
  if (const char *why = distrust(status)) {
    problem = say(path, why);
    return {};
  }
  return OwnFolder(std::move(folder), path);
}

OwnFolder::OwnFolder(const std::string &name, bool makes,
                     std::string &problem) {
  std::string whole = name;
  // A slash at the end would follow a link.
  while (whole.size() > 1 && whole.back() == '/')
    whole.pop_back();
  int obstacle = makes && !makeFolders(whole) ? errno : 0;
  Descriptor found(::open(whole.c_str(), kFolderFlags));
  if (found.isOpen())
    *this = check(std::move(found), whole, problem);
  else
    problem = openProblem(AT_FDCWD, whole, whole, errno);
  if (obstacle && problem.empty())
    problem = say(whole, "cannot be created: ", obstacle);
}

OwnFolder OwnFolder::inner(const std::string &name, bool makes,
                           std::string &problem) const {
  int obstacle = 0;
  if (makes && ::mkdirat(folder.get(), name.c_str(), 0700) != 0)
    obstacle = errno;
  std::string whole = path + "/" + name;
  Descriptor found(::openat(folder.get(), name.c_str(), kFolderFlags));
  if (found.isOpen())
    return check(std::move(found), whole, problem);
  problem = openProblem(folder.get(), name, whole, errno);
  if (obstacle && problem.empty())
    problem = say(whole, "cannot be created: ", obstacle);
  return {};
}

Descriptor OwnFolder::openFile(const std::string &name,
                               std::string &problem) const {
  std::string whole = path + "/" + name;
  Descriptor file(::openat(folder.get(), name.c_str(),
                           O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.isOpen()) {
    if (isLink(folder.get(), name))
      problem = say(whole, "is a link");
    return {};
  }
  struct stat status;
  if (::fstat(file.get(), &status) != 0)
    return {};
  const char *why =
      S_ISREG(status.st_mode) ? distrust(status) : "is not a regular file";
  if (!why)
    return file;
  problem = say(whole, why);
  return {};
}

Descriptor OwnFolder::writeFile(const std::string &name,
                                std::string_view bytes) const {
  timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  std::string temporary = name + "." + std::to_string(::getpid()) + "." +
                          std::to_string(now.tv_nsec);
  Descriptor file(::openat(folder.get(), temporary.c_str(),
                           O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           0600));
  if (!file.isOpen())
    return {};
  if (writeAll(file.get(), bytes) &&
      ::renameat(folder.get(), temporary.c_str(), folder.get(), name.c_str()) ==
          0)
    return file;
  ::unlinkat(folder.get(), temporary.c_str(), 0);
  return {};
}

std::string_view OwnFolder::finishedName(std::string_view name) {
  std::string_view rest = name;
  for (int numbers = 0; numbers < 2; ++numbers) {
    size_t dot = rest.find_last_not_of("0123456789");
    if (dot == rest.npos || dot + 1 == rest.size() || rest[dot] != '.')
      return name;
    rest = rest.substr(0, dot);
  }
  return rest;
}

std::vector<OwnFolder::File> OwnFolder::list() const {
  std::vector<File> files;
  // fdopendir takes the descriptor, and its position.
  int again = ::openat(folder.get(), ".", kFolderFlags);
  DIR *entries = again >= 0 ? ::fdopendir(again) : nullptr;
  if (!entries) {
    Descriptor unused(again);
    return files;
  }
  while (dirent *entry = ::readdir(entries)) {
    struct stat s;
    if (entry->d_name[0] != '.' &&
        ::fstatat(folder.get(), entry->d_name, &s, AT_SYMLINK_NOFOLLOW) == 0 &&
        !S_ISDIR(s.st_mode))
      files.push_back({entry->d_name, uint64_t(s.st_size), s.st_mtim.tv_sec});
  }
  ::closedir(entries);
  return files;
}

void OwnFolder::removeFile(const std::string &name) const {
  ::unlinkat(folder.get(), name.c_str(), 0);
}
