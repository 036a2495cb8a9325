//===- Worker.cpp - Runs points one after another -------------------------===//
#include "chi/Sweep/Workers/Worker.h"
#include "chi/Launch/Files.h"
#include "chi/Sweep/Workers/Child.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace chi;
using namespace chi::sweep;

//===--- Signals ----------------------------------------------------------===//

// A handler has no argument: the process has one worker, and this is its state.
static volatile pid_t runningGroup = 0;
static volatile sig_atomic_t isStopping = 0;
static volatile unsigned graceSeconds = 30;

static void onStop(int signal) {
  isStopping = signal;
  if (runningGroup > 0) {
    ::kill(-runningGroup, SIGTERM);
    ::alarm(graceSeconds);
  }
}

static void onAlarm(int) {
  if (runningGroup > 0)
    ::kill(-runningGroup, SIGKILL);
}

static sigset_t stopSignals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (int each : {SIGTERM, SIGUSR1, SIGALRM})
    ::sigaddset(&set, each);
  return set;
}

static void installHandlers(unsigned grace) {
  graceSeconds = std::max(grace, 1u);
  struct sigaction action = {};
  action.sa_mask = stopSignals();
  action.sa_handler = onStop; // calls are interrupted, not restarted
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGUSR1, &action, nullptr);
  action.sa_handler = onAlarm;
  ::sigaction(SIGALRM, &action, nullptr);
  // The terminal's Ctrl-C is for the controlling process.
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
}

//===--- A point ----------------------------------------------------------===//

static double now() {
  timespec time;
  ::clock_gettime(CLOCK_REALTIME, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

std::string sweep::errorLine(llvm::StringRef log) {
  llvm::StringRef first, best;
  while (!log.empty() && best.empty()) {
    auto [line, rest] = log.split('\n');
    log = rest;
    line = line.trim();
    if (first.empty())
      first = line;
    if (line.contains_insensitive("error"))
      best = line;
  }
  return (best.empty() ? first : best).take_front(300).str();
}

namespace {
/// The state of one worker process.
class Worker {
public:
  explicit Worker(const WorkerOptions &options);
  int run();

private:
  bool readTasks();
  void runPoint(const Task &task);
  void compile(const Task &task);
  bool isOurs() const;
  bool write(const Line &line);
  void prepareFolder(const Task &task);
  char *const *environmentOf(const Task &task);
  /// Starts a task and waits for its end; -1 if it cannot be started.
  int runChild(const Task &task, const ChildPlace &place, const Line *start);

  const WorkerOptions &options;
  std::string host, input, reportVariable;
  std::vector<char *> environment; ///< the last word but the null is ours
  std::vector<Task> tasks;         ///< read, and not run
  bool isAtEnd = false, hasLost = false;
};
} // namespace

Worker::Worker(const WorkerOptions &options) : options(options) {
  char name[256] = "";
  ::gethostname(name, sizeof(name) - 1);
  host = name;
  for (char **word = environ; *word; ++word)
    if (!llvm::StringRef(*word).starts_with("CHI_REPORT="))
      environment.push_back(*word);
  environment.push_back(nullptr);
  environment.push_back(nullptr);
}

/// The lock of a job that was started again names the new one: what this one
/// does is of no account any more.
bool Worker::isOurs() const {
  if (options.lockFile.empty())
    return true;
  auto text = launch::readFile(options.lockFile);
  return text && *text == options.lockText;
}

bool Worker::write(const Line &line) {
  if (hasLost || !isOurs()) {
    hasLost = true;
    return false;
  }
  std::string text = textOf(line);
  hasLost = !launch::writeAll(options.lines, text);
  return !hasLost;
}

/// Reads what has come, at least one task; false at the end.
bool Worker::readTasks() {
  while (tasks.empty() && !isAtEnd && !isStopping) {
    char buffer[65536];
    ssize_t count = ::read(options.tasks, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR)
      continue;
    isAtEnd = count <= 0;
    if (isAtEnd)
      break;
    input.append(buffer, size_t(count));
    llvm::StringRef rest = input;
    while (rest.contains('\n')) {
      auto [line, after] = rest.split('\n');
      rest = after;
      if (auto task = readTask(line))
        tasks.push_back(std::move(*task));
    }
    input = rest.str();
  }
  return !tasks.empty() && !isStopping;
}

void Worker::prepareFolder(const Task &task) {
  if (::mkdir(task.folder.c_str(), 0777) != 0 && !task.continues)
    ::unlink((task.folder + "/report.jsonl").c_str());
  for (const std::string &input : task.inputs) {
    std::string name = input.substr(input.rfind('/') + 1);
    (void)!::symlink(input.c_str(), (task.folder + "/" + name).c_str());
  }
}

char *const *Worker::environmentOf(const Task &task) {
  reportVariable = "CHI_REPORT=" + task.folder + "/report.jsonl";
  environment[environment.size() - 2] = reportVariable.data();
  return environment.data();
}

int Worker::runChild(const Task &task, const ChildPlace &place,
                     const Line *start) {
  sigset_t blocked = stopSignals(), before;
  ::sigprocmask(SIG_BLOCK, &blocked, &before);
  pid_t child = startChild(task.command, place);
  runningGroup = child;
  if (child > 0 && isStopping)
    onStop(isStopping);
  if (start && child > 0) {
    Line line = *start;
    line.pid = child;
    if (!write(line))
      ::kill(-child, SIGKILL);
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  int status = -1;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  ::sigprocmask(SIG_BLOCK, &blocked, &before);
  // What the program started in its group does not outlive it.
  if (child > 0)
    ::kill(-child, SIGKILL);
  runningGroup = 0;
  ::alarm(0);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return child > 0 ? status : -1;
}

void Worker::runPoint(const Task &task) {
  prepareFolder(task);
  Line line;
  line.point = task.point;
  line.attempt = task.attempt;
  line.host = host;
  double begin = line.time = now();
  ChildPlace place = {task.folder.c_str(), "out.log", "err.log", task.continues,
                      environmentOf(task)};
  int status = runChild(task, place, &line);
  line.kind = Line::End;
  line.time = now();
  line.seconds = line.time - begin;
  line.isStopped = isStopping != 0;
  line.signal = status >= 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  line.exit = status < 0    ? 2
              : line.signal ? 128 + line.signal
                            : WEXITSTATUS(status);
  if (auto report = launch::readFile(task.folder + "/report.jsonl"))
    line.report = joinReports(*report);
  if (line.exit != 0) {
    if (auto log = launch::readFile(task.folder + "/err.log"))
      line.error = errorLine(*log);
    if (line.error.empty() && line.signal)
      line.error = ::strsignal(line.signal);
    if (line.error.empty() && (line.exit == 126 || line.exit == 127))
      line.error = "cannot start " + task.command.front();
  }
  write(line);
}

void Worker::compile(const Task &task) {
  ChildPlace place = {nullptr, "/dev/null", "/dev/null", false,
                      environmentOf(task)};
  int status = runChild(task, place, nullptr);
  Line line;
  line.kind = Line::Ready;
  line.point = task.point;
  line.exit = status;
  line.time = now();
  write(line);
}

int Worker::run() {
  while (readTasks()) {
    std::vector<Task> given = std::move(tasks);
    tasks.clear();
    for (const Task &task : given) {
      if (isStopping || hasLost)
        return hasLost ? -1 : isStopping;
      if (task.isCompilation)
        compile(task);
      else
        runPoint(task);
      if (options.wakes >= 0)
        (void)!::write(options.wakes, "w", 1);
    }
  }
  return hasLost ? -1 : isStopping;
}

int sweep::runWorker(const WorkerOptions &options) {
  installHandlers(options.grace);
  return Worker(options).run();
}
