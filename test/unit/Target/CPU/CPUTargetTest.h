//===- CPUTargetTest.h - Tests that make machine code -----------*- C++ -*-===//
#ifndef CHI_TEST_UNIT_TARGET_CPU_CPUTARGETTEST_H
#define CHI_TEST_UNIT_TARGET_CPU_CPUTARGETTEST_H

#include "chi/Conversion/Passes.h"
#include "chi/Target/CPU/CPUTarget.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace chi::target::cpu {

class CPUTargetTest : public ::testing::Test {
protected:
  CPUTargetTest() : context(makeRegistry()) {
    context.loadAllAvailableDialects();
  }

  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    conv::registerLoweringDialects(registry);
    return registry;
  }

  /// Code of a function that adds one, as LLVM dialect.
  llvm::SmallVector<char> emit(OutputKind kind, CodeOptions options) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
      llvm.func @add_one(%a: i32) -> i32 {
        %one = llvm.mlir.constant(1 : i32) : i32
        %b = llvm.add %a, %one : i32
        llvm.return %b : i32
      })mlir",
                                                          &context);
    llvm::SmallVector<char> output;
    llvm::Error error = emitCode(*module, options, kind, output);
    message = llvm::toString(std::move(error));
    return output;
  }

  mlir::MLIRContext context;
  std::string message;
};

} // namespace chi::target::cpu
#endif // CHI_TEST_UNIT_TARGET_CPU_CPUTARGETTEST_H
