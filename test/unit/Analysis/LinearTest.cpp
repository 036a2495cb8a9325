//===- LinearTest.cpp - Sums of symbols -----------------------------------===//
#include "chi/Analysis/Linear.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace chi::analysis;

namespace {
class LinearTest : public ::testing::Test {
protected:
  LinearTest() {
    mlir::Location loc = mlir::UnknownLoc::get(&context);
    mlir::Type i32 = mlir::IntegerType::get(&context, 32);
    for (int k = 0; k < 12; ++k)
      symbols.push_back({block.addArgument(i32, loc)});
  }

  mlir::MLIRContext context;
  mlir::Block block;
  std::vector<Symbol> symbols;
};

TEST_F(LinearTest, AddsAndCancels) {
  Linear a(symbols[0]), b(symbols[1]);
  Linear sum = *a.plus(b, 3)->plusConstant(5);
  EXPECT_EQ(sum.factorOf(symbols[1]), 3);
  EXPECT_EQ(sum.getConstant(), 5);
  Linear back = *sum.plus(a, -1)->plus(b, -3);
  EXPECT_TRUE(back.isConstant());
  EXPECT_EQ(back, Linear(5));
  EXPECT_EQ(*a.plus(b), *b.plus(a));
}

TEST_F(LinearTest, Substitutes) {
  Linear sum = *Linear(symbols[0]).times(2)->plus(Linear(symbols[1]));
  Linear by = *Linear(symbols[1]).plusConstant(7);
  Linear result = *sum.substitute(symbols[0], by);
  EXPECT_EQ(result.factorOf(symbols[0]), 0);
  EXPECT_EQ(result.factorOf(symbols[1]), 3);
  EXPECT_EQ(result.getConstant(), 14);
}

TEST_F(LinearTest, GivesUpInsteadOfOverflowing) {
  EXPECT_FALSE(Linear(INT64_MAX).plusConstant(1));
  EXPECT_FALSE(Linear(INT64_MIN).times(-1));
  EXPECT_FALSE(Linear(symbols[0]).times(INT64_MAX)->times(2));
  Linear sum(0);
  std::optional<Linear> last = sum;
  for (Symbol symbol : symbols)
    if (last)
      last = last->plus(Linear(symbol));
  EXPECT_FALSE(last);
}
} // namespace
