//===- BytesTest.cpp - Fields as bytes, drawings, pipes -------------------===//
#include "Support.h"
#include <cmath>
#include <cstring>
#include <filesystem>

namespace {

TEST(Bytes, NumbersThereAndBack) {
  for (const char *desc : {"f32", "f64:2", "i16", "f32:2;soa", "u8"})
    for (int swaps : {0, 1}) {
      chirt_field *x = makeField(desc, {2, 3}), *y = makeField(desc, {2, 3});
      auto *data = static_cast<uint8_t *>(x->data);
      for (int64_t k = 0; k < x->bytes; ++k)
        data[k] = uint8_t(k % 60);
      int64_t components = x->rows * x->columns;
      chirt_field *bytes = chirt_bytes_of(nullptr, x, "f64", swaps);
      EXPECT_EQ(bytes->elements, 6 * components * 8);
      chirt_bytes_to(nullptr, bytes, 0, 8 * components, "f64", swaps, y);
      EXPECT_EQ(memcmp(x->data, y->data, size_t(x->bytes)), 0) << desc;
      for (chirt_field *field : {x, y, bytes})
        chirt_field_release(field);
    }
}

TEST(Bytes, ColumnsOfRows) {
  chirt_field *bytes = makeField("u8", {3 * 5}), *x = makeField("f32", {3});
  auto *data = static_cast<uint8_t *>(bytes->data);
  for (int k = 0; k < 3; ++k) {
    data[5 * k + 1] = uint8_t(k + 1); // big-endian: 256 (k + 1) + 7
    data[5 * k + 2] = 7;
  }
  chirt_bytes_to(nullptr, bytes, 1, 5, "u16", 1, x);
  EXPECT_EQ(static_cast<float *>(x->data)[2], 3 * 256 + 7);
  Ran ran = guarded([&] { chirt_bytes_to(nullptr, bytes, 6, 5, "u16", 1, x); });
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("the file ends early"), std::string::npos) << ran.err;
  ran = guarded(
      [&] { chirt_bytes_to(nullptr, bytes, 0, INT64_MAX / 2, "u16", 0, x); });
  EXPECT_EQ(ran.status, 2);
  chirt_field_release(bytes);
  chirt_field_release(x);
}

TEST(Bytes, NumbersInText) {
  const char text[] = "1.5 +2e3 nan 1_0 0x10 -";
  chirt_field *bytes = makeField("u8", {sizeof(text) - 1});
  memcpy(bytes->data, text, sizeof(text) - 1);
  auto number = [&](int64_t from, int64_t to) {
    return chirt_bytes_number(nullptr, bytes, from, to);
  };
  EXPECT_EQ(number(0, 3), 1.5);
  EXPECT_EQ(number(4, 8), 2000);
  EXPECT_TRUE(std::isnan(number(9, 12)));
  EXPECT_TRUE(std::isnan(number(13, 16)));
  EXPECT_TRUE(std::isnan(number(22, 23)));
  EXPECT_TRUE(std::isnan(number(0, 0)));
  EXPECT_EQ(guarded([&] { number(20, 40); }).status, 2);
  EXPECT_EQ(guarded([&] { number(-1, 2); }).status, 2);
  chirt_field_release(bytes);
}

TEST(Bytes, FilesThatAreTooLarge) {
  auto path = std::filesystem::temp_directory_path() / "chirt_bytes";
  chirt_field *bytes = makeField("u8", {4});
  chirt_bytes_write(nullptr, path.c_str(), "head", bytes, 2, "tail");
  chirt_field *back = chirt_bytes_read(nullptr, path.c_str(), 10);
  EXPECT_EQ(std::string(static_cast<char *>(back->data), 10),
            std::string("head\0\0tail", 10));
  Ran ran = guarded([&] { chirt_bytes_read(nullptr, path.c_str(), 9); });
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("has 10 bytes, more than the 9 allowed"),
            std::string::npos);
  EXPECT_EQ(guarded([&] {
              chirt_bytes_write(nullptr, path.c_str(), "", bytes, 5, "");
            }).status,
            2);
  chirt_field_release(bytes);
  chirt_field_release(back);
  std::filesystem::remove(path);
}

TEST(Bytes, DrawingsOfAnyNumbers) {
  // What is no drawing ends it, and is no fault.
  chirt_object *texts = chirt_list_new("s");
  chirt_field *pixels = makeField("u8", {0});
  auto path = std::filesystem::temp_directory_path() / "chirt_bytes.svg";
  for (double operation = -1; operation < 15; ++operation)
    for (double operand : {-1.0, 0.0, 1e18, double(NAN)}) {
      chirt_object *numbers = chirt_list_new("d");
      for (double number : {operation, operand, operand}) {
        int64_t word;
        memcpy(&word, &number, 8);
        chirt_list_push(numbers, word);
      }
      Ran ran = guarded([&] {
        chirt_draw(nullptr, path.c_str(), 10, 10, numbers, texts, pixels);
      });
      EXPECT_TRUE(ran.status == 0 || ran.status == 2) << ran.err;
      chirt_object_release(numbers);
    }
  chirt_object_release(texts);
  chirt_field_release(pixels);
  std::filesystem::remove(path);
}

} // namespace
