//===- Forward.h - Forward mode ---------------------------------*- C++ -*-===//
// In forward mode a task that has a tangent task is replaced by that, and what
// the run time and host code do to fields they also do to the tangents of these
// (field/Dual.h).
#ifndef CHIRT_TANGENT_FORWARD_H
#define CHIRT_TANGENT_FORWARD_H

#include "chirt/chirt.h"

namespace chirt {

/// How many threads of the process are in forward mode: each of them counts in
/// chirt_recording.
int32_t numForwardModes();
/// Whether the calling thread is in forward mode.
bool isInForwardMode();
/// Begins it; fails if the calling thread is in it.
void beginForwardMode(const chirt_site *site);
/// Leaves it, if the calling thread is in it.
void endForwardMode();

} // namespace chirt
#endif // CHIRT_TANGENT_FORWARD_H
