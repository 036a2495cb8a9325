#include "held.hpp"
using namespace held;

static void exchange(int n, int size, int apart, int *keys) {
  for (int i = 0; i < n; i++) {
    int partner = i ^ apart;
    if (partner > i) {
      int u = keys[i], v = keys[partner];
      if ((u > v) == ((i & size) == 0)) {
        keys[i] = v;
        keys[partner] = u;
      }
    }
  }
}

int main(int argc, char **argv) {
  const int n = 1 << flag(argc, argv, "log", 13);
  const int repeats = flag(argc, argv, "repeats", 30);
  std::vector<int> data(n), keys;
  for (int i = 0; i < n; i++)
    data[i] = int(hash32(i) >> 8);
  time(
      repeats, [&] { keys = data; },
      [&] {
        for (int size = 2; size <= n; size *= 2)
          for (int apart = size / 2; apart > 0; apart /= 2)
            exchange(n, size, apart, keys.data());
      });
  long total = 0;
  for (int i = 1; i < n; i++)
    total += keys[i - 1] <= keys[i] ? long(keys[i]) * (i % 1009) : -1;
  std::printf("check: %ld\n", total);
}
