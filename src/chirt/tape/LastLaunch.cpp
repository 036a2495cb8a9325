//===- LastLaunch.cpp - What a tape records last may wait -----------------===//
// A sum over pairs computes what its adjoint computes again right behind it,
// and one task can do both in one pass (chirt_task::both). If nothing can look
// between the launch that a tape records last and the tape's end, the launch
// waits: the backward pass begins with the task that does both.
//
// Who compiled the program knows that nothing looks, so no access has to ask
// whether a launch waits: chirt_tape_last, the kernel, chirt_launch_last as the
// last thing that it does, chirt_tape_end.
#include "chirt/field/Copies.h"
#include "chirt/field/Field.h"
#include "chirt/launch/Launch.h"
#include "chirt/tape/Observer.h"
#include "chirt/tape/Stack.h"

namespace chirt {

/// Is there one tape, which hears of the launch and of nothing else?
static Tape *tapeThatEnds() {
  if (!threadTapes || threadTapes->open.size() != 1 ||
      !threadTapes->kept.empty() || tapeObserver)
    return nullptr;
  Tape *tape = threadTapes->open.back();
  bool mayWait = !tape->budget || tape->budget->keepsSaves();
  return tape->kernel || tape->isEnding || !mayWait ? nullptr : tape;
}

/// The adjoint is computed with what the field of a result held before. So no
/// gradient may be asked of that, and it may not lie elsewhere. What does both
/// is made of the adjoint for all launches.
bool Tape::mayWait(const Entry &entry) const {
  if (entry.kind != EntryKind::Launch || !entry.isActive ||
      patterns.ways[size_t(entry.count)].adjoint != entry.task->adjoint)
    return false;
  PatternRun writes = patterns[entry.to].writes;
  for (int32_t k = writes.from; k < writes.to; ++k) {
    const TapedField &known = fields[size_t(patterns.uses[size_t(k)].field)];
    bool isSaved = known.save >= 0 &&
                   saves[size_t(known.save)].version == known.version - 1;
    if (known.isWatched || isSaved)
      return false;
  }
  return true;
}

bool Tape::postpone(const chirt_task *task, const int64_t *words,
                    const chirt_domain *domain) {
  const size_t before = entries.size();
  launch(0, task, words, domain);
  isPostponed = entries.size() == before + 1 && mayWait(entries.back());
  return isPostponed;
}

void Tape::runPostponed() {
  if (!std::exchange(isPostponed, false))
    return;
  const Entry &entry = entries.back();
  const int64_t *words = tuples.at(entry.at);
  chirt_domain domain = domainOf(words, entry.task);
  launchUnheard(entry.task, words, &domain);
}

} // namespace chirt

using namespace chirt;

void chirt_tape_last(void) {
  if (Tape *tape = tapeThatEnds())
    tape->isClosing = true;
}

void chirt_launch_last(const chirt_task *task, const int64_t *words,
                       const chirt_domain *domain) {
  // What runs before the adjoint does a part of it.
  bool isWhole = !task->adjoint || !task->adjoint->prologue;
  Tape *tape =
      task->fused && isWhole && !tangentCarrier && !takesViews(task, words)
          ? tapeThatEnds()
          : nullptr;
  if (!tape || !tape->isClosing)
    return chirt_launch(task, words, domain);
  if (!tape->postpone(task, words, domain))
    launchUnheard(task, words, domain);
}
