//===- Modules.cpp - Loading of code --------------------------------------===//
// The double does not compile PTX. It reads its directives, compares them with
// the device as the driver's compiler does, and has the kernels compiled from
// the LLVM IR that the PTX was compiled from, which is in its comments.
#include "Double.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <list>
#include <regex>
#include <sstream>

namespace chirt::cu {
struct ModuleTag {
  cuda_double::HostCode code;
  std::list<cuda_double::Kernel> kernels;
};
struct LinkTag {
  char *log;
  size_t logBytes;
  std::string made;
};
} // namespace chirt::cu

namespace cuda_double {

namespace {
/// The double's replacement for machine code: a line that names the device, the
/// PTX, and a checksum of both.
constexpr char kMagic[] = "\x7f"
                          "CUBIN sm_";

unsigned sumOf(const std::string &text) {
  unsigned sum = 1;
  for (unsigned char c : text)
    sum = sum * 16777619u ^ c;
  return sum;
}

int architecture() { return settings().major * 10 + settings().minor; }

std::string cubinOf(const std::string &ptx) {
  std::string text = kMagic + std::to_string(architecture()) + "\n" + ptx;
  return text + "\n//" + std::to_string(sumOf(text));
}

/// The PTX of a cubin; "" if it is damaged, or another device's.
std::string ptxOf(const std::string &cubin) {
  size_t end = cubin.rfind("\n//"), line = cubin.find('\n');
  std::string text = cubin.substr(0, end);
  bool isWhole = end != std::string::npos &&
                 cubin.substr(end + 3) == std::to_string(sumOf(text));
  bool isOurs = text.substr(0, line) == kMagic + std::to_string(architecture());
  return isWhole && isOurs ? text.substr(line + 1) : "";
}

/// The number behind a directive, as 10 times what is written; -1: none.
int directive(const std::string &ptx, const char *pattern) {
  std::smatch match;
  if (!std::regex_search(ptx, match, std::regex(pattern)))
    return -1;
  return match.size() > 2 ? std::stoi(match[1]) * 10 + std::stoi(match[2])
                          : std::stoi(match[1]);
}

void say(char *log, size_t bytes, const std::string &text) {
  if (log)
    snprintf(log, bytes, "%s", text.c_str());
}

/// What the compiler of the driver finds.
Result compile(const std::string &ptx, char *log, size_t logBytes) {
  int version = directive(ptx, R"(\n\.version (\d+)\.(\d+))");
  int target = directive(ptx, R"(\n\.target sm_(\d+))");
  // CUDA 11.0 speaks PTX 7.0, 12.4 speaks 8.4.
  int known = settings().version / 100 - 40 + settings().version % 100 / 10;
  bool isWhole = version > 0 && target > 0 &&
                 ptx.find("\n.address_size 64") != std::string::npos;
  if (!isWhole || settings().refuses) {
    say(log, logBytes,
        "ptxas application ptx input, line 9; fatal   : Parsing error near "
        "'.entry'\nptxas fatal   : Ptx assembly aborted due to errors");
    return kInvalidPTX;
  }
  if (version > known)
    return kUnsupportedPTXVersion;
  return target > architecture() ? Result(kNoBinaryForGPU) : Result(kSuccess);
}

int sizeOf(const std::string &type) {
  return atoi(type.c_str() + 1) / 8; // "u64"
}

constexpr char kSource[] = "\n// LLVM IR:\n";

/// What stands in comments behind the PTX.
std::string sourceOf(const std::string &text) {
  size_t begin = text.find(kSource);
  if (begin == std::string::npos)
    return "";
  std::istringstream lines(text.substr(begin + sizeof(kSource) - 1));
  std::string source;
  for (std::string line; std::getline(lines, line);)
    source += line.substr(std::min<size_t>(3, line.size())) + "\n";
  return source;
}

void readKernels(const std::string &ptx, ModuleTag &module) {
  const std::regex entry(R"(\.entry ([\w$]+)\(([^)]*)\)([^{]*)\{)");
  const std::regex parameter(R"(\.param \.(?:align \d+ \.)?(\w\d+))");
  const std::regex threads(R"(\.maxntid (\d+))");
  for (std::sregex_iterator at(ptx.begin(), ptx.end(), entry), end; at != end;
       ++at) {
    Kernel &kernel = module.kernels.emplace_back();
    kernel.name = (*at)[1];
    kernel.code = &module.code;
    std::string list = (*at)[2], traits = (*at)[3];
    for (std::sregex_iterator p(list.begin(), list.end(), parameter); p != end;
         ++p)
      kernel.parameterBytes.push_back(sizeOf((*p)[1]));
    std::smatch found;
    if (std::regex_search(traits, found, threads))
      kernel.maxThreads = std::stoi(found[1]);
    size_t body = size_t(at->position() + at->length());
    std::string text = ptx.substr(body, ptx.find("\n}", body) - body);
    kernel.hasBarriers = text.find("bar.") != std::string::npos ||
                         text.find("barrier.") != std::string::npos;
    if (text.find("$shared") != std::string::npos)
      kernel.sharedBytes = 16;
  }
}

void dump(const std::string &ptx) {
  static int count = 0;
  if (settings().dump.empty())
    return;
  std::ofstream(settings().dump + "/" + std::to_string(count++) + ".ptx")
      << ptx;
}

struct Handles {
  std::list<ModuleTag> modules;
  std::list<LinkTag> links;
};
Handles &handles() {
  static Handles known;
  return known;
}

/// Of the options: where errors are written.
void findLog(unsigned count, const int *names, void **values, char *&log,
             size_t &bytes) {
  for (unsigned k = 0; k < count; ++k) {
    if (names[k] == kErrorLog)
      log = static_cast<char *>(values[k]);
    if (names[k] == kErrorLogBytes)
      bytes = reinterpret_cast<size_t>(values[k]);
  }
}
/// A variable of the environment that has to be there.
std::string variable(const char *name) {
  const char *value = getenv(name);
  if (value)
    return value;
  fprintf(stderr, "double of CUDA's driver: %s is not set\n", name);
  abort();
}
} // namespace

void *HostCode::load() {
  if (library || source.empty())
    return library;
  std::string folder = variable("CUDA_DOUBLE_KERNELS");
  std::filesystem::create_directories(folder);
  std::string stem =
      folder + "/" + std::to_string(std::hash<std::string>()(source));
  if (!std::filesystem::exists(stem + ".so")) {
    std::ofstream(stem + ".ll") << source;
    std::string command = variable("CUDA_DOUBLE_COMPILER") + " '" + stem +
                          ".ll' '" + stem + ".so'";
    if (system(command.c_str()) != 0)
      abort();
  }
  library = dlopen((stem + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "double of CUDA's driver: %s\n", dlerror());
    abort();
  }
  return library;
}

CUDA_DOUBLE(cuModuleLoadDataEx)
(Module *module, const void *image, unsigned count, int *names, void **values) {
  CUDA_DOUBLE_ENTER();
  char *log = nullptr;
  size_t logBytes = 0;
  findLog(count, names, values, log, logBytes);
  std::string text(static_cast<const char *>(image)); // to its NUL
  bool isCubin = text.starts_with("\x7f");
  if (isCubin)
    text = ptxOf(text);
  Result result = !isCubin       ? compile(text, log, logBytes)
                  : text.empty() ? Result(kInvalidImage)
                                 : Result(kSuccess);
  note("cuModuleLoadDataEx %s: %d", isCubin ? "cubin" : "PTX", result);
  if (result)
    return result;
  dump(text);
  *module = &handles().modules.emplace_back();
  (*module)->code.source = sourceOf(text);
  readKernels(text.substr(0, text.find(kSource)), **module);
  return kSuccess;
}

CUDA_DOUBLE(cuModuleGetFunction)
(Function *function, Module module, const char *name) {
  CUDA_DOUBLE_ENTER();
  for (Kernel &kernel : module->kernels)
    if (kernel.name == name) {
      *function = reinterpret_cast<Function>(&kernel);
      return kSuccess;
    }
  return kNotFound;
}

CUDA_DOUBLE(cuLinkCreate_v2)
(unsigned count, int *names, void **values, Link *link) {
  CUDA_DOUBLE_ENTER();
  *link = &handles().links.emplace_back();
  findLog(count, names, values, (*link)->log, (*link)->logBytes);
  return kSuccess;
}

CUDA_DOUBLE(cuLinkAddData_v2)
(Link link, int type, void *data, size_t bytes, const char *, unsigned, int *,
 void **) {
  CUDA_DOUBLE_ENTER();
  std::string text(static_cast<const char *>(data), bytes);
  if (type != kPTX || text.empty() || text.back() != '\0')
    return kInvalidValue;
  text.pop_back();
  link->made = cubinOf(text);
  return compile(text, link->log, link->logBytes);
}

CUDA_DOUBLE(cuLinkComplete)(Link link, void **made, size_t *bytes) {
  CUDA_DOUBLE_ENTER();
  note("cuLinkComplete");
  *made = link->made.data();
  *bytes = link->made.size() + 1;
  return kSuccess;
}

/// What was made goes with it.
CUDA_DOUBLE(cuLinkDestroy)(Link link) {
  CUDA_DOUBLE_ENTER();
  handles().links.remove_if([&](LinkTag &each) { return &each == link; });
  return kSuccess;
}

} // namespace cuda_double
