//===- MutedOutput.cpp - Programs that print nothing ----------------------===//
#include "chi/Driver/Measure/MutedOutput.h"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>

using namespace chi;
using namespace chi::driver;

static launch::Descriptor copyOf(int descriptor) {
  return launch::Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
}

MutedOutput::MutedOutput(DriverEnv &env)
    : keptOut(copyOf(STDOUT_FILENO)), keptErr(copyOf(STDERR_FILENO)),
      text(::memfd_create("errors", MFD_CLOEXEC)) {
  env.out.flush();
  env.err.flush();
  std::fflush(nullptr);
  launch::Descriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  isOn = keptOut.isOpen() && keptErr.isOpen() && text.isOpen() &&
         nowhere.isOpen() && ::dup2(nowhere.get(), STDOUT_FILENO) >= 0 &&
         ::dup2(text.get(), STDERR_FILENO) >= 0;
  if (isOn)
    return;
  restore();
  env.err << "chic: cannot redirect the output of the program\n";
}

void MutedOutput::restore() {
  std::fflush(nullptr);
  if (keptOut.isOpen())
    ::dup2(keptOut.get(), STDOUT_FILENO);
  if (keptErr.isOpen())
    ::dup2(keptErr.get(), STDERR_FILENO);
}

MutedOutput::~MutedOutput() { restore(); }

std::string MutedOutput::errors() const {
  off_t size = ::lseek(text.get(), 0, SEEK_END);
  off_t from = std::max<off_t>(0, size - (64 << 10));
  std::string read(size_t(std::max<off_t>(0, size - from)), '\0');
  ssize_t count = ::pread(text.get(), read.data(), read.size(), from);
  read.resize(size_t(std::max<ssize_t>(0, count)));
  return read;
}
