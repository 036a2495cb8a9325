//===- Task.h - What a worker runs ------------------------------*- C++ -*-===//
#ifndef CHI_SWEEP_WORKERS_TASK_H
#define CHI_SWEEP_WORKERS_TASK_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace chi::sweep {

/// A point's process, or a compilation that comes before several points.
struct Task {
  int64_t point = 0; ///< from 1; of a compilation the number of its set
  bool isCompilation = false;
  int attempt = 1;
  bool continues = false;           ///< a checkpoint: logs are appended to
  std::string folder;               ///< working folder; made if it is not there
  std::vector<std::string> command; ///< the program's path is absolute
  /// Words that a further attempt gets after a checkpoint.
  std::vector<std::string> continuation;
  /// Files that the folder gets links to: absolute paths.
  std::vector<std::string> inputs;
};

/// One line of JSON, with its end.
std::string textOf(const Task &task);
/// None if the text is no task.
std::optional<Task> readTask(llvm::StringRef text);

} // namespace chi::sweep
#endif // CHI_SWEEP_WORKERS_TASK_H
