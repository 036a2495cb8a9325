//===- Signals.h - Ctrl-C ---------------------------------------*- C++ -*-===//
#ifndef CHIRT_SUPPORT_SIGNALS_H
#define CHIRT_SUPPORT_SIGNALS_H

#include <string_view>

namespace chirt {

/// From now on the first SIGINT, SIGTERM or SIGHUP ends the process at once:
/// what was printed goes out, a half-written file is removed, the status is
/// 128 + its number. Nothing is changed for a signal that is ignored, or that
/// the process has a handler for.
/// A write beyond the limit of a file's size fails from now on.
void installSignalHandlers();
/// Ends the process from a signal handler: what was printed goes out, then
/// `message` to standard error; a half-written file is removed.
[[noreturn]] void endInSignal(int status, std::string_view message);
/// What these handlers do: for the handler of a signal.
[[noreturn]] void endBySignal(int number);
/// The file to remove if a signal comes: one at a time. False if there is one
/// already, of another thread.
bool claimUnfinishedFile(const char *path);
/// It is finished. For who claimed it.
void releaseUnfinishedFile();

} // namespace chirt
#endif // CHIRT_SUPPORT_SIGNALS_H
