#include "chi/Launch/Hash.h"
#include <gtest/gtest.h>
#include <set>

using namespace chi::launch;

TEST(Hash, IsHexOf128Bits) {
  EXPECT_EQ(hashBytes("").hex().size(), 32u);
  EXPECT_EQ(hashBytes("a"), hashBytes("a"));
}

// SipHash-2-4-128 as its authors define it, under the key of the cache:
// computed by a second implementation that gives
// the authors' own test vectors. Lengths around a word, and beyond 255, whose
// count is one byte.
TEST(Hash, IsSipHash) {
  EXPECT_EQ(hashBytes("").hex(), "863238e5ba11c7c13d698c87a1f09ec1");
  EXPECT_EQ(hashBytes("a").hex(), "5e96f7a8b48bb7deaa09be43874ef862");
  EXPECT_EQ(hashBytes("1234567").hex(), "e12a8acf341f381ce616c98f2e6826a1");
  EXPECT_EQ(hashBytes("12345678").hex(), "853a5e22bacdaba6071444c8575c2eeb");
  EXPECT_EQ(hashBytes("123456789").hex(), "5f903a2cfa970b70d422274d4875ef97");
  EXPECT_EQ(hashBytes(std::string(16, '\xFF')).hex(),
            "e220831e3095a7dffe5a34ee62d7411c");
  EXPECT_EQ(hashBytes(std::string(300, 'x')).hex(),
            "2fd348251874e8cd5942c18874ee9da0");
}

// The high word first, with its zeros.
TEST(Hash, HexHasAllDigits) {
  EXPECT_EQ((Hash{.low = 1, .high = 0}).hex(),
            "00000000000000000000000000000001");
  EXPECT_EQ((Hash{.low = 0xFEDCBA9876543210, .high = 0x00ABCDEF00000000}).hex(),
            "00abcdef00000000fedcba9876543210");
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

// A number is the text of its digits; the order of parts counts.
TEST(KeyText, NumbersAndOrder) {
  EXPECT_EQ(KeyText().add("n", uint64_t(18446744073709551615u)).hash(),
            KeyText().add("n", "18446744073709551615").hash());
  EXPECT_NE(KeyText().add("n", uint64_t(0)).hash(), KeyText().hash());
  EXPECT_NE(KeyText().add("a", "1").add("b", "2").hash(),
            KeyText().add("b", "2").add("a", "1").hash());
  // A value that looks like a part is none.
  EXPECT_NE(
      KeyText().add("a", std::string("x") + '\0' + "1" + '\0' + "1").hash(),
      KeyText().add("a", "x").add("", "1").hash());
}
