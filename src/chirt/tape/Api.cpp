//===- Api.cpp - Tapes as programs ask for them ---------------------------===//
#include "chirt/cpu/FieldOps.h"
#include "chirt/failure/Failure.h"
#include "chirt/field/Field.h"
#include "chirt/field/Gradient.h"
#include "chirt/params/Bytes.h"
#include "chirt/support/Settings.h"
#include "chirt/tape/Observer.h"
#include "chirt/tape/Stack.h"
#include "chirt/text/Output.h"

using namespace chirt;

/// Sets the gradients of all fields to zero; tapes round `tape` hear of it.
static void clearGradients(Tape &tape, size_t level) {
  Array<chirt_field *> all = allGradients();
  // Whatever happens, the tape gives them back.
  tape.temporaries.swap(all);
  for (size_t k = 0; k < tape.temporaries.size(); ++k)
    zeroBelow(level, tape.temporaries[k]);
  for (chirt_field *gradient : tape.temporaries)
    chirt_field_release(gradient);
  tape.temporaries.clear();
}

/// A tape would set to zero what the adjoint of a call has begun with.
static void refuseInAdjoint(const chirt_site *site) {
  if (numTapes() == 0)
    return;
  for (const Tape *tape : tapesOfThread().open)
    if (tape->isInAdjoint) {
      failAt(site, UserFault,
             "a tape inside of a function of `@adjoint_of` is not supported: "
             "use `k.grad()`, which adds to the adjoints");
      leave();
    }
}

/// Is it for the first time that this tape begins?
static bool isToBePlanned(const chirt_site *site) {
  if (!settings().tapePlanner || tangentCarrier)
    return false;
  for (const chirt_site *planned : tapesOfThread().planned)
    if (planned == site)
      return false;
  tapesOfThread().planned.push(site);
  return true;
}

/// Ends the run if it was the last tape of the program.
static void endPlanned(Tape &tape) {
  tape.budget->tellPlan();
  dropTapes(numTapes() - 1);
  int32_t count = settings().tapePlanner->count;
  if (count > 0 && int64_t(tapesOfThread().planned.size()) >= count)
    chirt_exit(0);
}

void chirt_tape_begin(const chirt_site *site, chirt_field *loss,
                      int32_t flags) {
  size_t level = numTapes();
  refuseInAdjoint(site);
  if (loss->base) {
    failAt(site, UserFault, "the loss of a tape cannot be a view of a field");
    leave();
  }
  for (const Tape *outer : tapesOfThread().open)
    if (outer->budget)
      outer->budget->refuse("another tape", site);
  Tape *tape = pushTape(nullptr);
  tape->isEnding = true; // it does not hear of what is done here
  tape->loss = loss;
  tape->flags = flags;
  chirt_field_retain(loss);
  if (!(flags & CHIRT_TAPE_ACCUMULATE))
    clearGradients(*tape, level);
  if (!(flags & CHIRT_TAPE_KEEP))
    zeroBelow(level, loss);
  tape->isEnding = false;
  if (level == 0 && isToBePlanned(site))
    tape->planFor(site, settings().tapeMemory);
  else if (settings().tapeMemory >= 0 && level == 0)
    tape->limitTo(site, settings().tapeMemory);
  noteTape(&TapeObserver::begin, *tape, site);
}

/// The innermost one that a program asked for; raises if there is none.
static Tape &innermost(const chirt_site *site) {
  size_t count = numTapes();
  if (count == 0 || tapesOfThread().open[count - 1]->kernel) {
    failAt(site, UserFault, "there is no tape here");
    leave();
  }
  return *tapesOfThread().open[count - 1];
}

void chirt_tape_watch(const chirt_site *site, chirt_field *field) {
  innermost(site).watch(field->base ? field->base : field);
}

void chirt_tape_budget(const chirt_site *site, const char *memory,
                       const char *spill) {
  Tape &tape = innermost(site);
  if (numTapes() > 1) {
    failAt(site, UserFault,
           "a tape in another one, or in a kernel that the program "
           "differentiates by `.grad()`, cannot have a memory budget");
    leave();
  }
  int64_t bytes = readBytes(memory);
  bool isPlanned = tape.budget && tape.budget->isPlanned();
  // By the command line.
  bool isGiven = tape.budget && tape.budget->isLimited();
  if ((bytes <= 0 && !isGiven) || (bytes <= 0 && *memory)) {
    failAt(site, UserFault,
           *memory ? "`%s` is no amount of memory (64MB, 1.5GB, 512KiB)"
                   : "`spill` needs a budget: `memory`%s",
           memory);
    leave();
  }
  if (isPlanned && !isGiven)
    tape.budget->changeTo(bytes);
  else if (!isGiven)
    tape.limitTo(site, bytes);
  if (*spill)
    tape.budget->spillTo(spill);
}

/// The tape of the calling thread that has a budget; null if there is none.
static Budget *openBudget() {
  return threadTapes && !threadTapes->open.empty()
             ? threadTapes->open[0]->budget
             : nullptr;
}

void chirt_tape_loop(const chirt_site *site, int64_t turns) {
  if (Budget *budget = openBudget()) [[unlikely]]
    budget->beginLoop(site, turns);
}

void chirt_tape_turn(const chirt_site *site) {
  if (Budget *budget = openBudget()) [[unlikely]]
    budget->beginTurn(site);
}

int32_t chirt::continueBackward(const chirt_site *site) {
  size_t level = numTapes() - 1;
  Tape &tape = *tapesOfThread().open[level];
  tape.isEnding = true;
  const char *kernel = tape.kernel;
  int32_t adjoint = runBackward(tape, level, site);
  if (adjoint >= 0)
    return adjoint;
  dropTapes(level);
  if (kernel)
    noteTape(&TapeObserver::endGrad, kernel);
  else
    noteTape(&TapeObserver::gradients, &tape);
  return -1;
}

int32_t chirt_tape_end(const chirt_site *site) {
  Tape &tape = innermost(site);
  tape.isEnding = true;
  if (tape.budget && tape.budget->isPlanned()) {
    endPlanned(tape);
    return -1;
  }
  noteTape(&TapeObserver::end, tape);
  return continueBackward(site);
}

void chirt_tape_host_store(chirt_field *field, int32_t is_added,
                           int64_t component, int64_t i0, int64_t i1,
                           int64_t i2, int64_t i3, int64_t i4, int64_t i5,
                           int64_t i6, int64_t i7) {
  if (!threadTapes && !tangentCarrier) [[likely]]
    return;
  const int64_t indices[CHIRT_MAX_RANK] = {i0, i1, i2, i3, i4, i5, i6, i7};
  if (threadTapes)
    recordHostStore(field, is_added != 0, component, indices);
  // What host code adds has no tangent.
  if (tangentCarrier && !is_added)
    tangentCarrier->store(field, component, indices);
}

void chirt_tape_statistics(int64_t *numbers) {
  if (threadTapes) {
    for (Tape *tape : threadTapes->open)
      tape->tellCounts();
    for (Tape *record : threadTapes->kept)
      record->tellCounts();
  }
  for (int k = 0; k < CHIRT_TAPE_NUM_STATISTICS; ++k)
    numbers[k] = __atomic_load_n(&tapeStatistics[k], __ATOMIC_RELAXED);
}

void chirt::printTapeStatistics() {
  int64_t n[CHIRT_TAPE_NUM_STATISTICS];
  chirt_tape_statistics(n);
  auto number = [&](chirt_tape_statistic which) {
    return static_cast<long long>(n[which]);
  };
  Text out;
  out.appendf("tapes: %lld entries, %lld bytes saved by %lld copies and %lld "
              "rotations, %lld adjoint tasks",
              number(CHIRT_TAPE_ENTRIES), number(CHIRT_TAPE_SAVED_BYTES),
              number(CHIRT_TAPE_COPIES), number(CHIRT_TAPE_ROTATIONS),
              number(CHIRT_TAPE_ADJOINTS));
  if (n[CHIRT_TAPE_RESULT_BYTES])
    out.appendf(", %lld bytes of results of atomic operations",
                number(CHIRT_TAPE_RESULT_BYTES));
  if (n[CHIRT_TAPE_REPLAYS])
    out.appendf(", %lld turns run again", number(CHIRT_TAPE_REPLAYS));
  out << '\n';
  writeError(out);
}

//===----------------------------------------------------------------------===//
// The adjoint of a kernel's latest call
//===----------------------------------------------------------------------===//

/// The number of a kernel's record; -1 if there is none.
static int64_t findRecord(const char *kernel) {
  const Array<Tape *> &kept = tapesOfThread().kept;
  for (size_t k = 0; k < kept.size(); ++k)
    if (!strcmp(kept[k]->kernel, kernel))
      return int64_t(k);
  return -1;
}

void chirt_kernel_begin(const char *kernel) {
  if (Budget *budget = openBudget())
    budget->refuse("a kernel that the program differentiates by `.grad()`");
  noteTape(&TapeObserver::beginCall, *pushTape(kernel));
}

void chirt_kernel_end(void) {
  TapeStack &tapes = tapesOfThread();
  Tape *record = tapes.open.back();
  noteTape(&TapeObserver::endCall, *record);
  tapes.open.pop();
  int64_t before = findRecord(record->kernel);
  if (before < 0)
    return tapes.kept.push(record);
  std::swap(record, tapes.kept[size_t(before)]);
  tapes.open.push(record);
  dropTapes(numTapes() - 1);
}

/// What a record saved before has no tangents.
static void refuseInForward(const chirt_site *site) {
  if (!tangentCarrier)
    return;
  failAt(site, UserFault,
         "the adjoint of a kernel inside of a `with Forward()` is not "
         "supported: use a tape");
  leave();
}

int32_t chirt_kernel_grad(const chirt_site *site, const char *kernel) {
  refuseInForward(site);
  TapeStack &tapes = tapesOfThread();
  int64_t number = findRecord(kernel);
  if (number < 0) {
    failAt(site, UserFault,
           "`%s.grad()` differentiates the latest call of `%s`, but there was "
           "no call since the last one was differentiated",
           kernel, kernel);
    leave();
  }
  Tape *record = tapes.kept[size_t(number)];
  tapes.kept.removeAt(size_t(number));
  // A guard drops it there.
  tapes.open.push(record);
  record->isEnding = true;
  noteTape(&TapeObserver::beginGrad, *record, site);
  return continueBackward(site);
}
