//===- LaunchChoices.h - The choices of one launch --------------*- C++ -*-===//
#ifndef CHIRT_TUNE_LAUNCHCHOICES_H
#define CHIRT_TUNE_LAUNCHCHOICES_H

#include "chirt/tune/Trials.h"
#include <atomic>

namespace chirt {

/// What the code of a task asks.
struct Question {
  const chirt_site *site;
  TrialKey key;
  int64_t bytes;
};

/// The answers that one launch gets: all of its chunks the same. At most one of
/// its choices is measured; of others it takes the best that is known. Made by
/// the thread that launches; the threads that run chunks ask.
class LaunchChoices {
public:
  /// `isMeasured`: the time of the launch says something about its code.
  explicit LaunchChoices(bool isMeasured) : isMeasured(isMeasured) {}
  LaunchChoices(const LaunchChoices &) = delete;
  /// Ends the launch, and records its time.
  ~LaunchChoices() {
    if (measured >= 0) [[unlikely]]
      record();
  }

  /// The option to take.
  int32_t answer(const Question &question);

private:
  struct Answer {
    TrialKey key;
    int32_t option;
  };
  static constexpr int kMostAnswers = 4;

  int32_t decide(const Question &question);
  const int32_t *find(const TrialKey &key) const;
  void record();

  std::atomic_flag isDeciding; ///< a thread adds an answer
  std::atomic<int> numAnswers{0};
  Answer answers[kMostAnswers];
  bool isMeasured;
  int64_t measured = -1; ///< the trial whose time this launch is
  int32_t option = 0;
  double since = 0;
};

/// Of the launch of which this thread runs a part; null: of none that asks.
extern thread_local constinit LaunchChoices *choicesOfLaunch;

/// Sets the choices of this thread's launch for its life.
class ServedChoices {
public:
  explicit ServedChoices(LaunchChoices *choices);
  ServedChoices(const ServedChoices &) = delete;
  ~ServedChoices();

private:
  LaunchChoices *before;
};

/// Keeps what was measured since the latest call, if there is a store
/// (chirt_keep_choices).
void keepTrials();

} // namespace chirt
#endif // CHIRT_TUNE_LAUNCHCHOICES_H
