//===- FieldTest.cpp - Fields: memory, layout, fill, copy -----------------===//
#include "chirt/field/Field.h"
#include "Support.h"
#include <cstdio>
#include <cstring>

namespace {

/// Resident bytes of this process.
long residentBytes() {
  long all = 0, resident = 0;
  if (FILE *file = fopen("/proc/self/statm", "r")) {
    if (fscanf(file, "%ld %ld", &all, &resident) != 2)
      resident = 0;
    fclose(file);
  }
  return resident * 4096;
}

TEST(Field, StartsAsZerosAligned) {
  for (int64_t n : {1, 100, 100'000, 3'000'000}) {
    chirt_field *x = makeField("f32", {n});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(x->data) % 64, 0u);
    EXPECT_EQ(x->elements, n);
    EXPECT_EQ(x->bytes, n * 4);
    EXPECT_EQ(x->extents[1], 1);
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(static_cast<float *>(x->data)[i], 0.0f);
    memset(x->data, 0xff, size_t(x->bytes)); // a later field must not see it
    chirt_field_release(x);
  }
}

TEST(Field, ReusedMemoryIsZero) {
  for (int round = 0; round < 3; ++round) {
    chirt_field *x = makeField("u8", {1 << 20});
    for (int64_t i = 0; i < x->bytes; ++i)
      ASSERT_EQ(static_cast<uint8_t *>(x->data)[i], 0);
    memset(x->data, 1, size_t(x->bytes));
    chirt_field_release(x);
  }
}

TEST(Field, TenThousandLeaveMemoryWhereItWas) {
  auto round = [](int count) {
    for (int k = 0; k < count; ++k) {
      chirt_field *small = makeField("f32:2", {64, 64});
      chirt_field *large = makeField("f64", {300, 300});
      memset(large->data, 1, size_t(large->bytes));
      chirt_field_retain(small);
      chirt_field_release(small);
      chirt_field_release(small);
      chirt_field_release(large);
    }
  };
  round(100);
  long before = residentBytes();
  round(10'000);
#if !__has_feature(address_sanitizer) // it keeps what was freed
  EXPECT_LT(residentBytes() - before, 8 << 20);
#else
  (void)before;
#endif
}

TEST(Field, Descriptions) {
  chirt::FieldType type;
  ASSERT_TRUE(chirt::parseFieldType("f64:2x3;soa;order=2,0,1", type));
  EXPECT_EQ(type.dtype, CHIRT_F64);
  EXPECT_EQ(type.rows, 2);
  EXPECT_EQ(type.columns, 3);
  EXPECT_EQ(type.elementRank, 2);
  EXPECT_TRUE(type.isSoa);
  EXPECT_EQ(type.order[0], 2);
  for (const char *text : {"f31", "", "f32:", "f32:2y", "f32;aso", "str"}) {
    chirt::FieldType other;
    EXPECT_FALSE(chirt::parseFieldType(text, other)) << text;
  }
}

TEST(Field, BadShapesRaise) {
  Ran ran = guarded([] { makeField("f32", {4, -1}); });
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err, "error: a field cannot have the extent -1 (axis 1)\n");
  ran = guarded([] { makeField("f32", {int64_t(1) << 40, int64_t(1) << 40}); });
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("out of memory"), std::string::npos);
  ran = guarded([] { makeField("f64", {int64_t(1) << 42}); });
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("needs 33554432 MiB"), std::string::npos) << ran.err;
}

TEST(Field, EmptyFieldsAreFine) {
  chirt_field *x = makeField("f32", {0, 5});
  EXPECT_EQ(x->elements, 0);
  double sum = 1;
  chirt_field_sum(x, &sum);
  EXPECT_EQ(sum, 0);
  float v = 1;
  chirt_field_fill(x, &v);
  EXPECT_EQ(textOf(x), "[]");
  chirt_field_release(x);
}

TEST(Field, FillBothLayouts) {
  for (const char *desc : {"f32:3", "f32:3;soa"}) {
    chirt_field *x = makeField(desc, {500, 401});
    float v[] = {1, 2, 3};
    chirt_field_fill(x, v);
    for (int64_t i = 0; i < x->elements; ++i)
      for (int c = 0; c < 3; ++c) {
        float got;
        memcpy(&got,
               static_cast<char *>(x->data) + chirt::scalarOffset(x, i, c), 4);
        ASSERT_EQ(got, v[c]);
      }
    chirt_field_release(x);
  }
}

TEST(Field, CopyAcrossLayouts) {
  chirt_field *from = makeField("i32:2;soa;order=1,0", {7, 5});
  chirt_field *to = makeField("i32:2", {7, 5}),
              *same = makeField("i32:2", {7, 5});
  for (int k = 0; k < 70; ++k)
    static_cast<int32_t *>(from->data)[k] = k;
  chirt_field_copy(nullptr, to, from);
  EXPECT_EQ(textOf(to), textOf(from));
  chirt_field_copy(nullptr, same, to);
  EXPECT_EQ(textOf(same), textOf(from));
  // Element (2, 3), component 1: stored column by column, second block.
  EXPECT_EQ(static_cast<int32_t *>(to->data)[(2 * 5 + 3) * 2 + 1],
            35 + 3 * 7 + 2);
  for (chirt_field *f : {from, to, same})
    chirt_field_release(f);
}

TEST(Field, CopyOfOtherShapesRaises) {
  chirt_field *a = makeField("f32", {3}), *b = makeField("f32", {4});
  chirt_site site = {"none.chi", 3,       5, 9,  CHIRT_SITE_CALL, "", 0, 0,
                     nullptr,    nullptr, 0, -1, nullptr};
  Ran ran = guarded([&] { chirt_field_copy(&site, a, b); });
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err,
            "none.chi:3:5: error: copy_from: the fields have different "
            "shapes, (3,) and (4,)\n");
  chirt_field_release(a);
  chirt_field_release(b);
}

TEST(Field, WalkFollowsTheOrder) {
  chirt_field *x = makeField("f32;order=1,2,0", {2, 3, 4});
  chirt::LogicalWalk walk(x);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k, walk.next())
        ASSERT_EQ(walk.storage(), (j * 4 + k) * 2 + i);
  chirt::LogicalWalk middle(x, 17);
  EXPECT_EQ(middle.indices()[0], 1);
  EXPECT_EQ(middle.indices()[1], 1);
  EXPECT_EQ(middle.indices()[2], 1);
  chirt_field_release(x);
}

} // namespace
