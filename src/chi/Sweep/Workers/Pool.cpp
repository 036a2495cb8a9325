//===- Pool.cpp - Workers on this machine ---------------------------------===//
#include "chi/Sweep/Workers/Pool.h"
#include "chi/Launch/Files.h"
#include "chi/Sweep/Points/Failure.h"
#include "chi/Sweep/Workers/Worker.h"
#include "llvm/ADT/STLExtras.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace chi;
using namespace chi::sweep;

/// Milliseconds between two calls of `tick`.
static constexpr int kTick = 200;

// A handler has no argument; the process has one pool.
static volatile sig_atomic_t stopRequest = 0, numStopRequests = 0;

static void onStop(int signal) {
  stopRequest = signal;
  numStopRequests = numStopRequests + 1;
}

Pool::Pool(PoolClient &client, LineFiles &files, std::string folder,
           std::string run, int jobs, unsigned grace)
    : client(client), files(files), folder(std::move(folder)),
      runName(std::move(run)), grace(grace), slots(size_t(jobs)) {
  stopRequest = 0;
  numStopRequests = 0;
  struct sigaction action = {};
  action.sa_handler = onStop; // calls are interrupted, not restarted
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN); // a worker that is gone is seen by its pipe
}

Pool::~Pool() {
  for (Slot &slot : slots)
    if (slot.pid > 0)
      ::kill(slot.pid, SIGTERM);
}

int Pool::stopSignal() const { return stopRequest; }

//===--- Workers ----------------------------------------------------------===//

void Pool::becomeWorker(Slot &slot, launch::Descriptor tasks,
                        launch::Descriptor wakes, launch::Descriptor lines,
                        pid_t parent) {
  // The points end as stopped when the controlling process is killed.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::setpgid(0, 0);
  for (Slot &other : slots) {
    (void)other.tasks.close();
    (void)other.wakes.close();
  }
  if (::getppid() != parent)
    ::_exit(1);
  ::flock(lines.get(), LOCK_EX);
  client.enterWorker();
  WorkerOptions options;
  options.tasks = tasks.get();
  options.lines = lines.get();
  options.wakes = wakes.get();
  options.grace = grace;
  ::_exit(runWorker(options) == 0 ? 0 : 1);
}

llvm::Error Pool::start(Slot &slot) {
  int tasks[2], wakes[2];
  auto failed = [&] {
    return failure(llvm::Twine("cannot start a worker: ") +
                   std::strerror(errno));
  };
  if (::pipe2(tasks, O_CLOEXEC) != 0)
    return failed();
  launch::Descriptor tasksRead(tasks[0]), tasksWrite(tasks[1]);
  if (::pipe2(wakes, O_CLOEXEC) != 0)
    return failed();
  launch::Descriptor wakesRead(wakes[0]), wakesWrite(wakes[1]);
  slot.file = runName + "-" + std::to_string(++numStarted) + ".jsonl";
  launch::Descriptor lines(
      ::open((folder + "/" + slot.file).c_str(),
             O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666));
  if (!lines.isOpen())
    return failed();
  pid_t parent = ::getpid(), child = ::fork();
  if (child < 0)
    return failed();
  if (child == 0) {
    (void)tasksWrite.close();
    (void)wakesRead.close();
    becomeWorker(slot, std::move(tasksRead), std::move(wakesWrite),
                 std::move(lines), parent);
  }
  slot.pid = child;
  slot.tasks = std::move(tasksWrite);
  slot.wakes = std::move(wakesRead);
  ::fcntl(slot.wakes.get(), F_SETFL, O_NONBLOCK);
  return llvm::Error::success();
}

/// A worker has ended, or its pipe says so.
void Pool::bury(Slot &slot) {
  ::waitpid(slot.pid, nullptr, 0);
  slot.pid = 0;
  readLines(slot);
  files.close(slot.file);
  for (const Given &given : slot.given) {
    if (given.isStarted)
      client.lose(given.task);
    else
      client.giveBack(given.task);
  }
  slot.given.clear();
  (void)slot.tasks.close();
  (void)slot.wakes.close();
}

//===--- Tasks ------------------------------------------------------------===//

void Pool::give(Slot &slot, Task task) {
  std::string text = textOf(task);
  bool isWritten = launch::writeAll(slot.tasks.get(), text);
  slot.given.push_back({std::move(task)});
  if (!isWritten)
    ::kill(slot.pid, SIGKILL); // it is given back when the pipe ends
}

llvm::Error Pool::fill() {
  for (auto [number, slot] : llvm::enumerate(slots))
    while (slot.given.size() < std::max<size_t>(client.depth(), 1)) {
      auto task = client.next(int(number));
      if (!task)
        break;
      if (slot.pid == 0)
        if (llvm::Error failed = start(slot)) {
          client.giveBack(*task);
          return failed;
        }
      give(slot, std::move(*task));
    }
  return llvm::Error::success();
}

void Pool::noteLine(Slot &slot, const Line &line) {
  bool isCompilation = line.kind == Line::Ready;
  auto given = llvm::find_if(slot.given, [&](const Given &each) {
    return each.task.isCompilation == isCompilation &&
           each.task.point == line.point;
  });
  if (given != slot.given.end()) {
    if (line.kind == Line::Start)
      given->isStarted = true;
    else
      slot.given.erase(given);
  }
  client.apply(line);
}

void Pool::readLines(Slot &slot) {
  files.read(slot.file, [&](const Line &line) { noteLine(slot, line); });
}

bool Pool::isIdle() const {
  return llvm::all_of(slots, [](const Slot &s) { return s.given.empty(); });
}

bool Pool::isAnyAlive() const {
  return llvm::any_of(slots, [](const Slot &slot) { return slot.pid > 0; });
}

/// Waits for workers, at most until the next tick.
void Pool::wait() {
  std::vector<pollfd> polled;
  std::vector<Slot *> owners;
  for (Slot &slot : slots)
    if (slot.pid > 0) {
      polled.push_back({slot.wakes.get(), POLLIN, 0});
      owners.push_back(&slot);
    }
  if (::poll(polled.data(), polled.size(), kTick) <= 0)
    return;
  for (auto [poll, slot] : llvm::zip(polled, owners)) {
    if (!poll.revents)
      continue;
    char bytes[4096];
    ssize_t count = ::read(slot->wakes.get(), bytes, sizeof(bytes));
    if (count > 0)
      readLines(*slot);
    else if (count == 0)
      bury(*slot);
  }
}

void Pool::stop(int signal) {
  isStopping = true;
  for (Slot &slot : slots) {
    if (slot.pid > 0)
      ::kill(slot.pid, signal);
    (void)slot.tasks.close();
  }
}

static int64_t milliseconds() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

llvm::Error Pool::run() {
  int64_t ticked = milliseconds();
  int stopsSeen = 0;
  llvm::Error problem = llvm::Error::success();
  while (true) {
    if (!isStopping) {
      if (llvm::Error failed = fill()) {
        problem = llvm::joinErrors(std::move(problem), std::move(failed));
        stop(SIGTERM);
      } else if (isIdle()) {
        isStopping = true; // no more tasks: the workers see the end of them
        for (Slot &slot : slots)
          (void)slot.tasks.close();
      }
    }
    if (isStopping && !isAnyAlive())
      break;
    wait();
    if (numStopRequests > stopsSeen) {
      stopsSeen = numStopRequests;
      stop(stopsSeen > 1 ? SIGKILL : SIGTERM);
    }
    if (int64_t time = milliseconds(); time - ticked >= kTick) {
      ticked = time;
      for (Slot &slot : slots)
        if (slot.pid > 0)
          readLines(slot);
      if (!client.tick() && !isStopping)
        stop(SIGTERM);
    }
  }
  (void)client.tick();
  return problem;
}
