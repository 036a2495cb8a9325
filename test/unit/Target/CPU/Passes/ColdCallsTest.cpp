//===- ColdCallsTest.cpp --------------------------------------------------===//
#include "chi/Target/CPU/CPUTarget.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallString.h"
#include "gtest/gtest.h"

using namespace chi::target;

// y[i] = |x[i]| > 1e5 ? rare(x[i]) : 2 x[i]
static const char *kLoop = R"mlir(
llvm.func @chi.cold.f(%x: f32) -> f32 {
  %0 = llvm.fdiv %x, %x : f32
  %1 = llvm.fadd %0, %x : f32
  llvm.return %1 : f32
}
llvm.func @loop(%x: !llvm.ptr {llvm.noalias}, %y: !llvm.ptr {llvm.noalias}) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %end = llvm.mlir.constant(4096 : i64) : i64
  %limit = llvm.mlir.constant(1.0e5 : f32) : f32
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %from = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %to = llvm.getelementptr %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v = llvm.load %from : !llvm.ptr -> f32
  %near = llvm.fadd %v, %v : f32
  %isCold = llvm.fcmp "ogt" %v, %limit : f32
  llvm.cond_br %isCold, ^rare, ^next(%near : f32)
^rare:
  %far = llvm.call @chi.cold.f(%v) : (f32) -> f32
  llvm.br ^next(%far : f32)
^next(%r: f32):
  llvm.store %r, %to : f32, !llvm.ptr
  %following = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %following, %end : i64
  llvm.cond_br %more, ^head(%following : i64), ^done
^done:
  llvm.return
}
)mlir";

TEST(ColdCalls, ALoopIsWidenedAndTestsItsLanesOnce) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::LLVM::LLVMDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kLoop, &context);
  ASSERT_TRUE(module);
  cpu::CodeOptions options;
  options.cpu = "x86-64-v3"; // how it is widened is asked below
  llvm::SmallString<4096> text;
  llvm::Error error =
      cpu::emitCode(*module, options, cpu::OutputKind::LLVMIR, text);
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  llvm::StringRef code = text;
  // The variant stands inside the loop: a test of the mask, and the call.
  EXPECT_TRUE(code.contains("x float>")) << text.c_str();
  EXPECT_TRUE(code.contains("bitcast <")) << text.c_str();
  EXPECT_TRUE(code.contains("float @chi.cold.f(")) << text.c_str();
  EXPECT_FALSE(code.contains("@chi.cold.f.v8(")) << text.c_str();
  // It gives what is chosen: no choice is left where no lane is rare.
  EXPECT_TRUE(code.contains("chi.cold.f.choose")) << text.c_str();
  EXPECT_FALSE(code.contains("select <")) << text.c_str();
}
