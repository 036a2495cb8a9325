//===- DeviceTraits.h - Properties of a processor ---------------*- C++ -*-===//
#ifndef CHI_SUPPORT_DEVICETRAITS_H
#define CHI_SUPPORT_DEVICETRAITS_H

#include <cstdint>
#include <string>

namespace chi {

/// Sizes of caches in bytes, of the machine that compiles or of a usual one.
struct CacheSizes {
  int64_t l1 = 32 << 10;   ///< data, of one core
  int64_t l2 = 512 << 10;  ///< of one core
  int64_t last = 32 << 20; ///< the last one that a core reaches
  int64_t line = 64;       ///< size of a line
};

/// The processor that code is made for: the one description that passes take
/// their numbers from (`#chi.device`). Made by Target.
struct DeviceTraits {
  int64_t vectorBytes = 0; ///< of a register; 0: nothing is widened
  int64_t vectorRegisters = 16;
  bool hasMasks = false;   ///< instructions take masks at no cost
  bool castsLongs = false; ///< vectors of i64 become floats in one instruction
  CacheSizes caches;

  /// For cache keys and `chi-attach-device`.
  std::string text() const {
    return "vector-bytes=" + std::to_string(vectorBytes) +
           " vector-registers=" + std::to_string(vectorRegisters) +
           " has-masks=" + std::to_string(hasMasks) +
           " casts-longs=" + std::to_string(castsLongs) +
           " l1-bytes=" + std::to_string(caches.l1) +
           " l2-bytes=" + std::to_string(caches.l2) +
           " cache-bytes=" + std::to_string(caches.last) +
           " line-bytes=" + std::to_string(caches.line);
  }
};

} // namespace chi
#endif // CHI_SUPPORT_DEVICETRAITS_H
