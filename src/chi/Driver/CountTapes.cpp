//===- CountTapes.cpp - The tapes of a program ----------------------------===//
#include "chi/Driver/CountTapes.h"

#include "chi/Driver/Program.h"
#include "chi/Sema/Build/Build.h"

using namespace chi;
using namespace chi::driver;

std::unique_ptr<sema::Program>
chi::driver::analyse(const launch::RunOptions &run, Frontend &frontend) {
  sema::Options sema = semaOptions(run.compile);
  if (!frontend.parse() ||
      !bindParams(run.file, run.programArgs, frontend.params(),
                  sema.paramValues, llvm::nulls()))
    return nullptr;
  return frontend.check(sema);
}

bool chi::driver::hasKernelGradients(const sema::Program &program) {
  return llvm::any_of(program.functions, [](const auto &function) {
    return !function->gradName.empty();
  });
}

static bool isTest(const sema::Program &program,
                   const sema::Function &function) {
  return llvm::any_of(program.tests, [&](const auto &test) {
    return test.function == &function;
  });
}

int32_t chi::driver::countTapes(const launch::RunOptions &run, DriverEnv &env) {
  Frontend frontend(env, run.compile, run.diagnostics, run.file, run.text);
  auto program = analyse(run, frontend);
  if (!program)
    return 0;
  int32_t count = 0;
  for (const auto &function : program->functions)
    if (!isTest(*program, *function))
      sema::forEachStmt(function->body, [&](sema::Stmt *stmt) {
        auto *tape = llvm::dyn_cast<sema::TapeStmt>(stmt);
        count += tape && !tape->isForward;
      });
  return count;
}
