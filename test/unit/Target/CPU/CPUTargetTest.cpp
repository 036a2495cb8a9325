//===- CPUTargetTest.cpp - Machine code -----------------------------------===//

#include "CPUTargetTest.h"

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

#ifdef __x86_64__
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
