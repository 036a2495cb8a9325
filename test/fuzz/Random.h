//===- Random.h - Repeatable choices ----------------------------*- C++ -*-===//
#ifndef CHI_FUZZ_RANDOM_H
#define CHI_FUZZ_RANDOM_H

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace chi::fuzz {

/// SplitMix64 (Steele, Lea, Flood, 2014): the same choices for one seed on
/// every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  /// From 0 to n - 1; 0 if n is 0.
  size_t below(size_t n) { return n ? next() % n : 0; }
  bool chance(unsigned percent) { return below(100) < percent; }
  std::string pick(std::initializer_list<const char *> words) {
    return words.begin()[below(words.size())];
  }
  template <typename T> const T &pick(const std::vector<T> &from) {
    return from[below(from.size())];
  }

private:
  uint64_t state;
};

/// A changed copy of a program of `corpus` (which must not be empty).
std::string mutate(const std::vector<std::string> &corpus, Random &random);

/// A program derived from the grammar. With `isMeaningful` most of its names
/// exist and most of its types fit.
std::string generate(Random &random, bool isMeaningful);

} // namespace chi::fuzz
#endif // CHI_FUZZ_RANDOM_H
