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

bool Series::isHopeless(int32_t option, int options, int32_t usual) const {
  double fastest = least[best(options, usual)];
  return option != usual &&
         ((counts[option] > 1 && least[option] >= kHopeless * fastest) ||
          (counts[option] == 1 && least[option] >= kHopelessAtOnce * fastest));
}

int32_t Series::next(int options, int32_t usual) const {
  int32_t fewest = usual;
  for (int32_t k = 0; k < options; ++k)
    if (!isHopeless(k, options, usual) && counts[k] < counts[fewest])
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
  for (int32_t k = 0; k < options; ++k)
    if (counts[k] < rounds && !isHopeless(k, options, usual))
      return -1;
  int32_t fastest = best(options, usual);
  return isGain(fastest, usual, rounds) ? fastest : usual;
}

int32_t Trial::next() const {
  return (isWarm ? warm : cold).next(numOptions(key.choice), key.usual);
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
  series.add(option, key.usual, seconds, period);
  kept = seconds < kShortestTrial
             ? key.usual
             : series.winner(numOptions(key.choice), key.usual, rounds);
}

//===----------------------------------------------------------------------===//
// All trials
//===----------------------------------------------------------------------===//

static size_t bucketOf(const TrialKey &key, size_t buckets) {
  uint64_t mixed = key.task ^ uint64_t(uint32_t(key.size)) << 1 ^
                   uint64_t(uint32_t(key.choice)) << 8 ^
                   uint64_t(uint32_t(key.usual));
  return size_t((mixed * 0x9e3779b97f4a7c15) >> 32) % buckets;
}

size_t Trials::lookUp(const TrialKey &key) const {
  size_t number = buckets[bucketOf(key, kBuckets)];
  while (number && !(trials[number - 1].trial.key == key))
    number = trials[number - 1].next;
  return number;
}

size_t Trials::add(const Trial &trial) {
  size_t &first = buckets[bucketOf(trial.key, kBuckets)];
  trials.push({trial, first});
  return first = trials.size();
}

size_t Trials::find(const TrialKey &key) {
  if (size_t number = lookUp(key))
    return number - 1;
  Trial trial = {};
  trial.key = key;
  trial.kept = -1;
  return add(trial) - 1;
}

void Trials::clear() {
  trials.clear();
  for (size_t &first : buckets)
    first = 0;
}

void Trials::cool() {
  for (Entry &entry : trials)
    entry.trial.isWarm = false;
}

void Trials::print(Text &out) const {
  out << kHeader << '\n';
  size_t size = trials.size();
  for (size_t n = size > kMostTrials ? size - kMostTrials : 0; n < size; ++n) {
    const Trial &trial = trials[n].trial;
    out.appendf("%016llx %d %d %d %d",
                static_cast<unsigned long long>(trial.key.task),
                trial.key.choice, trial.key.size, trial.key.usual, trial.kept);
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
             &trial.key.size, &trial.key.usual, &trial.kept, &used) != 5)
    return false;
  trial.key.task = task;
  int options = numOptions(trial.key.choice);
  if (trial.key.usual < 0 || trial.key.usual >= options || trial.kept < -1 ||
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
    if (readTrial(line.c_str(), trial) && !lookUp(trial.key))
      add(trial);
  }
}

} // namespace chirt
