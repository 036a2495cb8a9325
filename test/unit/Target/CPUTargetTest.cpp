//===- CPUTargetTest.cpp - Machine code and links -------------------------===//

#include "chi/Target/CPU/CPUTarget.h"
#include "chi/Conversion/Passes.h"
#include "chi/Target/CPU/Link.h"
#include "chi/Target/CPU/StartFiles.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
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

/// A file that is removed at the end.
struct TemporaryFile {
  explicit TemporaryFile(llvm::StringRef suffix) {
    llvm::sys::fs::createTemporaryFile("chi-test", suffix, path);
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
  std::string name() const { return path.str().str(); }
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

TEST_F(CPUTargetTest, LinksAndRuns) {
  auto object = emit(cpu::OutputKind::Object, {});
  TemporaryFile input("o"), library("so");
  {
    std::error_code error;
    llvm::raw_fd_ostream out(input.path, error);
    out.write(object.data(), object.size());
  }
  for (int again = 0; again < 2; ++again) { // lld runs twice in one process
    llvm::Error error = cpu::linkSharedLibrary({input.name()}, library.name());
    ASSERT_EQ(llvm::toString(std::move(error)), "");
  }
  void *handle = dlopen(library.name().c_str(), RTLD_NOW);
  ASSERT_NE(handle, nullptr) << dlerror();
  auto addOne = reinterpret_cast<int (*)(int)>(dlsym(handle, "add_one"));
  EXPECT_EQ(addOne(41), 42);
  dlclose(handle);
}

TEST_F(CPUTargetTest, LinkErrorNamesTheFile) {
  TemporaryFile library("so");
  llvm::Error error =
      cpu::linkSharedLibrary({"/no/such/file.o"}, library.name());
  std::string text = llvm::toString(std::move(error));
  EXPECT_NE(text.find("/no/such/file.o"), std::string::npos) << text;
}

TEST_F(CPUTargetTest, MissingStartFilesAreNamed) {
  llvm::vfs::InMemoryFileSystem empty;
  auto files = cpu::findStartFiles(empty, /*isStatic=*/false);
  std::string text = llvm::toString(files.takeError());
  EXPECT_NE(text.find("Scrt1.o"), std::string::npos) << text;
}
