//===- ArrayTask.cpp - A worker under Slurm -------------------------------===//
#include "chi/Sweep/Slurm/ArrayTask.h"
#include "chi/Launch/Files.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Slurm/Batch.h"
#include "chi/Sweep/Workers/Command.h"
#include "chi/Sweep/Workers/LineFiles.h"
#include "chi/Sweep/Workers/Worker.h"
#include "llvm/ADT/STLExtras.h"
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <sys/file.h>
#include <sys/stat.h>

using namespace chi;
using namespace chi::sweep;

static int numberOf(const char *variable) {
  const char *text = std::getenv(variable);
  return text ? std::atoi(text) : 0;
}

namespace {
class ArrayTask {
public:
  explicit ArrayTask(const std::string &folder);
  llvm::Expected<int> run();

private:
  std::string file(const char *suffix) const {
    return folder + "/" + std::to_string(task) + suffix;
  }
  std::string name(int restart) const {
    return linesName(batch, task, restart);
  }
  llvm::Error replaceEarlier();
  std::vector<Task> rest();

  std::string folder, workers, job;
  int batch, task, restart;
  launch::Descriptor lines;
  std::map<int64_t, Line> ends; ///< of earlier workers, by their points
};
} // namespace

ArrayTask::ArrayTask(const std::string &folder)
    : folder(folder), task(numberOf("SLURM_ARRAY_TASK_ID")),
      restart(numberOf("SLURM_RESTART_COUNT")) {
  // OUT/slurm/batch-0001
  llvm::StringRef path = folder;
  while (path.consume_back("/"))
    ;
  auto [parent, last] = path.rsplit('/');
  batch = 0;
  (void)last.rsplit('-').second.getAsInteger(10, batch);
  workers = parent.rsplit('/').first.str() + "/workers";
  const char *array = std::getenv("SLURM_ARRAY_JOB_ID");
  job = std::string(array ? array : "0") + "_" + std::to_string(task);
}

/// The latest worker before this one, as far as it came.
llvm::Error ArrayTask::replaceEarlier() {
  LineFiles files(workers);
  for (int earlier = restart - 1; earlier >= 0; --earlier) {
    struct stat status;
    std::string path = workers + "/" + name(earlier);
    if (::stat(path.c_str(), &status) != 0)
      continue;
    Line line;
    line.kind = Line::Replaces;
    line.file = name(earlier);
    line.bytes = status.st_size;
    if (!launch::writeAll(lines.get(), textOf(line)))
      return failure("'" + path + "' cannot be replaced");
  }
  for (int earlier = restart - 1; earlier >= 0; --earlier)
    files.read(name(earlier), [&](const Line &line) {
      auto &known = ends[line.point];
      if (line.kind == Line::End && line.attempt >= known.attempt)
        known = line;
    });
  return llvm::Error::success();
}

/// The tasks that are not ended, as further attempts.
std::vector<Task> ArrayTask::rest() {
  std::vector<Task> tasks;
  for (Task &each : readTasks(file(".tasks"))) {
    each.attempt += restart;
    auto end = ends.find(each.point);
    bool isEnded = end != ends.end() && end->second.kind == Line::End;
    bool isOpen = isEnded && (end->second.isStopped || end->second.exit == 75);
    if (isEnded && !isOpen)
      continue;
    if (isEnded && end->second.exit == 75 && !each.continuation.empty()) {
      llvm::append_range(each.command, each.continuation);
      each.continues = true;
    }
    tasks.push_back(std::move(each));
  }
  return tasks;
}

llvm::Expected<int> ArrayTask::run() {
  std::string lock = job + " " + std::to_string(restart) + "\n";
  if (!launch::writeFileAtomically(file(".lock"), lock))
    return failure("'" + file(".lock") + "' cannot be written");
  lines = launch::Descriptor(::open((workers + "/" + name(restart)).c_str(),
                                    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                                    0666));
  if (!lines.isOpen())
    return failure("'" + workers + "/" + name(restart) + "' cannot be written");
  if (llvm::Error failed = replaceEarlier())
    return failed;
  std::string text;
  for (const Task &each : rest())
    text += textOf(each);
  if (!launch::writeFileAtomically(file(".run"), text))
    return failure("'" + file(".run") + "' cannot be written");
  launch::Descriptor tasks(::open(file(".run").c_str(), O_RDONLY | O_CLOEXEC));
  WorkerOptions options;
  options.tasks = tasks.get();
  options.lines = lines.get();
  options.lockFile = file(".lock");
  options.lockText = lock;
  int signal = runWorker(options);
  if (signal != SIGUSR1)
    return signal == 0 ? 0 : 1;
  // The time limit: the rest is for a further run of the same task.
  auto queued = outputOf({"scontrol", "requeue", job});
  if (!queued)
    return queued.takeError();
  return 0;
}

llvm::Expected<int> sweep::runArrayTask(const std::string &folder) {
  return ArrayTask(folder).run();
}
