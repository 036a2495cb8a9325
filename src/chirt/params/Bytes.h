//===- Bytes.h - Amounts of memory of command lines -------------*- C++ -*-===//
#ifndef CHIRT_PARAMS_BYTES_H
#define CHIRT_PARAMS_BYTES_H

#include <cstdint>
#include <string_view>

namespace chirt {

/// Reads a number of bytes, with an optional unit: B, kB, MB, GB, TB (powers of
/// 1000), KiB, MiB, GiB, TiB (powers of 1024); case does not matter. Returns
/// bytes; negative: `text` is no such amount.
int64_t readBytes(std::string_view text);

} // namespace chirt
#endif // CHIRT_PARAMS_BYTES_H
