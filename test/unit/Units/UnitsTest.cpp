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
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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
    registry.insert<ir::ChiDialect, arith::ArithDialect, func::FuncDialect,
                    scf::SCFDialect>();
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
  change(&KeyFacts::records, true);
  change(&KeyFacts::device, std::string("sm_90"));
  keys.push_back(keyOf(units[0], facts, EntryPoint{"a", "e", true, {}, {}}));
  for (EntryPoint::Array array :
       {EntryPoint::Array{0, 4, false}, {0, 5, false}, {1, 4, false}})
    keys.push_back(
        keyOf(units[0], facts, EntryPoint{"a", "e", true, {}, {array}}));
  keys.push_back(keyOf(units[0], facts, EntryPoint{"a", "e", true, {"n"}, {}}));
  for (size_t i = 0; i < keys.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(keys[i].hex(), keys[j].hex()) << i << " and " << j;
  EXPECT_EQ(keys[0].hex(), keyOf(split(7)[0], facts, none).hex());
}

TEST_F(UnitsTest, VariablesAreFoundThroughCalls) {
  program = parseSourceString<ModuleOp>(R"mlir(
    chi.global @n : i32
    chi.global @other : i32
    func.func private @inner() -> i32 {
      %v = chi.global_load @n : i32
      return %v : i32
    }
    func.func private @outer(%k: i32) -> i32 {
      %none = arith.constant 0 : i32
      %stop = arith.cmpi eq, %k, %none : i32
      %r = scf.if %stop -> i32 {
        %v = func.call @inner() : () -> i32
        scf.yield %v : i32
      } else {
        %one = arith.constant 1 : i32
        %less = arith.subi %k, %one : i32
        %v = func.call @outer(%less) : (i32) -> i32
        scf.yield %v : i32
      }
      return %r : i32
    }
    func.func private @alone() -> i32 {
      %v = chi.global_load @other : i32
      return %v : i32
    })mlir",
                                        &context);
  ASSERT_TRUE(program);
  using Names = std::vector<std::string>;
  EXPECT_EQ(variablesUsedBy(*program, "inner"), Names{"n"});
  // Through a call, of a function that calls itself, and each name once.
  EXPECT_EQ(variablesUsedBy(*program, "outer"), Names{"n"});
  EXPECT_EQ(variablesUsedBy(*program, "alone"), Names{"other"});
  EXPECT_EQ(variablesUsedBy(*program, "absent"), Names());
}

//===--- Symbols and entries ----------------------------------------------===//

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out, OpPrintingFlags().useLocalScope());
  return text;
}

// A program may call its function `malloc`: hidden names get a prefix, also
// where they are used; the run time's and the internal ones keep theirs.
TEST_F(UnitsTest, SymbolsOfTheProgramGetAPrefix) {
  program = parseSourceString<ModuleOp>(R"mlir(
    llvm.mlir.global external hidden @count(0 : i32) : i32
    llvm.mlir.global internal constant @text("a") : !llvm.array<1 x i8>
    llvm.func @chirt_print()
    llvm.func hidden @malloc(%p: !llvm.ptr) {
      llvm.return
    }
    llvm.func hidden @main() {
      %a = llvm.mlir.addressof @count : !llvm.ptr
      %b = llvm.mlir.addressof @text : !llvm.ptr
      llvm.call @malloc(%a) : (!llvm.ptr) -> ()
      llvm.call @chirt_print() : () -> ()
      llvm.return
    })mlir",
                                        &context);
  ASSERT_TRUE(program);
  renameSymbols(*program);
  EXPECT_TRUE(succeeded(verify(*program)));
  for (const char *name : {"program.count", "program.malloc", "program.main",
                           "text", "chirt_print"})
    EXPECT_TRUE(program->lookupSymbol(name)) << name << "\n" << print(*program);
  std::string text = print(*program);
  for (const char *use :
       {"llvm.call @program.malloc(", "llvm.mlir.addressof @program.count ",
        "llvm.mlir.addressof @text ", "llvm.call @chirt_print("})
    EXPECT_NE(text.find(use), std::string::npos) << use << "\n" << text;
}

/// The entry of a function with these parameters, as text.
static std::string entryText(MLIRContext &context, const std::string &callee,
                             EntryPoint entry) {
  auto module = parseSourceString<ModuleOp>(callee, &context);
  EXPECT_TRUE(module);
  entry.callee = "f", entry.name = "lib_f";
  addEntryPoint(*module, entry);
  EXPECT_TRUE(succeeded(verify(*module)));
  auto added = module->lookupSymbol<LLVM::LLVMFuncOp>("lib_f");
  if (!added)
    return "";
  std::string text;
  llvm::raw_string_ostream(text) << *added.getOperation();
  return text;
}

// Arguments are addresses; results are 8 bytes apart, a bool is any byte other
// than zero.
TEST_F(UnitsTest, EntriesLoadArgumentsAndStoreResults) {
  std::string text = entryText(
      context, "llvm.func @f(i32, i1) -> !llvm.struct<(f32, i1)>", {});
  llvm::StringRef rest = text;
  for (const char *next :
       {"@lib_f(%arg0: !llvm.ptr, %arg1: !llvm.ptr)",
        "llvm.getelementptr %arg0", "-> i32", "llvm.getelementptr %arg0",
        "-> i8", "llvm.icmp \"ne\"", "llvm.call @f(", "[0]",
        "llvm.getelementptr %arg1[0]", "llvm.store", "[1]",
        "llvm.getelementptr %arg1[1]", "llvm.store", "llvm.return"}) {
    size_t at = rest.find(next);
    ASSERT_NE(at, rest.npos) << next << "\n" << text;
    rest = rest.drop_front(at);
  }
}

// An array takes one argument of the callee and many addresses: those behind it
// come after them all.
TEST_F(UnitsTest, EntriesPassArrays) {
  std::string callee = "llvm.func @f(!llvm.ptr, i32)";
  EntryPoint entry;
  entry.arrays = {{0, 5, /*ofBools=*/false}};
  std::string text = entryText(context, callee, entry);
  EXPECT_NE(text.find("getelementptr %arg0[0]"), std::string::npos) << text;
  EXPECT_NE(text.find("getelementptr %arg0[5]"), std::string::npos) << text;
  EXPECT_EQ(text.find("getelementptr %arg0[1]"), std::string::npos) << text;
  // Bools are copied, each as 0 or 1.
  entry.arrays = {{0, 3, /*ofBools=*/true}};
  text = entryText(context, callee, entry);
  llvm::StringRef bools = text;
  EXPECT_EQ(bools.count("llvm.zext"), 3u) << text;
  EXPECT_EQ(bools.count("llvm.icmp \"ne\""), 3u) << text;
  EXPECT_NE(text.find("getelementptr %arg0[3]"), std::string::npos) << text;
}

// A variable that only a run of the program sets is looked at before the call;
// a callee that the module does not have gets no entry.
TEST_F(UnitsTest, EntriesNeedARun) {
  EntryPoint entry;
  std::string callee = "llvm.func @f()";
  EXPECT_EQ(entryText(context, callee, entry).find("chirt_need_run"),
            std::string::npos);
  entry.variables = {"param.n", "x"};
  std::string kept = entryText(context, callee, entry);
  llvm::StringRef text = kept;
  EXPECT_EQ(text.count("llvm.call @chirt_need_run("), 2u) << kept;
  EXPECT_LT(text.rfind("chirt_need_run"), text.find("llvm.call @f("));
  // As the program writes it: `n`, not `param.n`.
  EXPECT_NE(text.find("@chi.entry.variable.n "), text.npos) << kept;
  EXPECT_EQ(entryText(context, "llvm.func @g()", entry), "");
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
