// What the C++ programs of this folder share. They take the flags of the Chi
// program of their name and print the same lines, so that bench.py compares
// both with golden.json: `… ms per …`, then `name = value`.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <omp.h>
#include <string>
#include <sys/mman.h>

namespace peer {

/// The value of `--name` on the command line.
inline long flag(int argc, char **argv, const char *name, long value) {
  for (int k = 1; k + 1 < argc; k += 2)
    if (std::string("--") + name == argv[k])
      value = std::atol(argv[k + 1]);
  return value;
}

/// Zeroed by the threads that will use it, in huge pages where there are some.
template <class T> class Field {
public:
  explicit Field(size_t size) : size(size) {
    constexpr size_t unit = size_t(2) << 20;
    size_t bytes = (size * sizeof(T) + unit - 1) / unit * unit;
    memory.reset(static_cast<T *>(std::aligned_alloc(unit, bytes)));
    if (!memory)
      std::abort();
    madvise(memory.get(), bytes, MADV_HUGEPAGE);
    char *begin = reinterpret_cast<char *>(memory.get());
#pragma omp parallel for schedule(static)
    for (size_t at = 0; at < bytes; at += 4096)
      std::memset(begin + at, 0, 4096);
  }
  T *data() { return memory.get(); }
  T &operator[](size_t k) { return memory.get()[k]; }
  const size_t size;

private:
  struct Free {
    void operator()(T *memory) const { std::free(memory); }
  };
  std::unique_ptr<T, Free> memory;
};

inline double now() { return omp_get_wtime(); }

inline void report(double seconds, double count, const char *what) {
  std::printf("%.5f ms per %s\n", 1e3 * seconds / std::max(count, 1.0), what);
}

/// Runs step(a, b) with a and b exchanged after each, and reports all steps but
/// the first. In `a` is what the last one wrote.
template <class T, class Step>
void timeSteps(long steps, T *&a, T *&b, Step step) {
  double start = 0;
  for (long s = 0; s < steps; s++) {
    if (s == 1)
      start = now();
    step(a, b);
    std::swap(a, b);
  }
  report(now() - start, double(steps - 1), "step");
}

} // namespace peer
