//===- SplitFunctionsTest.cpp - Long functions in chunks ------------------===//
#include "chi/Target/CPU/Passes/SplitFunctions.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

/// A loop over `count` statements `p[i + k] += a`, each behind a check that
/// leaves the function.
static std::string sums(unsigned count) {
  std::string text =
      "define void @f(ptr noalias %p, float %a, i64 %n) {\nentry:\n"
      "  br label %s0\ns0:\n  %i = phi i64 [ 0, %entry ], [ %j, %s" +
      std::to_string(count) + " ]\n";
  for (unsigned k = 0; k < count; ++k) {
    std::string n = std::to_string(k), next = std::to_string(k + 1);
    text += "  %x" + n + " = add i64 %i, " + n + "\n  %c" + n +
            " = icmp ult i64 %x" + n + ", 100000\n  br i1 %c" + n +
            ", label %t" + n + ", label %bad" + n + "\nbad" + n +
            ":\n  call void @fail(i64 %x" + n + ")\n  ret void\nt" + n +
            ":\n  %g" + n + " = getelementptr float, ptr %p, i64 %x" + n +
            "\n  %l" + n + " = load float, ptr %g" + n + "\n  %r" + n +
            " = fadd float %l" + n + ", %a\n  store float %r" + n + ", ptr %g" +
            n + "\n  br label %s" + next + "\ns" + next + ":\n";
  }
  return text + "  %j = add i64 %i, 1\n  %e = icmp eq i64 %j, %n\n"
                "  br i1 %e, label %out, label %s0\nout:\n  ret void\n}\n"
                "declare void @fail(i64)\n";
}

namespace {
struct Sizes {
  unsigned functions = 0, largest = 0, all = 0, stores = 0;
};
} // namespace

static Sizes sizesAfterSplit(unsigned count) {
  LLVMContext context;
  SMDiagnostic problem;
  auto module = parseAssemblyString(sums(count), problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  if (!module)
    return {};
  chi::target::cpu::passes::splitFunctions(*module);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  Sizes sizes;
  for (Function &function : *module) {
    if (function.isDeclaration())
      continue;
    unsigned size = function.getInstructionCount();
    ++sizes.functions;
    sizes.largest = std::max(sizes.largest, size);
    sizes.all += size;
    for (BasicBlock &block : function)
      for (Instruction &inst : block)
        sizes.stores += inst.getOpcode() == Instruction::Store;
    if (sizes.functions > 1) {
      EXPECT_TRUE(function.hasFnAttribute(Attribute::NoInline));
      EXPECT_TRUE(any_of(function.args(), [](Argument &argument) {
        return argument.hasNoAliasAttr();
      }));
    }
  }
  return sizes;
}

TEST(SplitFunctions, LeavesShortOnes) {
  EXPECT_EQ(sizesAfterSplit(300).functions, 1u);
}

TEST(SplitFunctions, MakesChunksOfOneSize) {
  Sizes some = sizesAfterSplit(1000), many = sizesAfterSplit(8000);
  EXPECT_GT(some.functions, 5u);
  EXPECT_GT(many.functions, 7 * some.functions);
  EXPECT_LT(some.largest, 2500u);
  EXPECT_LT(many.largest, 2500u);
  EXPECT_LT(many.all, 9 * some.all);
  // A value at each cut goes through memory.
  EXPECT_LE(some.stores, 1000 + some.functions);
  EXPECT_LE(many.stores, 8000 + many.functions);
}
