//===- RecordsTest.cpp - Failures and texts that tasks leave as numbers ---===//
#include "Support.h"
#include "chirt/failure/Failure.h"
#include <bit>

using namespace chirt;

namespace {

int64_t bits(double value) { return std::bit_cast<int64_t>(value); }

const char *const colours[] = {"red", "green"};
const chirt_format_part parts[] = {
    {"x is ", -1, 0, 5, 1, nullptr, 0}, {".2f", CHIRT_F32, 0, 1, 1, nullptr, 0},
    {", ", -1, 0, 2, 1, nullptr, 0},    {"", CHIRT_STR, 0, 1, 1, colours, 2},
    {" ", -1, 0, 1, 1, nullptr, 0},     {"", CHIRT_I16, 1, 3, 1, nullptr, 0},
    {" ", -1, 0, 1, 1, nullptr, 0},     {"", CHIRT_F16, 2, 2, 1, nullptr, 0},
    {" ", -1, 0, 1, 1, nullptr, 0},     {"", CHIRT_BOOL, 0, 1, 1, nullptr, 0},
    {" ", -1, 0, 1, 1, nullptr, 0},     {"", CHIRT_U64, 0, 1, 1, nullptr, 0},
};
const chirt_format formats[] = {{parts, 12, 9}};
const int64_t words[] = {bits(1.25f), 1,          -1, 2, 3,
                         bits(0.5),   bits(-1.0), 1,  -1};
constexpr const char *text =
    "x is 1.25, green [-1, 2, 3] [[0.5], [-1.0]] True 18446744073709551615";

TEST(Records, AFormatMakesTheTextThatTheDirectCallsMake) {
  Text out;
  appendFormat(out, formats[0], words);
  EXPECT_EQ(std::string(out.view()), text);
}

TEST(Records, ATextThatIsBeingGatheredGoesOn) {
  chirt_fmt_text("a", 1);
  Text out;
  appendFormat(out, formats[0], words);
  chirt_fmt_text("b", 1);
  EXPECT_EQ(takeText(), "ab");
}

TEST(Records, Print) {
  chirt_unit unit = {nullptr, formats, 0, 1};
  Ran ran = catchOutput([&] { return chirt_print_record(&unit, 0, words), 0; });
  EXPECT_EQ(ran.out, text);
}

/// Of a unit with a bounds check and an assertion with a message.
struct Unit {
  uint8_t types[2] = {CHIRT_I32, CHIRT_I32};
  chirt_site sites[2];
  chirt_unit unit;

  Unit() {
    sites[0] = {"none.chi", 3, 1,  2,  CHIRT_SITE_BOUNDS, "x", 0, 2, types,
                "k",        1, -1, "i"};
    sites[1] = {"none.chi", 4, 1, 2,  CHIRT_SITE_ASSERT, "a < b", 0, 2, types,
                "k",        1, 0, "i"};
    unit = {sites, formats, 2, 1};
  }
  void fail(int32_t site, int64_t iteration) {
    int64_t all[CHIRT_RECORD_WORDS] = {7, 5};
    for (int k = 0; k < 9; ++k)
      all[2 + k] = words[k];
    chirt_fail(&unit, site, all, &iteration);
  }
};

TEST(Records, AMessageIsMadeOfTheWordsBehindTheValues) {
  Unit unit;
  unit.fail(1, 8);
  EXPECT_EQ(guarded([] { chirt_check_launch(); }).err,
            std::string("none.chi:4:1: error: assertion `a < b` failed: ") +
                text + " (left is 7, right is 5) [kernel k, iteration i=8]\n");
}

TEST(Records, TheLeastOfManyIsReported) {
  Unit unit;
  for (int64_t i = 1000; i-- > 0;)
    unit.fail(i % 2 == 0, i);
  EXPECT_EQ(chirt_failed, 1);
  std::string said = guarded([] { chirt_check_launch(); }).err;
  EXPECT_NE(said.find("none.chi:4:1:"), said.npos) << said;
  EXPECT_NE(said.find("iteration i=0]"), said.npos) << said;
  // Also when there is no room for those that come later.
  for (int64_t i = 5; i < 1000; ++i)
    unit.fail(0, i);
  unit.fail(0, 2);
  unit.fail(0, 4);
  said = guarded([] { chirt_check_launch(); }).err;
  EXPECT_NE(said.find("iteration i=2]"), said.npos) << said;
  EXPECT_EQ(chirt_failed, 0);
}

TEST(Records, ThoseOfADeviceAreKeptLikeThoseOfTheWorkers) {
  Unit unit;
  chirt_record record = {};
  record.num_axes = 1, record.words[0] = 12, record.words[1] = 10;
  for (int64_t i : {9, 4, 6}) {
    record.iteration[0] = i;
    keepRecord(&unit.unit, record, "");
  }
  EXPECT_EQ(guarded([] { chirt_check_launch(); }).err,
            "none.chi:3:1: error: index 12 is out of bounds for axis 0 of `x` "
            "with size 10 [kernel k, iteration i=4]\n");
}

} // namespace
