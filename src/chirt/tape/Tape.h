//===- Tape.h - The log of what changed fields, and back --------*- C++ -*-===//
// A tape is a log of launches and of what the run time and host code did to
// fields. Each field that it met has a version, which every write counts up.
// Before a write, what an entry's adjoint needs of the present version is
// saved. Backward, entries are visited in reverse, and versions count down: an
// adjoint task is given what its primal found.
//
// What a tape does for itself (saves, adjoint tasks, gradients) is recorded by
// those round it as any other work: tapes nest.
#ifndef CHIRT_TAPE_TAPE_H
#define CHIRT_TAPE_TAPE_H

#include "chirt/support/Arena.h"
#include "chirt/tape/Budget.h"
#include "chirt/tape/Entries.h"
#include "chirt/tape/InternedTuples.h"
#include "chirt/tape/Patterns.h"

namespace chirt {

/// The numbers of chirt_tape_statistics, except for the counts of live tapes.
extern int64_t tapeStatistics[CHIRT_TAPE_NUM_STATISTICS];

/// What a tape makes a field for.
enum class Purpose : uint8_t {
  Save,     ///< what an adjoint will read
  Adjoint,  ///< of a field
  Copy,     ///< of what an adjoint task changes
  Gradient, ///< of a field
};

/// What the fields of tapes and their logs take.
struct TapeBytes {
  int64_t saves = 0, adjoints = 0, log = 0;
};

/// One tape, or the record of a kernel's latest call. Memory is all its own, so
/// that a guard can drop it at any time.
class Tape {
public:
  /// `kernel`: of whose call it is the record, or null.
  explicit Tape(const char *kernel);
  ~Tape();
  Tape(const Tape &) = delete;
  Tape &operator=(const Tape &) = delete;

  // Forward: what is about to happen (Log.cpp). `level`: how many tapes are
  // round this one; they hear of what it does for itself.
  /// Does its adjoint want the results of atomic operations?
  bool launch(size_t level, const chirt_task *task, const int64_t *words,
              const chirt_domain *domain);
  /// A field is set to one value.
  void fill(size_t level, chirt_field *field);
  /// A field is copied to another one.
  void copy(size_t level, chirt_field *to, const chirt_field *from);
  /// A field is added to another one.
  void add(size_t level, chirt_field *to, const chirt_field *from);
  /// The elements of a view are copied to another field, of the same shape.
  void gather(size_t level, chirt_field *to, const chirt_field *view);
  /// A field is copied to the elements of a view, of the same shape; null: one
  /// value is.
  void scatter(size_t level, const chirt_field *view, const chirt_field *from);
  /// The part of a field that an entry gathers from, or scatters to. A new
  /// reference.
  chirt_field *chunkOf(const Entry &entry, chirt_field *field) const;
  /// `box`: where the scalars are.
  void store(size_t level, chirt_field *field, const Box &box,
             const int64_t *offsets, int64_t count);
  /// Host code adds a value that depends on no field to the scalars of a box.
  void addition(size_t level, chirt_field *field, const Box &box);

  // Results of atomic operations (Results.cpp).
  /// A field of the launch that was recorded last.
  void keepResults(chirt_field *field);
  /// Releases the results that a launch keeps.
  void dropResults(const Entry &launch);

  // Calls with an adjoint of their own (Custom.cpp).
  /// Begins the entry of a call whose adjoint has the number `adjoint`. The
  /// `count` words of the call are scalars or handles of fields, as `uses` says
  /// (chirt_custom_use, or kScalar). A call within another one adds nothing.
  void beginCustom(int32_t adjoint, const int64_t *words, const int8_t *uses,
                   int32_t count);
  /// Ends that entry.
  void endCustom();
  /// Word `number` of the call whose adjoint runs.
  int64_t wordOfCall(int64_t number) const {
    return offsets[size_t(entries[position].at + number)];
  }
  /// The adjoint of a field, while an adjoint that the program gives runs; null
  /// after an error.
  bool hasAdjoint(const chirt_field *field) {
    int32_t number = find(field);
    return number >= 0 && fields[number].adjoint;
  }
  /// The adjoint field, made if there is none; null after a failure at `site`.
  chirt_field *givenAdjoint(const chirt_site *site, chirt_field *field);
  /// What such an adjoint wrote is undone, and fields are newest again.
  /// `isHeard`: tapes round this one hear of it.
  void leaveCustom(size_t level, bool isHeard);

  // The launch that comes last, which may wait (LastLaunch.cpp).
  /// Records it. False: it has to run now.
  bool postpone(const chirt_task *task, const int64_t *words,
                const chirt_domain *domain);
  /// Runs it, if one waits.
  void runPostponed();

  /// Marks a field as watched: its adjoint is required.
  void watch(chirt_field *field);
  /// Adds what it counted since to the numbers of the process.
  void tellCounts();
  /// The name by which a task of the tape has a field; false if none has it.
  bool appendName(Text &out, const chirt_field *field) const;
  /// Has it met one of the fields from `begin` to `end`?
  bool hasFieldIn(const chirt_field *begin, const chirt_field *end) const;
  /// Is a field's gradient that of what the tape left in it?
  bool isWatchedLater(const chirt_field *field) const;

  // When memory is short (ShortMemory.cpp).
  /// A field like `like` that the tape needs for its field `number`; null after
  /// a failure that names it.
  chirt_field *makeFor(Purpose purpose, int32_t number, const chirt_site *site,
                       const chirt_field *like);
  /// The same of an adjoint or a gradient, which has a type of its own.
  chirt_field *makeAdjointFor(int32_t number, const chirt_site *site);
  /// The same for the gradient of a field.
  chirt_field *gradientFor(int32_t number, const chirt_site *site);
  /// "the adjoint of `x`, "
  void appendPurpose(Text &out, Purpose purpose, int32_t number) const;
  /// The same of a field that the tape has; false if it has it for nothing.
  bool appendPurposeOf(Text &out, const chirt_field *field) const;
  /// Of the loop that is recorded or goes back; null if none is.
  const chirt_site *loopNow() const;
  /// Adds the memory that the tape holds to `held`.
  void countBytes(TapeBytes &held) const;
  /// A part of a field was changed by what this record of a kernel does not
  /// have.
  void noteChange(const chirt_field *field, const chirt_task *by,
                  const Box &changed);

  /// From now on the tape keeps to a budget; the caller has seen that it has
  /// none yet and that it is the only one.
  void limitTo(const chirt_site *site, int64_t bytes);
  /// From now on it is only found out what it takes; `bytes`: of its budget, or
  /// negative. The same is true of it as for limitTo.
  void planFor(const chirt_site *site, int64_t bytes);

  /// Runs the log backward from what `fields` have as adjoints (Backward.cpp).
  friend class Backward;
  friend class Budget;
  friend class EntryLog;
  friend class Replay;

  const char *kernel;
  chirt_field *loss = nullptr; ///< with a reference
  int32_t flags = 0;           ///< chirt_tape_flag
  bool isEnding = false;       ///< it records no more
  bool looksForRaces = false;  ///< of its launches (gradcheck)
  bool isInAdjoint = false;    ///< an adjoint that the program gives runs
  /// What the kernel that runs now launches last is the last of the tape.
  bool isClosing = false;
  /// What keeps its memory small (Budget.h); null: nothing does.
  Budget *budget = nullptr;
  Tape *adjointsBefore = nullptr; ///< TapeStack::adjoints, before that
  /// Fields that it made or borrowed for a moment, given back at its end at the
  /// latest.
  Array<chirt_field *> temporaries;

private:
  int64_t keepPart(const chirt_field *view);
  int32_t find(const chirt_field *field) const;
  int32_t meet(chirt_field *field);
  void push(const Entry &entry);
  void count(chirt_tape_statistic which, int64_t by = 1) {
    counts[which] += by;
  }
  // Launches (Launches.cpp).
  int32_t patternOf(const chirt_task *task, const int64_t *words,
                    const chirt_domain *domain);
  void findUses(int32_t number, const int64_t *words,
                const chirt_domain *domain);
  const chirt_task *adjointFor(const Pattern &pattern) const;
  int32_t wayBack(int32_t number, const int64_t *words,
                  const chirt_domain *domain);
  PatternRun findNeeds(const chirt_task *adjoint, int32_t numArguments,
                       const int64_t *words, const chirt_domain *domain);
  void addUse(const chirt_task *by, int argument, uint8_t wanted,
              const int64_t *words, const chirt_domain *domain);
  Box boxOf(const PatternUse &use, uint8_t wanted, const int64_t *words,
            const chirt_domain *domain) const;
  bool isActive(const Pattern &pattern) const;
  static void setActive(TapedField &known, bool isActive);
  void noteNeeds(PatternRun needs, const int64_t *words,
                 const chirt_domain *domain);
  bool noteForBudget(const PatternUse &use, const int64_t *words,
                     const chirt_domain *domain);
  void addNeed(int32_t number, const Box &added);
  bool findNeeded(int32_t number, const Box &written, Box &needed) const;
  void dropNeeds(int32_t number, const Box &written);
  void unlinkNeed(int32_t *link);
  void exchange(chirt_field *field, const Save &save);
  void putBack(int32_t number);
  void save(size_t level, int32_t number, const Box &needed,
            bool isOverwritten);
  void countSave(int32_t number, const Box &needed, bool isRotated);
  void dropAllNeeds(int32_t number);
  bool saveBox(int32_t number, const Box &needed);
  void beforeWrite(size_t level, int32_t number, const Box &written,
                   bool isOverwritten = false);
  const chirt_task *taskNow() const;
  void appendNameOf(Text &out, int32_t number) const;
  bool failToSave(int32_t number, int64_t bytes) const;
  void undoExchanges();
  void dropSaves(bool keepsNeeds);
  void dropBudget();
  void exchangeRoom();
  void rehash();
  void useInCustom(int32_t number);
  void writeInCustom(size_t level, int32_t number, const Box &written,
                     bool isOverwritten);
  void launchInCustom(size_t level, const chirt_task *task,
                      const int64_t *words, const chirt_domain *domain);
  void keepBefore(size_t level, chirt_field *field, const Box &written);
  void restoreContent(size_t level, int32_t number);
  /// What is written in a call with an adjoint, or by such an adjoint; false
  /// elsewhere.
  bool writeWhole(size_t level, chirt_field *field, bool isOverwritten);
  bool writePart(size_t level, chirt_field *field, const Box &written);
  bool mayWait(const Entry &entry) const;
  bool mayGoOn() const;
  bool isAskedFor(int32_t number, const Box &box) const;
  bool isPlaceOf(const Entry &addition, const Box &box) const;

  int64_t id; ///< of which there is no other in the process
  const chirt_task *recording = nullptr; ///< whose launch has no entry yet
  Array<TapedField> fields;
  Array<int32_t> byHandle; ///< hash table of numbers of fields
  Array<Save> saves;
  Arena memory; ///< of boxes and what they hold
  Array<Need> needs;
  int32_t freeNeed = -1; ///< number of one that is not in use
  /// Backward: the fields that got boxes back, and the numbers of these saves.
  Array<int32_t> exchanged;
  Array<chirt_field *> exchangedOf;
  Array<int32_t> changed; ///< the numbers of fields with a `latest`
  Array<Entry> entries;
  Array<chirt_field *> results; ///< of recorders, with a reference
  InternedTuples tuples;
  Patterns patterns;
  int64_t counts[CHIRT_TAPE_NUM_STATISTICS] = {};
  Array<int64_t> offsets; ///< of scalars that host code stored; words of calls
  Array<Box> additions;   ///< of a tape with a budget: where host code adds
  int32_t depth = 0;      ///< of calls with an adjoint that are under way
  int32_t numCustom = 0;  ///< such calls so far
  size_t customAt = 0;    ///< the entry of the one that is under way
  Array<Kept> kept;
  Array<Restored> restored;
  bool isSeeded = false;    ///< it began to run backward
  size_t position = 0;      ///< backward, so many entries are not visited
  bool isPostponed = false; ///< the task of the last entry has not run
};

/// A field that the prologue of an adjoint, or a recorder, takes.
chirt_workspace_field workspaceFieldAt(const chirt_task *task, int64_t number);

/// A field like `like`, all of whose scalars are `bits`; null after a failure
/// at `site`.
chirt_field *makeFilled(const chirt_site *site, const chirt_field *like,
                        int32_t dtype, int64_t bits);
/// Fails if the task writes to memory that another one of its arguments shares.
void refuseOverlaps(const chirt_task *task, const int64_t *words);

/// The name of a task's argument; "an argument" if it has none.
void appendArgumentName(Text &out, const chirt_task *task, int argument);

} // namespace chirt
#endif // CHIRT_TAPE_TAPE_H
