//===- Report.h - Profiles for readers and programs -------------*- C++ -*-===//
#ifndef CHI_PROFILE_REPORT_H
#define CHI_PROFILE_REPORT_H

#include "chi/Profile/LaunchProfile.h"
#include "chi/Profile/Roofline.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace chi::profile {

/// What a report is about.
struct Report {
  std::string program; ///< as the command line names it
  std::string device;  ///< "cpu, 2 threads"
  double wall = 0;     ///< seconds of the program, without its compilation
  Roofline roofline;
  const LaunchProfile &profile;
};

/// "1.234 ms", four digits.
std::string timeText(double seconds);
/// "1.23 G": three digits and a prefix of the SI. "-" if nothing is known of
/// it, "~" before an estimate.
std::string amountText(double amount, Quality quality);
/// "45.3", of a part that is known; else "-".
std::string percentText(double part, Quality quality);

/// The kernels as a table, what adjoints cost, and what the columns mean.
void writeTable(const Report &report, llvm::raw_ostream &out);
/// One object; its members are those of docs/measuring.md.
void writeJson(const Report &report, llvm::raw_ostream &out);
/// The table and the sources as one page that refers to no other file.
/// `sources`: the texts of files by their names; of others no text is shown.
void writeHtml(const Report &report,
               const std::map<std::string, std::string> &sources,
               llvm::raw_ostream &out);
/// The events in Chrome's trace event format.
void writeTrace(const Report &report, llvm::raw_ostream &out);

} // namespace chi::profile
#endif // CHI_PROFILE_REPORT_H
