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
  EXPECT_EQ(
      types.field(types.vec(2, types.f32), {-1, 3}, Layout::AoS, {})->str(),
      "field(vec2, 2)");
}

TEST(Types, KnowTheirScalars) {
  TypeContext types;
  TypeRef array = types.array(types.vec(2, types.f32), {4});
  EXPECT_EQ(array->scalar(), types.f32);
  EXPECT_EQ(array->numScalars(), 8);
  EXPECT_EQ(types.withScalar(array, types.f64)->scalar(), types.f64);
  EXPECT_EQ(types.str->scalarOrNull(), nullptr);
  EXPECT_EQ(types.tuple({types.f32})->scalarOrNull(), nullptr);
  EXPECT_DEATH((void)types.str->scalar(), "the type has no scalar");
}

TEST(Types, ClassesAreKnownByTheirDeclaration) {
  TypeContext types;
  int here = 0, there = 0; // two declarations
  NamedMember members[] = {{"origin", types.vec(3, types.f32)},
                           {"length", types.f64}};
  TypeRef ray = types.structure(&here, "Ray", members);
  EXPECT_EQ(ray, types.structure(&here, "Ray", members));
  EXPECT_NE(ray, types.structure(&there, "Ray", members));
  EXPECT_NE(ray, types.tuple({types.vec(3, types.f32), types.f64}));
  EXPECT_EQ(ray->str(), "Ray");
  EXPECT_EQ(types.field(ray, {4}, Layout::AoS, {})->str(), "field(Ray, 1)");
  EXPECT_DEATH(types.structure(&here, "Ray", {}),
               "two classes of one identity");
}

TEST(Types, ClassesHaveNamedMembers) {
  TypeContext types;
  int inside = 0, outside = 0;
  TypeRef field = types.field(types.f32, {-1}, Layout::AoS, {});
  TypeRef inner = types.structure(
      &inside, "Inner", {{"at", types.vec(2, types.f32)}, {"grid", field}});
  TypeRef outer =
      types.structure(&outside, "Outer", {{"n", types.i32}, {"in", inner}});
  EXPECT_TRUE(outer->hasMembers());
  EXPECT_FALSE(outer->isTuple());
  EXPECT_EQ(outer->memberNamed("in"), 1u);
  EXPECT_EQ(outer->members[1], inner);
  EXPECT_EQ(outer->memberNamed("at"), std::nullopt);
  EXPECT_EQ(outer->numScalars(), 4); // the field is one handle
  EXPECT_TRUE(outer->holdsField());
  EXPECT_FALSE(outer->holdsStr());
  EXPECT_EQ(outer->scalarOrNull(), nullptr);
  EXPECT_EQ(types.withScalar(outer, types.f64), outer);
}
