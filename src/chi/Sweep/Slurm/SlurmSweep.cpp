//===- SlurmSweep.cpp - A sweep on a cluster ------------------------------===//
#include "chi/Sweep/Slurm/SlurmSweep.h"
#include "chi/Launch/Files.h"
#include "chi/Launch/Hash.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Slurm/Batch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <unistd.h>

using namespace chi;
using namespace chi::sweep;

/// Tasks of one array; Slurm's usual limit (MaxArraySize) is 1001.
static constexpr int64_t kMostTasks = 1000;
/// Points that are submitted alone, for the time of a point.
static constexpr size_t kPilots = 2;
/// Seconds between two looks at the queue.
static constexpr unsigned kPoll = 1;

// A handler has no argument; the process follows one sweep.
static volatile sig_atomic_t stopRequest = 0;

static void onStop(int signal) { stopRequest = signal; }

SlurmSweep::SlurmSweep(Journal &journal, const Request &request,
                       std::string out, std::string chic, Progress &progress)
    : journal(journal), request(request), out(std::move(out)),
      chic(std::move(chic)), progress(progress) {
  name = "chi-" + launch::hashBytes(this->out).hex().substr(0, 12);
  stopRequest = 0;
  struct sigaction action = {};
  action.sa_handler = onStop;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

/// Without those of tasks that Slurm has: interrupted points go on in them.
std::vector<int64_t> SlurmSweep::pending() const {
  std::set<int64_t> given;
  for (const Part &part : parts)
    for (const Task &task : part.tasks)
      given.insert(task.point);
  std::vector<int64_t> points;
  for (const Row &row : journal.ledger.all())
    if (row.state == Row::Pending && !given.count(row.number))
      points.push_back(row.number);
  return points;
}

//===--- Submitting -------------------------------------------------------===//

/// How many points a task takes; none while the pilots have not shown it.
std::optional<int64_t> SlurmSweep::chunk(int64_t numPending) const {
  const SlurmRequest &slurm = request.slurm;
  if (slurm.chunk)
    return slurm.chunk;
  double sum = 0;
  int64_t count = 0;
  for (const Row &row : journal.ledger.all())
    if (row.state == Row::Done) {
      sum += row.seconds;
      ++count;
    }
  if (count)
    return chunkOf(slurm.chunkTime, sum / double(count), numPending);
  bool isLong = pilotsSince > 0 &&
                double(::time(nullptr)) - pilotsSince > slurm.chunkTime;
  if (isLong)
    return 1;
  return std::nullopt;
}

llvm::Error SlurmSweep::submitBatch(llvm::ArrayRef<int64_t> points,
                                    int64_t size) {
  std::string folder = batchFolder(out, ++numBatches);
  if (std::error_code failed = llvm::sys::fs::create_directories(folder))
    return failure("'" + folder + "': " + failed.message());
  auto write = [&](const std::string &file,
                   const std::string &text) -> llvm::Error {
    if (launch::writeFileAtomically(folder + "/" + file, text))
      return llvm::Error::success();
    return failure("'" + folder + "/" + file + "': " + std::strerror(errno));
  };
  int threads = 1;
  (void)llvm::StringRef(request.slurm.cpus).getAsInteger(10, threads);
  if (request.threads)
    threads = request.threads;
  std::vector<Part> made;
  while (!points.empty()) {
    Part &part = made.emplace_back();
    part.batch = numBatches;
    part.name = nameOf(numBatches);
    part.task = int64_t(made.size()) - 1;
    std::string text;
    for (int64_t point : points.take_front(size_t(size))) {
      journal.ledger.begin(point);
      part.tasks.push_back(
          taskOf(journal.ledger.row(point), request, out, chic, threads, ""));
      text += textOf(part.tasks.back());
    }
    if (llvm::Error failed = write(std::to_string(part.task) + ".tasks", text))
      return failed;
    points = points.drop_front(std::min(points.size(), size_t(size)));
  }
  std::string script = scriptOf(request.slurm, nameOf(numBatches), folder, chic,
                                int64_t(made.size()));
  if (llvm::Error failed = write("run.sh", script))
    return failed;
  // First the table: a process that is killed now leaves attempts that no job
  // has, and they go back.
  if (llvm::Error failed = journal.flush())
    return failed;
  auto job = submit(folder + "/run.sh");
  if (!job)
    return job.takeError();
  for (Part &part : made)
    part.job = *job;
  llvm::append_range(parts, made);
  return write("job", *job + "\n");
}

llvm::Error SlurmSweep::submitPending() {
  std::vector<int64_t> points = pending();
  if (points.empty())
    return llvm::Error::success();
  auto size = chunk(int64_t(points.size()));
  if (!size) {
    if (pilotsSince > 0)
      return llvm::Error::success();
    pilotsSince = double(::time(nullptr));
    points.resize(std::min(points.size(), kPilots));
    return submitBatch(points, 1);
  }
  llvm::ArrayRef<int64_t> rest = points;
  while (!rest.empty()) {
    auto part = rest.take_front(size_t(kMostTasks * *size));
    if (llvm::Error failed = submitBatch(part, *size))
      return failed;
    rest = rest.drop_front(part.size());
  }
  return llvm::Error::success();
}

//===--- Following --------------------------------------------------------===//

bool SlurmSweep::isOpen(const Part &part) {
  return llvm::any_of(part.tasks, [&](const Task &task) {
    return !journal.ledger.row(task.point).isFinished();
  });
}

/// Slurm has no such task any more; a process of it may still run.
void SlurmSweep::lose(const Part &part) {
  std::string lock =
      batchFolder(out, part.batch) + "/" + std::to_string(part.task) + ".lock";
  (void)launch::writeFileAtomically(lock, "lost\n");
  if (!part.job.empty())
    cancel(part.job, part.task);
  // What it wrote before counts.
  journal.files.readAll([&](const Line &line) { journal.ledger.apply(line); });
  for (const Task &task : part.tasks) {
    const Row &row = journal.ledger.row(task.point);
    if (row.state != Row::Running)
      continue;
    if (row.started > 0)
      journal.ledger.lose(row.number, row.attempts, "its job was lost");
    else
      journal.ledger.giveBack(row.number, row.attempts);
  }
}

llvm::Error SlurmSweep::follow() {
  std::string names;
  for (const Part &part : parts)
    if (!llvm::StringRef(names).ends_with("," + part.name))
      names += "," + part.name;
  if (names.empty())
    return llvm::Error::success();
  auto states = statesOf(names.substr(1));
  if (!states)
    return states.takeError();
  // Lines that were written before the states were asked for are read now.
  journal.files.readAll([&](const Line &line) { journal.ledger.apply(line); });
  constexpr int kMostMissed = 2;
  llvm::erase_if(parts, [&](const Part &part) { return !isOpen(part); });
  for (Part &part : parts) {
    auto found = states->find({part.name, part.task});
    if (found != states->end())
      part.job = found->second.job;
    bool isAlive = found != states->end() && found->second.isAlive();
    bool isWaiting = isAlive && found->second.reason == "BeginTime";
    part.waited = isWaiting ? part.waited + 1 : 0;
    // A node refuses a job that begins again in the second in which it ended.
    if (part.waited >= 2)
      startNow(part.job, part.task);
    part.missed = isAlive ? 0 : part.missed + 1;
    if (part.missed >= kMostMissed)
      lose(part);
  }
  llvm::erase_if(parts,
                 [](const Part &part) { return part.missed >= kMostMissed; });
  return llvm::Error::success();
}

llvm::Error SlurmSweep::step() {
  if (llvm::Error failed = follow()) {
    // The daemon may be down for a while.
    std::string text = llvm::toString(std::move(failed));
    progress.warn(text);
  } else if (llvm::Error refused = submitPending()) {
    return refused;
  }
  progress.show(journal.ledger.count());
  return journal.flush();
}

llvm::Expected<int> SlurmSweep::run() {
  while (!stopRequest) {
    if (llvm::Error failed = step())
      return std::move(failed);
    auto counts = journal.ledger.count();
    if (counts.states[Row::Pending] + counts.states[Row::Running] == 0)
      break;
    ::sleep(kPoll);
  }
  return int(stopRequest);
}

//===--- Taking over ------------------------------------------------------===//

/// The tasks of a batch that may still be worked on. Their jobs are found by
/// their names, also if the process was killed behind sbatch.
void SlurmSweep::readBatch(int number) {
  std::string folder = batchFolder(out, number);
  for (int64_t task = 0;; ++task) {
    std::string file = folder + "/" + std::to_string(task) + ".tasks";
    if (!llvm::sys::fs::exists(file))
      return;
    Part part;
    part.name = nameOf(number);
    part.batch = number;
    part.task = task;
    part.tasks = readTasks(file);
    if (isOpen(part))
      parts.push_back(std::move(part));
  }
}

void SlurmSweep::adopt() {
  while (llvm::sys::fs::exists(batchFolder(out, numBatches + 1)))
    readBatch(++numBatches);
  // A point belongs to the latest batch that has it.
  std::set<int64_t> known;
  for (Part &part : llvm::reverse(parts)) {
    llvm::erase_if(part.tasks,
                   [&](const Task &task) { return known.count(task.point); });
    for (const Task &task : part.tasks)
      known.insert(task.point);
  }
  for (const Row &row : journal.ledger.all())
    if (row.state == Row::Running && !known.count(row.number))
      journal.ledger.giveBack(row.number, row.attempts);
}
