#include "held.hpp"
using namespace held;

struct Vec {
  float x, y, z;
};

static float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static void trace(int n, int count, const Vec *centre, const float *radius,
                  float *depth) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      Vec ray{(j + 0.5f) / n - 0.5f, (i + 0.5f) / n - 0.5f, 1};
      float norm = std::sqrt(dot(ray, ray));
      ray = {ray.x / norm, ray.y / norm, ray.z / norm};
      float nearest = 1e9f;
      for (int s = 0; s < count; s++) {
        float along = dot(ray, centre[s]);
        float inside =
            along * along - dot(centre[s], centre[s]) + radius[s] * radius[s];
        if (inside > 0) {
          float t = along - std::sqrt(inside);
          if (t > 0 && t < nearest)
            nearest = t;
        }
      }
      depth[i * n + j] = nearest;
    }
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 160);
  const int count = flag(argc, argv, "count", 48);
  const int repeats = flag(argc, argv, "repeats", 100);
  std::vector<Vec> centre(count);
  std::vector<float> radius(count), depth(n * n);
  for (int s = 0; s < count; s++) {
    centre[s] = {4 * uniform(1, s) - 2, 4 * uniform(2, s) - 2,
                 3 + 5 * uniform(3, s)};
    radius[s] = 0.1f + 0.4f * uniform(4, s);
  }
  time(repeats,
       [&] { trace(n, count, centre.data(), radius.data(), depth.data()); });
  double total = 0;
  for (float far : depth)
    total += far < 1e9f ? far : 0;
  std::printf("check: %.3f\n", total);
}
