//===- Trials.cpp - Choices that are measured -----------------------------===//
#include "chirt/tune/Trials.h"

#include <cstdio>

namespace chirt {

namespace {
/// The latest trials are kept if there are more.
constexpr size_t kMostTrials = 1000;
constexpr char kHeader[] = "chi choices 1";
} // namespace

int numOptions(int32_t choice) {
  switch (choice) {
  case CHIRT_CHOICE_STREAMING:
  case CHIRT_CHOICE_TILES:
    return 2;
  default:
    return 0;
  }
}

int32_t sizeClass(int64_t bytes) {
  if (bytes < 2)
    return 0;
  int power = 63 - __builtin_clzll(uint64_t(bytes));
  return 2 * power + int32_t(bytes >> (power - 1) & 1);
}

//===----------------------------------------------------------------------===//
// One trial
//===----------------------------------------------------------------------===//

void Series::add(int32_t option, int32_t usual, double seconds, double period) {
  bool isFirst = counts[option]++ == 0;
  if (isFirst || seconds < least[option])
    least[option] = seconds;
  if (isFirst || period < leastPeriod[option])
    leastPeriod[option] = period;
  if (option == usual)
    latestUsual = seconds;
  else if (seconds <= kGainOfOther * latestUsual)
    ++wins[option];
}

int32_t Series::best(int options, int32_t usual) const {
  int32_t best = usual;
  for (int32_t k = 0; k < options; ++k)
    if (counts[k] > 0 && (counts[best] == 0 || least[k] < least[best]))
      best = k;
  return best;
}

bool Series::isHopeless(int32_t option, int32_t best) const {
  return counts[option] > 0 && least[option] >= kHopeless * least[best];
}

int32_t Series::next(int options, int32_t usual) const {
  int32_t fastest = best(options, usual), fewest = usual;
  for (int32_t k = 0; k < options; ++k)
    if (!isHopeless(k, fastest) &&
        (isHopeless(fewest, fastest) || counts[k] < counts[fewest]))
      fewest = k;
  return fewest;
}

bool Series::isGain(int32_t option, int32_t usual, int rounds) const {
  double gain = least[usual] - least[option];
  double stays = leastPeriod[usual] - leastPeriod[option];
  bool isKnown = leastPeriod[usual] > 0 && leastPeriod[option] > 0;
  return least[option] <= kGainOfOther * least[usual] &&
         wins[option] >= rounds - rounds / 4 &&
         (!isKnown || stays >= kGainThatStays * gain);
}

int32_t Series::winner(int options, int32_t usual, int rounds) const {
  int32_t fastest = best(options, usual);
  for (int32_t k = 0; k < options; ++k)
    if (counts[k] < rounds && !isHopeless(k, fastest))
      return -1;
  // A usual option that is hopeless was measured less often.
  int done = rounds < counts[usual] ? rounds : counts[usual];
  return isGain(fastest, usual, done) ? fastest : usual;
}

int32_t Trial::next() const {
  return (isWarm ? warm : cold).next(numOptions(key.choice), usual);
}

void Trial::record(int32_t option, double seconds, double now, int rounds) {
  bool isCold = !std::exchange(isWarm, true);
  double period = isCold ? 0 : now - end;
  end = now;
  bool isSteady = std::exchange(latest, option) == option;
  if (kept >= 0)
    return;
  // After another option the caches are not as this one leaves them.
  if (!isCold && !isSteady)
    return;
  Series &series = isCold ? cold : warm;
  series.add(option, usual, seconds, period);
  kept = seconds < kShortestTrial
             ? usual
             : series.winner(numOptions(key.choice), usual, rounds);
}

//===----------------------------------------------------------------------===//
// All trials
//===----------------------------------------------------------------------===//

size_t Trials::find(const TrialKey &key, int32_t usual) {
  size_t number = 0;
  while (number < trials.size() && !(trials[number].key == key))
    ++number;
  if (number < trials.size() && trials[number].usual == usual)
    return number;
  Trial &trial = number < trials.size() ? trials[number] : trials.add();
  trial = {};
  trial.key = key;
  trial.usual = usual;
  trial.kept = -1;
  return number;
}

void Trials::cool() {
  for (Trial &trial : trials)
    trial.isWarm = false;
}

bool Trials::has(const TrialKey &key) const {
  for (const Trial &trial : trials)
    if (trial.key == key)
      return true;
  return false;
}

void Trials::print(Text &out) const {
  out << kHeader << '\n';
  size_t size = trials.size();
  for (size_t n = size > kMostTrials ? size - kMostTrials : 0; n < size; ++n) {
    const Trial &trial = trials[n];
    out.appendf("%016llx %d %d %d %d",
                static_cast<unsigned long long>(trial.key.task),
                trial.key.choice, trial.key.size, trial.usual, trial.kept);
    for (const Series &series : {trial.cold, trial.warm}) {
      out.appendf(" %.9g", series.latestUsual);
      for (int k = 0; k < numOptions(trial.key.choice); ++k)
        out.appendf(" %d %d %.9g %.9g", series.counts[k], series.wins[k],
                    series.least[k], series.leastPeriod[k]);
    }
    out << '\n';
  }
}

/// Reads the measurements from `line` on; null if there are none.
static const char *readSeries(const char *line, int options, Series &series) {
  int used = 0;
  if (sscanf(line, "%lf%n", &series.latestUsual, &used) != 1)
    return nullptr;
  for (int k = 0; k < options; ++k) {
    line += used;
    bool isRead =
        sscanf(line, "%d %d %lf %lf%n", &series.counts[k], &series.wins[k],
               &series.least[k], &series.leastPeriod[k], &used) == 4;
    if (!isRead || series.counts[k] < 0 || !(series.least[k] >= 0) ||
        !(series.leastPeriod[k] >= 0))
      return nullptr;
  }
  return line + used;
}

/// Reads one line, which ends in NUL.
static bool readTrial(const char *line, Trial &trial) {
  unsigned long long task;
  int used = 0;
  if (sscanf(line, "%16llx %d %d %d %d%n", &task, &trial.key.choice,
             &trial.key.size, &trial.usual, &trial.kept, &used) != 5)
    return false;
  trial.key.task = task;
  int options = numOptions(trial.key.choice);
  if (trial.usual < 0 || trial.usual >= options || trial.kept < -1 ||
      trial.kept >= options)
    return false;
  line = readSeries(line + used, options, trial.cold);
  return line && readSeries(line, options, trial.warm);
}

void Trials::read(std::string_view text) {
  bool isFirst = true;
  while (!text.empty()) {
    size_t end = text.find('\n');
    Text line;
    line << slice(text, 0, end);
    text = end == text.npos ? std::string_view() : slice(text, end + 1);
    if (std::exchange(isFirst, false)) {
      if (line.view() != kHeader)
        return;
      continue;
    }
    Trial trial = {};
    if (readTrial(line.c_str(), trial) && !has(trial.key))
      trials.push(trial);
  }
}

} // namespace chirt
