//===- Trials.h - Choices that are measured ---------------------*- C++ -*-===//
// A task has choices that no model of a machine settles: whether its stores go
// past the caches, whether its loops go in tiles. Its launches try the options
// in turn and keep the fastest (docs/design/0076-measured-choices.md).
//===----------------------------------------------------------------------===//
#ifndef CHIRT_TUNE_TRIALS_H
#define CHIRT_TUNE_TRIALS_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

namespace chirt {

/// The most options of a choice.
constexpr int kMostOptions = 4;
/// Launches that take less time, in seconds, are not measured: the wake-up of
/// the threads and the clock would decide.
constexpr double kShortestTrial = 100e-6;
/// An option other than the usual one wins a round if it takes at most this
/// part of the usual one's time. It is kept if it wins all rounds (of four and
/// more all but a quarter: other processes disturb measurements), and
constexpr double kGainOfOther = 0.95;
/// if the time from one launch to the next becomes shorter by at least this
/// part of the gain: stores past the caches make a launch shorter, and may make
/// the kernel longer that reads what they stored.
constexpr double kGainThatStays = 0.5;
/// An option that takes this many times as long as another one, in the least of
/// at least two measurements, is not tried again,
constexpr double kHopeless = 2;
/// and one that takes so many times as long after one measurement.
constexpr double kHopelessAtOnce = 10;

/// The number of options of a choice (chirt_choice); 0: there is no such
/// choice.
int numOptions(int32_t choice);

/// What is measured together: launches of one task that use about the same
/// amount of memory, and for which the model takes the same option.
struct TrialKey {
  uint64_t task;  ///< a hash of its code
  int32_t choice; ///< chirt_choice
  int32_t size;   ///< sizeClass of the bytes
  int32_t usual;  ///< the option that the model takes
  bool operator==(const TrialKey &) const = default;
};

/// Half powers of two: sizes of one class differ by less than a half.
int32_t sizeClass(int64_t bytes);

/// Times of the options, in seconds; of a count of 0 undefined.
struct Series {
  int32_t counts[kMostOptions];
  int32_t wins[kMostOptions]; ///< rounds in which it was faster than the usual
  double least[kMostOptions];
  /// From the end of the launch before, which took the same option, to the end
  /// of this one: what other kernels lose or gain is part of it. 0: unknown.
  double leastPeriod[kMostOptions];
  double latestUsual; ///< of the usual option in this round

  /// Counts a measurement of one option, in seconds.
  void add(int32_t option, int32_t usual, double seconds, double period);
  /// The option to measure next: the usual one, then the others, in rounds.
  int32_t next(int options, int32_t usual) const;
  /// The option to keep once each that is not hopeless was measured `rounds`
  /// times; -1 before.
  int32_t winner(int options, int32_t usual, int rounds) const;

private:
  /// The fastest option so far; `usual` if it is as fast.
  int32_t best(int options, int32_t usual) const;
  /// The usual option never is.
  bool isHopeless(int32_t option, int options, int32_t usual) const;
  bool isGain(int32_t option, int32_t usual, int rounds) const;
};

/// The measurements of one choice.
struct Trial {
  TrialKey key;
  const chirt_site *site; ///< of the latest launch; null: none yet
  int64_t bytes;          ///< of the latest launch
  int32_t kept;           ///< the option that is kept; -1: open
  /// First launches of a run, whose memory is touched for the first time, and
  /// others: the two do not compare.
  Series cold, warm;

  bool isWarm;    ///< this run has launched it
  int32_t latest; ///< the option of this run's latest launch
  double end;     ///< and when that ended

  /// The option of the next launch.
  int32_t next() const;
  /// Records a launch with `option` that took `seconds` and ended at `now`;
  /// settles the choice if that was the last one to measure.
  void record(int32_t option, double seconds, double now, int rounds);
};

/// All choices of the process. Not guarded: callers hold a lock.
class Trials {
public:
  /// The trial with that key, which is made if there is none.
  size_t find(const TrialKey &key);
  Trial &operator[](size_t number) { return trials[number].trial; }
  size_t size() const { return trials.size(); }
  void clear();
  /// A run begins: its first launches are cold.
  void cool();

  /// One line for each trial. `read` takes them back; a line that it does not
  /// understand counts as none, and a trial that is there stays as it is.
  void print(Text &out) const;
  void read(std::string_view text);

private:
  static constexpr size_t kBuckets = 256;
  struct Entry {
    Trial trial;
    size_t next; ///< in the bucket: its number and 1; 0: the last
  };
  /// The number of the trial and 1; 0 if there is none.
  size_t lookUp(const TrialKey &key) const;
  size_t add(const Trial &trial);

  Array<Entry> trials;
  size_t buckets[kBuckets] = {}; ///< first of each: its number and 1; 0: none
};

} // namespace chirt
#endif // CHIRT_TUNE_TRIALS_H
