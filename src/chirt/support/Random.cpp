//===- Random.cpp - Seed, ordinals, the host's stream ---------------------===//
// Philox 4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
// as 1, 2, 3", SC 2011.
#include "chirt/support/Random.h"
#include "chirt/chirt.h"

uint64_t chirt_seed = 0;

namespace chirt {
namespace {
/// How far the streams have come that host code moves on.
struct Streams {
  uint32_t ordinal = 0; ///< of kernel calls that draw
  uint64_t drawn = 0;   ///< by host code
};
constinit Streams streams;
} // namespace

void philox(uint32_t (&counter)[4], uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t(0xD2511F53) * counter[0];
    uint64_t b = uint64_t(0xCD9E8D57) * counter[2];
    uint32_t next0 = uint32_t(b >> 32) ^ counter[1] ^ key0;
    uint32_t next2 = uint32_t(a >> 32) ^ counter[3] ^ key1;
    counter[0] = next0, counter[1] = uint32_t(b);
    counter[2] = next2, counter[3] = uint32_t(a);
    key0 += 0x9E3779B9, key1 += 0xBB67AE85;
  }
}

void restartRandom(uint64_t seed) {
  chirt_seed = seed;
  streams = Streams();
}

RandomState randomState() {
  return {chirt_seed, streams.ordinal, streams.drawn};
}

void setRandomState(const RandomState &state) {
  chirt_seed = state.seed;
  streams.ordinal = state.ordinal;
  streams.drawn = state.drawn;
}
} // namespace chirt

uint32_t chirt_next_ordinal(void) {
  return __atomic_fetch_add(&chirt::streams.ordinal, 1, __ATOMIC_RELAXED);
}

// Kernels count their calls in the third word of the counter, from zero; the
// host's stream lies where no number of calls reaches.
uint64_t chirt_random_host(void) {
  uint64_t n = __atomic_fetch_add(&chirt::streams.drawn, 1, __ATOMIC_RELAXED);
  uint32_t counter[4] = {uint32_t(n), uint32_t(n >> 32), 0xFFFFFFFF,
                         0xFFFFFFFF};
  chirt::philox(counter, uint32_t(chirt_seed), uint32_t(chirt_seed >> 32));
  return uint64_t(counter[1]) << 32 | counter[0];
}
