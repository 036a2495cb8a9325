//===- Failure.cpp - Failed checks, guards, exit --------------------------===//
#include "chirt/failure/Failure.h"

#include "chirt/failure/Gather.h"
#include "chirt/support/Settings.h"
#include "chirt/support/ThreadEnd.h"
#include "chirt/text/Output.h"
#include <csetjmp>
#include <cstdlib>
#include <new>
#include <pthread.h>
#include <unistd.h>

int32_t chirt_failed = 0;

namespace chirt {

namespace {
/// A failed check, and whose sites it numbers.
struct KeptRecord {
  const chirt_unit *unit;
  chirt_record record;

  const chirt_site *site() const { return &unit->sites[record.site]; }
};

/// What failed in the tasks of a launch, as workers or a device recorded it.
struct TaskFailure {
  /// Of the failure to tell; null if nothing failed.
  const chirt_site *site = nullptr;
  /// At most CHIRT_MAX_RECORDS. Empty if the failure came with its text.
  Array<KeptRecord> records;
  size_t least = 0;     ///< the record to tell
  bool hasMore = false; ///< that a device did not record
  Text text; ///< its message, gathered where it failed, or all that is said
  const chirt_site *other = nullptr;
  Text otherText;
};

/// The range of the source that a launch counts from 0 on.
struct LoopRange {
  int64_t begin = 0, step = 1;
};

} // namespace

/// What fails in the work of one thread: its host code, and its launches,
/// wherever their iterations run.
struct Failures {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; ///< of `task`
  TaskFailure task;
  LoopRange range; ///< of the launch that failed, or is instrumented
  Text message;    ///< of host code, complete
  int status = 0;
  bool isSilent = false; ///< the message is not printed
  jmp_buf *guard = nullptr;
};

namespace {
/// Made at a thread's first use; it goes with the thread.
thread_local constinit Failures *own = nullptr;
/// Whose launch this thread runs a part of, if not its own.
thread_local constinit Failures *served = nullptr;

void dropOwn(void *) {
  own->~Failures();
  free(own);
  own = nullptr;
}

Failures &mine() {
  if (!own) [[unlikely]] {
    void *memory = malloc(sizeof(Failures));
    if (!memory)
      outOfMemory();
    own = new (memory) Failures();
    atThreadEnd(dropOwn, nullptr);
  }
  return *own;
}

Failures &ofLaunch() { return served ? *served : mine(); }

/// Counts the threads with a failure: who finds any asks for its own.
void countFailed(int32_t change) {
  __atomic_fetch_add(&chirt_failed, change, __ATOMIC_RELAXED);
}

bool isEarlier(const int64_t *a, const int64_t *b, int axes) {
  for (int k = 0; k < axes; ++k)
    if (a[k] != b[k])
      return a[k] < b[k];
  return false;
}

/// Leaves to the guard with the recorded status, printing nothing.
[[noreturn]] void unwind() {
  Failures &failures = mine();
  if (!failures.guard) {
    flushOut();
    _exit(failures.status);
  }
  _longjmp(*failures.guard, 1);
}

/// Appends the description of a record. `gathered`: the message, if it was
/// gathered where the check failed.
void describeRecord(Text &out, const KeptRecord &kept,
                    std::string_view gathered) {
  const chirt_site *site = kept.site();
  Text message;
  if (site->format >= 0)
    appendFormat(message, kept.unit->formats[site->format],
                 kept.record.words + site->num_values);
  else
    message << gathered;
  describeCheck(out, site, kept.record.words, message);
}

/// Describes the recorded failure of a task as the message of the thread.
void adoptTaskFailure(Failures &failures) {
  TaskFailure &task = failures.task;
  Text words;
  int64_t *iteration = nullptr;
  if (task.records.empty()) {
    words << task.text;
  } else {
    KeptRecord &reported = task.records[task.least];
    describeRecord(words, reported, task.text);
    if (task.hasMore)
      words << " (the first of " << CHIRT_MAX_RECORDS
            << " recorded failures; there were more)";
    if (reported.record.num_axes)
      iteration = reported.record.iteration;
    if (reported.record.num_axes == 1)
      iteration[0] = loopValue(iteration[0]);
  }
  failures.message.clear();
  describeFailure(failures.message, task.site, "error", words, iteration);
  if (task.other)
    describeFailure(failures.message, task.other, "note", task.otherText,
                    nullptr);
  failures.status = UserFault;
}

void adoptCheck(const chirt_site *site, const int64_t *values) {
  Failures &failures = mine();
  Text words;
  describeCheck(words, site, values,
                site->kind == CHIRT_SITE_ASSERT ? gatheredText().view()
                                                : std::string_view());
  gatheredText().clear();
  failures.message.clear();
  describeFailure(failures.message, site, "error", words, nullptr);
  failures.status = UserFault;
}

void forgetTaskFailure(Failures &failures) {
  if (failures.task.site)
    countFailed(-1);
  failures.task.site = nullptr;
  failures.task.hasMore = false;
  failures.task.other = nullptr;
  failures.task.records.clear();
  failures.task.text.clear();
  failures.task.otherText.clear();
  failures.range = {};
}
} // namespace

bool failAt(const chirt_site *site, Fault fault, const char *format, ...) {
  Text words;
  va_list arguments;
  va_start(arguments, format);
  words.appendv(format, arguments);
  va_end(arguments);
  Failures &failures = mine();
  failures.message.clear();
  describeFailure(failures.message, site, "error", words, nullptr);
  failures.status = fault;
  return false;
}

void refuseToBegin(std::string_view message) {
  Failures &failures = mine();
  failures.message.clear();
  failures.message << message;
  if (!failures.isSilent)
    writeError(message);
}

std::string_view lastFailure() { return mine().message; }

const char *lastFailureText() { return mine().message.c_str(); }

bool silenceFailures(bool isSilent) {
  return std::exchange(mine().isSilent, isSilent);
}

int64_t loopValue(int64_t iteration) {
  const LoopRange &range = ofLaunch().range;
  return int64_t(uint64_t(range.begin) +
                 uint64_t(iteration) * uint64_t(range.step));
}

Failures *failuresOfLaunch() { return &ofLaunch(); }

void serveFailures(Failures *failures) { served = failures; }

bool hasTaskFailed() {
  Failures &failures = ofLaunch();
  pthread_mutex_lock(&failures.lock);
  bool hasFailed = failures.task.site != nullptr;
  pthread_mutex_unlock(&failures.lock);
  return hasFailed;
}

void leave() {
  // A launch before it may have failed: that is the first thing to tell.
  if (const chirt_device *device = settings().device; device->finish) {
    device->finish();
    chirt_check_launch();
  }
  if (!mine().isSilent)
    writeError(mine().message);
  unwind();
}

void failTask(const chirt_site *site, std::string_view text,
              const chirt_site *other, std::string_view otherText) {
  Failures &failures = ofLaunch();
  pthread_mutex_lock(&failures.lock);
  TaskFailure &task = failures.task;
  if (!task.site || !task.records.empty()) {
    if (!task.site)
      countFailed(1);
    task.records.clear();
    task.hasMore = false;
    task.text.clear();
    task.site = site;
    task.text << text;
    task.other = other;
    task.otherText << otherText;
  }
  pthread_mutex_unlock(&failures.lock);
}

// Each worker meets its failures in the order of its iterations, so the least
// iteration is the same for any number of threads: that one is reported.
void keepRecord(const chirt_unit *unit, const chirt_record &record,
                std::string_view message) {
  Failures &failures = ofLaunch();
  pthread_mutex_lock(&failures.lock);
  TaskFailure &task = failures.task;
  Array<KeptRecord> &records = task.records;
  bool isReported = !task.site;
  if (!records.empty()) {
    const chirt_record &least = records[task.least].record;
    isReported = least.num_axes == record.num_axes &&
                 isEarlier(record.iteration, least.iteration, record.num_axes);
  }
  if (isReported) {
    if (!task.site)
      countFailed(1);
    if (records.size() == CHIRT_MAX_RECORDS)
      records.removeAt(0);
    task.least = records.size();
    task.site = &unit->sites[record.site];
    task.text.clear();
    task.text << message;
  }
  if (isReported || (!records.empty() && records.size() < CHIRT_MAX_RECORDS))
    records.push({unit, record});
  pthread_mutex_unlock(&failures.lock);
}

const chirt_record *leastRecord() {
  Failures &failures = ofLaunch();
  pthread_mutex_lock(&failures.lock);
  const TaskFailure &task = failures.task;
  const chirt_record *record =
      task.records.empty() ? nullptr : &task.records[task.least].record;
  pthread_mutex_unlock(&failures.lock);
  return record;
}

void noteMoreFailures() {
  Failures &failures = ofLaunch();
  pthread_mutex_lock(&failures.lock);
  failures.task.hasMore = true;
  pthread_mutex_unlock(&failures.lock);
}

} // namespace chirt

using namespace chirt;

void chirt_fail(const chirt_unit *unit, int32_t site, const int64_t *words,
                const int64_t *iteration) {
  const chirt_site &at = unit->sites[site];
  chirt_record record;
  memset(&record, 0, sizeof(record));
  record.site = site;
  int32_t message = at.format >= 0 ? unit->formats[at.format].num_words : 0;
  for (int k = 0; k < at.num_values + message && k < CHIRT_RECORD_WORDS; ++k)
    record.words[k] = words ? words[k] : 0;
  if (iteration)
    record.num_axes =
        at.num_axes < CHIRT_MAX_RANK ? at.num_axes : CHIRT_MAX_RANK;
  for (int k = 0; k < record.num_axes; ++k)
    record.iteration[k] = iteration[k];
  bool isGathered = at.kind == CHIRT_SITE_ASSERT && at.format < 0;
  keepRecord(unit, record,
             isGathered ? gatheredText().view() : std::string_view());
  // Also a print that was cut short by the failure is dropped.
  gatheredText().clear();
}

void chirt_loop_values(int64_t begin, int64_t step) {
  ofLaunch().range = {begin, step};
}

void chirt_raise(const chirt_site *site, const int64_t *values) {
  adoptCheck(site, values);
  leave();
}

void chirt_check_launch(void) {
  if (__atomic_load_n(&chirt_failed, __ATOMIC_RELAXED) == 0) [[likely]]
    return;
  if (served) // a launch within a part of another, which is checked at its end
    return;
  Failures &failures = mine();
  if (!failures.task.site) { // it was another thread's
    failures.range = {};
    return;
  }
  adoptTaskFailure(failures);
  forgetTaskFailure(failures);
  leave();
}

int32_t chirt::runGuarded(void (*body)(void *), void *context,
                          void (*giveBack)(const void *), const void *kept) {
  jmp_buf here;
  Failures &failures = mine();
  jmp_buf *const outer = failures.guard;
  const size_t gatheredBefore = gatheredText().size();
  failures.message.clear();
  if (_setjmp(here) == 0) {
    failures.guard = &here;
    body(context);
    failures.status = 0;
    failures.message.clear();
  } else {
    giveBack(kept);
    forgetTaskFailure(failures);
    // What was gathered outside goes on.
    gatheredText().truncate(gatheredBefore);
  }
  failures.guard = outer;
  return failures.status;
}

void chirt_exit(int32_t status) {
  chirt_sync();
  mine().status = status & 0xff;
  unwind();
}
