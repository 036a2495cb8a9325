//===- Images.h - Code of units as a CUDA device takes it -------*- C++ -*-===//
#ifndef CHIRT_CUDA_IMAGES_H
#define CHIRT_CUDA_IMAGES_H

#include "chirt/cuda/Api.h"
#include <cstdint>
#include <string_view>

namespace chirt::cu {

/// What the driver's compiler has to say of code that it refuses.
struct ImageLog {
  char text[2048] = "";

  /// Without its end of line; "" if it said nothing.
  std::string_view firstLine() const;
};

/// Loads PTX, a text with its NUL. The machine code that the driver compiles
/// from it is kept where the host keeps code (chirt_keep_code), for this
/// architecture and driver.
Result loadImage(Module &module, const void *image, int64_t bytes,
                 ImageLog &log);

} // namespace chirt::cu
#endif // CHIRT_CUDA_IMAGES_H
