//===- CPUTargetTest.cpp - Machine code -----------------------------------===//

#include "CPUTargetTest.h"
#include "chi/Target/CPU/Library.h"
#include "llvm/Object/ObjectFile.h"
#include <set>

using namespace mlir;
using namespace chi;
using namespace chi::target;
using cpu::CPUTargetTest;

TEST_F(CPUTargetTest, TextOutputs) {
  auto ir = emit(cpu::OutputKind::LLVMIR, {});
  EXPECT_EQ(message, "");
  llvm::StringRef text(ir.data(), ir.size());
  EXPECT_TRUE(text.contains("define i32 @add_one"));
  EXPECT_TRUE(text.contains("target-cpu"));
  auto assembly = emit(cpu::OutputKind::Assembly, {});
  EXPECT_TRUE(
      llvm::StringRef(assembly.data(), assembly.size()).contains("add_one:"));
}

TEST_F(CPUTargetTest, SameInputSameObject) {
  EXPECT_EQ(emit(cpu::OutputKind::Object, {}),
            emit(cpu::OutputKind::Object, {}));
}

TEST_F(CPUTargetTest, UnknownProcessorIsAnError) {
  cpu::CodeOptions options;
  options.cpu = "no-such-cpu";
  emit(cpu::OutputKind::Object, options);
  EXPECT_EQ(message, "unknown processor `no-such-cpu`");
}

TEST_F(CPUTargetTest, KnownProcessors) {
  cpu::CodeOptions options;
  EXPECT_TRUE(cpu::isKnownProcessor(options)) << "native";
  EXPECT_EQ(cpu::missingFeature(options), "");
  options.cpu = "generic";
  EXPECT_TRUE(cpu::isKnownProcessor(options));
  EXPECT_EQ(cpu::missingFeature(options), "");
  for (const char *none : {"", "no-such-cpu", "Generic"}) {
    options.cpu = none;
    EXPECT_FALSE(cpu::isKnownProcessor(options)) << none;
  }
  options.cpu = "no-such-cpu";
  EXPECT_EQ(cpu::missingFeature(options), "unknown processor `no-such-cpu`");
  // Passes see the registers that each processor has.
  EXPECT_EQ(cpu::deviceTraits(options).vectorBytes, 16);
}

// Caches are those of the options, whatever the processor is.
TEST_F(CPUTargetTest, CachesAreOfTheMachine) {
  cpu::CodeOptions options;
  options.machine.caches = {.l1 = 1, .l2 = 2, .last = 3, .line = 4};
  for (const char *processor : {"native", "generic", "no-such-cpu"}) {
    options.cpu = processor;
    CacheSizes caches = cpu::deviceTraits(options).caches;
    EXPECT_TRUE(caches.l1 == 1 && caches.l2 == 2 && caches.last == 3 &&
                caches.line == 4)
        << processor;
  }
}

// Lines only on demand; the levels of LLVM's passes and of its code generator.
TEST_F(CPUTargetTest, OptionsOfTheCode) {
  auto text = [&](cpu::OutputKind kind, cpu::CodeOptions options) {
    options.cpu = "generic";
    llvm::SmallVector<char> output = emit(kind, options);
    EXPECT_EQ(message, "");
    return std::string(output.begin(), output.end());
  };
  cpu::CodeOptions plain, lines, off;
  lines.debugInfo = true;
  off.without.add("code-generation");
  using cpu::OutputKind;
  EXPECT_EQ(text(OutputKind::LLVMIR, plain).find("!DISubprogram"),
            std::string::npos);
  EXPECT_NE(text(OutputKind::LLVMIR, lines).find("!DISubprogram"),
            std::string::npos);
  EXPECT_EQ(text(OutputKind::LLVMIR, off), text(OutputKind::LLVMIR, plain));
  EXPECT_NE(text(OutputKind::Assembly, off), text(OutputKind::Assembly, plain));
}

/// The global names that an object defines.
static std::set<std::string> definedIn(llvm::ArrayRef<char> bytes) {
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(
      llvm::StringRef(bytes.data(), bytes.size()), "object"));
  EXPECT_TRUE(bool(file)) << llvm::toString(file.takeError());
  std::set<std::string> names;
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    uint32_t flags = llvm::cantFail(symbol.getFlags());
    if ((flags & llvm::object::SymbolRef::SF_Global) &&
        !(flags & llvm::object::SymbolRef::SF_Undefined))
      names.insert(llvm::cantFail(symbol.getName()).str());
  }
  return names;
}

// The object of an executable enters by `main`, that of a library by names of
// its own; an object of the unknown processor is none.
TEST_F(CPUTargetTest, ObjectsThatEnterAProgram) {
  cpu::CodeOptions options;
  options.cpu = "generic";
  llvm::SmallVector<char> program, library;
  ASSERT_FALSE(bool(cpu::emitMainObject(options, program)));
  cpu::Library named;
  named.stem = "blur", named.prefix = "chi_blur_";
  ASSERT_FALSE(bool(cpu::emitLibraryObject(named, options, library)));
  EXPECT_EQ(definedIn(program), std::set<std::string>{"main"});
  std::set<std::string> names = definedIn(library);
  EXPECT_EQ(names.count("main"), 0u);
  for (const std::string &name : named.exports())
    EXPECT_EQ(names.count(name), name == "chirt_pool_1" ? 0u : 1u) << name;
  options.cpu = "no-such-cpu";
  llvm::SmallVector<char> none;
  EXPECT_EQ(llvm::toString(cpu::emitMainObject(options, none)),
            "unknown processor `no-such-cpu`");
  options.cpu = "pentium4";
  EXPECT_EQ(llvm::toString(cpu::emitMainObject(options, none)),
            "the processor `pentium4` has no 64-bit mode");
  EXPECT_TRUE(none.empty());
}

#ifdef __x86_64__
// Code for a processor that has more than this one names what is missing; a
// described width is a feature, too.
TEST_F(CPUTargetTest, DescribedFeatures) {
  cpu::CodeOptions options;
  options.cpu = "x86-64";
  EXPECT_EQ(cpu::missingFeature(options), "");
  std::string plain = cpu::describeTarget(options);
  EXPECT_NE(plain.find(" x86-64 "), std::string::npos) << plain;
  EXPECT_NE(plain.find("vector-bytes=16 "), std::string::npos) << plain;
  options.features = "+avx2,+fma";
  EXPECT_EQ(cpu::deviceTraits(options).vectorBytes, 32);
  EXPECT_NE(cpu::describeTarget(options), plain);
}

TEST_F(CPUTargetTest, RegistersOfADescribedMachine) {
  for (auto [processor, bits, bytes] : {std::tuple("x86-64-v4", 0, 64),
                                        {"x86-64-v4", 128, 16},
                                        {"x86-64-v4", 256, 32},
                                        {"x86-64-v4", 512, 64},
                                        {"x86-64", 0, 16},
                                        {"x86-64", 256, 32},
                                        {"x86-64", 512, 64},
                                        {"native", 128, 16}}) {
    cpu::CodeOptions options;
    options.cpu = processor;
    options.machine.vectorBits = bits;
    EXPECT_EQ(cpu::deviceTraits(options).vectorBytes, bytes)
        << processor << " " << bits;
  }
}

TEST_F(CPUTargetTest, KeysDependOnTheMachine) {
  cpu::CodeOptions options;
  std::string plain = cpu::describeTarget(options);
  options.machine.vectorBits = 128;
  EXPECT_NE(cpu::describeTarget(options), plain);
  options.machine.vectorBits = 0;
  options.machine.caches.last += 1 << 20;
  EXPECT_NE(cpu::describeTarget(options), plain);
}
#endif

/// LLVM IR of a module with one constant struct, and the text it points to.
static std::string structWith(MLIRContext &context, llvm::StringRef members,
                              std::string &message) {
  std::string text = (R"mlir(
    llvm.mlir.global internal constant @text("a") : !llvm.array<1 x i8>
    llvm.mlir.global external constant @place() {chi.members = [)mlir" +
                      members + R"mlir(]} : !llvm.struct<(ptr, i32, ptr)>
  )mlir")
                         .str();
  auto module = parseSourceString<ModuleOp>(text, &context);
  llvm::SmallVector<char> output;
  llvm::Error error =
      cpu::emitCode(*module, {}, cpu::OutputKind::UnoptimizedLLVMIR, output);
  message = llvm::toString(std::move(error));
  return std::string(output.begin(), output.end());
}

TEST_F(CPUTargetTest, StructConstantsAreMadeOfTheirMembers) {
  std::string text = structWith(context, "@text, 7 : i32, unit", message);
  EXPECT_EQ(message, "");
  EXPECT_NE(text.find("{ ptr, i32, ptr } { ptr @text, i32 7, ptr null }"),
            std::string::npos)
      << text;
}

TEST_F(CPUTargetTest, MembersThatDoNotFitAreRefused) {
  for (const char *members :
       {"@text, 7 : i32", "@text, 7 : i64, unit", "@text, unit, unit",
        "@none, 7 : i32, unit", "\"text\", 7 : i32, unit"}) {
    structWith(context, members, message);
    EXPECT_EQ(message, "the members of @place do not match its type")
        << members;
  }
}
