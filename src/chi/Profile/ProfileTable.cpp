//===- ProfileTable.cpp - A profile as a table ----------------------------===//
#include "chi/Profile/Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <array>
#include <cmath>

using namespace chi::profile;

std::string chi::profile::timeText(double seconds) {
  if (seconds >= 1)
    return llvm::formatv("{0:F3} s", seconds);
  if (seconds >= 1e-3)
    return llvm::formatv("{0:F3} ms", seconds * 1e3);
  return llvm::formatv("{0:F3} us", seconds * 1e6);
}

std::string chi::profile::amountText(double amount, Quality quality) {
  if (quality == Quality::Unknown)
    return "-";
  constexpr const char *prefixes[] = {"", " k", " M", " G", " T", " P", " E"};
  size_t prefix = 0;
  double scaled = amount;
  while (scaled >= 999.5 && prefix + 1 < std::size(prefixes))
    scaled /= 1000, ++prefix;
  bool isWhole = prefix == 0 && scaled == std::floor(scaled);
  int digits = isWhole || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
  char text[32];
  std::snprintf(text, sizeof(text), "%s%.*f%s",
                quality == Quality::Estimated ? "~" : "", digits, scaled,
                prefixes[prefix]);
  return text;
}

std::string chi::profile::percentText(double part, Quality quality) {
  if (quality == Quality::Unknown || part <= 0)
    return "-";
  return llvm::formatv("{0}{1:F1}", quality == Quality::Estimated ? "~" : "",
                       part * 100);
}

namespace {
using Cells = std::array<std::string, 9>;
} // namespace

static Cells cellsOf(const Row &row, const Report &report) {
  const LaunchWork &work = row.work;
  double inMemory = report.roofline.partOfBandwidth(work.bytes(), row.seconds);
  double inUnits =
      report.roofline.partOfPeak(work.flops32, work.flops64, row.seconds);
  return {row.name,
          std::to_string(row.calls),
          timeText(row.seconds),
          percentText(report.wall > 0 ? row.seconds / report.wall : 0,
                      Quality::Exact),
          timeText(row.seconds / double(row.calls)),
          amountText(work.bytes(), work.byteQuality),
          percentText(inMemory, work.byteQuality),
          amountText(work.flops(), work.flopQuality),
          percentText(inUnits, work.flopQuality)};
}

static void writeCells(const std::vector<Cells> &lines,
                       llvm::raw_ostream &out) {
  std::array<size_t, 9> widths = {};
  for (const Cells &cells : lines)
    for (size_t k = 0; k < cells.size(); ++k)
      widths[k] = std::max(widths[k], cells[k].size());
  for (const Cells &cells : lines) {
    out << llvm::left_justify(cells[0], widths[0]);
    for (size_t k = 1; k < cells.size(); ++k)
      out << "  " << llvm::right_justify(cells[k], widths[k]);
    out << "\n";
  }
}

/// What the backward passes cost, next to the primal launches.
static void writeAdjoints(const Report &report, llvm::raw_ostream &out) {
  bool isFirst = true;
  for (const Row &adjoint : report.profile.rows()) {
    if (!adjoint.isAdjoint)
      continue;
    double primal = 0;
    for (const Row &row : report.profile.rows())
      if (!row.isAdjoint && row.kernel == adjoint.kernel &&
          row.file == adjoint.file && row.line == adjoint.line)
        primal += row.seconds;
    out << (isFirst ? "\ngradients\n" : "") << "  " << adjoint.name << ": "
        << timeText(adjoint.seconds);
    if (primal > 0)
      out << llvm::formatv(", {0:F2} x the time of the kernel",
                           adjoint.seconds / primal);
    out << "\n";
    isFirst = false;
  }
}

static void writeLimits(const Report &report, llvm::raw_ostream &out) {
  const Roofline &roofline = report.roofline;
  out << "\nmeasured limits of " << report.device << ":";
  if (roofline.bandwidth <= 0) {
    out << " not measured\n";
    return;
  }
  out << " " << amountText(roofline.bandwidth, Quality::Exact)
      << "B/s (triad), " << amountText(roofline.peak32, Quality::Exact)
      << "flop/s in f32";
  if (roofline.peak64 > 0)
    out << ", " << amountText(roofline.peak64, Quality::Exact)
        << "flop/s in f64";
  out << "\n";
}

void chi::profile::writeTable(const Report &report, llvm::raw_ostream &out) {
  const LaunchProfile &profile = report.profile;
  if (profile.rows().empty()) {
    out << "no kernel was launched in " << timeText(report.wall) << "\n";
    return;
  }
  std::vector<Cells> lines = {{"kernel", "launches", "time", "%time", "mean",
                               "bytes", "%bandwidth", "flops", "%peak"}};
  bool isEstimated = false, isUnknown = false;
  for (const Row &row : profile.rows()) {
    lines.push_back(cellsOf(row, report));
    for (Quality quality : {row.work.byteQuality, row.work.flopQuality}) {
      isEstimated |= quality == Quality::Estimated;
      isUnknown |= quality == Quality::Unknown;
    }
  }
  writeCells(lines, out);
  double share = report.wall > 0 ? profile.seconds() / report.wall : 0;
  out << "all kernels: " << timeText(profile.seconds()) << ", "
      << percentText(share, Quality::Exact) << "% of " << timeText(report.wall)
      << "\n";
  writeAdjoints(report, out);
  writeLimits(report, out);
  out << "times are measured; bytes (distinct elements) and flops are counted "
         "from the code\n";
  if (isEstimated)
    out << "~: estimated: branches, or bounds and indices that vary\n";
  if (isUnknown)
    out << "-: not known: loops that end at a condition\n";
}
