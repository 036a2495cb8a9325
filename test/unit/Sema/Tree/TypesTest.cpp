//===- TypesTest.cpp - Interning and names of types -----------------------===//
#include "chi/Sema/Tree/Types.h"
#include "gtest/gtest.h"

using namespace chi::sema;

TEST(Types, EqualTypesAreOneObject) {
  TypeContext types;
  EXPECT_EQ(types.vec(2, types.f32), types.vec(2, types.f32));
  EXPECT_NE(types.vec(2, types.f32), types.vec(2, types.f64));
  EXPECT_EQ(types.intType(32, true), types.i32);
  EXPECT_EQ(types.tuple({types.i32, types.f32}),
            types.tuple({types.i32, types.f32}));
  TypeRef field = types.field(types.f32, {4, -1}, Layout::AoS, {});
  EXPECT_EQ(field, types.field(types.f32, {4, -1}, Layout::AoS, {0, 1}));
  EXPECT_NE(field, types.field(types.f32, {4, -1}, Layout::SoA, {}));
}

TEST(Types, AreWrittenAsUsersWriteThem) {
  TypeContext types;
  EXPECT_EQ(types.vec(2, types.f32)->str(), "vec2");
  EXPECT_EQ(types.vec(3, types.f64)->str(), "dvec3");
  EXPECT_EQ(types.vec(4, types.u32)->str(), "uvec4");
  EXPECT_EQ(types.vec(9, types.f32)->str(), "vec(9, f32)");
  EXPECT_EQ(types.mat(2, 2, types.f32)->str(), "mat2");
  EXPECT_EQ(types.mat(3, 2, types.f32)->str(), "mat(3, 2, f32)");
  EXPECT_EQ(types.array(types.f32, {4, 8})->str(), "array(f32, (4, 8))");
  EXPECT_EQ(types.tuple({types.i32})->str(), "(i32,)");
  EXPECT_EQ(types.field(types.vec(2, types.f32), {-1, 3}, Layout::AoS, {})
                ->str(),
            "field(vec2, 2)");
}

TEST(Types, KnowTheirScalars) {
  TypeContext types;
  TypeRef array = types.array(types.vec(2, types.f32), {4});
  EXPECT_EQ(array->scalar(), types.f32);
  EXPECT_EQ(array->numScalars(), 8);
  EXPECT_EQ(types.withScalar(array, types.f64)->scalar(), types.f64);
  EXPECT_EQ(types.str->scalar(), nullptr);
}
