//===- UnicodeTest.cpp - Code points --------------------------------------===//
#include "chi/Support/Unicode.h"
#include "gtest/gtest.h"

using namespace chi;

TEST(Unicode, DecodesAndEncodes) {
  for (uint32_t c : {0x41u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFDu, 0x10000u,
                     0x10FFFFu}) {
    std::string text;
    ASSERT_TRUE(appendUtf8(text, c));
    auto read = decodeUtf8(text);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->value, c);
    EXPECT_EQ(read->size, text.size());
  }
  std::string text;
  EXPECT_FALSE(appendUtf8(text, 0xD800));
  EXPECT_FALSE(appendUtf8(text, 0x110000));
  EXPECT_EQ(text, "");
}

TEST(Unicode, RefusesMalformed) {
  // A lone continuation, an overlong form, a surrogate, too large, cut short.
  for (const char *bad : {"\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
                          "\xF4\x90\x80\x80", "\xE2\x82", "\xFF"})
    EXPECT_FALSE(decodeUtf8(bad).has_value()) << bad;
  EXPECT_EQ(findInvalidUtf8("abc\xC3\xA9"), std::nullopt);
  EXPECT_EQ(findInvalidUtf8("ab\xFF"), std::optional<size_t>(2));
}

TEST(Unicode, Widths) {
  EXPECT_EQ(displayWidth('a'), 1u);
  EXPECT_EQ(displayWidth(0x6F22), 2u);
  EXPECT_EQ(displayWidth(0x301), 0u);
}

TEST(Unicode, NameLetters) {
  for (uint32_t c : {0xE9u, 0x3B1u, 0x6F22u, 0x210Fu, 0x1D6FCu})
    EXPECT_TRUE(isNameCodePoint(c, true)) << c;
  for (uint32_t c : {0xA0u, 0xB2u, 0xD7u, 0x2212u, 0x201Cu, 0x2202u, 0xFEFFu,
                     0xE000u})
    EXPECT_FALSE(isNameCodePoint(c, true)) << c;
  EXPECT_FALSE(isNameCodePoint(0x301, true));
  EXPECT_TRUE(isNameCodePoint(0x301, false));
}
