#include "held.hpp"
using namespace held;

static void diagonal(int n, int m, int d, const uint8_t *a, const uint8_t *b,
                     const int *__restrict old, const int *__restrict last,
                     int *__restrict next, int *__restrict top) {
  for (int i = std::max(1, d - m); i <= std::min(n, d - 1); i++) {
    int same = a[i - 1] == b[d - i - 1] ? 3 : -3;
    int best = std::max(0, old[i - 1] + same);
    next[i] = std::max(best, std::max(last[i - 1], last[i]) - 2);
    top[i] = std::max(top[i], next[i]);
  }
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 500), m = flag(argc, argv, "m", 700);
  const int repeats = flag(argc, argv, "repeats", 30);
  std::vector<uint8_t> a(n), b(m);
  std::vector<int> top(n + 1), x(n + 1), y(n + 1), z(n + 1);
  for (int i = 0; i < n; i++)
    a[i] = uint8_t(below(4, 1, i));
  for (int j = 0; j < m; j++)
    b[j] = uint8_t(below(4, 2, j / 2));
  auto clear = [&] {
    for (auto *rows : {&top, &x, &y, &z})
      std::fill(rows->begin(), rows->end(), 0);
  };
  time(repeats, clear, [&] {
    int *old = x.data(), *last = y.data(), *next = z.data();
    for (int d = 2; d <= n + m; d++) {
      diagonal(n, m, d, a.data(), b.data(), old, last, next, top.data());
      int *free = old;
      old = last;
      last = next;
      next = free;
    }
  });
  long sum = 0, most = 0;
  for (int best : top) {
    sum += best;
    most = std::max(most, long(best));
  }
  std::printf("check: %ld\n", 1000 * most + sum % 1000);
}
