//===- NativeMath.cpp - Whose elementary functions --math takes -----------===//
#include "chi/Launch/NativeMath.h"
#include "chi/Launch/Files.h"
#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace chi;
using namespace chi::launch;

namespace fs = std::filesystem;

static std::string libdeviceOf(const fs::path &toolkit) {
  fs::path file = toolkit / "nvvm" / "libdevice" / "libdevice.10.bc";
  return isOrdinary(file) && !fileIdentity(file).empty() ? file.string() : "";
}

/// The toolkit of the first nvcc on the PATH, through links; "" without one.
static fs::path toolkitOfCompiler() {
  const char *words = std::getenv("PATH");
  std::string_view rest = words ? words : "";
  while (!rest.empty()) {
    size_t end = std::min(rest.find(':'), rest.size());
    fs::path compiler = fs::path(rest.substr(0, end)) / "nvcc";
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::error_code none;
    fs::path real = fs::canonical(compiler, none);
    if (!none)
      return real.parent_path().parent_path();
  }
  return {};
}

std::string launch::findLibdevice() {
  // The environment overrides the default toolkits.
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *folder = std::getenv(name); folder && *folder)
      return libdeviceOf(folder);
  for (const fs::path &folder :
       {toolkitOfCompiler(), fs::path("/usr/local/cuda"), fs::path("/opt/cuda"),
        fs::path("/usr/lib/cuda")})
    if (std::string file = libdeviceOf(folder); !file.empty())
      return file;
  return "";
}

bool launch::takeNativeMath(CompileOptions &options, std::string_view target) {
  if (options.math != "native")
    return true;
  if (!options.isFor("cuda")) {
    std::fprintf(stderr,
                 "chic: --math=native requires --arch=cuda; %.*s supports only "
                 "Chi's elementary functions\n",
                 int(target.size()), target.data());
    return false;
  }
  if (options.floatMode == "strict") {
    std::fputs("chic: --math=native and --float=strict are mutually exclusive: "
               "the functions of a toolkit round differently\n",
               stderr);
    return false;
  }
  options.libdevice = findLibdevice();
  return true;
}
