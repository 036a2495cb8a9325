//===- MaskedStoresRunTest.cpp - A masked store writes its lanes only -----===//
// Masked stores of truncated values, compiled behind the pass and run: all
// types and lane widths, masks of one lane, prefixes, and two parts; written as
// such, with a mask that is known by bits only, and as a select and a shuffle
// of what lies there.
#include "../RunPass.h"
#include "chi/Target/CPU/Workarounds/FenceMaskedStores.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;
using chi::target::cpu::workarounds::FenceMaskedStoresPass;

namespace {
enum class Form { Masked, KnownBits, Select, Shuffle };

struct Case {
  Form form;
  unsigned from, to, lanes; ///< bits of an element before and behind
  uint64_t mask;
};
} // namespace

static std::string typeOf(unsigned lanes, unsigned bits) {
  return "<" + std::to_string(lanes) + " x i" + std::to_string(bits) + ">";
}

/// `<TYPE a, TYPE b, …>` of what `each` gives for a lane.
static std::string constant(unsigned lanes, StringRef type,
                            function_ref<std::string(unsigned)> each) {
  std::string text;
  for (unsigned lane = 0; lane < lanes; ++lane)
    text += (lane ? ", " : "<") + type.str() + " " + each(lane);
  return text + ">";
}

static std::string maskOf(const Case &c) {
  return constant(c.lanes, "i1", [&](unsigned lane) {
    return c.mask >> lane & 1 ? "true" : "false";
  });
}

/// Lanes below a number that code generation knows when it knows the bits of
/// `%any | n`.
static std::string knownMask(const Case &c) {
  std::string n = std::to_string(llvm::countr_one(c.mask)),
              counts = typeOf(c.lanes, 32);
  return "  %c0 = or i32 %any, " + n + "\n  %c1 = and i32 %c0, " + n +
         "\n  %c2 = insertelement " + counts +
         " poison, i32 %c1, i64 0\n  %c3 = shufflevector " + counts + " %c2, " +
         counts + " poison, " + counts + " zeroinitializer\n  %m = icmp ugt " +
         counts + " %c3, " +
         constant(c.lanes, "i32",
                  [](unsigned lane) { return std::to_string(lane); }) +
         "\n";
}

static std::string storeText(const Case &c) {
  std::string type = typeOf(c.lanes, c.to), flags = typeOf(c.lanes, 1);
  std::string old = "  %o = load " + type + ", ptr %d, align 1\n";
  std::string plain = "  store " + type + " %y, ptr %d, align 1\n";
  switch (c.form) {
  case Form::KnownBits:
    return knownMask(c) + "  call void @llvm.masked.store(" + type +
           " %t, ptr align 1 %d, " + flags + " %m)\n";
  case Form::Select:
    return old + "  %y = select " + flags + " " + maskOf(c) + ", " + type +
           " %t, " + type + " %o\n" + plain;
  case Form::Shuffle:
    return old + "  %y = shufflevector " + type + " %t, " + type + " %o, " +
           typeOf(c.lanes, 32) + " " +
           constant(c.lanes, "i32",
                    [&](unsigned lane) {
                      return std::to_string(
                          c.mask >> lane & 1 ? lane : lane + c.lanes);
                    }) +
           "\n" + plain;
  case Form::Masked:
    break;
  }
  return "  call void @llvm.masked.store(" + type + " %t, ptr align 1 %d, " +
         flags + " " + maskOf(c) + ")\n";
}

static std::string functionText(const Case &c, size_t number) {
  std::string from = typeOf(c.lanes, c.from);
  return "define void @f" + std::to_string(number) +
         "(ptr %s, ptr %d, i32 %any) {\n  %x = load " + from +
         ", ptr %s, align 1\n  %t = trunc " + from + " %x to " +
         typeOf(c.lanes, c.to) + "\n" + storeText(c) + "  ret void\n}\n";
}

/// Neither none of the lanes nor all.
static std::set<uint64_t> masksFor(unsigned lanes) {
  std::set<uint64_t> masks;
  for (unsigned lane = 0; lane < lanes; lane += lanes > 16 ? 5 : 1)
    masks.insert(uint64_t(1) << lane);
  for (unsigned count = 1; count < lanes; count += count > 10 ? 7 : 1)
    masks.insert((uint64_t(1) << count) - 1);
  for (unsigned part = 2; part < lanes; part *= 2) {
    masks.insert(((uint64_t(1) << part) - 1) | uint64_t(1) << part);
    masks.insert(uint64_t(1) | uint64_t(1) << part);
    masks.insert(uint64_t(1) << (lanes - part));
  }
  return masks;
}

static std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (unsigned from : {16, 32, 64})
    for (unsigned to : {8, 16, 32})
      for (unsigned lanes = 2; to < from && lanes <= 64; lanes *= 2)
        for (uint64_t mask : masksFor(lanes))
          for (Form form :
               {Form::Masked, Form::KnownBits, Form::Select, Form::Shuffle})
            // A count makes prefixes.
            if (form != Form::KnownBits || (mask & (mask + 1)) == 0)
              cases.push_back({form, from, to, lanes, mask});
  return cases;
}

/// The object code of the cases, for this machine.
static std::unique_ptr<MemoryBuffer> compile(const std::vector<Case> &cases,
                                             TargetMachine &machine) {
  std::string text;
  for (auto [number, c] : enumerate(cases))
    text += functionText(c, number);
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString(text, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  if (!module)
    return nullptr;
  module->setDataLayout(machine.createDataLayout());
  module->setTargetTriple(machine.getTargetTriple());
  FunctionAnalysisManager analyses;
  for (Function &function : *module)
    if (!function.isDeclaration())
      FenceMaskedStoresPass().run(function, analyses);
  SmallVector<char> object;
  raw_svector_ostream stream(object);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr,
                                  CodeGenFileType::ObjectFile))
    return nullptr;
  passes.run(*module);
  return MemoryBuffer::getMemBufferCopy(
      StringRef(object.data(), object.size()));
}

/// What lies behind the store, `bytes` of 0x5a where it writes nothing.
static std::vector<uint8_t> expected(const Case &c, const uint8_t *source,
                                     size_t bytes) {
  std::vector<uint8_t> memory(bytes, 0x5a);
  for (unsigned lane = 0; lane < c.lanes; ++lane)
    if (c.mask >> lane & 1)
      for (unsigned byte = 0; byte < c.to / 8; ++byte)
        memory[lane * c.to / 8 + byte] = source[lane * c.from / 8 + byte];
  return memory;
}

static std::string describe(const Case &c) {
  return "form " + std::to_string(int(c.form)) + ", i" +
         std::to_string(c.from) + " to i" + std::to_string(c.to) + ", " +
         std::to_string(c.lanes) + " lanes, mask " + utohexstr(c.mask);
}

TEST(MaskedStoresRun, OnlyTheLanesOfTheMask) {
  auto machine = chi::target::cpu::x86Machine("x86-64-v4");
  StringMap<bool> host = sys::getHostCPUFeatures();
  for (StringRef feature :
       {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"})
    if (!machine || !host.lookup(feature))
      GTEST_SKIP() << "code with AVX-512 does not run here";
  InitializeNativeTargetAsmPrinter();
  std::vector<Case> cases = allCases();
  std::unique_ptr<MemoryBuffer> object = compile(cases, *machine);
  ASSERT_TRUE(object);
  auto jit = cantFail(orc::LLJITBuilder().create());
  cantFail(jit->addObjectFile(std::move(object)));
  uint8_t source[64 * 8];
  for (size_t byte = 0; byte < sizeof(source); ++byte)
    source[byte] = uint8_t(byte * 37 + 11);
  size_t wrong = 0;
  for (auto [number, c] : enumerate(cases)) {
    std::vector<uint8_t> memory(64 * 8, 0x5a);
    auto run = cantFail(jit->lookup("f" + std::to_string(number)))
                   .toPtr<void (*)(const uint8_t *, uint8_t *, uint32_t)>();
    run(source, memory.data(), 1);
    if (memory != expected(c, source, memory.size()) && ++wrong <= 5)
      ADD_FAILURE() << describe(c);
  }
  EXPECT_EQ(wrong, 0u) << "of " << cases.size();
}
