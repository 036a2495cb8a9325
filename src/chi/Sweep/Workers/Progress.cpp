//===- Progress.cpp - How far a sweep is ----------------------------------===//
#include "chi/Sweep/Workers/Progress.h"
#include <cmath>
#include <ctime>

using namespace chi;
using namespace chi::sweep;

/// Seconds between two lines.
static constexpr double kOnTerminal = 0.2, kElsewhere = 60;

static double now() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

static int64_t finished(const Ledger::Counts &counts) {
  return counts.states[Row::Done] + counts.states[Row::Failed];
}

std::string sweep::durationText(double seconds) {
  auto whole = int64_t(std::ceil(seconds));
  auto text = [](int64_t number, const char *unit) {
    return std::to_string(number) + " " + unit;
  };
  if (whole < 60)
    return text(whole, "s");
  if (whole < 3600)
    return text(whole / 60, "min ") + text(whole % 60, "s");
  return text(whole / 3600, "h ") + text(whole % 3600 / 60, "min");
}

std::string sweep::countsText(const Ledger::Counts &counts) {
  return std::to_string(counts.states[Row::Done]) + " done, " +
         std::to_string(counts.states[Row::Running]) + " running, " +
         std::to_string(counts.states[Row::Failed]) + " failed of " +
         std::to_string(counts.total());
}

Progress::Progress(llvm::raw_ostream &err, bool isTerminal,
                   const Ledger::Counts &begin)
    : err(err), isTerminal(isTerminal), begin(now()), shown(this->begin),
      finishedBefore(finished(begin)) {}

std::string Progress::left(const Ledger::Counts &counts) const {
  int64_t done = finished(counts) - finishedBefore;
  int64_t rest = counts.total() - finished(counts);
  if (done < 1 || rest < 1)
    return "";
  double each = (now() - begin) / double(done);
  return ", " + durationText(each * double(rest)) + " left";
}

void Progress::show(const Ledger::Counts &counts) {
  if (now() - shown < (isTerminal ? kOnTerminal : kElsewhere))
    return;
  shown = now();
  std::string line = "sweep: " + countsText(counts) + left(counts);
  size_t last = width;
  width = line.size();
  if (isTerminal && last > width)
    line.append(last - width, ' ');
  err << (isTerminal ? "\r" : "") << line << (isTerminal ? "" : "\n");
  err.flush();
}

void Progress::warn(const std::string &text) {
  if (text == warned)
    return;
  warned = text;
  err << (isTerminal ? "\n" : "") << "sweep: " << text << "\n";
  err.flush();
}

void Progress::finish(const Ledger::Counts &counts) {
  std::string line = "sweep: " + countsText(counts);
  line += ", " + durationText(now() - begin);
  if (isTerminal && width > line.size())
    line.append(width - line.size(), ' ');
  err << (isTerminal ? "\r" : "") << line << "\n";
  err.flush();
}
