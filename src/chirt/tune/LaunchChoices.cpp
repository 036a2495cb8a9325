//===- LaunchChoices.cpp - The choices of one launch ----------------------===//
#include "chirt/tune/LaunchChoices.h"

#include "chirt/host.h"
#include "chirt/support/Settings.h"
#include "chirt/text/Output.h"
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sched.h>

namespace chirt {

thread_local constinit LaunchChoices *choicesOfLaunch = nullptr;

namespace {
constexpr int32_t usualRounds = 3;

/// What the process knows.
struct Known {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Trials trials;
  const chirt_choice_store *store = nullptr;
  bool isRead = false;    ///< what the store has
  bool isChanged = false; ///< since the store got it
};
[[clang::no_destroy]] constinit Known known;

/// Holds what the process knows.
class Locked {
public:
  Locked() { pthread_mutex_lock(&known.lock); }
  Locked(const Locked &) = delete;
  ~Locked() { pthread_mutex_unlock(&known.lock); }
};

/// The same of a launch, which can do without: a process that was forked while
/// another thread held the lock never gets it.
class MaybeLocked {
public:
  MaybeLocked() {
    constexpr int most = 1000;
    for (int k = 0; k < most && !has; ++k)
      has = pthread_mutex_trylock(&known.lock) == 0;
  }
  MaybeLocked(const MaybeLocked &) = delete;
  ~MaybeLocked() {
    if (has)
      pthread_mutex_unlock(&known.lock);
  }
  explicit operator bool() const { return has; }

private:
  bool has = false;
};

/// Reports a value of CHI_TUNE that is none.
void refuseRounds(const char *value) {
  Text text;
  text
      << "warning: CHI_TUNE=" << value
      << " is not `off` or a number from 0 to 1000; the first launches measure "
      << usualRounds << " rounds\n";
  writeError(text);
}

/// What CHI_TUNE in the environment says.
int32_t roundsOfEnvironment() {
  constexpr long most = 1000;
  const char *value = getenv("CHI_TUNE");
  if (!value || !*value)
    return usualRounds;
  if (strcmp(value, "off") == 0)
    return 0;
  char *end = nullptr;
  long rounds = strtol(value, &end, 10);
  if (!*end && rounds >= 0 && rounds <= most)
    return int32_t(rounds);
  refuseRounds(value);
  return usualRounds;
}

/// How often each option is measured.
int32_t roundsOfTrials() {
  int32_t &rounds = settings().trials;
  int32_t set = __atomic_load_n(&rounds, __ATOMIC_RELAXED);
  if (set >= 0) [[likely]]
    return set;
  set = roundsOfEnvironment();
  __atomic_store_n(&rounds, set, __ATOMIC_RELAXED);
  return set;
}

/// Needs the lock.
void readStore() {
  if (!known.store || std::exchange(known.isRead, true))
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

int32_t LaunchChoices::decide(const Question &question) {
  MaybeLocked locked;
  if (!locked)
    return question.key.usual;
  if (known.store && !known.store->measures_again)
    readStore();
  size_t number = known.trials.find(question.key);
  Trial &trial = known.trials[number];
  trial.site = question.site;
  trial.bytes = question.bytes;
  if (trial.kept >= 0)
    return trial.kept;
  if (!isMeasured || measured >= 0)
    return question.key.usual;
  measured = int64_t(number);
  option = trial.next();
  since = chirt_time_now();
  return option;
}

const int32_t *LaunchChoices::find(const TrialKey &key) const {
  int count = numAnswers.load(std::memory_order_acquire);
  for (int k = 0; k < count; ++k)
    if (answers[k].key == key)
      return &answers[k].option;
  return nullptr;
}

int32_t LaunchChoices::answer(const Question &question) {
  if (const int32_t *known = find(question.key))
    return *known;
  while (isDeciding.test_and_set(std::memory_order_acquire))
    sched_yield();
  const int32_t *known = find(question.key);
  int32_t option = known ? *known : question.key.usual;
  int count = numAnswers.load(std::memory_order_relaxed);
  if (!known && count < kMostAnswers) {
    option = decide(question);
    answers[count] = {question.key, option};
    numAnswers.store(count + 1, std::memory_order_release);
  }
  isDeciding.clear(std::memory_order_release);
  return option;
}

void LaunchChoices::record() {
  double now = chirt_time_now();
  int32_t rounds = roundsOfTrials();
  MaybeLocked locked;
  if (!locked)
    return;
  known.trials[size_t(measured)].record(option, now - since, now, rounds);
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
  if (!choices || roundsOfTrials() == 0)
    return usual;
  return choices->answer(
      {site, {uint64_t(task), choice, sizeClass(bytes), usual}, bytes});
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
    bool isWarm = trial.warm.counts[trial.key.usual] > 0;
    const Series &series = isWarm ? trial.warm : trial.cold;
    chirt_choice_result result = {
        trial.site,       trial.bytes,
        trial.key.choice, numOptions(trial.key.choice),
        trial.key.usual,  trial.kept,
        series.counts,    series.least};
    take(context, &result);
  }
}
