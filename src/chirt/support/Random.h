//===- Random.h - Counter based random numbers ------------------*- C++ -*-===//
#ifndef CHIRT_SUPPORT_RANDOM_H
#define CHIRT_SUPPORT_RANDOM_H

#include <cstdint>

namespace chirt {

/// Philox 4x32-10 of a counter, in place.
void philox(uint32_t (&counter)[4], uint32_t key0, uint32_t key1);
/// Sets the seed; all streams start again.
void restartRandom(uint64_t seed);

/// How far all streams have come.
struct RandomState {
  uint64_t seed;
  uint32_t ordinal; ///< of kernel calls that draw
  uint64_t drawn;   ///< numbers by host code
};
/// The state that the next draw depends on.
RandomState randomState();
/// Goes on with the draws that follow that state.
void setRandomState(const RandomState &state);

} // namespace chirt
#endif // CHIRT_SUPPORT_RANDOM_H
