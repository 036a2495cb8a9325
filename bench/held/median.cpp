#include "held.hpp"
using namespace held;
using u8 = uint8_t;

static void sort(u8 &a, u8 &b, u8 &c) {
  u8 low = std::min(a, b), high = std::max(a, b), rest = std::min(high, c);
  a = std::min(low, rest);
  b = std::max(low, rest);
  c = std::max(high, c);
}

static void filter(int n, const u8 *__restrict picture, u8 *__restrict smooth) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      const u8 *at = picture + i * n + j;
      u8 a = at[-n - 1], b = at[-n], c = at[-n + 1];
      u8 d = at[-1], e = at[0], f = at[1];
      u8 g = at[n - 1], h = at[n], k = at[n + 1];
      sort(a, b, c);
      sort(d, e, f);
      sort(g, h, k);
      u8 high = std::max(std::max(a, d), g), low = std::min(std::min(c, f), k);
      sort(b, e, h);
      sort(high, e, low);
      smooth[i * n + j] = e;
    }
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 1024);
  const int repeats = flag(argc, argv, "repeats", 400);
  std::vector<u8> picture(n * n), smooth(n * n);
  for (int i = 0; i < n * n; i++)
    picture[i] = u8(hash32(i) >> 24);
  time(repeats, [&] { filter(n, picture.data(), smooth.data()); });
  long total = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      total += long(smooth[i * n + j]) * (1 + (3 * i + j) % 11);
  std::printf("check: %ld\n", total);
}
