//===- MachineFacts.cpp - The machine beside its figures ------------------===//
#include "chi/Driver/Measure/MachineFacts.h"

#include "chi/Driver/Measure/MeasuredProgram.h"
#include "chi/Launch/Files.h"
#include "llvm/TargetParser/Host.h"
#include <sys/utsname.h>

using namespace chi;
using namespace chi::driver;

/// The first "model name" of /proc/cpuinfo; LLVM's name where there is none.
static std::string processorName() {
  auto text = launch::readFile("/proc/cpuinfo");
  llvm::StringRef rest = text ? llvm::StringRef(*text) : "";
  while (!rest.empty()) {
    auto [line, after] = rest.split('\n');
    auto [key, value] = line.split(':');
    if (key.trim() == "model name" && !value.trim().empty())
      return value.trim().str();
    rest = after;
  }
  return llvm::sys::getHostCPUName().str();
}

bench::MachineFacts chi::driver::machineFacts() {
  bench::MachineFacts facts;
  facts.processor = processorName();
  facts.cores = threadsOf(launch::RunOptions());
  utsname system = {};
  if (::uname(&system) == 0) {
    facts.system = std::string(system.sysname) + " " + system.release + " " +
                   system.machine;
    facts.host = system.nodename;
  }
  return facts;
}
