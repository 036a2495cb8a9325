//===- Line.h - What workers write ------------------------------*- C++ -*-===//
// A worker appends one JSON object a line to a file of its own; the controlling
// process reads it. A line is written by one call, so that a process that is
// killed leaves whole lines.
//
#ifndef CHI_SWEEP_STORE_LINE_H
#define CHI_SWEEP_STORE_LINE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace chi::sweep {

struct Line {
  enum Kind {
    Start,   ///< a point's process was started
    End,     ///< it has ended
    Ready,   ///< a compilation has ended
    Replaces ///< the worker goes on where an earlier one was lost
  } kind = Start;
  int64_t point = 0;
  int attempt = 0;
  double time = 0; ///< seconds since 1970
  std::string host;
  int64_t pid = 0;        ///< Start: of the process, which leads its group
  double seconds = 0;     ///< End: from start to end
  int exit = 0;           ///< End: the status; of a signal 128 + its number
  int signal = 0;         ///< End: what ended the process, or 0
  bool isStopped = false; ///< End: because the worker was asked to stop
  std::string report;     ///< End: a JSON object of reported values, or ""
  std::string error;      ///< End: first line of an error, or ""
  std::string file;       ///< Replaces: the lines of the earlier worker
  int64_t bytes = 0;      ///< Replaces: what counts of them
};

/// The line, with its end.
std::string textOf(const Line &line);
/// None if the text is no line: another version's, or damaged.
std::optional<Line> readLine(llvm::StringRef text);

/// Joins the objects {"report": {…}} of a file of CHI_REPORT, one a line: the
/// last value of a name wins. A JSON object, or "" if there is none.
std::string joinReports(llvm::StringRef text);

} // namespace chi::sweep
#endif // CHI_SWEEP_STORE_LINE_H
