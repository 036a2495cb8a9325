//===- Changes.h - Who observes changes of fields ---------------*- C++ -*-===//
// Whoever changes a field says so here before it does: launches and the run
// time's functions on fields. This room does not know who observes. An observer
// is a table of plain functions that lives as long as it is subscribed, so
// nothing is allocated, and without an observer a change costs one load and one
// branch.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_FIELD_CHANGES_H
#define CHIRT_FIELD_CHANGES_H

#include "chirt/chirt.h"

namespace chirt {

class Text;

/// A task and its arguments.
struct Launching {
  const chirt_task *task;
  const int64_t *words;
};

/// What a thread's observer of changes does. No function is null.
struct ChangeObserver {
  /// A task is about to run. Returns what runs instead: the task, or another
  /// one that leaves more. May raise.
  Launching (*launch)(const Launching &launching, const chirt_domain *domain);
  /// The same, before that. Runs the task over other fields, if it takes views
  /// that the observer cannot record; else returns false.
  bool (*launchOverViews)(const Launching &launching,
                          const chirt_domain *domain);
  /// All of a field is about to get a value.
  void (*fill)(chirt_field *field);
  /// All of a field is about to become what another one is.
  void (*copy)(chirt_field *to, const chirt_field *from);

  /// The field that `.grad` of a field stands for at present, or null after a
  /// failure; `isElse` is set where it is the field's own gradient.
  chirt_field *(*gradient)(const chirt_site *site, chirt_field *field,
                           bool &isElse);
  /// Memory is short for `field`, or (null) for one that could not be made.
  /// Appends the observer's purpose of it, "the adjoint of `x`, ". Returns the
  /// site of the loop that runs for it, or null.
  const chirt_site *(*describeShort)(Text &out, const chirt_field *field);
  /// Appends how much memory it holds, "; the tape holds 12 MiB: …", or
  /// nothing.
  void (*appendHeld)(Text &out);
};

/// What the forward mode of a thread does where fields change. No function is
/// null.
struct TangentCarrier {
  /// A task is about to run. Returns what runs instead: the task, or one that
  /// also computes tangents. May raise.
  Launching (*launch)(const Launching &launching, const chirt_domain *domain);
  /// All of a field is about to get a value.
  void (*fill)(chirt_field *field);
  /// All of a field is about to become what another one is.
  void (*copy)(chirt_field *to, const chirt_field *from);
  /// A field is about to be added to another one.
  void (*add)(chirt_field *to, const chirt_field *from);
  /// The scalars at these numbers are about to become zero.
  void (*zero)(chirt_field *field, const int64_t *offsets, int64_t count);
  /// Host code is about to store an element, or one component of it (-1: all).
  void (*store)(chirt_field *field, int64_t component, const int64_t *indices);
};

/// That of the calling thread while it is in forward mode; else null.
extern thread_local constinit const TangentCarrier *tangentCarrier;

/// The calling thread's; null if it has none.
extern thread_local constinit const ChangeObserver *changeObserver;
/// From now on `observer` observes what the calling thread changes; null: no
/// more. A thread has one at a time.
inline void observeChanges(const ChangeObserver *observer) {
  changeObserver = observer;
}

/// Call before a task runs over `domain`. Returns what has to run instead: see
/// ChangeObserver::launch, TangentCarrier::launch. May raise.
inline Launching noteLaunch(const Launching &launching,
                            const chirt_domain *domain) {
  Launching running = launching;
  if (changeObserver) [[unlikely]]
    running = changeObserver->launch(running, domain);
  if (tangentCarrier) [[unlikely]]
    running = tangentCarrier->launch(running, domain);
  return running;
}
/// Call before all of a field is set to one value.
inline void noteFill(chirt_field *field) {
  if (changeObserver) [[unlikely]]
    changeObserver->fill(field);
  if (tangentCarrier) [[unlikely]]
    tangentCarrier->fill(field);
}
/// Call before all of `from` is copied to `to`, a field of the same shape.
inline void noteCopy(chirt_field *to, const chirt_field *from) {
  if (changeObserver) [[unlikely]]
    changeObserver->copy(to, from);
  if (tangentCarrier) [[unlikely]]
    tangentCarrier->copy(to, from);
}
/// See ChangeObserver::describeShort.
inline const chirt_site *describeShort(Text &out, const chirt_field *field) {
  return changeObserver ? changeObserver->describeShort(out, field) : nullptr;
}
/// See ChangeObserver::appendHeld.
inline void appendHeld(Text &out) {
  if (changeObserver)
    changeObserver->appendHeld(out);
}

/// Observes which fields there are in the process. No function is null.
struct FieldObserver {
  /// Called when all of the handle is set.
  void (*made)(chirt_field *field);
  /// Called while all of the field is still there.
  void (*gone)(chirt_field *field);
};

/// The process's; null if it has none.
extern const FieldObserver *fieldObserver;
/// From now on `observer` observes the fields of the process; null: no more.
/// Only while no other thread makes or releases fields.
inline void observeFields(const FieldObserver *observer) {
  fieldObserver = observer;
}

/// Call after a field was made.
inline void noteMade(chirt_field *field) {
  if (fieldObserver) [[unlikely]]
    fieldObserver->made(field);
}
/// Call before a field is freed, while all of it is valid.
inline void noteGone(chirt_field *field) {
  if (fieldObserver) [[unlikely]]
    fieldObserver->gone(field);
}

} // namespace chirt
#endif // CHIRT_FIELD_CHANGES_H
