// Conway's Game of Life on a torus: the ends of a row apart from its middle.
#include "peer.hpp"
using u8 = uint8_t;

static inline u8 next(int around, u8 self) {
  return around == 3 || (around == 2 && self == 1);
}

static void step(long n, const u8 *__restrict u, u8 *__restrict w) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++) {
    const u8 *up = u + (i == 0 ? n - 1 : i - 1) * n, *mid = u + i * n;
    const u8 *down = u + (i == n - 1 ? 0 : i + 1) * n;
    u8 *out = w + i * n;
    auto end = [&](long j, long left, long right) {
      out[j] = next(up[left] + up[j] + up[right] + mid[left] + mid[right] +
                        down[left] + down[j] + down[right],
                    mid[j]);
    };
    end(0, n - 1, 1);
#pragma omp simd
    for (long j = 1; j < n - 1; j++) {
      u8 around = u8(up[j - 1] + up[j] + up[j + 1] + mid[j - 1] + mid[j + 1] +
                     down[j - 1] + down[j] + down[j + 1]);
      out[j] = u8((around == 3) | ((around == 2) & (mid[j] == 1)));
    }
    end(n - 1, n - 2, 0);
  }
}

int main(int argc, char **argv) {
  const long n = peer::flag(argc, argv, "n", 64);
  const long steps = peer::flag(argc, argv, "steps", 20);
  peer::Field<u8> first(n * n), second(n * n);
  u8 *a = first.data(), *b = second.data();
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      uint32_t h = uint32_t(i) * 0x9E3779B1u ^ uint32_t(j) * 0x85EBCA77u;
      a[i * n + j] = ((h ^ (h >> 15)) * 0x846ca68bu) >> 31;
    }
  peer::timeSteps(steps, a, b, [n](const u8 *u, u8 *w) { step(n, u, w); });
  long alive = 0, weight = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      alive += a[i * n + j];
      weight += a[i * n + j] * ((i * 31 + j * 17) % 1009);
    }
  std::printf("alive = %ld\nweight = %ld\n", alive, weight);
}
