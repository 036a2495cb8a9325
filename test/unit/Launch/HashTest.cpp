#include "chi/Launch/Hash.h"
#include <gtest/gtest.h>
#include <set>

using namespace chi::launch;

TEST(Hash, IsHexOf128Bits) {
  EXPECT_EQ(hashBytes("").hex().size(), 32u);
  EXPECT_EQ(hashBytes("a"), hashBytes("a"));
}

// Every byte counts, in every place of a word, and so does the length.
TEST(Hash, DiffersByOneByte) {
  std::set<std::string> seen;
  std::string text(40, 'x');
  for (size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = 'y';
    seen.insert(hashBytes(changed).hex());
  }
  for (size_t n = 0; n <= text.size(); ++n)
    seen.insert(hashBytes(std::string(n, '\0')).hex());
  EXPECT_EQ(seen.size(), 40u + 41u);
}

// No two lists of parts give one key, however the bytes fall.
TEST(KeyText, KeepsPartsApart) {
  auto key = [](auto... parts) {
    KeyText text;
    (text.add("p", parts), ...);
    return text.hash().hex();
  };
  EXPECT_NE(key("ab", "c"), key("a", "bc"));
  EXPECT_NE(key("ab"), key("a", "b"));
  EXPECT_NE(KeyText().add("a", "").hash(), KeyText().add("", "a").hash());
}
