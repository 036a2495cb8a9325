//===- FormatTest.cpp - Python's format mini-language ---------------------===//
#include "Support.h"
#include "chirt/text/Element.h"
#include <cmath>

namespace {

std::string format(double value, const char *spec) {
  chirt_fmt_value(CHIRT_F64, 0, 1, 1, &value, spec);
  return takeText();
}
std::string format(float value, const char *spec) {
  chirt_fmt_value(CHIRT_F32, 0, 1, 1, &value, spec);
  return takeText();
}
std::string format(int64_t value, const char *spec) {
  chirt_fmt_value(CHIRT_I64, 0, 1, 1, &value, spec);
  return takeText();
}

struct Case {
  double value;
  const char *spec, *expected;
};
struct IntegerCase {
  int64_t value;
  const char *spec, *expected;
};

// Both tables are what Python 3.11 answers (make_format_cases.py).
const Case floatCases[] = {
#include "FormatFloatCases.inc"
};
const IntegerCase integerCases[] = {
#include "FormatIntegerCases.inc"
};

TEST(Format, FloatsAsPython) {
  for (const Case &c : floatCases)
    EXPECT_EQ(format(c.value, c.spec), c.expected)
        << c.value << " with '" << c.spec << "'";
}

TEST(Format, IntegersAsPython) {
  for (const IntegerCase &c : integerCases)
    EXPECT_EQ(format(c.value, c.spec), c.expected)
        << c.value << " with '" << c.spec << "'";
}

// Python 3.11 answers the same.
TEST(Format, AZeroBesideAnAlignIsTheFill) {
  EXPECT_EQ(format(int64_t(42), "<012x"), "2a0000000000");
  EXPECT_EQ(format(int64_t(-42), "<08d"), "-4200000");
  EXPECT_EQ(format(int64_t(42), "^08"), "00042000");
  EXPECT_EQ(format(int64_t(42), ">08"), "00000042");
  EXPECT_EQ(format(int64_t(-42), "=08"), "-0000042");
  EXPECT_EQ(format(int64_t(42), "*<08"), "42******");
  EXPECT_EQ(format(1.5, "<08"), "1.500000");
  chirt_fmt_str("a", "08");
  chirt_fmt_str("a", ">04");
  EXPECT_EQ(takeText(), "a0000000000a");
}

TEST(Format, ShortestInOwnPrecision) {
  EXPECT_EQ(format(0.1f, ""), "0.1");
  EXPECT_EQ(format(0.1, ""), "0.1");
  EXPECT_EQ(format(double(0.1f), ""), "0.10000000149011612");
  EXPECT_EQ(format(16777216.0f, ""), "16777216.0");
  EXPECT_EQ(format(1e-5f, ""), "1e-05");
  EXPECT_EQ(format(3.4028235e38f, ""), "3.4028235e+38");
  EXPECT_EQ(format(1e-45f, ""), "1e-45");
}

std::string formatHalf(float value) {
  chirt::Half half = chirt::floatToHalf(value);
  chirt_fmt_value(CHIRT_F16, 0, 1, 1, &half, "");
  return takeText();
}

TEST(Format, Halves) {
  EXPECT_EQ(formatHalf(0.1f), "0.1");
  EXPECT_EQ(formatHalf(65504.0f), "65500.0");
  EXPECT_EQ(formatHalf(0x1p-24f), "6e-08");
  EXPECT_EQ(formatHalf(-2.0f), "-2.0");
  EXPECT_EQ(formatHalf(INFINITY), "inf");
}

std::string formatBrain(chirt::Brain brain) {
  chirt_fmt_value(CHIRT_BF16, 0, 1, 1, &brain, "");
  return takeText();
}

TEST(Format, Brains) {
  EXPECT_EQ(formatBrain(chirt::floatToBrain(0.1f)), "0.1");
  EXPECT_EQ(formatBrain({0x7f7f}), "3.39e+38");
  EXPECT_EQ(formatBrain({1}), "9e-41");
  EXPECT_EQ(formatBrain({0x7f80}), "inf");
  EXPECT_EQ(formatBrain(chirt::floatToBrain(NAN)), "nan");
}

TEST(Element, BrainsRoundToNearest) {
  auto bitsOf = [](double value) { return chirt::doubleToBrain(value).bits; };
  EXPECT_EQ(bitsOf(1), 0x3f80);
  EXPECT_EQ(bitsOf(1 + 0x1p-8), 0x3f80);     // halfway: the even one
  EXPECT_EQ(bitsOf(1 + 3 * 0x1p-8), 0x3f82); // the same, upwards
  EXPECT_EQ(bitsOf(-1 - 3 * 0x1p-8), 0xbf82);
  // As a float it is halfway; as a double it lies above.
  EXPECT_EQ(bitsOf(1 + 0x1p-8 + 0x1p-40), 0x3f81);
  EXPECT_EQ(bitsOf(3.4e38), 0x7f80); // rounds to infinity
  EXPECT_EQ(bitsOf(1e300), 0x7f80);
  EXPECT_EQ(bitsOf(0x1p-134), 0);
  EXPECT_EQ(bitsOf(0x1.8p-134), 1);
  EXPECT_EQ(bitsOf(-0.0), 0x8000);
  EXPECT_EQ(chirt::brainToFloat({0x4049}), 3.140625f);
  // The mantissa of a NaN must not overflow into an infinity.
  uint32_t noisy = 0x7fffffff;
  float nan;
  memcpy(&nan, &noisy, 4);
  EXPECT_TRUE(std::isnan(chirt::brainToFloat(chirt::floatToBrain(nan))));
}

TEST(Format, HalvesRoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    chirt::Half half{uint16_t(bits)};
    float value = chirt::halfToFloat(half);
    if (value == value)
      ASSERT_EQ(chirt::floatToHalf(value).bits, half.bits);
  }
}

TEST(Format, BoolsAndTexts) {
  uint8_t yes = 1, no = 0;
  chirt_fmt_value(CHIRT_BOOL, 0, 1, 1, &yes, "");
  chirt_fmt_value(CHIRT_BOOL, 0, 1, 1, &no, "");
  EXPECT_EQ(takeText(), "TrueFalse");
  chirt_fmt_value(CHIRT_BOOL, 0, 1, 1, &yes, "d");
  chirt_fmt_value(CHIRT_BOOL, 0, 1, 1, &yes, "4");
  EXPECT_EQ(takeText(), "1   1");
  chirt_fmt_str("abc", "^7");
  chirt_fmt_str("abcdef", ".2");
  chirt_fmt_str("é", "*>3");
  EXPECT_EQ(takeText(), "  abc  ab**é");
}

TEST(Format, VectorsApplyTheSpecToEachComponent) {
  float v[] = {0.3f, 0.6f};
  chirt_fmt_value(CHIRT_F32, 1, 2, 1, v, "");
  EXPECT_EQ(takeText(), "[0.3, 0.6]");
  chirt_fmt_value(CHIRT_F32, 1, 2, 1, v, ".2f");
  EXPECT_EQ(takeText(), "[0.30, 0.60]");
  int32_t m[] = {1, -2, 3, 4, 5, 6};
  chirt_fmt_value(CHIRT_I32, 2, 2, 3, m, "+d");
  EXPECT_EQ(takeText(), "[[+1, -2, +3], [+4, +5, +6]]");
}

TEST(Format, WrongSpecsAreRefused) {
  chirt::FormatSpec spec;
  for (const char *text : {"q", ".f", "5000", ".", "d5", "08.3fx"})
    EXPECT_FALSE(chirt::parseFormatSpec(text, spec)) << text;
}

TEST(Format, Fields) {
  chirt_field *x = makeField("i32", {2, 3});
  for (int k = 0; k < 6; ++k)
    static_cast<int32_t *>(x->data)[k] = k;
  EXPECT_EQ(textOf(x), "[[0, 1, 2],\n [3, 4, 5]]");
  chirt_field_release(x);
  chirt_field *v = makeField("f32:2", {2000});
  EXPECT_EQ(textOf(v), "[[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], ..., [0.0, 0.0], "
                       "[0.0, 0.0], [0.0, 0.0]]");
  chirt_field_release(v);
}

TEST(Format, TakesAStr) {
  chirt_fmt_text("abc", 3);
  const char *a = chirt_fmt_take();
  EXPECT_TRUE(chirt_str_equal(a, "abc"));
  EXPECT_EQ(takeText(), "");
  chirt_str_release(a);
  EXPECT_LT(chirt_str_compare("a", "b"), 0);
  EXPECT_GT(chirt_str_compare("b", "a"), 0);
}

} // namespace
