//===- UnitsTest.cpp - Units, their keys and lines ------------------------===//

#include "chi/Conversion/Passes.h"
#include "chi/Dialect/Chi/AdjointTasks.h"
#include "chi/Dialect/Chi/ChiDialect.h"
#include "chi/Target/CPU/CPUTarget.h"
#include "chi/Units/Key.h"
#include "chi/Units/Lines.h"
#include "chi/Units/Symbols.h"
#include "chirt/chirt.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace chi;
using namespace chi::units;

namespace {
/// Two kernels and a script; the first kernel's check stands in the given line.
std::string programText(int line) {
  std::string at = std::to_string(line);
  return R"mlir(
    module attributes {chi.file = "p.chi"} {
    chi.global @x : !chi.field<8xf32>
    chi.global @n : i32
    chi.param "n" : "i32" [@n] default "8"
    chi.task @a.t0() () {
      %no = arith.constant false
      chi.check assert %no loc(#place)
      chi.next
    }
    func.func private @a() attributes {chi.control} {
      chi.launch @a.t0()
      return
    }
    func.func private @b(%v: f32) -> f32 attributes {chi.control} {
      return %v : f32
    }
    func.func @chi.script() attributes {chi.host} {
      func.call @a() : () -> ()
      return
    }
    }
    #place = loc("p.chi":)mlir" +
         at + ":3 to :9)";
}

class UnitsTest : public ::testing::Test {
protected:
  UnitsTest() : context(makeRegistry()) { context.loadAllAvailableDialects(); }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    conv::registerLoweringDialects(registry);
    registry.insert<ir::ChiDialect, arith::ArithDialect, func::FuncDialect>();
    return registry;
  }

  std::vector<Unit> split(int line, bool keepsLines = false) {
    program = parseSourceString<ModuleOp>(programText(line), &context);
    EXPECT_TRUE(program);
    return splitUnits(*program, keepsLines);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> program;
};

bool isExtern(ModuleOp module, const char *name) {
  Operation *symbol = module.lookupSymbol(name);
  return symbol && symbol->hasAttr("chi.extern");
}
} // namespace

TEST_F(UnitsTest, AKernelIsAUnit) {
  std::vector<Unit> units = split(5);
  ASSERT_EQ(units.size(), 3u);
  EXPECT_EQ(units[0].name, "a");
  EXPECT_EQ(units[1].name, "b");
  EXPECT_EQ(units[2].name, "");
  // Its tasks go with it, the program's table stays with the host.
  EXPECT_TRUE(units[0].module->lookupSymbol("a.t0"));
  EXPECT_FALSE(units[1].module->lookupSymbol("a.t0"));
  EXPECT_FALSE((*units[0].module)->hasAttr("chi.file"));
  EXPECT_TRUE((*units[2].module)->hasAttr("chi.file"));
  EXPECT_TRUE(units[0].module->getOps<ir::ParamOp>().empty());
  EXPECT_FALSE(units[2].module->getOps<ir::ParamOp>().empty());
  // What the script calls is declared in its unit.
  EXPECT_TRUE(isExtern(*units[2].module, "a"));
  EXPECT_FALSE(isExtern(*units[0].module, "a"));
}

/// A kernel whose task has an adjoint of `operations` operations and more, with
/// a task that runs before it.
static std::string textWithAdjoint(int operations) {
  std::string body;
  for (int k = 0; k < operations; ++k)
    body += "%" + std::to_string(k) + " = arith.constant 1 : i32\n";
  return R"mlir(
    func.func @k() attributes {chi.control} {
      chi.launch @k.t0()
      return
    }
    chi.task @k.t0() () attributes {adjoint = #chi.adjoint<task = @k.t0.adj>} {
      chi.next
    }
    chi.task @k.t0.adj.before() () {
      chi.next
    }
    chi.task @k.t0.adj() ()
        attributes {adjoint = #chi.adjoint<numPrimal = 0,
                                            prologue = @k.t0.adj.before>} {
      )mlir" +
         body + "chi.next }";
}

TEST_F(UnitsTest, LargeAdjointsAreAUnit) {
  auto units = [&](int operations, bool splitsAdjoints) {
    program =
        parseSourceString<ModuleOp>(textWithAdjoint(operations), &context);
    EXPECT_TRUE(program);
    return splitUnits(*program, /*keepsLines=*/true, splitsAdjoints);
  };
  EXPECT_EQ(units(1000, false).size(), 2u);
  EXPECT_EQ(units(10, true).size(), 2u);
  std::vector<Unit> split = units(1000, true);
  ASSERT_EQ(split.size(), 3u);
  EXPECT_EQ(split[0].name, "k");
  EXPECT_EQ(split[1].name, "adjoints of k");
  ModuleOp kernel = *split[0].module, adjoints = *split[1].module;
  EXPECT_TRUE(succeeded(verify(kernel)) && succeeded(verify(adjoints)));
  // The kernel knows that there is an adjoint, and nothing of what it does.
  EXPECT_FALSE(isExtern(kernel, "k.t0"));
  ASSERT_TRUE(isExtern(kernel, "k.t0.adj"));
  auto declared = kernel.lookupSymbol<ir::TaskOp>("k.t0.adj");
  EXPECT_EQ(declared.getBody().front().getOperations().size(), 1u);
  EXPECT_FALSE(kernel.lookupSymbol("k.t0.adj.before"));
  // What others name is marked; what runs before goes with it.
  EXPECT_FALSE(adjoints.lookupSymbol("k.t0"));
  EXPECT_TRUE(ir::isShared(adjoints.lookupSymbol<ir::TaskOp>("k.t0.adj")));
  ASSERT_TRUE(adjoints.lookupSymbol("k.t0.adj.before"));
  EXPECT_FALSE(
      ir::isShared(adjoints.lookupSymbol<ir::TaskOp>("k.t0.adj.before")));
}

TEST_F(UnitsTest, TextsDoNotDependOnLines) {
  std::vector<Unit> here = split(5), there = split(5000);
  EXPECT_EQ(here[0].text(), there[0].text());
  ASSERT_EQ(here[0].lines.size(), there[0].lines.size());
  EXPECT_EQ(llvm::count(here[0].lines, 5000u), 0);
  EXPECT_EQ(llvm::count(there[0].lines, 5000u), 1);
  // With debug information the lines are part of the code.
  std::vector<Unit> kept = split(5, true), moved = split(5000, true);
  EXPECT_TRUE(kept[0].lines.empty());
  EXPECT_NE(kept[0].text(), moved[0].text());
}

TEST_F(UnitsTest, KeysNameAllThatDecides) {
  std::vector<Unit> units = split(5);
  KeyFacts facts;
  facts.compiler = "c", facts.target = "t", facts.floatMode = "fast";
  std::vector<EntryPoint> none;
  std::vector<launch::Hash> keys{keyOf(units[0], facts, none),
                                 keyOf(units[1], facts, none)};
  auto change = [&](auto member, auto value) {
    KeyFacts other = facts;
    other.*member = value;
    keys.push_back(keyOf(units[0], other, none));
  };
  change(&KeyFacts::compiler, "d");
  change(&KeyFacts::math, "m");
  change(&KeyFacts::target, "u");
  change(&KeyFacts::floatMode, "strict");
  change(&KeyFacts::optLevel, 2u);
  change(&KeyFacts::debugInfo, true);
  change(&KeyFacts::checks, std::vector<std::string>{"nan"});
  change(&KeyFacts::without, std::vector<std::string>{"nan"});
  keys.push_back(keyOf(units[0], facts, EntryPoint{"a", "e", true, {}, {}}));
  keys.push_back(keyOf(units[0], facts, EntryPoint{"a", "e", true, {"n"}, {}}));
  for (size_t i = 0; i < keys.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(keys[i].hex(), keys[j].hex()) << i << " and " << j;
  EXPECT_EQ(keys[0].hex(), keyOf(split(7)[0], facts, none).hex());
}

TEST_F(UnitsTest, VariablesAreFoundThroughCalls) {
  split(5);
  EXPECT_TRUE(variablesUsedBy(*program, "chi.script").empty());
}

/// An object with one site whose line is `line`.
static std::string objectWithSite(MLIRContext &context, int line) {
  std::string text = R"mlir(
    !site = !llvm.struct<(ptr, i32, i32, i32, i32, ptr, i32, i32,
                          ptr, ptr, i32, ptr)>
    llvm.mlir.global internal constant @chi.site.1() : !site {
      %u = llvm.mlir.zero : !site
      %l = llvm.mlir.constant()mlir" +
                     std::to_string(line) + R"mlir( : i32) : i32
      %s = llvm.insertvalue %l, %u[1] : !site
      llvm.return %s : !site
    }
    llvm.func @site() -> !llvm.ptr {
      %s = llvm.mlir.addressof @chi.site.1 : !llvm.ptr
      llvm.return %s : !llvm.ptr
    })mlir";
  auto module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  markSites(*module);
  llvm::SmallVector<char> bytes;
  llvm::Error error = target::cpu::emitCode(
      *module, {}, target::cpu::OutputKind::Object, bytes);
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  return std::string(bytes.begin(), bytes.end());
}

TEST_F(UnitsTest, LinesComeBackIntoObjects) {
  std::string object = objectWithSite(context, 2), before = object;
  ASSERT_TRUE(restoreLines(object, {70, 777}));
  // One number is another, and nothing else.
  unsigned differences = 0;
  for (size_t i = 0; i < object.size(); ++i)
    differences += object[i] != before[i];
  EXPECT_GE(differences, 1u);
  EXPECT_LE(differences, 4u);
  EXPECT_EQ(object, [&] {
    std::string direct = objectWithSite(context, 777);
    return direct;
  }());
}

TEST_F(UnitsTest, WhatIsNoObjectOfOursIsRefused) {
  std::string object = objectWithSite(context, 2);
  EXPECT_FALSE(restoreLines(object, {70})) << "an index without a line";
  std::string garbage = "no object";
  EXPECT_FALSE(restoreLines(garbage, {70}));
  std::string cut = object.substr(0, object.size() / 2);
  EXPECT_FALSE(restoreLines(cut, {70, 777}));
}
