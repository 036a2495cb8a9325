//===- CheckpointTest.cpp - The texts of checkpoints, durations -----------===//
#include "chirt/checkpoint/Bits.h"
#include "chirt/checkpoint/Json.h"
#include "chirt/host.h"

#include "Support.h"
#include <cmath>
#include <string>

using namespace chirt;

TEST(Checkpoint, JsonIsReadAsItWasWritten) {
  JsonWriter json;
  json.add("format", "a \"b\" \\ \n\t\x01 é");
  json.begin("values");
  json.add("x", "");
  json.addNull("y");
  json.begin("z");
  json.add("view of", "x");
  json.end();
  json.end();
  json.begin("none");
  json.end();
  JsonReader reader;
  ASSERT_TRUE(reader.read(json.finish()));
  EXPECT_EQ(reader.text("format"), "a \"b\" \\ \n\t\x01 é");
  EXPECT_EQ(reader.text("values", "z", "view of"), "x");
  EXPECT_NE(reader.text("values", "x").data(), nullptr);
  EXPECT_EQ(reader.text("values", "y").data(), nullptr);
  EXPECT_TRUE(reader.has("values", "y"));
  EXPECT_TRUE(reader.has("values", "z"));
  EXPECT_FALSE(reader.has("values", "w"));
  EXPECT_EQ(reader.text("values", "z").data(), nullptr);
}

TEST(Checkpoint, JsonThatIsCutIsNone) {
  JsonWriter json;
  json.begin("values");
  json.add("x", "1\n");
  json.addNull("y");
  json.end();
  std::string whole(json.finish());
  for (size_t end = 0; end + 1 < whole.size(); ++end)
    EXPECT_FALSE(JsonReader().read(whole.substr(0, end))) << end;
  for (const char *text : {"", "[]", "{\"a\": 1}", "{\"a\": \"\\u0100\"}",
                           "{\"a\": {\"b\": {\"c\": {\"d\": \"\"}}}}", "{} {}",
                           "{\"a\" \"b\"}", "{\"a\": nul"})
    EXPECT_FALSE(JsonReader().read(text)) << text;
}

TEST(Checkpoint, ScalarsKeepTheirBits) {
  for (double value : {1.5, -0.0, 1e-310, double(INFINITY), double(NAN)}) {
    int64_t bits, back = 0;
    memcpy(&bits, &value, sizeof(bits));
    Text text;
    appendScalar(text, CHIRT_F64, bits);
    EXPECT_TRUE(readScalar(text, CHIRT_F64, back)) << std::string(text.view());
    EXPECT_EQ(bits, back);
    EXPECT_FALSE(readScalar(text, CHIRT_F32, back));
  }
  Text text;
  appendScalar(text, CHIRT_I8, 0xff);
  EXPECT_EQ(text.view(), "i8 ff -1");
  int64_t bits = 0;
  EXPECT_FALSE(readScalar("i8 f", CHIRT_I8, bits));
  EXPECT_FALSE(readScalar("i8 fg -1", CHIRT_I8, bits));
  EXPECT_FALSE(readScalar("", CHIRT_I8, bits));
}

TEST(Checkpoint, NumbersAreDecimal) {
  int64_t number = 0;
  EXPECT_TRUE(readNumber("-512", number));
  EXPECT_EQ(number, -512);
  for (const char *text : {"", "-", "12x", " 1", "9999999999999999999"})
    EXPECT_FALSE(readNumber(text, number)) << text;
}

