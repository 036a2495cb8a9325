//===- Stack.h - The tapes of a thread --------------------------*- C++ -*-===//
#ifndef CHIRT_TAPE_STACK_H
#define CHIRT_TAPE_STACK_H

#include "chirt/field/Changes.h"
#include "chirt/tape/BufferPool.h"
#include "chirt/tape/Record.h"
#include "chirt/tape/Tape.h"

namespace chirt {

/// Memory of a tape that ended, for the next one: pages that the system got
/// back would be cleared again.
struct TapeRoom {
  Array<Entry> entries;
  Array<Save> saves;
  Arena memory;
};

/// The field that a tape makes now, and of which of its fields it is.
struct Making {
  const Tape *tape = nullptr;
  int32_t number = -1;
  Purpose purpose = Purpose::Save;
};

/// The tapes of a thread. `open`: the innermost one is last. `kept`: records of
/// the latest calls of kernels.
struct TapeStack {
  Array<Tape *> open, kept;
  BufferPool bufferPool;
  TapeRoom room;
  Making making;
  /// The tape whose adjoints `.grad` stands for, while an adjoint that the
  /// program gives runs; else null.
  Tape *adjoints = nullptr;
  /// Of the next call with an adjoint: its words, and what they are
  /// (chirt_custom_use, or kScalar).
  Array<int64_t> words;
  Array<int8_t> uses;
  Array<Tape *> wanting;             ///< tapes that want results of the launch
  Array<int64_t> recorded;           ///< what the recorder that runs takes
  Array<const chirt_site *> planned; ///< tapes that `chic plan` has met
};
/// The calling thread's tapes; null if it never had one.
extern thread_local constinit TapeStack *threadTapes;
/// Instead of a field's chirt_custom_use: it is a scalar.
constexpr int8_t kScalar = -1;
/// What runs instead of a task whose results tapes want.
Launching launchRecorder(TapeStack &tapes, const Launching &launching,
                         const chirt_domain *domain);
/// Makes those of the calling thread, which has none yet.
TapeStack &makeTapesOfThread();
/// Those of the calling thread.
inline TapeStack &tapesOfThread() {
  return threadTapes ? *threadTapes : makeTapesOfThread();
}
/// Opens a tape in those that are open.
Tape *pushTape(const char *kernel);

/// Must what a tape with so many round it does for itself be done by the
/// functions below? In forward mode it is done to tangents, too.
inline bool isHeard(size_t level) { return level > 0 || tangentCarrier; }
/// What a tape with so many round it does for itself: they record it.
void copyBelow(size_t level, chirt_field *to, const chirt_field *from);
/// Adds a field to another one.
void addBelow(size_t level, chirt_field *to, const chirt_field *from);
/// Sets a field to zero.
void zeroBelow(size_t level, chirt_field *field);
/// Scalars, by the numbers at which they are stored.
void zeroElementsBelow(size_t level, chirt_field *field, const int64_t *offsets,
                       int64_t count);
/// See chirt_tape_host_store.
void recordHostStore(chirt_field *field, bool isAdded, int64_t component,
                     const int64_t *indices);
/// Tells the records of kernels that a field, or a part of it, is changed.
void noteChange(const chirt_field *field, const chirt_task *by,
                const Box *changed = nullptr);

/// Runs `tape`, the innermost of the thread, backward: up to a call with an
/// adjoint of its own, whose number it returns, or to its end: -1.
int32_t runBackward(Tape &tape, size_t level, const chirt_site *site);
/// The same of the innermost tape, whose adjoint of a call is done; drops it at
/// its end.
int32_t continueBackward(const chirt_site *site);

// What tapes do as the thread's observer of changes (ChangeObserver).
/// The adjoint of a field while an adjoint that the program gives runs, or its
/// gradient in that of a kernel's latest call; made if there is none, null
/// after a failure at `site`. Elsewhere null, with `isElse` set.
chirt_field *adjointInCall(const chirt_site *site, chirt_field *field,
                           bool &isElse);
/// Appends for what a tape needs the field; returns the loop that it records.
const chirt_site *describeShortOnTapes(Text &out, const chirt_field *field);
/// Appends how much memory tapes hold, if any.
void appendTapeBytes(Text &out);

} // namespace chirt
#endif // CHIRT_TAPE_STACK_H
