#include "held.hpp"
using namespace held;

static int spread(int n, const uint8_t *on, const int *__restrict old,
                  int *__restrict next) {
  int changes = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int at = i * n + j, least = old[at];
      if (on[at]) {
        if (i > 0 && on[at - n])
          least = std::min(least, old[at - n]);
        if (i < n - 1 && on[at + n])
          least = std::min(least, old[at + n]);
        if (j > 0 && on[at - 1])
          least = std::min(least, old[at - 1]);
        if (j < n - 1 && on[at + 1])
          least = std::min(least, old[at + 1]);
      }
      changes += least != old[at];
      next[at] = least;
    }
  return changes;
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 128);
  const int repeats = flag(argc, argv, "repeats", 20);
  std::vector<uint8_t> on(n * n);
  std::vector<int> u(n * n), w(n * n);
  for (int i = 0; i < n * n; i++)
    on[i] = uniform(1, i) < 0.62f;
  auto begin = [&] {
    for (int i = 0; i < n * n; i++)
      u[i] = w[i] = i;
  };
  time(repeats, begin, [&] {
    int *old = u.data(), *next = w.data();
    while (spread(n, on.data(), old, next) > 0)
      std::swap(old, next);
  });
  long total = 0;
  for (int label : u)
    total += label;
  std::printf("check: %ld\n", total);
}
