//===- Hash.cpp -----------------------------------------------------------===//
#include "chi/Launch/Hash.h"
#include <bit>
#include <cstring>

using namespace chi::launch;

namespace {
struct SipState {
  uint64_t v0, v1, v2, v3;

  void round() {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }
  void absorb(uint64_t word) {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
  uint64_t finish() {
    for (int i = 0; i < 4; ++i)
      round();
    return v0 ^ v1 ^ v2 ^ v3;
  }
};
} // namespace

Hash chi::launch::hashBytes(std::string_view bytes) {
  constexpr uint64_t k0 = 0x6368692d63616368, k1 = 0x652d6b6579732d31;
  SipState s{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d ^ 0xee,
             k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};
  size_t whole = bytes.size() / 8 * 8;
  for (size_t i = 0; i < whole; i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    s.absorb(word);
  }
  uint64_t last = uint64_t(bytes.size()) << 56;
  for (size_t i = whole; i < bytes.size(); ++i)
    last |= uint64_t(uint8_t(bytes[i])) << (8 * (i - whole));
  s.absorb(last);
  s.v2 ^= 0xee;
  Hash hash;
  hash.low = s.finish();
  s.v1 ^= 0xdd;
  hash.high = s.finish();
  return hash;
}

std::string Hash::hex() const {
  const char *digits = "0123456789abcdef";
  std::string text;
  for (uint64_t word : {high, low})
    for (int shift = 60; shift >= 0; shift -= 4)
      text += digits[word >> shift & 15];
  return text;
}

KeyText &KeyText::add(std::string_view name, std::string_view value) {
  text += name;
  text += '\0';
  text += std::to_string(value.size());
  text += '\0';
  text += value;
  return *this;
}
