//===- HtmlPage.cpp - A profile beside the source -------------------------===//
#include "chi/Profile/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace chi::profile;

/// No script, no font and no picture from elsewhere.
static constexpr llvm::StringLiteral kStyle = R"(
body { font: 14px/1.4 sans-serif; margin: 2em; color: #222; }
table { border-collapse: collapse; }
th, td { padding: 2px 10px; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
td.code { text-align: left; white-space: pre; font-family: monospace; }
td.line { color: #999; }
tr.hot td.code { font-weight: bold; }
table.source td { border-bottom: none; padding: 0 10px; }
.bar { display: inline-block; height: 0.7em; background: #d9622b; }
)";

/// Text of the page: what a program is called or says is no markup.
static void writeText(llvm::StringRef text, llvm::raw_ostream &out) {
  llvm::printHTMLEscaped(text, out);
}

static void writeRow(const Row &row, const Report &report,
                     llvm::raw_ostream &out) {
  const LaunchWork &work = row.work;
  double part = report.wall > 0 ? row.seconds / report.wall : 0;
  double inMemory = report.roofline.partOfBandwidth(work.bytes(), row.seconds);
  double inUnits =
      report.roofline.partOfPeak(work.flops32, work.flops64, row.seconds);
  out << "<tr><td>";
  writeText(row.name, out);
  out << "</td><td>" << row.calls << "</td><td>" << timeText(row.seconds)
      << "</td><td>" << percentText(part, Quality::Exact) << "</td><td>"
      << amountText(work.bytes(), work.byteQuality) << "</td><td>"
      << percentText(inMemory, work.byteQuality) << "</td><td>"
      << amountText(work.flops(), work.flopQuality) << "</td><td>"
      << percentText(inUnits, work.flopQuality) << "</td></tr>\n";
}

/// The rows whose loop begins in that line.
static std::vector<const Row *> rowsAt(const LaunchProfile &profile,
                                       llvm::StringRef file, int line) {
  std::vector<const Row *> found;
  for (const Row &row : profile.rows())
    if (row.line == line && row.file == file)
      found.push_back(&row);
  return found;
}

static void writeLine(llvm::ArrayRef<const Row *> rows, const Report &report,
                      int number, llvm::StringRef text,
                      llvm::raw_ostream &out) {
  double seconds = 0;
  int64_t calls = 0;
  std::string title;
  for (const Row *row : rows) {
    seconds += row->seconds, calls += row->calls;
    title += row->name + " " + timeText(row->seconds) + "; ";
  }
  double part = report.wall > 0 ? std::min(1.0, seconds / report.wall) : 0;
  out << (rows.empty() ? "<tr>" : "<tr class=\"hot\" title=\"");
  if (!rows.empty()) {
    writeText(title, out);
    out << "\">";
  }
  out << "<td class=\"line\">" << number << "</td><td>";
  if (!rows.empty())
    out << timeText(seconds) << "</td><td>" << percentText(part, Quality::Exact)
        << llvm::formatv("</td><td><span class=\"bar\" "
                         "style=\"width:{0:F0}px\"></span>",
                         part * 100);
  else
    out << "</td><td></td><td>";
  out << "</td><td class=\"code\">";
  writeText(text, out);
  out << "</td></tr>\n";
}

static void writeSource(const Report &report, llvm::StringRef file,
                        llvm::StringRef text, llvm::raw_ostream &out) {
  out << "<h2>";
  writeText(file, out);
  out << "</h2>\n<table class=\"source\">\n";
  llvm::SmallVector<llvm::StringRef> lines;
  text.rtrim('\n').split(lines, '\n');
  int number = 0;
  for (llvm::StringRef line : lines) {
    ++number;
    writeLine(rowsAt(report.profile, file, number), report, number,
              line.rtrim('\r'), out);
  }
  out << "</table>\n";
}

void chi::profile::writeHtml(const Report &report,
                             const std::map<std::string, std::string> &sources,
                             llvm::raw_ostream &out) {
  out << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<title>Profile of ";
  writeText(report.program, out);
  out << "</title>\n<style>" << kStyle << "</style></head><body>\n<h1>";
  writeText(report.program, out);
  out << "</h1>\n<p>";
  writeText(report.device, out);
  out << "; " << timeText(report.wall) << ", in kernels "
      << timeText(report.profile.seconds()) << "; measured limits: "
      << amountText(report.roofline.bandwidth, Quality::Exact) << "B/s, "
      << amountText(report.roofline.peak32, Quality::Exact) << "flop/s in f32, "
      << amountText(report.roofline.peak64, Quality::Exact)
      << "flop/s in f64. Times are measured; bytes and flops are counted from "
         "the code (~: estimated, -: not known).</p>\n"
         "<table><tr><th>kernel</th><th>launches</th><th>time</th>"
         "<th>% time</th><th>bytes</th><th>% bandwidth</th><th>flops</th>"
         "<th>% peak</th></tr>\n";
  for (const Row &row : report.profile.rows())
    writeRow(row, report, out);
  out << "</table>\n";
  for (const auto &[file, text] : sources)
    writeSource(report, file, text, out);
  out << "</body></html>\n";
}
