//===- SweepLock.cpp - One controlling process for each folder ------------===//
#include "chi/Sweep/Workers/SweepLock.h"
#include "chi/Launch/Files.h"
#include "chi/Sweep/Points/Failure.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace chi;
using namespace chi::sweep;

static std::string pathOf(const std::string &folder) {
  return folder + "/sweep.lock";
}

llvm::Expected<SweepLock> SweepLock::take(const std::string &folder) {
  launch::Descriptor file(
      ::open(pathOf(folder).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file.isOpen())
    return failure("'" + pathOf(folder) + "': " + std::strerror(errno));
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    return failure("'" + folder + "' is in use: " + holder(folder) +
                   " controls this sweep");
  char host[256] = "";
  ::gethostname(host, sizeof(host) - 1);
  std::string text =
      "process " + std::to_string(::getpid()) + " on " + host + "\n";
  if (::ftruncate(file.get(), 0) != 0 || !launch::writeAll(file.get(), text))
    return failure("'" + pathOf(folder) + "': " + std::strerror(errno));
  return SweepLock(std::move(file));
}

std::string SweepLock::holder(const std::string &folder) {
  launch::Descriptor file(::open(pathOf(folder).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.isOpen() || ::flock(file.get(), LOCK_SH | LOCK_NB) == 0)
    return "";
  std::string text = launch::readFile(file).value_or("");
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text.empty() ? "another process" : text;
}
