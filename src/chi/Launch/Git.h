//===- Git.h - The commit that a program is of ------------------*- C++ -*-===//
#ifndef CHI_LAUNCH_GIT_H
#define CHI_LAUNCH_GIT_H

#include "chi/Launch/Descriptor.h"
#include <string>
#include <sys/types.h>

namespace chi::launch {

/// Asks git in the background which commit a folder is at, and whether tracked
/// files have changes. CHI_GIT in the environment answers in its place: a sweep
/// asks once for all of its points.
class GitQuery {
public:
  explicit GitQuery(const std::string &folder);
  ~GitQuery();
  GitQuery(const GitQuery &) = delete;

  /// Waits for the answer: a member of a JSON object,
  ///
  ///     "git": {"commit": "4f3a…", "clean": true}
  ///
  /// or "" where there is no git, no repository or no commit, or if git takes
  /// more than 10 seconds.
  std::string member();

private:
  bool readAnswer(std::string &text);
  void end(bool isKilled);

  Descriptor answer;
  pid_t child = -1;
};

/// The folder of a program's file, or the current one for "-".
std::string folderOfProgram(const std::string &file);

} // namespace chi::launch
#endif // CHI_LAUNCH_GIT_H
