//===- LaunchChoices.cpp - The choices of one launch ----------------------===//
#include "chirt/tune/LaunchChoices.h"

#include "chirt/host.h"
#include "chirt/support/Settings.h"
#include <pthread.h>

namespace chirt {

[[gnu::tls_model(
    "initial-exec")]] thread_local constinit LaunchChoices *choicesOfLaunch =
    nullptr;

namespace {
/// What the process knows.
struct Known {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Trials trials;
  const chirt_choice_store *store = nullptr;
  bool isRead = false;    ///< what the store has
  bool isChanged = false; ///< since the store got it
};
[[clang::no_destroy]] constinit Known known;

class Locked {
public:
  Locked() { pthread_mutex_lock(&known.lock); }
  Locked(const Locked &) = delete;
  ~Locked() { pthread_mutex_unlock(&known.lock); }
};

/// Needs the lock.
void readStore() {
  if (!known.store || !known.store->find || std::exchange(known.isRead, true))
    return;
  if (char *text = known.store->find(known.store->context)) {
    known.trials.read(text);
    free(text);
  }
}
} // namespace

ServedChoices::ServedChoices(LaunchChoices *choices)
    : before(std::exchange(choicesOfLaunch, choices)) {}

ServedChoices::~ServedChoices() { choicesOfLaunch = before; }

/// Needs the lock.
int32_t LaunchChoices::decide(const Question &question) {
  readStore();
  size_t number = known.trials.find(question.key, question.usual);
  Trial &trial = known.trials[number];
  trial.site = question.site;
  trial.bytes = question.bytes;
  if (trial.kept >= 0)
    return trial.kept;
  if (!isMeasured || measured >= 0)
    return question.usual;
  measured = int64_t(number);
  option = trial.next();
  since = chirt_time_now();
  return option;
}

int32_t LaunchChoices::answer(const Question &question) {
  int count = numAnswers.load(std::memory_order_acquire);
  for (int k = 0; k < count; ++k)
    if (answers[k].key == question.key)
      return answers[k].option;
  Locked locked;
  count = numAnswers.load(std::memory_order_relaxed);
  for (int k = 0; k < count; ++k)
    if (answers[k].key == question.key)
      return answers[k].option;
  if (count == kMostAnswers)
    return question.usual;
  answers[count] = {question.key, decide(question)};
  numAnswers.store(count + 1, std::memory_order_release);
  return answers[count].option;
}

void LaunchChoices::record() {
  double now = chirt_time_now();
  Locked locked;
  known.trials[size_t(measured)].record(option, now - since, now,
                                        settings().trials);
  known.isChanged = true;
}

void keepTrials() {
  Locked locked;
  if (!known.store || !known.isChanged)
    return;
  readStore();
  Text text;
  known.trials.print(text);
  known.store->keep(known.store->context, text.c_str());
  known.isChanged = false;
}

} // namespace chirt

using namespace chirt;

int32_t chirt_choose(const chirt_site *site, int64_t task, int32_t choice,
                     int32_t usual, int64_t bytes) {
  LaunchChoices *choices = choicesOfLaunch;
  if (!choices || settings().trials == 0)
    return usual;
  return choices->answer(
      {site, {uint64_t(task), choice, sizeClass(bytes)}, usual, bytes});
}

void chirt_keep_choices(const chirt_choice_store *store) {
  Locked locked;
  known.store = store;
  known.isRead = known.isChanged = false;
  known.trials.cool();
}

void chirt_forget_choices(void) {
  Locked locked;
  known.trials.clear();
}

void chirt_each_choice(void (*take)(void *context,
                                    const chirt_choice_result *result),
                       void *context) {
  for (size_t k = 0; k < known.trials.size(); ++k) {
    const Trial &trial = known.trials[k];
    bool isWarm = trial.warm.counts[trial.usual] > 0;
    const Series &series = isWarm ? trial.warm : trial.cold;
    chirt_choice_result result = {
        trial.site,       trial.bytes,
        trial.key.choice, numOptions(trial.key.choice),
        trial.usual,      trial.kept,
        series.counts,    series.least};
    take(context, &result);
  }
}
