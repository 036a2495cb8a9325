//===- DevicesCommand.cpp - chic devices ----------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "chirt/host.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/TargetParser/Host.h"
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace chi;
using namespace chi::driver;

static void printProcessor(llvm::raw_ostream &out) {
  out << "cpu     " << llvm::sys::getHostCPUName() << ", "
      << std::thread::hardware_concurrency() << " threads";
  auto features = llvm::sys::getHostCPUFeatures();
  for (const char *name : {"avx2", "avx512f", "neon", "sve"})
    if (features.lookup(name))
      out << ", " << name;
  out << "\ninterp  the reference interpreter, one thread\n";
}

/// Prints one device of a kind, or why there is none; returns how many there
/// are.
static int printDevice(llvm::raw_ostream &out, const char *kind, int number) {
  chirt_device_facts facts;
  int count = chirt_describe_device(kind, number, &facts);
  out << llvm::left_justify(kind, 8);
  if (number >= count) {
    out << (facts.problem ? facts.problem : "none") << "\n";
    return count;
  }
  out << number << ": " << facts.name;
  if (facts.memory)
    out << llvm::format(", %.1f GB", double(facts.memory) / 1e9);
  if (*facts.abilities)
    out << "; " << facts.abilities;
  if (facts.in > 0 && facts.out > 0)
    out << llvm::format("; copies %.1f GB/s there, %.1f GB/s back",
                        facts.in / 1e9, facts.out / 1e9);
  if (facts.problem)
    out << "; not usable: " << facts.problem;
  out << "\n";
  return count;
}

/// The same in a child process: a process starts one device of each kind, and a
/// crashing driver does not lose the lines of others.
static int printEach(llvm::raw_ostream &out, const char *kind, int number) {
  out.flush();
  pid_t child = ::fork();
  if (child == 0) {
    int count = printDevice(out, kind, number);
    out.flush();
    ::_exit(count);
  }
  int status = 0;
  if (child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status))
    return WEXITSTATUS(status);
  out << llvm::left_justify(kind, 8) << number << ": its driver failed\n";
  return 0;
}

static int runDevices(DriverEnv &env) {
  printProcessor(env.out);
  for (const char *kind : {"cuda", "vulkan"})
    for (int number = 0, count = 1; number < count; ++number)
      count = printEach(env.out, kind, number);
  return ExitGood;
}

void chi::driver::addDevicesCommand(CLI::App &app, DriverEnv &env) {
  CLI::App *devices = app.add_subcommand(
      "devices", "Print the available processors and devices");
  devices->footer(
      "--device takes the number of a device. For a GPU the line lists memory, "
      "optional\nfeatures, and the speed of copies between host and device.");
  devices->callback([&env] { exitWith(runDevices(env)); });
}
