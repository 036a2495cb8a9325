//===- BuiltinNamesTest.cpp - Words, members, and what others call them ---===//
#include "chi/Sema/Builtins/BuiltinNames.h"
#include "chi/Sema/Builtins/Foreign.h"
#include "chi/Sema/Builtins/Members.h"
#include "gtest/gtest.h"

using namespace chi::sema;

TEST(BuiltinNames, AreFoundByTheirNames) {
  EXPECT_EQ(findBuiltin("print"), BuiltinName::Print);
  EXPECT_EQ(builtinText(BuiltinName::Print), "print");
  EXPECT_EQ(findBuiltin("no_such_builtin"), std::nullopt);
  EXPECT_TRUE(isOnlyInFor(*findBuiltin("ndrange")));
  EXPECT_FALSE(isOnlyInFor(BuiltinName::Print));
  auto atan2 = mathFunction(*findBuiltin("atan2"));
  ASSERT_TRUE(atan2.has_value());
  EXPECT_EQ(atan2->op, Builtin::Atan2);
  EXPECT_EQ(atan2->arity, 2u);
  EXPECT_FALSE(mathFunction(BuiltinName::Print).has_value());
}

TEST(BuiltinNames, TheNearestSpelling) {
  EXPECT_EQ(nearest("lenght", {"length", "width"}), "length");
  EXPECT_EQ(nearest("wdith", {"length", "width"}), "width");
  EXPECT_EQ(nearest("height", {"length", "width"}), "");
}

TEST(Members, OfTypes) {
  TypeContext types;
  TypeRef vec = types.vec(3, types.f32), mat = types.mat(3, 3, types.f32);
  TypeRef field = types.field(types.f32, {-1}, Layout::AoS, {});
  EXPECT_EQ(methodTakes(vec, "dot"), true);
  EXPECT_EQ(methodTakes(vec, "norm_sqr"), false);
  EXPECT_EQ(methodTakes(vec, "determinant"), std::nullopt);
  EXPECT_EQ(methodTakes(mat, "determinant"), false);
  EXPECT_EQ(methodTakes(types.mat(3, 2, types.f32), "determinant"),
            std::nullopt);
  EXPECT_EQ(methodTakes(field, "fill"), true);
  EXPECT_EQ(methodTakes(field, "norm"), std::nullopt);
  EXPECT_EQ(membersOf(field).front(), "shape");
}

TEST(Members, Swizzles) {
  EXPECT_EQ(swizzle("zx", 3), (std::vector<unsigned>{2, 0}));
  EXPECT_EQ(swizzle("rgb", 3), (std::vector<unsigned>{0, 1, 2}));
  EXPECT_TRUE(swizzle("xg", 3).empty()); // letters of two kinds
  EXPECT_TRUE(swizzle("z", 2).empty());
}

TEST(Foreign, WhatStandsForIt) {
  EXPECT_EQ(foreignType("double"), "f64");
  EXPECT_EQ(foreignType("f64"), "");
  EXPECT_TRUE(isForeignAlias("np"));
  EXPECT_FALSE(isForeignAlias("math"));
  EXPECT_FALSE(foreignModule("numpy").empty());
  EXPECT_TRUE(foreignModule("fluid").empty());
  EXPECT_EQ(filledIn("$.sum() / n", "x"), "x.sum() / n");
}
