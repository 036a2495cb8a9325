//===- Budget.h - A tape that may take so much memory -----------*- C++ -*-===//
// A budget cuts the log of a tape into turns of the program's loops. As long as
// what the tape saves fits, it only watches. When it does not, the saves are
// dropped, and from then on the tape keeps its log and the states at some turns
// (snapshots). The backward pass starts from the last one: it launches entries
// of the log again, the last of them with saving switched on, and goes back
// through these. See docs/design/0120-memory-budgets.md.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_TAPE_BUDGET_H
#define CHIRT_TAPE_BUDGET_H

#include "chirt/budget/Contents.h"
#include "chirt/budget/Online.h"
#include "chirt/budget/TapePlan.h"
#include "chirt/budget/Turns.h"
#include "chirt/tape/Boxes.h"
#include "chirt/tape/Entries.h"

namespace chirt {

class Tape;

/// The log of a tape with a budget, turn by turn; equal entries are stored
/// once. An entry that is not launched again has an image: what it wrote.
class EntryLog {
public:
  explicit EntryLog(Tape &tape) : tape(tape) {}
  ~EntryLog();
  EntryLog(const EntryLog &) = delete;
  EntryLog &operator=(const EntryLog &) = delete;

  /// Takes the images of the tape's entries, all of which have run.
  void settle();
  /// The tape's entries since the last turn become one.
  void closeTurn();
  /// How many entries the present turn has.
  int64_t numOpen() const;
  /// Has it one that is not of host code alone?
  bool hasOpenTask() const;
  /// The tape's list of entries was cleared.
  void forgetEntries() { numSettled = numClosed = 0; }

  /// How many turns are closed.
  int64_t numTurns() const { return turns.size(); }
  /// The entries of a turn: numbers for `entry`.
  Turns::Numbers at(int64_t turn) const { return turns.at(turn); }
  /// How many turns there are that differ, and their entries.
  int64_t numDistinct() const { return turns.numDistinct(); }
  Turns::Numbers distinctAt(int64_t number) const {
    return turns.distinct(number);
  }
  /// An entry of the log.
  const Entry &entry(int32_t number) const { return distinct[size_t(number)]; }
  /// How many entries there are in all turns.
  int64_t numEntries() const { return count; }
  /// Writes what a launch or an addition wrote.
  void putPieces(const Entry &entry) const;
  /// The scalars of a store or fill, of so many bytes each.
  void putWords(const Entry &entry, int64_t number, char *to,
                int64_t bytes) const;
  /// The most bytes that it took so far: what repeats itself is joined late.
  int64_t numBytes() const { return most; }

private:
  /// What an entry wrote to a part of a field.
  struct Piece {
    int32_t field;
    bool isLast; ///< of the entry
    Box box;
    char *bytes;
  };
  void takeImage(Entry &entry);
  void takePieces(Entry &entry);
  void takePiece(int32_t number, const Box &box);
  void takeElement(Entry &entry, const chirt_field *field);
  int32_t numberOf(const Entry &entry);
  void rehash();

  Tape &tape;
  Turns turns;
  Array<Entry> distinct;
  Array<int32_t> byHash, ids;
  Array<int64_t> words; ///< a scalar each
  Array<Piece> pieces;
  int64_t bytesOfPieces = 0, count = 0, most = 0;
  size_t numSettled = 0; ///< entries of the tape that have their images
  size_t numClosed = 0;  ///< entries of the tape whose turns are closed
};

/// What a budget knows of a field of its tape.
struct BudgetedField {
  /// The snapshots behind this turn have no copy yet of what it holds.
  int64_t behind = -1;
  int64_t readIn = -1; ///< the last turn that read something of that, or -1
  Box read;            ///< the hull of what was read
  bool isWritten = false;
  bool wasRead = false;  ///< since it was overwritten, something of it
  bool isState = false;  ///< a turn reads what an earlier one left
  bool isActive = false; ///< its adjoint is counted
  bool isCopied = false; ///< a copy for adjoint tasks is counted
};

/// Bytes that a tape takes or will take.
struct BudgetBytes {
  int64_t state = 0;    ///< of one snapshot
  int64_t turn = 0;     ///< the most that the entries of a turn and saves take
  int64_t measured = 0; ///< the same, if nothing was saved before the turn
  int64_t adjoints = 0; ///< of fields, with copies that adjoint tasks change
  int64_t last = 0;     ///< what written fields hold at the end of the tape
  int64_t alone = 0;    ///< fields that nobody but the tape has
  int64_t first = 0;    ///< contents of the snapshot of the tape's beginning
};

/// What a tape takes at the end of a turn, as long as nothing is dropped, and
/// what it needs to go on with snapshots.
struct BudgetStep {
  int64_t held, needed;
};

class Budget {
public:
  /// `bytes`: what the tape may take; `site`: of the `with Tape`.
  Budget(Tape &tape, const chirt_site *site, int64_t bytes)
      : tape(tape), site(site), budget(bytes), log(tape) {}
  Budget(const Budget &) = delete;
  Budget &operator=(const Budget &) = delete;
  /// Fields hold again what they held when the tape ended.
  void restoreLast();

  // Forward. Each hook comes before what it reports.
  /// An entry is about to be made. `stored`: the number of a field, if host
  /// code stores single elements of it; else -1.
  void beforeEntry(int32_t stored = -1);
  /// A task reads fields of the tape.
  void readByTask(const chirt_task *task, const int64_t *words,
                  const chirt_domain *domain);
  /// A part of a field is read, by the present entry or its adjoint.
  void read(int32_t number, const Box &box);
  /// A part of a field is written.
  void write(int32_t number, const Box &box, bool isOverwritten);
  /// An adjoint task changes what its primal found: it gets a copy.
  void noteCopy(int32_t number);
  /// The tape kept so many bytes for the backward pass.
  void addSaved(int64_t bytes) {
    saved += bytes;
    if (!isReplaying)
      savedInAll += bytes;
  }
  /// The adjoint of a task will be asked which adjoints of fields it takes.
  void expectAdjoints(const chirt_task *primal);
  /// Was something of the field read since it was overwritten?
  bool wasRead(int32_t number) { return at(number).wasRead; }
  /// Results of atomic operations take so many bytes.
  void addResults(int64_t bytes) { results += bytes; }
  /// May the entry that is made now go on with the one before it?
  bool mayGoOn() const { return log.numOpen() > 0; }
  /// A loop of so many turns begins (negative: it is not known how many).
  void beginLoop(const chirt_site *loop, int64_t turns);
  /// An iteration of a loop begins.
  void beginTurn(const chirt_site *loop);
  /// Does the tape save what the adjoints of its entries need?
  bool isSaving() const { return mode == Mode::Saving || mode == Mode::Plain; }
  /// Is what it saves kept?
  bool keepsSaves() const { return isSaving() && !isCounting(); }
  /// Does the tape find out what it would have to save?
  bool notesNeeds() const {
    return isMeasuring || (isReplaying ? isSaving() : countsAll);
  }
  /// Is what it saves only counted?
  bool isCounting() const {
    bool isDropped = mode == Mode::TooSmall || mode == Mode::Snapshots;
    return plan.isOn || isMeasuring || (isDropped && !isReplaying);
  }
  /// Snapshots go to a file in this folder. Raises if there cannot be one.
  void spillTo(const char *folder);
  /// What a tape with a budget cannot do, at its own place or at another one.
  /// Raises.
  [[noreturn]] void refuse(const char *what,
                           const chirt_site *at = nullptr) const;

  // Of `chic plan`.
  /// From now on it is only counted what the tape would save, and it is not run
  /// backward.
  void onlyPlan();
  bool isPlanned() const { return plan.isOn; }
  /// The program says what the tape may take.
  void changeTo(int64_t bytes) { budget = bytes; }
  bool isLimited() const { return budget != INT64_MAX; }
  /// The tape ends: the plan of it is taken.
  void tellPlan();

  // Backward.
  /// The tape ends. Raises if the budget is too small.
  void finish();
  /// Fills the tape's list of entries with the last turns that were not
  /// visited, and saves what their adjoints need. False: all were.
  bool nextSegment();

private:
  friend class Replay;
  enum class Mode : uint8_t {
    Saving,    ///< the saves of these turns fit
    Plain,     ///< so do they, but there is no room for a snapshot
    Snapshots, ///< entries are launched again
    TooSmall,  ///< only the log is kept, to tell at the end what would do
  };
  BudgetedField &at(int32_t number);
  bool needsCopy(int32_t number, int64_t from, int64_t to) const;
  /// Are there snapshots, or may there be?
  bool hasSnapshots() const {
    return mode != Mode::TooSmall && mode != Mode::Plain;
  }
  bool fits(int64_t bytesOfSnapshots) const;
  void endTurn();
  void countFields();
  void expectAdjoint(int32_t number);
  int64_t bytesOfLog() const;
  int64_t bytesSaved() const;
  int64_t bytesForSnapshots() const;
  int64_t stateBytes() const;
  int64_t needed() const;
  int64_t bytesOfAll() const;
  int64_t least() const;
  void noteStep();
  void measureTurns();
  bool keepsAll();
  void prepareReplay();
  void leaveSaving();
  void chooseUnit();
  void planKnown();
  void placeSnapshot();
  void makeRoom(int64_t most);
  int64_t mostSnapshots() const;
  void giveUp();
  [[noreturn]] void failTooSmall() const;
  void dropSaves();
  void runPlan();
  void notePeak();

  Tape &tape;
  const chirt_site *site;
  int64_t budget;
  Mode mode = Mode::Saving;
  bool isReplaying = false;
  bool isMeasuring = false; ///< what turns save, by the log
  bool isEnded = false;     ///< the tape is
  /// Is everything counted that a tape without a budget would save?
  bool countsAll = true;
  Array<BudgetedField> known;
  EntryLog log;
  int64_t turn = 0;      ///< the present one
  int64_t expected = -1; ///< turns in all, as the program says; or -1
  /// Turns of the loops that began in turn `announcedAt`, and how many of them
  /// had no task so far.
  int64_t announced = 0, announcedAt = -1, idle = 0;
  int64_t saved = 0;       ///< bytes, by the tape
  int64_t savedInAll = 0;  ///< the same, with those that were dropped
  int64_t results = 0;     ///< bytes of results of atomic operations
  int64_t savedBefore = 0; ///< bytesSaved(), when the turn began
  int64_t numMeasured = 0; ///< of the turns that differ
  int64_t adjointUses = 0; ///< arguments of adjoint tasks
  Array<BudgetStep> steps; ///< by which the least budget is found
  int64_t heldBefore = 0;  ///< by the last of those that were dropped
  bool hasSteps = true;    ///< it may be less than what snapshots need
  BudgetBytes sizes;
  size_t countedFields = 0;
  Snapshots snapshots;
  Contents contents, last;
  Array<int64_t> planned; ///< turns of snapshots, the next one last
  int64_t base = 0;       ///< the turn from which on units are counted
  int64_t unit = 1;       ///< turns whose saves are kept at once
  int64_t end = 0;        ///< turns from this one on are visited
  int64_t segment = -1;   ///< where the tape's list begins; -1: there is none
  int64_t position = -1;  ///< the turn whose state the fields hold, or -1
  TapePlan plan;
};

} // namespace chirt
#endif // CHIRT_TAPE_BUDGET_H
