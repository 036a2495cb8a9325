//===- CodeCache.h - Code that a device's driver made -----------*- C++ -*-===//
#ifndef CHIRT_DEVICE_CODECACHE_H
#define CHIRT_DEVICE_CODECACHE_H

#include <cstdint>

namespace chirt {

/// Whether the host of the process keeps code (chirt_keep_code).
bool keepsCode();
/// What was kept for `target` of the code `image`, in memory that `free` takes;
/// null if there is nothing.
void *findCode(const char *target, const void *image, int64_t imageBytes,
               int64_t *bytes);
/// Passes code for `target`, compiled from `image`, to the host of the process.
/// Does nothing if it keeps none.
void keepCode(const char *target, const void *image, int64_t imageBytes,
              const void *made, int64_t madeBytes);

} // namespace chirt
#endif // CHIRT_DEVICE_CODECACHE_H
