//===- UnicodeTest.cpp - Code points --------------------------------------===//
#include "chi/Support/Unicode.h"
#include "gtest/gtest.h"

using namespace chi;

TEST(Unicode, DecodesAndEncodes) {
  for (uint32_t c :
       {0x41u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFDu, 0x10000u, 0x10FFFFu}) {
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

// The bytes of RFC 3629's table, at both ends of each length.
TEST(Unicode, EncodesAsTheStandardSays) {
  for (auto [codePoint, bytes] : {std::pair(0x00u, std::string(1, '\0')),
                                  {0x7Fu, "\x7F"},
                                  {0x80u, "\xC2\x80"},
                                  {0x7FFu, "\xDF\xBF"},
                                  {0x800u, "\xE0\xA0\x80"},
                                  {0xD7FFu, "\xED\x9F\xBF"},
                                  {0xE000u, "\xEE\x80\x80"},
                                  {0xFFFFu, "\xEF\xBF\xBF"},
                                  {0x10000u, "\xF0\x90\x80\x80"},
                                  {0x10FFFFu, "\xF4\x8F\xBF\xBF"}}) {
    std::string text = "a";
    EXPECT_TRUE(appendUtf8(text, codePoint)) << codePoint;
    EXPECT_EQ(text, "a" + bytes) << codePoint;
  }
}

// What follows a code point does not belong to it.
TEST(Unicode, DecodesOnlyTheFirst) {
  auto first = decodeUtf8("\xC3\xA9\xC3\xA8");
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->value, 0xE9u);
  EXPECT_EQ(first->size, 2u);
  auto ascii = decodeUtf8("z\x80");
  ASSERT_TRUE(ascii.has_value());
  EXPECT_EQ(ascii->value, unsigned('z'));
  EXPECT_EQ(ascii->size, 1u);
}

// Each end of what a lead byte allows: the nearest forms that are malformed.
TEST(Unicode, RefusesTheNearestMalformedForms) {
  for (const char *bad : {"\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF",
                          "\xED\xBF\xBF", "\xF5\x80\x80\x80", "\xC3", "\xC3(",
                          "\xE2\x82(", "\xF0\x9F\x98", "\xF0(\x98\x80", "\xBF"})
    EXPECT_FALSE(decodeUtf8(bad).has_value()) << bad;
}

// The offset is that of the first byte of the malformed sequence.
TEST(Unicode, FindsTheFirstMalformedByte) {
  EXPECT_EQ(findInvalidUtf8(""), std::nullopt);
  EXPECT_EQ(findInvalidUtf8(std::string("a\0b", 3)), std::nullopt);
  EXPECT_EQ(findInvalidUtf8("\x80"), std::optional<size_t>(0));
  EXPECT_EQ(findInvalidUtf8("\xC3\xA9\xC3"), std::optional<size_t>(2));
  EXPECT_EQ(findInvalidUtf8("a\xE2\x82z\xFF"), std::optional<size_t>(1));
}

TEST(Unicode, CountsCodePoints) {
  EXPECT_EQ(countCodePoints(""), 0u);
  EXPECT_EQ(countCodePoints("chi\n"), 4u);
  // One of each length: a, é, €, 😀.
  EXPECT_EQ(countCodePoints("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), 4u);
  // A mark counts by itself, as Python's len does.
  EXPECT_EQ(countCodePoints("e\xCC\x81"), 2u);
}

TEST(Unicode, Widths) {
  for (uint32_t narrow : {0x20u, 0x61u, 0x7Eu, 0xE9u, 0x3B1u, 0x2202u, 0xFF71u})
    EXPECT_EQ(displayWidth(narrow), 1u) << narrow;
  // Kanji, kana, Hangul and full-width Latin letters take two cells.
  for (uint32_t wide : {0x6F22u, 0x3042u, 0x30A2u, 0xAC00u, 0xFF21u, 0x20000u})
    EXPECT_EQ(displayWidth(wide), 2u) << wide;
  // Marks stand on the letter before them; controls are not shown.
  for (uint32_t none : {0x0u, 0x9u, 0x1Bu, 0x301u, 0x20D7u})
    EXPECT_EQ(displayWidth(none), 0u) << none;
  // What is no code point is shown as one replacement character.
  EXPECT_EQ(displayWidth(0xD800), 1u);
  EXPECT_EQ(displayWidth(0x110000), 1u);
}

// One letter of each living script that programs may be written in.
TEST(Unicode, LettersOfManyScripts) {
  for (uint32_t c :
       {0xF1u /*Latin*/, 0x3A9u /*Greek*/, 0x416u /*Cyrillic*/,
        0x561u /*Armenian*/, 0x5D0u /*Hebrew*/, 0x639u /*Arabic*/,
        0x905u /*Devanagari*/, 0xE01u /*Thai*/, 0x10D0u /*Georgian*/,
        0x1E00u /*Latin, extended*/, 0x3042u /*Hiragana*/, 0x30A2u /*Katakana*/,
        0xAC00u /*Hangul*/, 0x20000u /*ideographs beyond the first plane*/})
    for (bool isFirst : {true, false})
      EXPECT_TRUE(isNameCodePoint(c, isFirst)) << c;
}

// Signs that look like operators, spaces or quotes are no part of a name, in
// no place of it.
TEST(Unicode, SignsAreNotLetters) {
  for (uint32_t c : {0xA0u /*no-break space*/,
                     0xABu,
                     0xB7u,
                     0xD7u,
                     0xF7u,
                     0x2000u,
                     0x200Bu /*zero-width space*/,
                     0x2013u,
                     0x2028u,
                     0x202Eu,
                     0x20ACu,
                     0x2190u,
                     0x221Au,
                     0x2264u,
                     0x2500u,
                     0x3000u /*ideographic space*/,
                     0xFF08u,
                     0xFF1Bu,
                     0xF8FFu,
                     0xFEFFu,
                     0x1F600u,
                     0xE0001u,
                     0x10FFFFu})
    for (bool isFirst : {true, false})
      EXPECT_FALSE(isNameCodePoint(c, isFirst)) << c;
}

TEST(Unicode, NameLetters) {
  for (uint32_t c : {0xE9u, 0x3B1u, 0x30FCu, 0x6F22u, 0x210Fu, 0x1D6FCu})
    EXPECT_TRUE(isNameCodePoint(c, true)) << c;
  for (uint32_t c : {0xA0u, 0xB2u, 0xD7u, 0x1680u, 0x2212u, 0x201Cu, 0x2202u,
                     0xFEFFu, 0xE000u})
    EXPECT_FALSE(isNameCodePoint(c, true)) << c;
  // Marks may not come first: both ends of their block.
  for (uint32_t mark : {0x300u, 0x301u, 0x36Fu}) {
    EXPECT_FALSE(isNameCodePoint(mark, true)) << mark;
    EXPECT_TRUE(isNameCodePoint(mark, false)) << mark;
  }
}
