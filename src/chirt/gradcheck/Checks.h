//===- Checks.h - What the checks of a run share ----------------*- C++ -*-===//
#ifndef CHIRT_GRADCHECK_CHECKS_H
#define CHIRT_GRADCHECK_CHECKS_H

#include "chirt/gradcheck/Compare.h"
#include "chirt/gradcheck/Tell.h"
#include "chirt/support/Settings.h"

namespace chirt {

class Tape;

/// A field of the process. Another one may get its address, not its number.
struct Known {
  chirt_field *field;
  int64_t number;
};

/// The adjoints of a field that a call of a kernel begins with, in memory that
/// probes share.
struct Weighed {
  Known known;
  double *weights;
};

/// The check of a tape, or of a call of a kernel. Made by malloc, so that a
/// failure may leave it.
struct Check {
  const Tape *tape = nullptr;
  const char *kernel = nullptr; ///< null: of a tape
  const chirt_site *site = nullptr;
  int32_t number = 0; ///< of the tape, from 1
  Snapshot snapshot;
  Array<Input> inputs;
  Array<char> names; ///< of the inputs, each with its NUL
  Array<Weighed> weighed;
  void *shared = nullptr; ///< the memory of all weights
  size_t sharedBytes = 0;
  double began = 0;
  double loss = 0; ///< at the end of the tape
  uint32_t seconds = 0;
};

/// How often a statement, or a kernel, was checked.
struct SiteRecord {
  const void *what;
  int32_t count;
  /// How many gradients its latest check could not decide; how often that
  /// happened.
  int32_t numUnclear, tries;
};

/// By what name a field was met last.
struct Named {
  int64_t number;
  char *name;
};

struct Checks {
  Array<Known> fields;
  int64_t numMade = 0;
  Array<SiteRecord> records;
  Array<Check *> open;  ///< of tapes; the innermost one is last
  Array<Check *> calls; ///< of the latest calls of kernels
  Array<Named> names;
  Totals totals;
  double watchUntil = 0; ///< when races were watched for long enough; 0: not
                         ///< begun
  Array<const chirt_task *> watched; ///< the loops that were
  Probing probing = Probing::Loss;   ///< in a probe
  double compared = 0;               ///< seconds that comparisons took
};
/// The checks of the process.
Checks &checks();

/// The options of gradcheck. Only while it runs (Settings::gradCheck).
inline const chirt_gradcheck &gradCheckOptions() {
  return *settings().gradCheck;
}

/// The field as it is known; null if it is not.
const Known *findKnown(const chirt_field *field);
/// Whether the field is still that of the number.
bool isStill(const Known &known);
/// What is known of a statement or kernel.
SiteRecord &siteRecordOf(const void *what);

/// A new check of a tape; ends the process if memory is short.
Check *makeCheck(const Tape *tape);
/// Frees a check with its snapshot and names.
void freeCheck(Check *check);
/// Makes the snapshot of a check. Returns false in a probe, after the change
/// that is asked for.
bool takeSnapshotOf(Check &check);
/// The names of the inputs, by which the tape's tasks have them.
void nameInputs(Check &check);
/// Compares all inputs and prints the result. A place for which no gradient
/// could be decided is checked again at its next execution.
void compareAt(SiteRecord &record, Check &check);
/// Takes a check out of its list and frees it.
void dropCheck(Array<Check *> &list, Check *check);

} // namespace chirt
#endif // CHIRT_GRADCHECK_CHECKS_H
