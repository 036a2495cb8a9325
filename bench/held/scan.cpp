#include "held.hpp"
using namespace held;

static void add(int n, int apart, const uint32_t *__restrict old,
                uint32_t *__restrict next) {
  for (int i = 0; i < n; i++)
    next[i] = i >= apart ? old[i] + old[i - apart] : old[i];
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 50000);
  const int repeats = flag(argc, argv, "repeats", 100);
  std::vector<uint32_t> data(n), u, w(n);
  for (int i = 0; i < n; i++)
    data[i] = hash32(i) >> 20;
  uint32_t *old = nullptr, *next = nullptr;
  time(
      repeats, [&] { u = data; },
      [&] {
        old = u.data();
        next = w.data();
        for (int apart = 1; apart < n; apart *= 2) {
          add(n, apart, old, next);
          std::swap(old, next);
        }
      });
  std::printf("check: %lu\n", uint64_t(old[n - 1]) + old[n / 2]);
}
