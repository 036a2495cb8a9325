//===- AccumulationsTest.cpp - One table of accumulations -----------------===//
// Every kind with every type: the interpreter, the run time and the operations
// of the IR compute the same, and the neutral element changes nothing.
#include "chi/Dialect/Chi/Accumulations.h"
#include "chi/Dialect/Chi/RuntimeFunctions.h"
#include "chi/Interp/Code.h"
#include "chirt/cpu/Combine.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace chi;
using ir::AccumKind;

namespace {
/// A kind with a type that has it.
struct Case {
  AccumKind kind;
  Type type;

  unsigned bits() const { return type.getIntOrFloatBitWidth(); }
  bool isFloat() const { return isa<FloatType>(type); }
};

class AccumulationsTest : public ::testing::Test {
protected:
  AccumulationsTest() : b(&context), loc(b.getUnknownLoc()) {
    context
        .loadDialect<arith::ArithDialect, func::FuncDialect, ir::ChiDialect>();
    b.setInsertionPointToEnd(&block);
  }

  /// Of bools only bits are combined, as bytes in memory.
  std::vector<Case> cases() {
    std::vector<Case> all;
    for (Type type :
         {Type(b.getI8Type()), Type(b.getI16Type()), Type(b.getI32Type()),
          Type(b.getI64Type()), Type(b.getF16Type()), Type(b.getF32Type()),
          Type(b.getF64Type())})
      for (uint32_t kind = 0; auto known = ir::symbolizeAccumKind(kind); ++kind)
        if (!isa<FloatType>(type) || ir::hasFloats(*known))
          all.push_back({*known, type});
    return all;
  }

  /// Bits of ends, of zeros, and of numbers whose sums and products round.
  std::vector<uint64_t> values(const Case &of) {
    std::vector<uint64_t> all;
    if (!of.isFloat()) {
      uint64_t mask = interp::maskOf(of.bits());
      for (uint64_t value :
           {uint64_t(0), uint64_t(1), uint64_t(3), mask, mask - 1, mask >> 1,
            mask ^ (mask >> 1), uint64_t(0x5a5a5a5a5a5a5a5a) & mask})
        all.push_back(value);
      return all;
    }
    auto &form = cast<FloatType>(of.type).getFloatSemantics();
    auto add = [&](APFloat value) {
      all.push_back(value.bitcastToAPInt().getZExtValue());
    };
    for (bool negative : {false, true}) {
      add(APFloat::getZero(form, negative));
      add(APFloat::getInf(form, negative));
      add(APFloat::getLargest(form, negative));
    }
    add(APFloat::getQNaN(form));
    for (const char *value : {"1", "0.5", "-2.5", "3"})
      add(APFloat(form, value));
    return all;
  }

  TypedAttr attribute(Type type, uint64_t bits) {
    APInt number(type.getIntOrFloatBitWidth(), bits);
    if (auto form = dyn_cast<FloatType>(type))
      return FloatAttr::get(type, APFloat(form.getFloatSemantics(), number));
    return IntegerAttr::get(type, number);
  }
  static uint64_t bitsOf(Attribute value) {
    if (auto number = dyn_cast<FloatAttr>(value))
      return number.getValue().bitcastToAPInt().getZExtValue();
    return cast<IntegerAttr>(value).getValue().getZExtValue();
  }

  uint64_t interpreted(const Case &of, uint64_t x, uint64_t y) {
    return interp::combine(of.kind, of.type, x, y);
  }
  /// What the operation of the IR folds to.
  uint64_t folded(const Case &of, uint64_t x, uint64_t y) {
    TypedAttr left = attribute(of.type, x), right = attribute(of.type, y);
    Value made = ir::combined(
        b, loc, of.kind, arith::ConstantOp::create(b, loc, left),
        arith::ConstantOp::create(b, loc, right), arith::FastMathFlags::none);
    SmallVector<OpFoldResult> results;
    LogicalResult done = made.getDefiningOp()->fold({left, right}, results);
    bool isOperand = succeeded(done) && isa<Value>(results.front());
    if (isOperand) {
      TypedAttr operand;
      matchPattern(cast<Value>(results.front()), m_Constant(&operand));
      return bitsOf(operand);
    }
    EXPECT_TRUE(succeeded(done));
    return bitsOf(cast<Attribute>(results.front()));
  }
  /// `body` with the run time's way to combine.
  template <typename F> static void withRuntime(const Case &of, F &&body) {
    bool known = false;
    chirt::withCombine(ir::dtypeOf(of.type), int32_t(of.kind),
                       [&](auto combine) {
                         known = true;
                         body(combine);
                       });
    EXPECT_TRUE(known);
  }
  template <typename T> static T read(uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  template <typename T> static uint64_t write(T value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(value));
    return bits;
  }
  static uint64_t executed(const Case &of, uint64_t x, uint64_t y) {
    uint64_t result = 0;
    withRuntime(of, [&](auto combine) {
      using C = decltype(combine);
      using T = typename chirt::ValueOf<C>::Type;
      result = write(C::apply(read<T>(x), read<T>(y)));
    });
    return result;
  }

  /// Equal bits; any NaN is like another, whose sign processors choose.
  bool areSame(const Case &of, uint64_t x, uint64_t y) {
    auto isNaN = [&](uint64_t bits) {
      auto value = dyn_cast<FloatAttr>(attribute(of.type, bits));
      return value && value.getValue().isNaN();
    };
    return x == y || (isNaN(x) && isNaN(y));
  }
  static std::string name(const Case &of) {
    std::string text;
    llvm::raw_string_ostream(text)
        << ir::stringifyAccumKind(of.kind) << " of " << of.type;
    return text;
  }

  MLIRContext context;
  OpBuilder b;
  Location loc;
  Block block;
};

TEST_F(AccumulationsTest, NeutralElementsAreEqual) {
  ASSERT_EQ(cases().size(), size_t(4 * 9 + 3 * 4));
  for (const Case &each : cases()) {
    uint64_t bits = interp::neutral(each.kind, each.type);
    EXPECT_EQ(bitsOf(ir::neutralElement(each.kind, each.type)), bits)
        << name(each);
    withRuntime(each, [&](auto combine) {
      EXPECT_EQ(write(decltype(combine)::neutral()), bits) << name(each);
    });
  }
}

TEST_F(AccumulationsTest, NeutralElementsChangeNothing) {
  for (const Case &each : cases()) {
    uint64_t none = interp::neutral(each.kind, each.type);
    for (uint64_t value : values(each)) {
      EXPECT_EQ(interpreted(each, none, value), value) << name(each);
      EXPECT_EQ(interpreted(each, value, none), value) << name(each);
      EXPECT_EQ(executed(each, none, value), value) << name(each);
      EXPECT_EQ(folded(each, value, none), value) << name(each);
    }
  }
}

TEST_F(AccumulationsTest, AllReadersComputeTheSame) {
  for (const Case &each : cases())
    for (uint64_t x : values(each))
      for (uint64_t y : values(each)) {
        uint64_t wanted = interpreted(each, x, y);
        EXPECT_TRUE(areSame(each, executed(each, x, y), wanted))
            << name(each) << " " << x << " " << y;
        EXPECT_TRUE(areSame(each, folded(each, x, y), wanted))
            << name(each) << " " << x << " " << y;
      }
}

TEST_F(AccumulationsTest, OnlyRoundedOnesDependOnTheOrder) {
  for (const Case &each : cases()) {
    bool isFree = true;
    auto combine = [&](uint64_t x, uint64_t y) {
      return interpreted(each, x, y);
    };
    for (uint64_t x : values(each))
      for (uint64_t y : values(each)) {
        EXPECT_TRUE(areSame(each, combine(x, y), combine(y, x))) << name(each);
        for (uint64_t z : values(each))
          isFree &= areSame(each, combine(combine(x, y), z),
                            combine(x, combine(y, z)));
      }
    EXPECT_EQ(isFree, !ir::isRounded(each.kind, each.type)) << name(each);
  }
}

TEST_F(AccumulationsTest, AtomicKindsAreOfOneAccumulation) {
  size_t native = 0;
  for (const Case &each : cases())
    if (auto atomic = ir::atomicRMWKindOf(each.kind, each.type)) {
      EXPECT_EQ(ir::accumKindOf(*atomic), each.kind) << name(each);
      ++native;
    }
  // All of integers but products; of floats sums.
  EXPECT_EQ(native, size_t(4 * 8 + 3 * 1));
  EXPECT_FALSE(ir::accumKindOf(arith::AtomicRMWKind::assign));
}

TEST_F(AccumulationsTest, StrategyDecidesWhatIsAtomic) {
  auto isAtomic = [&](const char *strategy, ir::AccumContext in) {
    std::string text = "func.func @f(%v: f32, %x: !chi.field<8xf32>, %i: i32) {"
                       " chi.accum add %v, %x[%i : i32] strategy(" +
                       std::string(strategy) +
                       ") : f32, !chi.field<8xf32> return }";
    auto module = parseSourceString<ModuleOp>(text, &context);
    bool found = false;
    module->walk([&](ir::AccumOp op) { found = ir::isAtomic(op, in); });
    return found;
  };
  ir::AccumContext disjoint{false, false, true},
      overlapping{false, true, false}, alone{true, true, false};
  EXPECT_FALSE(isAtomic("plain", disjoint));
  EXPECT_TRUE(isAtomic("plain", overlapping));
  EXPECT_FALSE(isAtomic("privatized", disjoint));
  EXPECT_TRUE(isAtomic("privatized", overlapping));
  EXPECT_TRUE(isAtomic("atomic", disjoint));
  EXPECT_TRUE(isAtomic("atomic", overlapping));
  EXPECT_FALSE(isAtomic("atomic", alone));
}
} // namespace
