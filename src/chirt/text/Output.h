//===- Output.h - Standard output and error ---------------------*- C++ -*-===//
#ifndef CHIRT_TEXT_OUTPUT_H
#define CHIRT_TEXT_OUTPUT_H

#include "chirt/text/Text.h"
#include <string_view>

namespace chirt {

/// Writes to standard output as one chunk, from any thread. Gathered in a
/// buffer when it is no terminal. If it cannot be written (disk full) the
/// process ends with status 2.
void writeOut(std::string_view text);
/// Writes what is gathered.
void flushOut();
/// The same from a signal handler; skipped if a write is under way.
void flushOutInSignal();
/// Writes to standard error as one chunk, after what standard output holds.
void writeError(std::string_view text);
/// From now on nothing is written of what goes to standard output, or to
/// standard error.
void muteOutput(bool results, bool errors);

/// From now on what goes to standard output is kept, not written.
void beginCapture();
/// What was kept since; nothing is kept from now on.
Text takeCapture();

/// `hide` is called before anything is written, to clear a progress bar from
/// the terminal; null takes it back.
void setBarHider(void (*hide)());

} // namespace chirt
#endif // CHIRT_TEXT_OUTPUT_H
