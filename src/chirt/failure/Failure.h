//===- Failure.h - How the run time fails -----------------------*- C++ -*-===//
// An inner function that cannot go on records why by `failAt` and returns its
// false; the outermost one, which owns nothing then, calls `leave`.
#ifndef CHIRT_FAILURE_FAILURE_H
#define CHIRT_FAILURE_FAILURE_H

#include "chirt/chirt.h"
#include "chirt/text/Text.h"

namespace chirt {

/// Exit statuses: whose fault it is.
enum Fault : int { UserFault = 1, WorldFault = 2 };

/// Records a failure of host code at `site` (may be null); `format` as printf.
/// Returns false, always.
[[gnu::format(printf, 3, 4)]] bool failAt(const chirt_site *site, Fault fault,
                                          const char *format, ...);
/// Prints the recorded failure and leaves to the guard of the calling thread;
/// without a guard the process ends. No object with a destructor may be alive
/// in the frames left.
[[noreturn]] void leave();

/// Runs `body(context)` as a guarded step (chirt_guard); `giveBack(kept)` gives
/// back what the frames that a failure leaves held.
int32_t runGuarded(void (*body)(void *), void *context,
                   void (*giveBack)(const void *), const void *kept);
/// Prints why the thread refuses to begin, unless it is silent: that is its
/// latest failure then.
void refuseToBegin(std::string_view message);
/// What the latest guarded step of this thread printed when it failed, or
/// refuseToBegin; "" if it did not, or left by `exit`.
std::string_view lastFailure();
/// The same with a NUL at the end.
const char *lastFailureText();
/// From now on failures of this thread are not printed, or are again. Returns
/// whether they were not before.
bool silenceFailures(bool isSilent);

/// Records a failure of a running task under a text of the caller's own; the
/// excerpt of a second place follows as a note if `other` is not null. It came
/// before the checks of the launch that were recorded, if there are any.
void failTask(const chirt_site *site, std::string_view text,
              const chirt_site *other, std::string_view otherText);

/// Records a failed check of the thread's launch. `message`: of an assertion
/// whose site has no format.
void keepRecord(const chirt_unit *unit, const chirt_record &record,
                std::string_view message);
/// Notes that the thread's launch has more failures than were recorded: the
/// reported one may not be the least.
void noteMoreFailures();
/// Of the checks of the thread's launch that were recorded, the one to tell;
/// null if there is none.
const chirt_record *leastRecord();
/// The text that a format makes of values, a word for each scalar.
void appendFormat(Text &out, const chirt_format &format, const int64_t *words);

/// What fails in the work of one thread.
struct Failures;
/// Where failures of the launch go that this thread begins or runs a part of.
Failures *failuresOfLaunch();
/// From now on this thread runs a part of another's launch; null: no more.
void serveFailures(Failures *failures);
/// Whether a task of the thread's launch has failed.
bool hasTaskFailed();

/// What the source's loop variable is in a turn of the launch's only axis
/// (chirt_loop_values).
int64_t loopValue(int64_t iteration);

/// The text of a failure at `site` with position, kernel, iteration (may be
/// null) and the source line. `severity`: "error", "note".
void describeFailure(Text &out, const chirt_site *site, const char *severity,
                     std::string_view text, const int64_t *iteration);
/// What is wrong at `site`, in words, with its values.
void describeCheck(Text &out, const chirt_site *site, const int64_t *values,
                   std::string_view message);

} // namespace chirt
#endif // CHIRT_FAILURE_FAILURE_H
