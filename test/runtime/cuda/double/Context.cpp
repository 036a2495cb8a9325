//===- Context.cpp - Devices and the context ------------------------------===//
#include "Double.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cuda_double {

namespace {
struct State {
  bool isInitialized = false, isRetained = false;
  Result sticky = kSuccess;
  std::map<std::string, int> calls;
};
State &state() {
  static State known;
  return known;
}
thread_local Context currentContext = nullptr;

/// The only one that there is.
Context primary() { return reinterpret_cast<Context>(&state()); }

void read(Settings &to, const std::string &key, const std::string &value) {
  const std::pair<const char *, int *> numbers[] = {
      {"devices", &to.devices},     {"version", &to.version},
      {"pools", &to.pools},         {"processors", &to.processors},
      {"registers", &to.registers}, {"refuses", &to.refuses},
      {"block", &to.block}};
  const std::pair<const char *, std::string *> texts[] = {{"log", &to.log},
                                                          {"dump", &to.dump}};

  for (auto [name, number] : numbers)
    if (key == name)
      *number = atoi(value.c_str());
  for (auto [name, text] : texts)
    if (key == name)
      *text = value;
  if (key == "memory")
    to.memory = strtoull(value.c_str(), nullptr, 10);
  if (key == "capability")
    sscanf(value.c_str(), "%d.%d", &to.major, &to.minor);
  if (key != "fail")
    return;
  size_t first = value.find(':'), second = value.find(':', first + 1);
  to.failing = value.substr(0, first);
  to.failure = atoi(value.c_str() + first + 1);
  to.failingCall = atoi(value.c_str() + second + 1);
}

Settings readSettings() {
  Settings result;
  const char *variable = getenv("CUDA_DOUBLE");
  std::string text = variable ? variable : "";
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    std::string part = text.substr(at, end - at);
    size_t equals = part.find('=');
    read(result, part.substr(0, equals), part.substr(equals + 1));
    at = end + 1;
  }
  return result;
}
} // namespace

const Settings &settings() {
  static const Settings known = readSettings();
  return known;
}

void note(const char *format, ...) {
  static FILE *const file =
      settings().log.empty() ? nullptr : fopen(settings().log.c_str(), "a");
  if (!file)
    return;
  va_list values;
  va_start(values, format);
  vfprintf(file, format, values);
  va_end(values);
  fputc('\n', file);
  fflush(file);
}

Result enter(const char *function, bool needsContext) {
  const Settings &known = settings();
  if (known.failing == function &&
      ++state().calls[function] == known.failingCall) {
    note("%s fails: %d", function, known.failure);
    if (known.failure >= kIllegalAddress && known.failure < kNotSupported)
      stick(known.failure);
    return known.failure;
  }
  if (!state().isInitialized)
    return kNotInitialized;
  if (!needsContext)
    return kSuccess;
  return currentContext != primary() ? Result(kInvalidContext) : state().sticky;
}

void stick(Result result) {
  if (state().sticky == kSuccess)
    state().sticky = result;
}

CUDA_DOUBLE(cuInit)(unsigned flags) {
  state().isInitialized = settings().failing != "cuInit";
  if (Result result = enter(__func__, false))
    return result;
  return flags ? kInvalidValue : settings().devices ? kSuccess : kNoDevice;
}

CUDA_DOUBLE(cuDriverGetVersion)(int *version) {
  *version = settings().version; // also before cuInit
  return kSuccess;
}

CUDA_DOUBLE(cuGetErrorName)(Result result, const char **name) {
  const std::pair<Result, const char *> names[] = {
      {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {kNoDevice, "CUDA_ERROR_NO_DEVICE"},
      {kInvalidImage, "CUDA_ERROR_INVALID_IMAGE"},
      {kNoBinaryForGPU, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
      {kInvalidPTX, "CUDA_ERROR_INVALID_PTX"},
      {kNotFound, "CUDA_ERROR_NOT_FOUND"},
      {kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {kLaunchTimeout, "CUDA_ERROR_LAUNCH_TIMEOUT"},
      {kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED"},
      {kNotSupported, "CUDA_ERROR_NOT_SUPPORTED"},
      {kUnknown, "CUDA_ERROR_UNKNOWN"}};
  for (auto [number, text] : names)
    if (number == result)
      return *name = text, kSuccess;
  *name = nullptr;
  return kInvalidValue;
}

CUDA_DOUBLE(cuDeviceGetCount)(int *count) {
  CUDA_DOUBLE_ENTER(false);
  *count = settings().devices;
  return kSuccess;
}

CUDA_DOUBLE(cuDeviceGet)(Device *device, int number) {
  CUDA_DOUBLE_ENTER(false);
  *device = number;
  return number >= 0 && number < settings().devices ? Result(kSuccess)
                                                    : Result(kInvalidDevice);
}

CUDA_DOUBLE(cuDeviceGetName)(char *name, int bytes, Device device) {
  CUDA_DOUBLE_ENTER(false);
  snprintf(name, size_t(bytes), "Double %d", device);
  return kSuccess;
}

CUDA_DOUBLE(cuDeviceTotalMem_v2)(size_t *bytes, Device) {
  CUDA_DOUBLE_ENTER(false);
  *bytes = settings().memory;
  return kSuccess;
}

CUDA_DOUBLE(cuDeviceGetAttribute)(int *value, int which, Device) {
  CUDA_DOUBLE_ENTER(false);
  const Settings &known = settings();
  const std::map<int, int> values = {{kMultiprocessorCount, known.processors},
                                     {kComputeCapabilityMajor, known.major},
                                     {kComputeCapabilityMinor, known.minor},
                                     {kMemoryPoolsSupported, known.pools}};
  auto found = values.find(which);
  if (found == values.end())
    return kInvalidValue;
  *value = found->second;
  return kSuccess;
}

CUDA_DOUBLE(cuDevicePrimaryCtxRetain)(Context *context, Device) {
  CUDA_DOUBLE_ENTER(false);
  note("cuDevicePrimaryCtxRetain");
  state().isRetained = true;
  *context = primary();
  return kSuccess;
}

CUDA_DOUBLE(cuCtxSetCurrent)(Context context) {
  CUDA_DOUBLE_ENTER(false);
  if (context != primary() || !state().isRetained)
    return kInvalidContext;
  currentContext = context;
  return kSuccess;
}

} // namespace cuda_double
