//===- Limits.cpp - The measured limits of this machine -------------------===//
#include "chi/Driver/Measure/Limits.h"

#include "chi/Driver/Compile/HostMachine.h"
#include "chi/Driver/Measure/MeasuredProgram.h"
#include "chi/Launch/Cache.h"
#include "chi/Launch/Hash.h"
#include "chirt/host.h"

using namespace chi;
using namespace chi::driver;

/// The device by its name, since its number may be another's tomorrow.
static launch::Hash keyOf(const launch::RunOptions &options,
                          const DriverEnv &env) {
  chirt_device_facts facts = {};
  std::string device;
  if (options.arch != "cpu" &&
      options.device <
          chirt_describe_device(options.arch.c_str(), options.device, &facts))
    device = facts.name;
  return launch::KeyText()
      .add("limits of", options.arch)
      .add("device", device)
      .add("processor", launch::processorIdentity())
      .add("cpu", options.compile.targetCPU)
      .add("threads", uint64_t(threadsOf(options)))
      .add("compiler", env.host.buildIdentity)
      .hash();
}

static profile::Roofline measure(const launch::RunOptions &options,
                                 DriverEnv &env) {
  launch::RunOptions own;
  own.file = "limits.chi";
  own.arch = options.arch, own.device = options.device;
  own.threads = options.threads;
  own.compile.targetCPU = options.compile.targetCPU;
  int64_t lastCache = machineOf(own.compile).caches.last;
  // A GPU may have no f64; the drivers of others have.
  bool isDouble = true;
  if (options.arch != "cpu") {
    chirt_device_facts facts = {};
    chirt_describe_device(options.arch.c_str(), options.device, &facts);
    isDouble = llvm::StringRef(facts.abilities).contains("f64") ||
               options.arch == "cuda";
  }
  own.text = profile::rooflineProgram(lastCache, isDouble);
  MeasuredProgram program(own, env);
  profile::Roofline none;
  if (program.prepare() != ExitGood)
    return none;
  profile::LaunchProfile launches(program.takeWorks());
  return program.run(&launches) == ExitGood ? profile::rooflineOf(launches)
                                            : none;
}

profile::Roofline chi::driver::limitsOf(const launch::RunOptions &options,
                                        bool again, DriverEnv &env) {
  launch::Cache cache(!options.noCache);
  launch::Hash key = keyOf(options, env);
  if (auto text = again ? std::nullopt : cache.findObject(key))
    if (auto known = profile::readRoofline(*text))
      return *known;
  profile::Roofline limits = measure(options, env);
  if (limits.bandwidth > 0)
    cache.storeObject(key, profile::textOf(limits));
  return limits;
}
