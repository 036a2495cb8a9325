//===- TestPasses.h - Passes that only tests run ----------------*- C++ -*-===//
//
// They report the results of analyses, as remarks that --verify-diagnostics
// compares with a test. A test queries them by an operation of no dialect,
// `"ask.…"`, at the place in question: guards and checks before it count.
//
//===----------------------------------------------------------------------===//
#ifndef CHI_OPT_TESTPASSES_H
#define CHI_OPT_TESTPASSES_H

#include "chi/Analysis/Linear.h"
#include "mlir/IR/Operation.h"

namespace chi::opt {

/// The name of a value in an answer: that of its location (`loc("n")`), of the
/// loop variable, `c` and its number for what a task captures, else what it is.
std::string nameOf(mlir::Value value);
/// A sum, its terms in the order of their names: `'2 * i + n - 1'`.
std::string textOf(const analysis::Linear &sum);
/// The list of sums: `['i', 'j + 1']`.
std::string textOf(llvm::ArrayRef<analysis::Linear> sums);

/// `--chi-test-ranges`: Ranges, Interval and Linear.
void registerRangesTest();
/// `--chi-test-accesses`: AccessMaps.
void registerAccessesTest();
/// `--chi-test-dependence`, `--chi-test-sampler`, `--chi-test-races`,
/// `--chi-test-cost`.
void registerTasksTests();
/// `--chi-test-lower-iteration`: IterationLowering in a loop of its own.
void registerIterationTest();

} // namespace chi::opt
#endif // CHI_OPT_TESTPASSES_H
