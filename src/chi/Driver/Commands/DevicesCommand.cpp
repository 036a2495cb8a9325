//===- DevicesCommand.cpp - chic devices ----------------------------------===//
#include "chi/Driver/Commands/Commands.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include <thread>

using namespace chi;
using namespace chi::driver;

static int runDevices(DriverEnv &env) {
  env.out << "cpu     " << llvm::sys::getHostCPUName() << ", "
          << std::thread::hardware_concurrency() << " threads";
  auto features = llvm::sys::getHostCPUFeatures();
  for (const char *name : {"avx2", "avx512f", "neon", "sve"})
    if (features.lookup(name))
      env.out << ", " << name;
  env.out << "\ninterp  the reference interpreter, one thread\n";
  return ExitGood;
}

void chi::driver::addDevicesCommand(CLI::App &app, DriverEnv &env) {
  CLI::App *devices =
      app.add_subcommand("devices", "Print what programs can run on");
  devices->callback([&env] { exitWith(runDevices(env)); });
}
