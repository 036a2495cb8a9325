//===- LibraryTest.cpp - What a library shows -----------------------------===//
#include "chi/Target/CPU/Library.h"
#include "CPUTargetTest.h"
#include "chi/Target/CPU/LLVMOption.h"
#include "chi/Target/CPU/RuntimeCallee.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace chi::target;
using cpu::Library;

namespace {
Library blur() {
  Library library;
  library.stem = "blur";
  library.prefix = "chi_blur_";
  return library;
}

class LibraryTest : public ::testing::Test {
protected:
  LibraryTest() : module("library", context) {}

  /// Adds what stands for `main` of the program, and the library.
  std::string add(const Library &library) {
    llvm::IRBuilder<> b(context);
    auto *i32 = b.getInt32Ty();
    llvm::Function::Create(
        llvm::FunctionType::get(i32, {i32, b.getPtrTy()}, false),
        llvm::GlobalValue::ExternalLinkage, library.prefix + "main", module);
    cpu::addLibraryFunctions(module, library);
    std::string text;
    llvm::raw_string_ostream out(text);
    EXPECT_FALSE(llvm::verifyModule(module, &out)) << text;
    text.clear();
    module.print(out, nullptr);
    return text;
  }
  /// Whether the module defines each name that the library exports.
  void expectExports(const Library &library) {
    for (const std::string &name : library.exports()) {
      if (name == "chirt_pool_1") // of the run time
        continue;
      bool isEntry = name.find("_call_") != name.npos; // a unit has those
      llvm::Function *function = module.getFunction(name);
      ASSERT_NE(function, nullptr) << name;
      EXPECT_TRUE(isEntry || name == library.prefix + "main" ||
                  !function->isDeclaration())
          << name;
      EXPECT_TRUE(function->hasExternalLinkage()) << name;
    }
  }

  llvm::LLVMContext context;
  llvm::Module module;
};
} // namespace

TEST_F(LibraryTest, WithoutFunctionsItHasThoseOfEachLibrary) {
  Library library = blur();
  std::vector<std::string> names = library.exports();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()),
            (std::set<std::string>{"blur_run", "blur_field", "blur_field_name",
                                   "blur_last_error", "chi_blur_main",
                                   "chi_blur_guard", "chi_blur_silence",
                                   "chirt_pool_1"}));
  EXPECT_EQ(names.size(), 8u) << "a name twice";
  add(library);
  expectExports(library);
}

// A function for C takes its arguments by value, in the types of its letters,
// and hands their addresses to the run time.
TEST_F(LibraryTest, FunctionsForC) {
  Library library = blur();
  library.functions.push_back(
      {"blur_smooth", "chi_blur_call_smooth", "signature text", "pbhwlfd"});
  library.functions.push_back({"blur_none", "chi_blur_call_none", "", ""});
  std::string text = add(library);
  expectExports(library);
  EXPECT_NE(text.find("define i32 @blur_smooth(ptr %0, i8 %1, i16 %2, i32 %3, "
                      "i64 %4, float %5, double %6)"),
            text.npos)
      << text;
  EXPECT_NE(text.find("define i32 @blur_none()"), text.npos) << text;
  EXPECT_NE(text.find("c\"signature text\\00\""), text.npos) << text;
  EXPECT_NE(text.find("@chirt_call(ptr @chi_blur_call_smooth, ptr @"),
            text.npos)
      << text;
}

// `_run` sets the variable that kernels look at, unless the program refused its
// parameters (status 2): then what an earlier run set stays.
TEST_F(LibraryTest, RunRemembersThatItRan) {
  std::string text = add(blur());
  llvm::GlobalVariable *hasRun = module.getGlobalVariable(cpu::kHasRun);
  ASSERT_NE(hasRun, nullptr);
  EXPECT_TRUE(hasRun->hasHiddenVisibility());
  EXPECT_TRUE(hasRun->hasInitializer() &&
              hasRun->getInitializer()->isNullValue());
  size_t run = text.find("define i32 @blur_run(i32 %0, ptr %1)");
  ASSERT_NE(run, text.npos) << text;
  llvm::StringRef rest = llvm::StringRef(text).substr(run);
  rest = rest.take_front(rest.find("\n}"));
  for (const char *part :
       {"call i32 @chi_blur_main(i32 %0, ptr %1)", "icmp eq i32 %3, 2",
        "load i32, ptr @chi_has_run", ", i32 1", "store i32", "ret i32 %3"})
    EXPECT_TRUE(rest.contains(part)) << part << "\n" << rest.str();
}

// Fields are found in the table of the program, which no one else sees.
TEST_F(LibraryTest, FieldsAreThoseOfTheProgram) {
  std::string text = add(blur());
  llvm::GlobalVariable *table = module.getGlobalVariable(cpu::kFieldTable);
  ASSERT_NE(table, nullptr);
  EXPECT_TRUE(table->hasHiddenVisibility());
  EXPECT_TRUE(table->isDeclaration());
  EXPECT_NE(text.find("@chirt_library_field(ptr @chi_fields"), text.npos);
  EXPECT_NE(text.find("@chirt_library_field_name(ptr @chi_fields"), text.npos);
}

// An operator with results and an adjoint has each form; without, only those
// that make sense.
TEST_F(LibraryTest, OperatorsHaveTheirForms) {
  Library library = blur();
  cpu::Operator full;
  full.name = "smooth";
  full.entry = "chi_blur_call_smooth";
  full.record = "chi_blur_record_smooth";
  full.backward = "chi_blur_backward_smooth";
  full.signature = "(t)t";
  full.hasResults = true;
  full.metadata = "{\"type\": 1}";
  full.doc = "Smooths.";
  cpu::Operator plain;
  plain.name = "fill";
  plain.entry = "chi_blur_call_fill";
  library.operators = {full, plain};
  EXPECT_EQ(library.invokeName("fill"), "chi_blur_invoke_fill");
  std::vector<std::string> names = library.exports();
  std::set<std::string> all(names.begin(), names.end());
  EXPECT_EQ(all.size(), names.size()) << "a name twice";
  for (const char *name :
       {"__tvm_ffi_smooth", "__tvm_ffi_smooth.into", "__tvm_ffi_smooth_vjp",
        "__tvm_ffi_smooth_vjp.into", "__tvm_ffi__doc_smooth",
        "__tvm_ffi__metadata_smooth", "chi_blur_invoke_smooth",
        "chi_blur_invoke_smooth_vjp", "__tvm_ffi_fill", "__tvm_ffi__doc_fill",
        "__tvm_ffi__metadata_fill", "chi_blur_invoke_fill"})
    EXPECT_EQ(all.count(name), 1u) << name;
  for (const char *name :
       {"__tvm_ffi_fill.into", "__tvm_ffi_fill_vjp", "chi_blur_invoke_fill_vjp",
        "__tvm_ffi__doc_smooth_vjp"})
    EXPECT_EQ(all.count(name), 0u) << name;
  std::string text = add(library);
  expectExports(library);
  EXPECT_NE(text.find("c\"Smooths.\\00\""), text.npos) << text;
  EXPECT_NE(text.find("c\"{\\22type\\22: 1}\\00\""), text.npos) << text;
  // The product keeps a call by one entry and runs its adjoint by the other.
  EXPECT_NE(text.find("ptr @chi_blur_record_smooth, ptr @"), text.npos) << text;
  EXPECT_NE(text.find("ptr @chi_blur_backward_smooth }"), text.npos) << text;
}

// The run time's functions have the types of api.def, and one declaration.
TEST_F(LibraryTest, FunctionsOfTheRunTime) {
  llvm::FunctionCallee main = cpu::runtimeFunction(module, "chirt_main");
  EXPECT_EQ(main.getFunctionType()->getNumParams(), 3u);
  EXPECT_TRUE(main.getFunctionType()->getReturnType()->isIntegerTy(32));
  EXPECT_TRUE(main.getFunctionType()->getParamType(0)->isPointerTy());
  EXPECT_TRUE(main.getFunctionType()->getParamType(1)->isIntegerTy(32));
  EXPECT_EQ(cpu::runtimeFunction(module, "chirt_main").getCallee(),
            main.getCallee());
  EXPECT_EQ(module.size(), 1u);
}

// An option of LLVM has its value as long as the object lives, and an option
// that LLVM does not have is none.
TEST(LLVMOption, LastsAsLongAsItLives) {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("enable-interleaved-mem-accesses");
  ASSERT_NE(found, options.end());
  auto *option = static_cast<llvm::cl::opt<bool> *>(found->second);
  bool before = option->getValue();
  {
    cpu::LLVMOption off("enable-interleaved-mem-accesses", "false");
    EXPECT_FALSE(option->getValue());
    cpu::LLVMOption none("no-such-option-of-llvm", "1");
  }
  EXPECT_EQ(option->getValue(), before);
  {
    cpu::LLVMOption on("enable-interleaved-mem-accesses", "true");
    EXPECT_TRUE(option->getValue());
  }
  EXPECT_EQ(option->getValue(), before);
}
