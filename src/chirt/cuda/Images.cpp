//===- Images.cpp - Code of units as a CUDA device takes it ---------------===//
#include "chirt/cuda/Images.h"

#include "chirt/core/CodeCache.h"
#include "chirt/cuda/Cuda.h"

#include <cstdlib>

namespace chirt {

namespace {
/// The driver's options by which it writes to a log.
struct LogOptions {
  int names[2] = {cu::kErrorLog, cu::kErrorLogBytes};
  void *values[2];

  explicit LogOptions(ImageLog &log)
      : values{log.text, reinterpret_cast<void *>(sizeof(log.text) - 1)} {}
};

cu::Result load(cu::Module &module, const void *image, ImageLog &log) {
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
bool loadKept(cu::Module &module, const void *image, int64_t bytes) {
  int64_t size = 0;
  Text target = targetName();
  void *kept = findCode(target.c_str(), image, bytes, &size);
  ImageLog log;
  bool isGood = kept && load(module, kept, log) == cu::kSuccess;
  free(kept);
  return isGood;
}

/// Has the driver make machine code, keeps and loads it.
cu::Result loadMade(cu::Module &module, cu::Link link, const void *image,
                    int64_t bytes, ImageLog &log) {
  void *made = nullptr; // the link's
  size_t size = 0;
  cu::Result result =
      cuda.linkAddData(link, cu::kPTX, const_cast<void *>(image), size_t(bytes),
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

cu::Result loadImage(cu::Module &module, const void *image, int64_t bytes,
                     ImageLog &log) {
  if (!keepsCode()) // the driver has a cache of its own
    return load(module, image, log);
  if (loadKept(module, image, bytes))
    return cu::kSuccess;
  LogOptions options(log);
  cu::Link link = nullptr;
  if (cu::Result result =
          cuda.linkCreate(2, options.names, options.values, &link))
    return result;
  cu::Result result = loadMade(module, link, image, bytes, log);
  cuda.linkDestroy(link);
  return result;
}

} // namespace chirt
