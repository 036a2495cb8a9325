//===- Parts.h - What tapes do with views -----------------------*- C++ -*-===//
// A tape knows whole fields. What it records of a view is a copy between some
// elements of the view's base and a field. A launch that takes views runs over
// such copies; the backward pass adds and splits their adjoints.
#ifndef CHIRT_TAPE_PARTS_H
#define CHIRT_TAPE_PARTS_H

#include "chirt/field/Changes.h"
#include "chirt/tape/Boxes.h"

namespace chirt {

/// Runs a task with fields of their own in place of the views that it takes, if
/// a tape is open; else false. Raises if two of its fields share memory that it
/// changes.
bool launchOverCopies(const Launching &launching, const chirt_domain *domain);

/// Reports that two arguments of a launch share memory that it changes: always
/// false. `a` and `b`: their numbers, in this order in the message.
bool failForOverlap(const chirt_task *task, int a, int b);

/// The least box of the base that has all elements of a view, which has some.
Box hullOf(const chirt_field *view);
/// The indices of the element of a field, which is no view, that has the scalar
/// of this number.
void indicesOfScalar(const chirt_field *base, int64_t scalar, int64_t *indices);
/// The indices in the base of an element of a view.
void indicesInBase(const chirt_field *view, const int64_t *indices,
                   int64_t *inBase);

/// Raises for a view while a tape is open, where the view was made; `what`:
/// that which takes it.
void refuseView(const chirt_field *field, const char *what);
/// Raises while several tapes are open, or one and a record of a kernel: what
/// one does with views would be recorded by the other. `site` may be null.
void refuseNestedView(const chirt_site *site);

} // namespace chirt
#endif // CHIRT_TAPE_PARTS_H
