//===- LocalSweep.cpp - A sweep on this machine ---------------------------===//
#include "chi/Sweep/Workers/LocalSweep.h"
#include "chi/Sweep/Points/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include <ctime>
#include <sched.h>
#include <unistd.h>

using namespace chi;
using namespace chi::sweep;

int sweep::availableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) != 0)
    return 1;
  return std::max(CPU_COUNT(&set), 1);
}

static int jobsOf(const Request &request) {
  if (request.jobs > 0)
    return request.jobs;
  return request.gpus.empty() ? availableCores() : int(request.gpus.size());
}

LocalSweep::LocalSweep(Journal &journal, const Request &request,
                       std::string out, std::string chic, SweepLock &lock,
                       Progress &progress)
    : journal(journal), request(request), out(std::move(out)),
      chic(std::move(chic)), lock(lock), progress(progress),
      jobs(jobsOf(request)),
      threads(request.threads ? request.threads
                              : std::max(availableCores() / jobs, 1)) {
  for (const Row &row : journal.ledger.all())
    if (!row.isFinished()) {
      queue.push_back(row.number);
      ++sets[setOf(row)].size;
    }
}

size_t LocalSweep::setOf(const Row &row) {
  auto [found, isNew] =
      setNumbers.try_emplace(compiledInto(row, request), sets.size());
  if (isNew)
    sets.emplace_back();
  return found->second;
}

std::optional<Task> LocalSweep::compilationOf(const Row &row, size_t set) {
  // A single point compiles for itself.
  if (request.isExecutable || sets[set].size < 2) {
    sets[set].state = Set::Ready;
    return std::nullopt;
  }
  sets[set].state = Set::Compiling;
  Task task = taskOf(row, request, out, chic, threads, "");
  task.isCompilation = true;
  task.point = int64_t(set);
  task.command.push_back("--compile-only");
  return task;
}

std::optional<Task> LocalSweep::next(int slot) {
  for (auto at = queue.begin(); at != queue.end(); ++at) {
    Row &row = journal.ledger.row(*at);
    if (row.isFinished()) {
      queue.erase(at);
      return next(slot);
    }
    size_t set = sets.size() == 1 ? 0 : setOf(row);
    if (sets[set].state == Set::Compiling)
      continue;
    if (sets[set].state == Set::Unknown)
      if (auto task = compilationOf(row, set))
        return task;
    journal.ledger.begin(*at);
    queue.erase(at);
    bool hasGpus = !request.gpus.empty();
    return taskOf(row, request, out, chic, threads,
                  hasGpus ? request.gpus[size_t(slot) % request.gpus.size()]
                          : "");
  }
  return std::nullopt;
}

void LocalSweep::apply(const Line &line) {
  if (line.kind == Line::Ready) {
    sets[size_t(line.point)].state = Set::Ready;
    return;
  }
  if (!journal.ledger.apply(line) || line.kind != Line::End)
    return;
  secondsSum += line.seconds;
  ++numEnds;
  if (!journal.ledger.row(line.point).isFinished())
    queue.push_front(line.point);
}

void LocalSweep::giveBack(const Task &task) {
  if (task.isCompilation) {
    sets[size_t(task.point)].state = Set::Unknown;
    return;
  }
  journal.ledger.giveBack(task.point, task.attempt);
  queue.push_front(task.point);
}

void LocalSweep::lose(const Task &task) {
  if (task.isCompilation)
    return giveBack(task);
  journal.ledger.lose(task.point, task.attempt, "its worker was killed");
  if (!journal.ledger.row(task.point).isFinished())
    queue.push_front(task.point);
}

/// Short points are given ahead, so that no worker waits for the next one.
size_t LocalSweep::depth() const {
  constexpr double kShort = 0.05; // seconds
  constexpr size_t kAhead = 8;
  constexpr int64_t kKnown = 8; // points
  return numEnds >= kKnown && secondsSum < kShort * double(numEnds) ? kAhead
                                                                    : 1;
}

bool LocalSweep::tick() {
  if (llvm::Error failed = journal.flush()) {
    problem = llvm::toString(std::move(failed));
    return false;
  }
  progress.show(journal.ledger.count());
  return true;
}

llvm::Expected<int> LocalSweep::run() {
  // Files of lines of two runs have different names.
  std::string name = "local-" + std::to_string(::time(nullptr)) + "-" +
                     std::to_string(::getpid());
  constexpr unsigned kGrace = 30; // seconds
  Pool pool(*this, journal.files, out + "/workers", name, jobs, kGrace);
  if (llvm::Error failed = pool.run())
    return std::move(failed);
  if (!problem.empty())
    return failure(problem);
  if (llvm::Error failed = journal.flush())
    return std::move(failed);
  return pool.stopSignal();
}
