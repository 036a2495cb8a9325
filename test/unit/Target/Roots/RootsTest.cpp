//===- RootsTest.cpp - Divisors that are roots ----------------------------===//
#include "chi/Target/Roots/Roots.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using chi::target::roots::findRoot;
using chi::target::roots::Root;

namespace {
/// The divisor that a function returns; %s is the root of %x.
class RootsTest : public ::testing::Test {
protected:
  Root rootOf(StringRef body, StringRef flags = "fast") {
    SMDiagnostic error;
    module = parseAssemblyString(("declare float @llvm.sqrt.f32(float)\n"
                                  "define float @f(float %x, float %y) {\n"
                                  "  %s = call " +
                                  flags + " float @llvm.sqrt.f32(float %x)\n" +
                                  body + "}\n")
                                     .str(),
                                 error, context);
    if (!module) {
      ADD_FAILURE() << error.getMessage().str();
      return {};
    }
    function = module->getFunction("f");
    return findRoot(function->front().getTerminator()->getOperand(0));
  }
  Value *x() { return function->getArg(0); }
  Value *y() { return function->getArg(1); }

  LLVMContext context;
  std::unique_ptr<Module> module;
  Function *function = nullptr;
};
} // namespace

TEST_F(RootsTest, Plain) {
  Root root = rootOf("ret float %s\n");
  EXPECT_EQ(root.x, x());
  EXPECT_FALSE(root.isCubed);
  EXPECT_EQ(root.factor, nullptr);
}

TEST_F(RootsTest, Cubed) {
  for (StringRef divisor :
       {"%r = fmul fast float %x, %s\n ret float %r\n",
        "%r = fmul fast float %s, %x\n ret float %r\n",
        "%t = fmul fast float %s, %s\n %r = fmul fast float %t, %s\n"
        " ret float %r\n"}) {
    Root root = rootOf(divisor);
    EXPECT_EQ(root.x, x()) << divisor.str();
    EXPECT_TRUE(root.isCubed) << divisor.str();
    EXPECT_EQ(root.factor, nullptr) << divisor.str();
  }
}

TEST_F(RootsTest, BesideAnotherFactor) {
  Root root = rootOf("%r = fmul fast float %y, %s\n ret float %r\n");
  EXPECT_EQ(root.x, x());
  EXPECT_FALSE(root.isCubed);
  EXPECT_EQ(root.factor, y());
}

TEST_F(RootsTest, None) {
  EXPECT_EQ(rootOf("ret float %s\n", "reassoc").x, nullptr);
  EXPECT_EQ(rootOf("ret float %x\n").x, nullptr);
  EXPECT_EQ(rootOf("%r = fadd fast float %s, %x\n ret float %r\n").x, nullptr);
}
