//===- Command.cpp - Output of other programs -----------------------------===//
#include "chi/Sweep/Workers/Command.h"
#include "chi/Launch/Files.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Workers/Worker.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace chi;

llvm::Expected<std::string>
sweep::outputOf(llvm::ArrayRef<llvm::StringRef> command) {
  auto program = llvm::sys::findProgramByName(command.front());
  if (!program)
    return failure("'" + command.front() +
                   "': " + program.getError().message());
  llvm::SmallString<128> out, err;
  for (auto *file : {&out, &err})
    if (std::error_code failed =
            llvm::sys::fs::createTemporaryFile("chic-output", "txt", *file))
      return failure("cannot write a temporary file: " + failed.message());
  llvm::scope_exit remove([&] {
    llvm::sys::fs::remove(out);
    llvm::sys::fs::remove(err);
  });
  std::optional<llvm::StringRef> redirects[] = {
      llvm::StringRef(), llvm::StringRef(out), llvm::StringRef(err)};
  std::string problem;
  int status =
      llvm::sys::ExecuteAndWait(*program, command, std::nullopt, redirects,
                                /*SecondsToWait=*/60, 0, &problem);
  if (status == 0)
    return launch::readFile(std::string(out)).value_or("");
  std::string line = errorLine(launch::readFile(std::string(err)).value_or(""));
  return failure("'" + command.front() + "': " +
                 (!line.empty() ? line
                  : !problem.empty()
                      ? problem
                      : "exit status " + std::to_string(status)));
}
