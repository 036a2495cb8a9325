#include "held.hpp"
using namespace held;

static void compare(int n, const int *first, const int *other,
                    const uint8_t *text, int *order) {
  for (int i = 0; i < n; i++) {
    int a = first[i], b = first[other[i]];
    int size = first[i + 1] - a, others = first[other[i] + 1] - b;
    int most = std::min(size, others), k = 0;
    while (k < most && text[a + k] == text[b + k])
      k++;
    order[i] = k < most ? text[a + k] - text[b + k] : size - others;
  }
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 50000);
  const int repeats = flag(argc, argv, "repeats", 50);
  std::vector<int> first(n + 1), other(n), order(n);
  for (int i = 0; i < n; i++) {
    first[i + 1] = first[i] + 8 + below(25, 1, i);
    other[i] = below(n, 2, i);
  }
  std::vector<uint8_t> text(first[n]);
  for (int i = 0; i < n; i++)
    for (int k = first[i]; k < first[i + 1]; k++)
      text[k] = uint8_t(97 + (k - first[i] < 4 + i % 16 ? 0 : below(26, 3, k)));
  time(repeats, [&] {
    compare(n, first.data(), other.data(), text.data(), order.data());
  });
  long total = 0;
  for (int i = 0; i < n; i++)
    total += long(order[i]) * (i % 1009);
  std::printf("check: %ld\n", total);
}
