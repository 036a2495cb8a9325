//===- Images.cpp - Code of units as a CUDA device takes it ---------------===//
#include "chirt/cuda/Images.h"

#include "chirt/cuda/Cuda.h"
#include "chirt/device/CodeCache.h"

#include <cstdlib>

namespace chirt::cu {

namespace {
/// The driver's options by which it writes to a log.
struct LogOptions {
  int names[2] = {kErrorLog, kErrorLogBytes};
  void *values[2];

  explicit LogOptions(ImageLog &log)
      : values{log.text, reinterpret_cast<void *>(sizeof(log.text) - 1)} {}
};

Result load(Module &module, const void *image, ImageLog &log) {
  LogOptions options(log);
  return cuda.moduleLoad(&module, image, 2, options.names, options.values);
}

/// Whose machine code it is: another driver may make better one.
Text targetName() {
  Text name;
  name << "cuda " << cuda.architecture << ' ' << cuda.version;
  return name;
}

/// What was kept; false if there is nothing, or nothing that the driver takes.
bool loadKept(Module &module, const void *image, int64_t bytes) {
  int64_t size = 0;
  Text target = targetName();
  void *kept = findCode(target.c_str(), image, bytes, &size);
  ImageLog log;
  bool isGood = kept && load(module, kept, log) == kSuccess;
  free(kept);
  return isGood;
}

/// Has the driver make machine code, keeps and loads it.
Result loadMade(Module &module, Link link, const void *image, int64_t bytes,
                ImageLog &log) {
  void *made = nullptr; // the link's
  size_t size = 0;
  Result result =
      cuda.linkAddData(link, kPTX, const_cast<void *>(image), size_t(bytes),
                       "kernels", 0, nullptr, nullptr);
  if (!result)
    result = cuda.linkComplete(link, &made, &size);
  if (!result)
    result = load(module, made, log);
  if (!result) {
    Text target = targetName();
    keepCode(target.c_str(), image, bytes, made, int64_t(size));
  }
  return result;
}
} // namespace

std::string_view ImageLog::firstLine() const {
  std::string_view all(text);
  return slice(all, 0, all.find('\n'));
}

Result loadImage(Module &module, const void *image, int64_t bytes,
                 ImageLog &log) {
  if (!keepsCode()) // the driver has a cache of its own
    return load(module, image, log);
  if (loadKept(module, image, bytes))
    return kSuccess;
  LogOptions options(log);
  Link link = nullptr;
  if (Result result = cuda.linkCreate(2, options.names, options.values, &link))
    return result;
  Result result = loadMade(module, link, image, bytes, log);
  cuda.linkDestroy(link);
  return result;
}

} // namespace chirt::cu
