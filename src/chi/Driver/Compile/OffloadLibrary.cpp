//===- OffloadLibrary.cpp -------------------------------------------------===//
#include "chi/Driver/Compile/OffloadLibrary.h"
#include <dlfcn.h>

using namespace chi;

bool driver::offload(const DriverEnv &env, const offload::Request &request) {
  std::string path = launch::offloadLibraryPath(env.host.binaryFolder);
  void *library = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  auto *entry = library ? reinterpret_cast<decltype(&chic_offload)>(
                              ::dlsym(library, "chic_offload"))
                        : nullptr;
  if (!entry) {
    request.fault =
        std::string("cannot load the code generator for devices: ") +
        ::dlerror();
    return false;
  }
  entry(request);
  if (request.isUnknownArch)
    env.err << "chic: --gpu-arch: there is no device `" << request.arch
            << "`; use sm_75, sm_80 or another name of LLVM\n";
  return !request.isUnknownArch && request.fault.empty() &&
         !request.diags.hasErrors();
}
