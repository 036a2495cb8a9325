//===- ExpandMinMaxTest.cpp - min and max of scalars, written out ---------===//
#include "chi/Target/CPU/Workarounds/ExpandMinMax.h"
#include "../RunPass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace llvm;
using namespace chi::target;

static std::string afterPass(StringRef call) {
  return cpu::textAfter(cpu::workarounds::ExpandMinMaxPass(),
                        ("declare double @llvm.maximumnum.f64(double, double)\n"
                         "declare double @llvm.minimumnum.f64(double, double)\n"
                         "declare <2 x double> "
                         "@llvm.minimumnum.v2f64(<2 x double>, <2 x double>)\n"
                         "define void @f(double %x, double %y, "
                         "<2 x double> %v, ptr %p) {\n  %r = " +
                         call +
                         "\n  store volatile double %x, ptr %p\n"
                         "  store double %r, ptr %p\n  ret void\n}\n")
                            .str());
}

/// What the text stores last when it is called with these.
static double valueOf(StringRef text, double x, double y) {
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString(text, problem, context);
  if (!module)
    ADD_FAILURE() << text.str();
  Function *function = module->getFunction("f");
  function->getArg(0)->replaceAllUsesWith(ConstantFP::get(context, APFloat(x)));
  function->getArg(1)->replaceAllUsesWith(ConstantFP::get(context, APFloat(y)));
  double result = 7;
  for (Instruction &inst : make_early_inc_range(instructions(*function))) {
    if (Constant *known =
            ConstantFoldInstruction(&inst, module->getDataLayout()))
      inst.replaceAllUsesWith(known);
    if (auto *store = dyn_cast<StoreInst>(&inst))
      if (auto *value = dyn_cast<ConstantFP>(store->getValueOperand()))
        result = value->getValueAPF().convertToDouble();
  }
  return result;
}

static double expected(bool isMax, double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) ? y : x;
  if (x == y)
    return std::signbit(x) == isMax ? y : x;
  return isMax == (x > y) ? x : y;
}

static void expectSame(double got, double wanted, const std::string &what) {
  EXPECT_EQ(std::isnan(got), std::isnan(wanted)) << what;
  if (!std::isnan(wanted)) {
    EXPECT_EQ(got, wanted) << what;
    EXPECT_EQ(std::signbit(got), std::signbit(wanted)) << what;
  }
}

static const double kValues[] = {NAN,  0.0,      -0.0,     1.5,
                                 -1.5, INFINITY, -INFINITY};

static std::string hex(double x) {
  return utohexstr(bit_cast<uint64_t>(x), /*LowerCase=*/false, 16);
}

TEST(ExpandMinMax, AllPairs) {
  for (bool isMax : {false, true}) {
    std::string text = afterPass((Twine("call double @llvm.") +
                                  (isMax ? "maximumnum" : "minimumnum") +
                                  ".f64(double %x, double %y)")
                                     .str());
    EXPECT_EQ(text.find("num.f64"), std::string::npos) << text;
    for (double x : kValues)
      for (double y : kValues)
        expectSame(valueOf(text, x, y), expected(isMax, x, y),
                   text + hex(x) + " " + hex(y));
  }
}

TEST(ExpandMinMax, BesideConstantsOneComparisonDoes) {
  for (bool isMax : {false, true})
    for (bool isFirst : {false, true})
      for (double c : kValues) {
        std::string constant = "double 0x" + hex(c);
        std::string both =
            isFirst ? constant + ", double %x" : "double %x, " + constant;
        std::string text = afterPass((Twine("call double @llvm.") +
                                      (isMax ? "maximumnum" : "minimumnum") +
                                      ".f64(" + both + ")")
                                         .str());
        if (!std::isnan(c))
          EXPECT_EQ(StringRef(text).count("fcmp"), 1u) << text;
        for (double x : kValues)
          expectSame(valueOf(text, x, 0), expected(isMax, x, c), text + hex(x));
      }
}

TEST(ExpandMinMax, WhatIsKnownIsNotAsked) {
  std::string text = afterPass(
      "call nnan nsz double @llvm.maximumnum.f64(double %x, double %y)");
  EXPECT_EQ(StringRef(text).count("fcmp"), 1u) << text;
  expectSame(valueOf(text, 1.5, -1.5), 1.5, text);
}

TEST(ExpandMinMax, VectorsStay) {
  std::string text = afterPass("extractelement <2 x double> %v, i32 0\n"
                               "  %m = call <2 x double> @llvm.minimumnum.v2f64"
                               "(<2 x double> %v, <2 x double> %v)");
  EXPECT_NE(text.find("minimumnum.v2f64"), std::string::npos) << text;
}
