//===- Hash.h - Keys of the cache -------------------------------*- C++ -*-===//
#ifndef CHI_LAUNCH_HASH_H
#define CHI_LAUNCH_HASH_H

#include <cstdint>
#include <string>
#include <string_view>

namespace chi::launch {

/// A 128-bit hash of a text.
struct Hash {
  uint64_t low = 0, high = 0;

  bool operator==(const Hash &) const = default;
  /// 32 hexadecimal digits.
  std::string hex() const;
};

/// SipHash-2-4 with 128 bits of output (Aumasson and Bernstein, 2012) under a
/// fixed key.
Hash hashBytes(std::string_view bytes);

/// Builds a key of named parts; no two lists of parts give one text.
class KeyText {
public:
  /// Appends a part.
  KeyText &add(std::string_view name, std::string_view value);
  /// Appends a number.
  KeyText &add(std::string_view name, uint64_t value) {
    return add(name, std::to_string(value));
  }
  /// The hash of all parts.
  Hash hash() const { return hashBytes(text); }

private:
  std::string text;
};

} // namespace chi::launch
#endif // CHI_LAUNCH_HASH_H
