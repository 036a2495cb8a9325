//===- CPUTargetTest.cpp - Machine code and links -------------------------===//

#include "chi/Target/CPU/CPUTarget.h"
#include "chi/Conversion/Passes.h"
#include "chi/Target/CPU/Link.h"
#include "chi/Target/CPU/StartFiles.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <dlfcn.h>

using namespace mlir;
using namespace chi;
using namespace chi::target;

namespace {
class CPUTargetTest : public ::testing::Test {
protected:
  CPUTargetTest() : context(makeRegistry()) {
    context.loadAllAvailableDialects();
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    conv::registerLoweringDialects(registry);
    return registry;
  }

  /// Code of a function that adds one, as LLVM dialect.
  llvm::SmallVector<char> emit(cpu::OutputKind kind, cpu::CodeOptions options) {
    auto module = parseSourceString<ModuleOp>(R"mlir(
      llvm.func @add_one(%a: i32) -> i32 {
        %one = llvm.mlir.constant(1 : i32) : i32
        %b = llvm.add %a, %one : i32
        llvm.return %b : i32
      })mlir",
                                              &context);
    llvm::SmallVector<char> output;
    llvm::Error error = cpu::emitCode(*module, options, kind, output);
    message = llvm::toString(std::move(error));
    return output;
  }

  MLIRContext context;
  std::string message;
};

/// A folder that is removed at the end.
struct TemporaryFolder {
  TemporaryFolder() { llvm::sys::fs::createUniqueDirectory("chi-test", path); }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(path); }
  std::string name() const { return path.str().str(); }
  std::string file(const char *inside) const { return name() + "/" + inside; }
  llvm::SmallString<64> path;
};
} // namespace

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

TEST_F(CPUTargetTest, LinksAndRuns) {
  auto object = emit(cpu::OutputKind::Object, {});
  TemporaryFolder folder;
  std::string library = folder.file("add.so");
  cpu::LinkOptions options;
  options.scratchFolder = folder.name();
  for (int again = 0; again < 2; ++again) { // lld runs twice in one process
    auto linked =
        cpu::linkObjects({std::string(object.begin(), object.end())}, options);
    ASSERT_TRUE(bool(linked)) << llvm::toString(linked.takeError());
    std::error_code error;
    llvm::raw_fd_ostream(library, error) << *linked;
  }
  void *handle = dlopen(library.c_str(), RTLD_NOW);
  ASSERT_NE(handle, nullptr) << dlerror();
  auto addOne = reinterpret_cast<int (*)(int)>(dlsym(handle, "add_one"));
  EXPECT_EQ(addOne(41), 42);
  dlclose(handle);
}

TEST_F(CPUTargetTest, LinkErrorsNameTheFile) {
  TemporaryFolder folder;
  auto errorOf = [&](cpu::LinkOptions options, const std::string &object) {
    auto linked = cpu::linkObjects({object}, options);
    return linked ? "" : llvm::toString(linked.takeError());
  };
  cpu::LinkOptions options;
  options.scratchFolder = "/no/such/folder";
  EXPECT_EQ(
      errorOf(options, ""),
      "'/no/such/folder/0.o' cannot be written: No such file or directory");
  options.scratchFolder = folder.name();
  std::string text = errorOf(options, "no object");
  EXPECT_NE(text.find("0.o"), std::string::npos) << text;
  options.kind = cpu::LinkKind::SharedLibrary;
  options.runtime = "/no/such/chirt.o";
  auto good = emit(cpu::OutputKind::Object, {});
  text = errorOf(options, std::string(good.begin(), good.end()));
  EXPECT_NE(text.find("/no/such/chirt.o"), std::string::npos) << text;
}

TEST_F(CPUTargetTest, MissingStartFilesAreNamed) {
  llvm::vfs::InMemoryFileSystem empty;
  auto files = cpu::findStartFiles(empty, /*isStatic=*/false);
  std::string text = llvm::toString(files.takeError());
  EXPECT_NE(text.find("Scrt1.o"), std::string::npos) << text;
  // What a static executable needs beyond them.
  for (const char *name : {"crt1.o", "crti.o", "crtn.o"})
    empty.addFile(std::string("/usr/lib/") + name, 0,
                  llvm::MemoryBuffer::getMemBuffer(""));
  text = llvm::toString(cpu::findStartFiles(empty, true).takeError());
  EXPECT_NE(text.find("libgcc_eh.a"), std::string::npos) << text;
}

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
