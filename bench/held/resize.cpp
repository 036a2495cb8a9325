#include "held.hpp"
using namespace held;

static void resize(int n, int m, int rows, int columns, const float *picture,
                   float *result) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      float y = std::clamp((i + 0.5f) * n / rows - 0.5f, 0.0f, float(n - 1));
      float x = std::clamp((j + 0.5f) * m / columns - 0.5f, 0.0f, float(m - 1));
      int up = int(y), left = int(x);
      int down = std::min(up + 1, n - 1), right = std::min(left + 1, m - 1);
      float v = y - up, u = x - left;
      float top =
          (1 - u) * picture[up * m + left] + u * picture[up * m + right];
      float bottom =
          (1 - u) * picture[down * m + left] + u * picture[down * m + right];
      result[i * columns + j] = (1 - v) * top + v * bottom;
    }
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 480), m = flag(argc, argv, "m", 640);
  const int rows = flag(argc, argv, "rows", 750);
  const int columns = flag(argc, argv, "columns", 1000);
  const int repeats = flag(argc, argv, "repeats", 50);
  std::vector<float> picture(n * m), result(rows * columns);
  for (int i = 0; i < n * m; i++)
    picture[i] = uniform(1, i);
  time(repeats,
       [&] { resize(n, m, rows, columns, picture.data(), result.data()); });
  double total = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      total += double(result[i * columns + j]) * (1 + (3 * i + j) % 11);
  std::printf("check: %.3f\n", total);
}
