//===- JUnit.h - Outcomes of tests for other programs -----------*- C++ -*-===//
#ifndef CHI_DRIVER_JUNIT_H
#define CHI_DRIVER_JUNIT_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace chi::driver {

/// Collects the outcomes of tests and writes them in the XML form of JUnit,
/// which services for continuous integration read.
class JUnitReport {
public:
  /// The following outcomes belong to this file.
  void beginFile(llvm::StringRef name);
  /// `message`: why it failed; "" if it did not.
  void addTest(llvm::StringRef name, double seconds, bool isPassed,
               llvm::StringRef message);
  /// The file's tests could not be run.
  void addError(llvm::StringRef message);

  /// The number of passed tests of all files.
  unsigned numPassed() const { return count(Outcome::Passed); }
  /// The number of failed tests of all files.
  unsigned numFailed() const { return count(Outcome::Failed); }
  /// Failures of the current file.
  bool hasFailures() const;
  /// The report as XML.
  std::string text() const;

private:
  enum class Outcome { Passed, Failed, Error };
  struct Test {
    std::string name, message;
    double seconds;
    Outcome outcome;
  };
  struct File {
    std::string name;
    std::vector<Test> tests;
    unsigned count(Outcome outcome) const;
    double seconds() const;
  };
  unsigned count(Outcome outcome) const;

  std::vector<File> files;
};

} // namespace chi::driver
#endif // CHI_DRIVER_JUNIT_H
