//===- JUnit.cpp ----------------------------------------------------------===//
#include "chi/Driver/JUnit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace chi::driver;

void JUnitReport::beginFile(llvm::StringRef name) {
  files.push_back({name.str(), {}});
}

void JUnitReport::addTest(llvm::StringRef name, double seconds, bool isPassed,
                          llvm::StringRef message) {
  files.back().tests.push_back({name.str(), isPassed ? "" : message.str(),
                                seconds,
                                isPassed ? Outcome::Passed : Outcome::Failed});
}

void JUnitReport::addError(llvm::StringRef message) {
  files.back().tests.push_back({"(file)", message.str(), 0, Outcome::Error});
}

unsigned JUnitReport::File::count(Outcome outcome) const {
  unsigned number = 0;
  for (const Test &test : tests)
    number += test.outcome == outcome;
  return number;
}

double JUnitReport::File::seconds() const {
  double sum = 0;
  for (const Test &test : tests)
    sum += test.seconds;
  return sum;
}

unsigned JUnitReport::count(Outcome outcome) const {
  unsigned number = 0;
  for (const File &file : files)
    number += file.count(outcome);
  return number;
}

bool JUnitReport::hasFailures() const {
  return files.back().count(Outcome::Failed) != 0;
}

/// Text as XML takes it, which has no form for most control characters.
static std::string escaped(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (c == '\n')
      result += "&#10;";
    else if (c == '\t' || static_cast<unsigned char>(c) >= 32)
      result += c;
    else
      result += '?';
  }
  return result;
}

std::string JUnitReport::text() const {
  std::string result;
  llvm::raw_string_ostream out(result);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const File &file : files) {
    out << "  <testsuite name=\"" << escaped(file.name) << "\" tests=\""
        << file.tests.size() << "\" failures=\"" << file.count(Outcome::Failed)
        << "\" errors=\"" << file.count(Outcome::Error) << "\" time=\""
        << llvm::format("%.6f", file.seconds()) << "\">\n";
    for (const Test &test : file.tests) {
      out << "    <testcase classname=\"" << escaped(file.name) << "\" name=\""
          << escaped(test.name) << "\" time=\""
          << llvm::format("%.6f", test.seconds) << "\"";
      if (test.outcome == Outcome::Passed) {
        out << "/>\n";
        continue;
      }
      const char *tag = test.outcome == Outcome::Failed ? "failure" : "error";
      llvm::StringRef message = test.message;
      out << "><" << tag << " message=\"" << escaped(message.split('\n').first)
          << "\">" << escaped(message) << "</" << tag << "></testcase>\n";
    }
    out << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
  return result;
}
